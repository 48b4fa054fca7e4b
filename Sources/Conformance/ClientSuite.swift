import Dispatch
import SceneWire
import Synchronization
import WebSocketTransport

/// Plays servers that keep and break the rules, and judges the client under test. One case a
/// connection: the client connects to `/case-1` and so on, in any order, and leaves when the
/// connection ends.
public final class ClientSuite: Sendable {
    /// The address without a path.
    public let url: String
    /// How many cases a client has to go through.
    public let caseCount: Int

    private let arrivals: EventBox<ScriptedServer>
    /// The server at the address of the suite, and the one at another that cases name.
    private let transports: [WebSocketServer]
    private let refused: LoopbackSocket
    private let raw: RawListener
    private let cases: [Case]

    /// The address cannot be listened on.
    public struct Failure: Error, CustomStringConvertible {
        /// Why.
        public var description: String
    }

    /// Listens on a port of this machine; 0 takes a free one.
    ///
    /// - Parameter hasControl: Whether the client's driver connects at `/control`, which some cases
    ///   need.
    public init(
        port: Int, choice: CaseChoice = CaseChoice(), hasControl: Bool = false
    ) throws(Failure) {
        let arrivals = EventBox<ScriptedServer>()
        self.arrivals = arrivals
        var transports: [WebSocketServer] = []
        for (address, port) in [(DialogueAddress.first, port), (DialogueAddress.second, 0)] {
            var configuration = ServerConfiguration(
                subprotocols: Subprotocol.allCases.map(\.rawValue))
            configuration.port = port
            do throws(TransportError) {
                let transport = try WebSocketServer(configuration: configuration)
                try transport.start(handler: Stage(transport, address, arrivals))
                transports.append(transport)
            } catch {
                throw Failure(description: error.description)
            }
        }
        self.transports = transports
        guard let refused = LoopbackSocket() else {
            throw Failure(description: "no port can be kept closed")
        }
        guard let raw = RawListener() else {
            throw Failure(description: "no further port can be listened on")
        }
        self.refused = refused
        self.raw = raw
        url = "ws://127.0.0.1:\(transports[0].port)"
        cases = Self.cases.filter {
            choice.takes($0.id, isEssential: $0.isEssential) && (hasControl || !$0.needsControl)
        }
        caseCount = cases.count
    }

    /// Every case: number, whether it is essential, and title.
    public static var catalogue: [CatalogueEntry] {
        cases.map { CatalogueEntry(id: $0.id, isEssential: $0.isEssential, title: $0.title) }
    }

    /// The numbers of the cases that need a control connection.
    public static var casesWithControl: [String] { cases.filter(\.needsControl).map(\.id) }

    /// Waits for the client and judges each case that it comes to.
    ///
    /// - Parameters:
    ///   - patienceSeconds: How long to wait for the next connection.
    ///   - progress: Called with each result.
    public func run(
        patienceSeconds: Double, progress: (CaseResult) -> Void = { _ in }
    ) -> ConformanceReport {
        var results: [CaseResult?] = Array(repeating: nil, count: cases.count)
        let lobby = Lobby(arrivals)
        var control: ControlChannel?
        while results.contains(where: { $0 == nil }) {
            guard let server = lobby.next(patienceSeconds) else { break }
            if server.path == ControlChannel.path {
                control = ControlChannel(server)
                continue
            }
            guard let index = Int(server.path.split(separator: "-").last ?? ""),
                cases.indices.contains(index - 1), results[index - 1] == nil
            else {
                server.close(Self.caseIsOver, "there is no \(server.path), or it is over")
                continue
            }
            let test = cases[index - 1]
            let (verdict, detail) = judge(test, server, control, lobby)
            let result = CaseResult(
                id: test.id, title: test.title, verdict: verdict, detail: detail)
            results[index - 1] = result
            progress(result)
        }
        for transport in transports { transport.stop() }
        let missing = zip(cases, results).map { test, result in
            result
                ?? CaseResult(
                    id: test.id, title: test.title, verdict: .failed,
                    detail: "the client did not come to this case")
        }
        return ConformanceReport(subject: "client", results: missing)
    }

    /// No client comes back after this code by itself, so that each can be tried with what it does
    /// after others.
    private static let caseIsOver = CloseCode.noSuchSession.rawValue

    private func judge(
        _ test: Case, _ server: ScriptedServer, _ control: ControlChannel?, _ lobby: Lobby
    ) -> (Verdict, String) {
        var last = server
        func next(_ seconds: Double) -> ScriptedServer? {
            guard let next = lobby.next(seconds, at: server.path) else { return nil }
            last = next
            return next
        }
        defer { last.close(Self.caseIsOver, "the case is over") }
        do {
            switch test.script {
            case .code(let run): try run(server)
            case .driven(let run):
                guard let control else {
                    return (.failed, "the driver is not connected at \(ControlChannel.path)")
                }
                try run(DrivenClient(server, control, nextConnection: next))
            case .frames(let run):
                // A client that has ended the connection may come back at its first address.
                defer { _ = next(1) }
                try judge(run, server)
            case .dialogue(let dialogue):
                var runner = DialogueRunner(
                    dialogue, with: server, addresses: addresses(of: server.path),
                    nextConnection: next)
                try Self.checkNeeds(of: dialogue, server)
                try runner.run()
            }
            return (.ok, "")
        } catch let failure as ScriptedServer.Failure {
            return (failure.isWeak ? .nonStrict : .failed, failure.text)
        } catch let failure as DialogueRunner.Failure {
            return (test.isWeak ? .nonStrict : .failed, failure.text)
        } catch let reason as ScriptedServer.NotApplicable {
            return (.informational, reason.text)
        } catch {
            return (.failed, "\(error)")
        }
    }

    /// Leads the client to the port where frames are written byte by byte.
    private func judge(_ run: (RawConnection) throws -> Void, _ server: ScriptedServer) throws {
        let url = "ws://127.0.0.1:\(raw.port)\(server.path)"
        try server.welcome(server.hearHello(), alternates: Alternates(urls: [url]))
        try server.sendState()
        try server.expectAcknowledgement()
        // Clients come back after 1011, and try the next address at once.
        server.close(1011, "a step of the case")
        guard
            let connection = raw.accept(
                path: server.path, within: ScriptedServer.patienceSeconds)
        else {
            throw ScriptedServer.NotApplicable(
                text: "the client does not come to another address")
        }
        defer { connection.end(Self.caseIsOver) }
        try run(connection)
    }

    /// The addresses of a case by their names.
    private func addresses(of path: String) -> [String: String] {
        [
            DialogueAddress.first: url + path,
            DialogueAddress.second: "ws://127.0.0.1:\(transports[1].port)\(path)",
            DialogueAddress.refused: "ws://127.0.0.1:\(refused.port)\(path)",
        ]
    }

    /// Looks at the client's hello, which the dialogue hears again.
    private static func checkNeeds(of dialogue: Dialogue, _ server: ScriptedServer) throws {
        guard dialogue.needs != 0 else { return }
        let asked = try server.peekCapabilities()
        guard asked & dialogue.needs == dialogue.needs else {
            throw ScriptedServer.NotApplicable(text: "the client does not ask for this part")
        }
    }
}

/// The connections that have come and were not asked for yet. Belongs to the thread that judges.
final class Lobby {
    private let arrivals: EventBox<ScriptedServer>
    private var waiting: [ScriptedServer] = []

    init(_ arrivals: EventBox<ScriptedServer>) { self.arrivals = arrivals }

    /// The next connection.
    func next(_ seconds: Double) -> ScriptedServer? {
        waiting.isEmpty ? arrivals.next(seconds) : waiting.removeFirst()
    }

    /// The next connection if it is at that path; `nil` where the client went on to another.
    func next(_ seconds: Double, at path: String) -> ScriptedServer? {
        guard let server = next(seconds) else { return nil }
        guard server.path == path else {
            waiting.insert(server, at: 0)
            return nil
        }
        return server
    }
}

/// Makes each connection a `ScriptedServer`, which the suite takes in the order of arrival.
final class Stage: TransportHandler {
    private let arrivals: EventBox<ScriptedServer>
    private let transport: WebSocketServer
    private let address: String
    private let servers = Mutex<[ConnectionID: ScriptedServer]>([:])

    init(
        _ transport: WebSocketServer, _ address: String, _ arrivals: EventBox<ScriptedServer>
    ) {
        self.transport = transport
        self.address = address
        self.arrivals = arrivals
    }

    func connectionOpened(_ info: ConnectionInfo) {
        let server = ScriptedServer(
            id: info.id, path: info.path, address: address, transport: transport,
            format: Subprotocol(rawValue: info.subprotocol) ?? .binary)
        servers.withLock { $0[info.id] = server }
        arrivals.add(server)
    }

    func messageReceived(_ id: ConnectionID, _ kind: MessageKind, _ bytes: [UInt8]) {
        servers.withLock { $0[id] }?.take(kind, bytes)
    }

    func connectionClosed(_ id: ConnectionID, code: UInt16?, reason: String) {
        servers.withLock { $0.removeValue(forKey: id) }?.inbox.add(.closed(code))
    }

    func httpRequest(_ request: HTTPRequest, _ responder: HTTPResponder) {
        responder(HTTPResponse(status: 404))
    }
}
