import Dispatch
import SceneProtocol
import Synchronization
import WebSocketTransport

/// Plays servers that keep and break the rules, and judges the client under test. One case a connection: the client
/// connects to `/case-1` and so on, in any order, and leaves when the connection ends.
public final class ClientSuite: Sendable {
    /// The address without a path.
    public let url: String
    /// How many cases a client has to go through.
    public let caseCount: Int

    private let stage: Stage
    private let transport: WebSocketServer
    private let exclusions: Exclusions

    /// The address cannot be listened on.
    public struct Failure: Error, CustomStringConvertible {
        /// Why.
        public var description: String
    }

    /// Listens on a port of this machine; 0 takes a free one.
    public init(port: Int, exclusions: Exclusions = Exclusions([])) throws(Failure) {
        var configuration = ServerConfiguration(
            subprotocols: Subprotocol.allCases.map(\.rawValue))
        configuration.port = port
        do throws(TransportError) {
            transport = try WebSocketServer(configuration: configuration)
            stage = Stage(transport)
            try transport.start(handler: stage)
        } catch {
            throw Failure(description: error.description)
        }
        url = "ws://127.0.0.1:\(transport.port)"
        caseCount = Self.cases.count
        self.exclusions = exclusions
    }

    /// Waits for the client and judges each case that it comes to.
    ///
    /// - Parameters:
    ///   - patienceSeconds: How long to wait for the next connection.
    ///   - progress: Called with each result.
    public func run(
        patienceSeconds: Double, progress: (CaseResult) -> Void = { _ in }
    ) -> ConformanceReport {
        var results: [CaseResult?] = Array(repeating: nil, count: Self.cases.count)
        while results.contains(where: { $0 == nil }) {
            guard let server = stage.arrivals.next(patienceSeconds) else { break }
            guard let index = Int(server.path.split(separator: "-").last ?? ""),
                Self.cases.indices.contains(index - 1)
            else {
                server.close(CloseCode.noSuchSession.rawValue, "there is no \(server.path)")
                continue
            }
            let test = Self.cases[index - 1]
            var result = CaseResult(id: test.id, title: test.title, verdict: .ok, detail: "")
            if exclusions.contains(test.id) {
                (result.verdict, result.detail) = (.informational, "left out")
            } else {
                (result.verdict, result.detail) = judge(test, server)
            }
            server.close(StandardCloseCode.normal, "")
            results[index - 1] = result
            progress(result)
        }
        transport.stop()
        let missing = zip(Self.cases, results).map { test, result in
            result
                ?? CaseResult(
                    id: test.id, title: test.title, verdict: .failed,
                    detail: "the client did not come to this case")
        }
        return ConformanceReport(subject: "client", results: missing)
    }

    private func judge(_ test: Case, _ server: ScriptedServer) -> (Verdict, String) {
        do {
            try test.run(server)
            return (.ok, "")
        } catch let failure as ScriptedServer.Failure {
            return (failure.isWeak ? .nonStrict : .failed, failure.text)
        } catch {
            return (.failed, "\(error)")
        }
    }

    /// A case: its number, its title and its script.
    struct Case: Sendable {
        var id: String
        var title: String
        var run: @Sendable (ScriptedServer) throws -> Void
    }
}

/// Makes each connection a `ScriptedServer`, which the suite takes in the order of arrival.
final class Stage: TransportHandler {
    let arrivals = EventBox<ScriptedServer>()
    private let transport: WebSocketServer
    private let servers = Mutex<[ConnectionID: ScriptedServer]>([:])

    init(_ transport: WebSocketServer) { self.transport = transport }

    func connectionOpened(_ info: ConnectionInfo) {
        let server = ScriptedServer(
            id: info.id, path: info.path, transport: transport,
            format: Subprotocol(rawValue: info.subprotocol) ?? .binary)
        servers.withLock { $0[info.id] = server }
        arrivals.add(server)
    }

    func messageReceived(_ id: ConnectionID, _ kind: MessageKind, _ bytes: [UInt8]) {
        servers.withLock { $0[id] }?.inbox.add(.message(kind, bytes))
    }

    func connectionClosed(_ id: ConnectionID, code: UInt16?, reason: String) {
        servers.withLock { $0.removeValue(forKey: id) }?.inbox.add(.closed(code))
    }

    func httpRequest(_ request: HTTPRequest, _ responder: HTTPResponder) {
        responder(HTTPResponse(status: 404))
    }
}
