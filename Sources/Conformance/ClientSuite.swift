import Dispatch
import SceneProtocol
import Synchronization
import WebSocketTransport

/// Plays the server for a client, good and nasty, and judges what the client does. One case a connection: the client
/// connects to `/case-1` and so on, in any order, and leaves when the connection ends.
public final class ClientSuite: Sendable {
    /// The address without a path.
    public let url: String
    /// How many cases a client has to go through.
    public let caseCount: Int

    private let stage: Stage
    private let server: WebSocketServer
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
            server = try WebSocketServer(configuration: configuration)
            stage = Stage(server)
            try server.start(handler: stage)
        } catch {
            throw Failure(description: error.description)
        }
        url = "ws://127.0.0.1:\(server.port)"
        caseCount = Self.cases.count
        self.exclusions = exclusions
    }

    /// Waits for the client and judges each case that it comes to.
    ///
    /// - Parameters:
    ///   - patienceSeconds: How long to wait for the next connection.
    ///   - progress: Told of each result.
    public func run(
        patienceSeconds: Double, progress: (CaseResult) -> Void = { _ in }
    ) -> ConformanceReport {
        var results: [CaseResult?] = Array(repeating: nil, count: Self.cases.count)
        while results.contains(where: { $0 == nil }) {
            guard let actor = stage.arrivals.next(patienceSeconds) else { break }
            guard let index = Int(actor.path.split(separator: "-").last ?? ""),
                Self.cases.indices.contains(index - 1)
            else {
                actor.close(4004, "there is no \(actor.path)")
                continue
            }
            let test = Self.cases[index - 1]
            var result = CaseResult(id: test.id, title: test.title, verdict: .ok, detail: "")
            if exclusions.contains(test.id) {
                (result.verdict, result.detail) = (.informational, "left out")
            } else {
                (result.verdict, result.detail) = judge(test, actor)
            }
            actor.close(1000, "")
            results[index - 1] = result
            progress(result)
        }
        server.stop()
        let missing = zip(Self.cases, results).map { test, result in
            result
                ?? CaseResult(
                    id: test.id, title: test.title, verdict: .failed,
                    detail: "the client did not come to this case")
        }
        return ConformanceReport(subject: "client", results: missing)
    }

    private func judge(_ test: Case, _ actor: Actor) -> (Verdict, String) {
        do {
            try test.run(actor)
            return (.ok, "")
        } catch let failure as Actor.Failure {
            return (failure.isWeak ? .nonStrict : .failed, failure.text)
        } catch {
            return (.failed, "\(error)")
        }
    }

    /// A case: its number, what is tried, and how.
    struct Case: Sendable {
        var id: String
        var title: String
        var run: @Sendable (Actor) throws -> Void
    }
}

/// Hands connections to whoever judges them.
final class Stage: TransportHandler {
    let arrivals = EventBox<Actor>()
    private let server: WebSocketServer
    private let actors = Mutex<[ConnectionID: Actor]>([:])

    init(_ server: WebSocketServer) { self.server = server }

    func connectionOpened(_ info: ConnectionInfo) {
        let actor = Actor(
            id: info.id, path: info.path, server: server,
            format: Subprotocol(rawValue: info.subprotocol) ?? .binary)
        actors.withLock { $0[info.id] = actor }
        arrivals.add(actor)
    }

    func messageReceived(_ id: ConnectionID, _ kind: MessageKind, _ bytes: [UInt8]) {
        actors.withLock { $0[id] }?.inbox.add(.message(kind, bytes))
    }

    func connectionClosed(_ id: ConnectionID, code: UInt16?, reason: String) {
        actors.withLock { $0.removeValue(forKey: id) }?.inbox.add(.closed(code))
    }

    func httpRequest(_ request: HTTPRequest, _ responder: HTTPResponder) {
        responder(HTTPResponse(status: 404))
    }
}
