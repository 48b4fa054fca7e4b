import Bytes
import JSON
import SceneWire
import WebSocketTransport

/// A conversation as data: who sends what, and what must, may and must not be answered, within
/// which bounds.
///
/// `protocol/vectors/README.md` describes the steps. The program carries those of
/// `protocol/vectors/v1/dialogues`.
struct Dialogue: Sendable {
    /// One thing that is done or waited for.
    enum Step: Sendable {
        /// Sends a message, in the connection's format.
        case send(JSONValue)
        /// Sends bytes as they are.
        case sendRaw([UInt8], MessageKind)
        /// Sends a message in the kind of WebSocket message that belongs to the other format.
        case sendWrongKind
        /// Waits for a message that matches; passes over messages of the types `among`.
        case expect(JSONValue, among: [String], seconds: Double)
        /// Waits; where a message that matches comes, answers it. Nothing is wrong where none does.
        case may(JSONValue, answer: JSONValue, seconds: Double)
        /// Waits, and hears none of the types.
        case silence(of: [String], seconds: Double)
        /// Waits until the mirror's frames are these.
        case state([String: [Int32]], seconds: Double)
        /// Ends the connection.
        case close(UInt16)
        /// Waits until the peer ends the connection with one of the codes.
        case closed([UInt16], seconds: Double)
        /// Opens a connection: of servers alone.
        case connect(Subprotocol, path: String?)
        /// Answers no ping any more.
        case mute
        /// Waits for the client to connect again, not before `from` seconds, at the address of that
        /// name.
        case reconnect(from: Double, to: Double, at: String)
        /// The client does not connect again.
        case away(seconds: Double)
    }

    /// Numbered by the section of SPEC.md.
    let id: String
    let title: String
    /// The ids of the rules that it tries.
    let rules: [String]
    /// Whether what it tries is a SHOULD.
    let isWeak: Bool
    /// Whether other cases mean nothing where this one fails.
    let isEssential: Bool
    /// The capabilities that a client has to ask for; without them there is nothing to try.
    let needs: UInt64
    /// Steps with the names of the connections that they are about.
    let steps: [(connection: String, step: Step)]
}

extension Dialogue {
    /// The data is not what this program reads.
    struct Malformed: Error, CustomStringConvertible {
        var description: String
    }

    /// Reads a list of dialogues.
    static func parse(_ text: String) throws -> [Dialogue] {
        guard let elements = try JSONReader.read(Array(text.utf8)).array else {
            throw Malformed(description: "no list of dialogues")
        }
        return try elements.map(Dialogue.init)
    }

    private init(_ value: JSONValue) throws {
        id = try value.text("id")
        title = try value.text("name")
        rules = try value.list("rules").compactMap(\.string)
        isWeak = try value.text("level") == "should"
        isEssential = value["essential"]?.kind == .bool(true)
        needs = UInt64(value["needs"]?.number ?? 0)
        steps = try value.list("steps").map { step in
            (step["on"]?.string ?? "a", try Step(step))
        }
    }
}

extension Dialogue.Step {
    private static let standardSeconds = 4.0
    /// Types that may come between those that are waited for, unless a step says otherwise.
    private static let idle = ["ack", "ping", "presence"]

    fileprivate init(_ value: JSONValue) throws {
        let seconds = (value["within"]?.number ?? Self.standardSeconds * 1000) / 1000
        if let message = value["send"] {
            self = .send(message)
        } else if value["wrongKind"] != nil {
            self = .sendWrongKind
        } else if let raw = value["raw"] {
            self = try .sendRaw(
                raw["text"]?.string.map { Array($0.utf8) }
                    ?? Hexadecimal.bytes(raw.text("hex")[...]) ?? [],
                raw.text("kind") == "text" ? .text : .binary)
        } else if let pattern = value["expect"] {
            let type = pattern["type"]?.string
            let among =
                try value["among"] == nil
                ? Self.idle.filter { $0 != type } : value.list("among").compactMap(\.string)
            self = .expect(pattern, among: among, seconds: seconds)
        } else if let pattern = value["may"], let answer = value["answer"] {
            self = .may(pattern, answer: answer, seconds: try value.amount("for") / 1000)
        } else if value["silence"] != nil {
            self = .silence(
                of: try value.list("silence").compactMap(\.string),
                seconds: try value.amount("for") / 1000)
        } else if let frames = value["state"]?.members {
            var wanted: [String: [Int32]] = [:]
            for member in frames {
                guard let sides = member.value.array else { continue }
                wanted[member.key] = sides.compactMap { $0.number.map { Int32($0) } }
            }
            self = .state(wanted, seconds: seconds)
        } else if let code = value["close"]?.number {
            self = .close(UInt16(code))
        } else if value["closed"] != nil {
            self = .closed(
                try value.list("closed").compactMap { $0.number.map { UInt16($0) } },
                seconds: seconds)
        } else if let format = value["connect"]?.string {
            self = .connect(Subprotocol(rawValue: format) ?? .binary, path: value["path"]?.string)
        } else if let bounds = value["reconnect"] {
            self = .reconnect(
                from: try bounds.amount("from") / 1000, to: try bounds.amount("to") / 1000,
                at: bounds["at"]?.string ?? DialogueAddress.first)
        } else if value["mute"] != nil {
            self = .mute
        } else if let milliseconds = value["away"]?.number {
            self = .away(seconds: milliseconds / 1000)
        } else {
            throw Dialogue.Malformed(description: "an unknown step: \(value.text())")
        }
    }
}

extension JSONValue {
    fileprivate func text(_ key: String) throws -> String {
        guard let text = self[key]?.string else {
            throw Dialogue.Malformed(description: "no \(key) in \(self.text())")
        }
        return text
    }

    fileprivate func amount(_ key: String) throws -> Double {
        guard let number = self[key]?.number else {
            throw Dialogue.Malformed(description: "no \(key) in \(self.text())")
        }
        return number
    }

    fileprivate func list(_ key: String) throws -> [JSONValue] {
        guard let elements = self[key]?.array else {
            throw Dialogue.Malformed(description: "no \(key) in \(self.text())")
        }
        return elements
    }
}

extension EmbeddedDialogues {
    /// Reads dialogues that are built in.
    static func parsed(_ text: String) -> [Dialogue] {
        do {
            return try Dialogue.parse(text)
        } catch {
            preconditionFailure("an embedded dialogue cannot be read: \(error)")
        }
    }
}
