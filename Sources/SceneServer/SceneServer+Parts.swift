import Essentials
import FoundationEssentials
import Logging
import SceneProtocol
import SceneSession
import SceneStore
import WebSocketTransport

/// What a server makes its parts of.
extension SceneServer {
    /// Where clients reach this node.
    static func advertisedAddress(
        _ options: ServerOptions, _ node: NodeOptions, port: Int
    ) -> String {
        if let address = node.advertisedAddress { return address }
        let host = options.host.contains(":") ? "[\(options.host)]" : options.host
        return "\(options.tls == nil ? "ws" : "wss")://\(host):\(port)"
    }

    /// The options of rooms' sessions, whose limits may change later.
    static func session(_ options: ServerOptions) -> SessionOptions {
        var session = SessionOptions()
        session.freezeSeconds = options.freezeSeconds
        session.work = options.limits.work
        session.memory = options.limits.memory
        session.events = options.limits.events
        session.recordsEvents = options.eventRecords != nil
        session.provesAnswers = options.node != nil
        // Another node opens the room from the journal while people wait.
        if options.node != nil { session.replayDivisor = 64 }
        return session
    }

    static func stepRecord(
        _ options: ServerOptions, threads: Int
    ) throws(ServerError) -> StepRecord? {
        guard let directory = options.dataDirectory else { return nil }
        return try StepRecord(path: Quarantine.recordPath(directory), threads: threads)
    }

    static func quarantine(
        _ options: ServerOptions, _ logger: Logger
    ) throws(ServerError) -> Quarantine {
        guard let directory = options.dataDirectory else { return Quarantine(logger: logger) }
        return try Quarantine(directory: directory, logger: logger)
    }

    static func check(_ options: ServerOptions) throws(ServerError) {
        guard options.isLoopback || options.allowsInsecureBind || !options.keys.isEmpty else {
            throw .insecureBind(host: options.host)
        }
        if let complaint = options.limits.complaint { throw .badOption(complaint) }
        guard (1...240).contains(options.tickRate) else {
            throw .badOption("the tick rate is \(options.tickRate), expected 1 to 240")
        }
    }

    /// What opens the database for the second copy of a cluster's journals; `nil` without a directory.
    static func copyOpener(
        _ options: ServerOptions
    ) -> (@Sendable () throws(StoreError) -> any SceneStore)? {
        guard let directory = options.dataDirectory else { return nil }
        // Not where a server outside of a cluster would take it for its journal.
        return { () throws(StoreError) -> any SceneStore in
            try SQLiteStore(directory: directory + "/copy")
        }
    }

    /// Makes the directory that a server outside of a cluster has its journal in.
    static func makeDirectory(_ options: ServerOptions) throws(ServerError) {
        guard let directory = options.dataDirectory else { return }
        do {
            try FileManager.default.createDirectory(
                atPath: directory, withIntermediateDirectories: true)
        } catch {
            throw .store(
                "the directory \(directory) cannot be made: \(FileFailure.reason(of: error))")
        }
    }

    static func store(
        _ options: ServerOptions, _ memory: MemoryLedger
    ) throws(ServerError) -> sending any SceneStore {
        guard let directory = options.dataDirectory else {
            return MemoryStore(byteMaximum: memory.maximum / 4)
        }
        do {
            return try SQLiteStore(directory: directory)
        } catch {
            throw .store(error.description)
        }
    }

    static func transportConfiguration(
        _ options: ServerOptions, _ memory: MemoryLedger
    ) -> ServerConfiguration {
        var configuration = ServerConfiguration(subprotocols: Subprotocol.allCases.map(\.rawValue))
        configuration.host = options.host
        configuration.port = options.port
        configuration.tls = options.tls
        configuration.origins = options.origins
        configuration.trustedProxies = options.trustedProxies
        configuration.messageBytesMaximum = options.limits.messageBytes
        configuration.bodyBytesMaximum = options.limits.messageBytes
        configuration.connectionsMaximum = options.limits.connections
        // All allowed connections may open at once.
        configuration.requestsMaximum = options.limits.connections
        configuration.firstMessageBytesMaximum = ServerLimits.firstMessageBytes
        configuration.eachAddress = options.limits.eachAddress
        configuration.thisMachine = options.limits.thisMachine
        configuration.outboxBytesMaximum = options.limits.outboxBytes
        configuration.allOutboxesBytesMaximum = memory.maximum / 4
        configuration.slowPeerCloseCode = CloseCode.tooSlow.rawValue
        configuration.pingIntervalSeconds = options.pingSeconds
        configuration.hangUpSeconds = options.pingSeconds + max(options.pingSeconds / 2, 1)
        configuration.loopThreads = options.loopThreads
        return configuration
    }

    static func authenticator(
        _ keys: KeySources
    ) throws(ServerError) -> Authenticator? {
        guard !keys.isEmpty else { return nil }
        do throws(TokenError) {
            return try Authenticator(keys)
        } catch {
            throw .keys(error)
        }
    }
}
