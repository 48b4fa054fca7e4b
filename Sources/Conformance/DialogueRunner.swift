import Dispatch
import JSON
import SceneWire
import WebSocketTransport

/// An end of a connection that a dialogue speaks through.
protocol DialogueEnd: AnyObject {
    func say(_ message: JSONValue) throws
    func say(raw bytes: [UInt8], _ kind: MessageKind)
    /// Sends a message that can be read, in the other format.
    func sayInWrongKind()
    /// The peer's next message, its end, or `nil` after so many seconds.
    func hear(within seconds: Double) throws -> DialogueHeard?
    func end(_ code: UInt16)
    /// From here on pings are not answered. Before, each ping is answered with a pong.
    func mute()
    /// The name of the address at which it was opened; see `DialogueAddress`.
    var address: String { get }
    /// The tick and the frames that the peer has told, by id; `nil` where it tells none.
    var told: (tick: UInt64, frames: [String: [Int32]])? { get }
}

/// The names of addresses in dialogues, which stand for URLs behind a `$`.
enum DialogueAddress {
    /// Where the client connects first.
    static let first = "first"
    /// Another one of the same server.
    static let second = "second"
    /// One at which nobody listens.
    static let refused = "refused"
}

/// What was heard of a peer.
enum DialogueHeard {
    case message(JSONValue)
    case closed(UInt16?)
}

/// Plays one side of a dialogue and judges the other.
struct DialogueRunner {
    /// The peer did not do what the dialogue has.
    struct Failure: Error {
        var text: String
    }

    private let dialogue: Dialogue
    private var values = DialogueValues()
    private var ends: [String: any DialogueEnd] = [:]
    /// Opens a connection to a server, at a path in place of the room's.
    private let open: (Subprotocol, String?) throws -> any DialogueEnd
    /// Waits for a client to connect again.
    private let nextConnection: (Double) -> (any DialogueEnd)?
    /// The time in seconds.
    private let clock: () -> Double

    init(
        _ dialogue: Dialogue, with first: (any DialogueEnd)? = nil,
        addresses: [String: String] = [:],
        open: @escaping (Subprotocol, String?) throws -> any DialogueEnd = { _, _ in
            throw Failure(text: "clients connect by themselves")
        },
        nextConnection: @escaping (Double) -> (any DialogueEnd)? = { _ in nil },
        clock: @escaping () -> Double = {
            Double(DispatchTime.now().uptimeNanoseconds) / 1e9
        }
    ) {
        self.dialogue = dialogue
        self.open = open
        self.nextConnection = nextConnection
        self.clock = clock
        ends["a"] = first
        for (name, url) in addresses { values[name] = .string(url) }
    }

    /// Runs all steps.
    ///
    /// - Returns: The connection that is open at the end, so that its owner can end it.
    @discardableResult
    mutating func run() throws -> (any DialogueEnd)? {
        for (index, (name, step)) in dialogue.steps.enumerated() {
            do {
                try run(step, name)
            } catch let failure as Failure {
                throw Failure(text: "step \(index + 1): \(failure.text)")
            }
        }
        return ends["a"]
    }

    private mutating func run(_ step: Dialogue.Step, _ name: String) throws {
        switch step {
        case .connect(let format, let path): ends[name] = try open(format, path)
        case .reconnect(let from, let to, let address):
            let start = clock()
            guard let end = nextConnection(to) else {
                throw Failure(text: "it did not connect again within \(to) s")
            }
            ends[name] = end
            let waited = clock() - start
            guard waited >= from else {
                throw Failure(text: "it connected again after \(waited) s, not \(from) s")
            }
            guard end.address == address else {
                throw Failure(text: "it connected at the \(end.address) address, not \(address)")
            }
        case .away(let seconds):
            guard nextConnection(seconds) == nil else { throw Failure(text: "it connected again") }
        case .send, .sendRaw, .sendWrongKind, .expect, .may, .silence, .state, .close, .closed,
            .mute:
            guard let end = ends[name] else { throw Failure(text: "no connection \(name)") }
            try run(step, end)
        }
    }

    private mutating func run(_ step: Dialogue.Step, _ end: any DialogueEnd) throws {
        switch step {
        case .send(let message):
            if let told = end.told { values["mirrorTick"] = .number(Double(told.tick)) }
            try end.say(values.filled(message))
        case .sendRaw(let bytes, let kind): end.say(raw: bytes, kind)
        case .sendWrongKind: end.sayInWrongKind()
        case .expect(let pattern, let among, let seconds):
            try expect(pattern, among, seconds, of: end)
        case .may(let pattern, let answer, let seconds):
            try answerIfAsked(pattern, answer, seconds, of: end)
        case .silence(let types, let seconds): try silence(types, seconds, of: end)
        case .state(let frames, let seconds): try state(frames, seconds, of: end)
        case .close(let code): end.end(code)
        case .mute: end.mute()
        case .closed(let codes, let seconds): try closed(codes, seconds, of: end)
        case .connect, .reconnect, .away: break
        }
    }

    private mutating func expect(
        _ pattern: JSONValue, _ among: [String], _ seconds: Double, of end: any DialogueEnd
    ) throws {
        let deadline = clock() + seconds
        while case let left = deadline - clock(), left > 0 {
            switch try end.hear(within: left) {
            case .closed(let code)?: throw Failure(text: "it left, with \(Self.name(code))")
            case .message(let message)?:
                var trial = values
                guard let difference = trial.difference(message, pattern) else {
                    values = trial
                    return
                }
                if let type = message["type"]?.string, among.contains(type) { continue }
                throw Failure(text: "\(difference): \(message.text().prefix(300))")
            case nil: break
            }
        }
        throw Failure(text: "nothing came that is \(pattern.text().prefix(200))")
    }

    private mutating func answerIfAsked(
        _ pattern: JSONValue, _ answer: JSONValue, _ seconds: Double, of end: any DialogueEnd
    ) throws {
        let deadline = clock() + seconds
        while case let left = deadline - clock(), left > 0 {
            switch try end.hear(within: left) {
            case .closed(let code)?: throw Failure(text: "it left, with \(Self.name(code))")
            case .message(let message)?:
                guard values.difference(message, pattern) == nil else { continue }
                return try end.say(values.filled(answer))
            case nil: return
            }
        }
    }

    private func silence(_ types: [String], _ seconds: Double, of end: any DialogueEnd) throws {
        let deadline = clock() + seconds
        while case let left = deadline - clock(), left > 0 {
            switch try end.hear(within: left) {
            case .closed(let code)?: throw Failure(text: "it left, with \(Self.name(code))")
            case .message(let message)?:
                guard let type = message["type"]?.string, types.contains(type) else { continue }
                throw Failure(text: "it sent \(message.text().prefix(300))")
            case nil: return
            }
        }
    }

    private func state(
        _ frames: [String: [Int32]], _ seconds: Double, of end: any DialogueEnd
    ) throws {
        let deadline = clock() + seconds
        func holds() -> Bool {
            guard let told = end.told else { return false }
            return frames.allSatisfy { told.frames[$0.key] == $0.value }
        }
        while !holds() {
            let left = deadline - clock()
            guard left > 0 else {
                throw Failure(text: "its frames are \(end.told?.frames ?? [:])")
            }
            if case .closed(let code)? = try end.hear(within: left) {
                throw Failure(text: "it left, with \(Self.name(code))")
            }
        }
    }

    private func closed(_ codes: [UInt16], _ seconds: Double, of end: any DialogueEnd) throws {
        let deadline = clock() + seconds
        while case let left = deadline - clock(), left > 0 {
            guard case .closed(let code)? = try end.hear(within: left) else { continue }
            guard let code, codes.contains(code) else {
                throw Failure(text: "it left with \(Self.name(code)), not \(codes)")
            }
            return
        }
        throw Failure(text: "it did not leave")
    }

    private static func name(_ code: UInt16?) -> String { code.map(String.init) ?? "no code" }
}
