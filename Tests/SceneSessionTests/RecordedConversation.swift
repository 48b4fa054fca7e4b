import Foundation
import JSON
import SceneDocument
import SceneModel
import SceneWire

@testable import SceneSession

/// A conversation as data: one JSON object a line, with an event that goes in and the effects that
/// came out, payloads byte for byte. What one build recorded, a later one has to say again.
///
/// The events of a file were made at random, once; the effects are those of the build that recorded
/// them. After a change that is meant to be seen outside, `SCENESYNC_RECORD=1 swift test --filter
/// RecordedConversation` writes them anew.
struct RecordedConversation {
    private var session: SceneSession
    private var journal: [JournalRecord] = []

    static let folder = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().appendingPathComponent("Conversations")

    /// The names of all files.
    static var names: [String] {
        get throws {
            try FileManager.default.contentsOfDirectory(atPath: folder.path)
                .filter { $0.hasSuffix(".ndjson") }.sorted()
        }
    }

    /// - Parameter document: The scene with which the room begins.
    init(_ document: JSONValue) throws {
        let model = try SceneModel(try SceneDocument.parse(Array(document.text().utf8)))
        let (session, effects) = SceneSession.create(room: "demo", tickRate: 60, model: model)
        self.session = session
        note(effects)
    }

    /// Plays a file: each line with its event, the effects that it records, and those that come
    /// now.
    static func play(
        _ name: String
    ) throws -> [(event: JSONValue, recorded: [String], effects: [String])] {
        let bytes = try Data(contentsOf: folder.appendingPathComponent(name))
        let lines = try JSONReader.readLines(Array(bytes))
        guard let first = lines.first?["document"] else { throw Fault.noDocument }
        var conversation = try RecordedConversation(first)
        return try lines.dropFirst().map { line in
            guard let event = line["event"] else { throw Fault.noEvent(line.text()) }
            var recorded: [String] = []
            if let texts = line["effects"]?.array {
                for case .string(let text) in texts.map(\.kind) { recorded.append(text) }
            }
            return (event, recorded, try conversation.handle(event))
        }
    }

    enum Fault: Error {
        case noDocument
        case noEvent(String)
        case unknownEvent(String)
    }

    private mutating func handle(_ event: JSONValue) throws -> [String] {
        let effects = session.handle(try parse(event))
        note(effects)
        return effects.map(Self.text)
    }

    private mutating func note(_ effects: [SessionEffect]) {
        for case .append(let record) in effects { journal.append(record) }
    }

    private func parse(_ event: JSONValue) throws -> SessionEvent {
        func number(_ key: String) -> UInt64? {
            guard let value = event[key]?.number else { return nil }
            return UInt64(value)
        }
        func text(_ key: String) -> String {
            guard let value = event[key]?.string else { return "" }
            return value
        }
        if let id = number("joined") {
            guard
                case .hello(let hello) = try ClientMessage.decode(
                    json: Array((event["hello"] ?? .string("")).text().utf8))
            else { throw Fault.unknownEvent(event.text()) }
            return .joined(
                MemberID(id),
                Admission(
                    session: text("session"), resumeToken: text("token"),
                    role: Role(rawValue: text("role")) ?? .viewer,
                    format: text("format") == "json" ? .json : .binary,
                    monotonicMilliseconds: 1000 + id, hello: hello))
        }
        if let id = number("received") {
            let message = (event["message"] ?? .string("")).text()
            return .received(MemberID(id), try ClientMessage.decode(json: Array(message.utf8)))
        }
        if let id = number("left") { return .left(MemberID(id)) }
        if let tick = number("tick") { return .tick(tick) }
        if let sequence = number("durable") {
            // All that was appended so far, where the file says 0.
            return .durable(through: sequence == 0 ? journal.last?.sequence ?? 0 : sequence)
        }
        if let id = number("journalRead"), let tick = number("at") {
            let start = journal.lastIndex { $0.kind == .snapshot && $0.tick <= tick }
            return .journalRead(MemberID(id), tick: tick, start.map { Array(journal[$0...]) })
        }
        switch text("do") {
        case "freeze": return .freeze
        case "retire": return .retire
        case "storeFailed": return .storeFailed("disk full")
        case "storeRecovered": return .storeRecovered
        default: throw Fault.unknownEvent(event.text())
        }
    }

    /// An effect on one line.
    private static func text(_ effect: SessionEffect) -> String {
        switch effect {
        case .send(let payloads, let format, let ids),
            .offer(let payloads, let format, let ids):
            let to = ids.map { "\($0.rawValue)" }.joined(separator: ",")
            let bodies = payloads.map(\.withoutWork).map { payload in
                format == .json ? String(decoding: payload, as: UTF8.self) : hexadecimal(payload)
            }
            return "send \(format == .json ? "json" : "bin") to \(to): "
                + bodies.joined(separator: " ")
        case .append(let record):
            return "append \(record.sequence) \(record.kind) epoch \(record.epoch) tick "
                + "\(record.tick): \(hexadecimal(record.payload))"
        case .readJournal(let id, let tick): return "read \(id.rawValue) at \(tick)"
        case .readScene(let id, let room): return "read \(room) for \(id.rawValue)"
        case .suggestionChanged(let id, let suggestion):
            return "suggestion \(id) \(suggestion == nil ? "is gone" : "is changed")"
        case .close(let id, let code, let reason):
            return "close \(id.rawValue) \(code.rawValue) \(reason)"
        case .replacedScene(let refusal):
            return "replaced: \(refusal?.message ?? "done")"
        case .record(let record): return "record \(record)"
        case .overran: return "overran"
        case .prove(let number): return "prove \(number)"
        case .abandon(let reason): return "abandon \(reason)"
        }
    }

    private static func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
        bytes.map { String(UInt16($0) + 256, radix: 16).dropFirst() }.joined()
    }
}
