import Essentials
import FoundationEssentials
import Logging
import Pictures
import SceneSession
import SceneStore
import SceneWire
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
    static func session(_ options: ServerOptions, _ blobs: BlobStore) -> SessionOptions {
        var session = SessionOptions()
        session.images = ImageLibrary { hash, room in
            blobs.blob(hash, in: room).map {
                ImageFacts(
                    width: $0.picture.width, height: $0.picture.height,
                    type: $0.picture.type.mediaType)
            }
        }
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

    /// The record of the threads' steps. Rooms are served without it.
    static func stepRecord(
        _ options: ServerOptions, threads: Int, _ logger: Logger
    ) -> StepRecord? {
        guard let directory = options.dataDirectory else { return nil }
        do throws(ServerError) {
            return try StepRecord(path: Quarantine.recordPath(directory), threads: threads)
        } catch {
            logger.error("the room in which the server dies will not be known: \(error)")
            return nil
        }
    }

    static func quarantine(_ options: ServerOptions, _ logger: Logger) -> Quarantine {
        guard let directory = options.dataDirectory else { return Quarantine(logger: logger) }
        return Quarantine(directory: directory, logger: logger)
    }

    static func check(_ options: ServerOptions) throws(ServerError) {
        // Without keys, clients with a certificate are admitted, and other machines' without one
        // are not.
        if let host = options.openAddress, !options.allowsInsecureBind, options.keys.isEmpty,
            options.tls?.clientAuthoritiesPath == nil
        {
            throw .insecureBind(host: host)
        }
        if let complaint = options.limits.complaint { throw .badOption(complaint) }
        guard (1...240).contains(options.tickRate) else {
            throw .badOption("the tick rate is \(options.tickRate), expected 1 to 240")
        }
    }

    /// What opens the database for the second copy of a cluster's journals; `nil` without a
    /// directory.
    static func copyOpener(
        _ options: ServerOptions
    ) -> (@Sendable () throws(StoreError) -> any SceneStore)? {
        guard let directory = options.dataDirectory else { return nil }
        // Not where a server outside of a cluster would take it for its journal.
        return { () throws(StoreError) -> any SceneStore in
            try SQLiteStore(directory: directory + "/copy")
        }
    }

    /// Locks the data directory, which is created if missing; `nil` without one.
    static func lock(_ options: ServerOptions) throws(ServerError) -> DirectoryLock? {
        guard let directory = options.dataDirectory else { return nil }
        do throws(StoreError) {
            return try DirectoryLock(directory)
        } catch {
            if case .inUse = error { throw .inUse(error.description) }
            throw .store(error.description)
        }
    }

    static func store(
        _ lock: DirectoryLock?, _ memory: MemoryLedger, _ logger: Logger
    ) throws(ServerError) -> sending any SceneStore {
        guard let lock else { return MemoryStore(byteMaximum: memory.maximum / 4) }
        if let loss = JournalFile.loss(in: lock.directory, lock: lock) {
            logger.error("\(loss.description); a new journal begins")
        }
        do {
            return try SQLiteStore(lock: lock)
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
        configuration.listeners = options.listeners
        configuration.tls = options.tls
        configuration.origins = options.origins
        configuration.trustedProxies = options.trustedProxies
        configuration.messageBytesMaximum = options.limits.messageBytes
        configuration.bodyBytesMaximum = max(
            options.limits.messageBytes, ServerLimits.exportedRoomBytes)
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
        _ keys: KeySources, _ logger: Logger
    ) throws(ServerError) -> Authenticator? {
        guard !keys.isEmpty else { return nil }
        do throws(TokenError) {
            let authenticator = try Authenticator(keys)
            for note in authenticator.notes { logger.warning("\(note)") }
            return authenticator
        } catch {
            throw .keys(error)
        }
    }
}
