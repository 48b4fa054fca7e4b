import JSON
import SceneWire
import WebSocketTransport

/// The connection at `/control`, over which the suite commands the driver of the client under test.
///
/// A command does not pass through the client's own connections, so that it reaches a client that
/// has none. `protocol/vectors/README.md` describes the commands. Belongs to the thread that
/// judges.
final class ControlChannel {
    /// The path at which the driver connects.
    static let path = "/control"

    private let connection: ScriptedServer
    private var lastID = 0

    init(_ connection: ScriptedServer) { self.connection = connection }

    /// Sends a command and waits for its answer.
    ///
    /// - Parameter command: JSON text.
    /// - Throws: `ScriptedServer.NotApplicable` where the client has no such part.
    @discardableResult
    func perform(_ command: String) throws -> JSONValue {
        lastID += 1
        connection.send(raw: Array(#"{"id": \#(lastID), "do": \#(command)}"#.utf8), .text)
        guard let event = connection.inbox.next(ScriptedServer.patienceSeconds) else {
            throw ScriptedServer.Failure(text: "the driver did not answer \(command)")
        }
        guard case .message(_, let bytes) = event else {
            throw ScriptedServer.Failure(text: "the driver ended its control connection")
        }
        guard let reply = try? JSONReader.read(bytes), reply["id"]?.number == Double(lastID) else {
            throw ScriptedServer.Failure(
                text:
                    "the driver answered \(command) with \(String(decoding: bytes, as: UTF8.self))")
        }
        if reply["cannot"]?.kind == .bool(true) {
            throw ScriptedServer.NotApplicable(text: "the driver does not know \(command)")
        }
        guard let answer = reply["answer"] else {
            throw ScriptedServer.Failure(text: "the driver's reply to \(command) has no answer")
        }
        return answer
    }
}

/// A client that obeys a control channel, and its present connection in one case.
final class DrivenClient {
    /// The latest connection of the client; it may have ended.
    private(set) var server: ScriptedServer
    private let control: ControlChannel
    private let nextConnection: (Double) -> ScriptedServer?

    init(
        _ server: ScriptedServer, _ control: ControlChannel,
        nextConnection: @escaping (Double) -> ScriptedServer?
    ) {
        self.server = server
        self.control = control
        self.nextConnection = nextConnection
    }

    /// Has the client carry out a command; returns the driver's answer.
    @discardableResult
    func perform(_ command: String) throws -> JSONValue { try control.perform(command) }

    /// Welcomes the client and sends it the state; grants the parts that these cases try.
    func welcome(_ hello: Hello, needing capabilities: UInt64 = 0) throws {
        try server.welcome(hello, granting: Self.parts, needing: capabilities)
        try server.sendState()
    }

    /// Welcomes the client, and waits until it has the state.
    func admit(needing capabilities: UInt64 = 0) throws {
        try welcome(server.hearHello(), needing: capabilities)
        try server.expectAcknowledgement()
    }

    /// Ends the connection as a failing server does, and waits for the end.
    func cut() throws {
        server.close(Self.internalError, "a step of the case")
        while let event = server.inbox.next(ScriptedServer.patienceSeconds) {
            if case .closed = event { return }
        }
        throw ScriptedServer.Failure(text: "it did not take the end of its connection")
    }

    /// Waits until the client has connected again, and welcomes it.
    func admitAgain() throws { try welcome(reconnect()) }

    /// Waits until the client has connected again; returns its hello.
    func reconnect() throws -> Hello {
        guard let next = nextConnection(ScriptedServer.patienceSeconds) else {
            throw ScriptedServer.Failure(text: "it did not connect again")
        }
        server = next
        return try next.hearHello()
    }

    /// The client's next `ops`; other messages are passed over.
    func hearOps(sequence: UInt64) throws -> Ops {
        let ops = try server.wait("ops") { if case .ops(let ops) = $0 { ops } else { nil } }
        guard ops.clientSequence == sequence else {
            throw ScriptedServer.Failure(
                text: "ops have sequence \(ops.clientSequence), not \(sequence)")
        }
        return ops
    }

    /// Makes the client acknowledge the present; messages of the kinds that `isWrong` tells must
    /// not have come until then.
    func expectNone(_ what: String, _ isWrong: (ClientMessage) -> Bool) throws {
        try server.play(server.frame())
        let tick = server.tick
        let isDone = try server.wait("ack of tick \(tick)") { message -> Bool? in
            if isWrong(message) { return false }
            if case .ack(let ack) = message, ack.tick == tick { return true }
            return nil
        }
        guard isDone else { throw ScriptedServer.Failure(text: "it sent \(what)") }
    }

    private static let parts =
        ScriptedServer.capabilities | Capability.subscribe | Capability.seek | Capability.inspect

    /// RFC 6455, section 7.4.1; clients come back after it.
    private static let internalError: UInt16 = 1011
}
