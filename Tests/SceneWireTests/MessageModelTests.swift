import Foundation
import Testing

@testable import JSON
@testable import SceneDocument
@testable import SceneWire

/// `protocol/messages.json` describes every message for programs that make codecs. The codecs here
/// are held against it field by field: one coder notes what a message's description asks for, and
/// both descriptions are compared as texts.
@Suite("The model of the messages")
struct MessageModelTests {
    private let model: MessageModel

    init() throws {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../protocol/messages.json")
        model = try JSONDecoder().decode(MessageModel.self, from: Data(contentsOf: file))
    }

    /// Limits that no two fields have in common by chance.
    private static let limits: Limits = {
        var limits = Limits()
        (limits.viewMaximum, limits.constraintMaximum, limits.opMaximum) = (
            1_000_003, 1_000_033, 1_000_037
        )
        (limits.textBytesMaximum, limits.messageBytesMaximum) = (1_000_039, 1_000_081)
        return limits
    }()

    @Test(
        "each message of the codecs has the fields of the model, in their order, with their types and limits"
    )
    func messages() throws {
        for limits in [Limits.standard, Self.limits] {
            let client = ClientType.allCases.map { type in
                (
                    "client \(type.rawValue) \(type.name)",
                    describe(limits) { coder throws(DecodeError) in
                        _ = try ClientMessage.read(type, &coder)
                    }
                )
            }
            let server = ServerType.allCases.map { type in
                (
                    "server \(type.rawValue) \(type.name)",
                    describe(limits) { coder throws(DecodeError) in
                        _ = try ServerMessage.read(type, &coder)
                    }
                )
            }
            let found = Dictionary(uniqueKeysWithValues: client + server)
            let expected = Dictionary(
                uniqueKeysWithValues: model.messages.map { message in
                    (
                        "\(message.from) \(message.type) \(message.name)",
                        model.text(of: message, limits)
                    )
                })
            #expect(Set(found.keys) == Set(expected.keys))
            for (name, text) in found { #expect(text == expected[name], "\(name)") }
        }
    }

    @Test("the model names the limits, bits and subprotocols that hold")
    func constants() {
        let values = Dictionary(uniqueKeysWithValues: model.limits.map { ($0.name, $0.standard) })
        let limits = Limits.standard
        #expect(
            values == [
                "messageBytes": limits.messageBytesMaximum, "views": limits.viewMaximum,
                "constraints": limits.constraintMaximum, "ops": limits.opMaximum,
                "depth": limits.depthMaximum, "textBytes": limits.textBytesMaximum,
                "inflatedBytes": limits.inflatedBytesMaximum,
            ])
        #expect(model.subprotocols == [Subprotocol.binary, .json].map(\.rawValue))
        let bits = Dictionary(
            uniqueKeysWithValues: model.capabilities.map { ($0.name, UInt64(1) << $0.bit) })
        #expect(
            bits["diagnostics"] == Capability.diagnostics
                && bits["animations"] == Capability.animations)
        #expect(bits["undo"] == Capability.undo && bits["subscribe"] == Capability.subscribe)
        #expect(bits["seek"] == Capability.seek && bits["trace"] == Capability.trace)
        #expect(
            bits["keyframes"] == Capability.keyframes
                && bits["mergedResume"] == Capability.mergedResume)
        #expect(bits["inspect"] == Capability.inspect && bits["devices"] == Capability.devices)
        #expect(bits["events"] == Capability.events && bits["fitting"] == Capability.fitting)
        #expect(bits["insets"] == Capability.insets)
        #expect(bits["annotations"] == Capability.annotations)
        #expect(bits["follow"] == Capability.follow && bits.count == 16)
        #expect(bits["suggestions"] == Capability.suggestions)
        #expect(model.choices.allSatisfy { Set($0.values).count == $0.values.count })
    }
}

// MARK: What the model says

/// `protocol/messages.json`, as its page says.
private struct MessageModel: Decodable {
    struct Message: Decodable {
        var name: String
        var type: UInt8
        var from: String
        var fields: [Field]
        var extensions: [Extension]?
    }

    final class Field: Decodable {
        let name: String?
        let type: String
        let of: Reference?
        let maximum: Bound?
        let count: Int?
        let cases: [String: [Field]]?
    }

    struct Extension: Decodable {
        var id: Int
        var field: Field

        private enum Key: CodingKey { case id }

        init(from decoder: any Decoder) throws {
            id = try decoder.container(keyedBy: Key.self).decode(Int.self, forKey: .id)
            field = try Field(from: decoder)
        }
    }

    /// A name, or a type without a name.
    enum Reference: Decodable {
        case name(String)
        case type(Field)

        init(from decoder: any Decoder) throws {
            if let name = try? decoder.singleValueContainer().decode(String.self) {
                self = .name(name)
            } else {
                self = .type(try Field(from: decoder))
            }
        }
    }

    /// A number, or `views`, `views + 1`, `4 * views` and their like.
    enum Bound: Decodable {
        case number(Int)
        case formula(String)

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let number = try? container.decode(Int.self) {
                self = .number(number)
            } else {
                self = .formula(try container.decode(String.self))
            }
        }

        func value(_ limits: Limits) -> Int {
            guard case .formula(let text) = self else {
                if case .number(let number) = self { return number }
                return 0
            }
            let words = text.split(separator: " ").map(String.init)
            func limit(_ name: String) -> Int {
                switch name {
                case "views": limits.viewMaximum
                case "constraints": limits.constraintMaximum
                case "ops": limits.opMaximum
                case "textBytes": limits.textBytesMaximum
                case "messageBytes": limits.messageBytesMaximum
                default: -1
                }
            }
            switch words.count {
            case 3 where words[1] == "*": return (Int(words[0]) ?? 0) * limit(words[2])
            case 3: return limit(words[0]) + (Int(words[2]) ?? 0)
            default: return limit(text)
            }
        }
    }

    struct Limit: Decodable {
        var name: String
        var standard: Int
    }

    struct Capability: Decodable {
        var bit: Int
        var name: String
    }

    struct Choice: Decodable {
        var name: String
        var values: [String]
    }

    struct Structure: Decodable {
        var name: String
        var fields: [Field]
    }

    var subprotocols: [String]
    var limits: [Limit]
    var capabilities: [Capability]
    var choices: [Choice]
    var structures: [Structure]
    var messages: [Message]

    func text(of message: Message, _ limits: Limits) -> String {
        let extensions = (message.extensions ?? []).map { each in
            "\(each.id):\(text(of: each.field, limits))"
        }
        return (message.fields.map { text(of: $0, limits) } + extensions).joined(separator: "; ")
    }

    private func text(of field: Field, _ limits: Limits) -> String {
        let type = type(of: field, limits)
        return (field.name.map { "\($0) \(type)" } ?? type) + cases(of: field, limits)
    }

    private func cases(of field: Field, _ limits: Limits) -> String {
        guard let cases = field.cases, case .name(let name)? = field.of else { return "" }
        let values = choices.first { $0.name == name }?.values ?? []
        let texts = values.map { value in
            "\(value) {\((cases[value] ?? []).map { text(of: $0, limits) }.joined(separator: "; "))}"
        }
        return " -> " + texts.joined(separator: " | ")
    }

    private func type(of field: Field, _ limits: Limits) -> String {
        let bound = field.maximum.map { "(\($0.value(limits)))" } ?? ""
        switch (field.type, field.of) {
        case ("choice", .name(let name)?):
            return "choice "
                + (choices.first { $0.name == name }?.values ?? []).joined(separator: " ")
        case ("structure", .name(let name)?):
            let fields = structures.first { $0.name == name }?.fields ?? []
            return "{\(fields.map { text(of: $0, limits) }.joined(separator: "; "))}"
        case ("list", .type(let element)?): return "list\(bound) of \(text(of: element, limits))"
        case ("optional", .type(let value)?): return "optional \(text(of: value, limits))"
        case ("text", _): return "text\(bound)"
        // The codecs read a view's number as a u32, and hold it against its own bound.
        case ("number", _): return "u32"
        default: return (field.count.map { "\($0) " } ?? "") + field.type
        }
    }
}

// MARK: What the codecs say

/// Describes the fields for which a body asks. Fields that depend on a choice are those of its
/// cases.
private func describe(_ limits: Limits, _ body: (inout DescribingCoder) throws(DecodeError) -> Void)
    -> String
{
    func run(_ choice: Int?, _ value: Int) -> DescribingCoder {
        var coder = DescribingCoder(limits: limits)
        coder.forced = choice.map { ($0, value) }
        try? body(&coder)
        return coder
    }
    let plain = run(nil, 0)
    for (index, choice) in plain.choices.enumerated() {
        let rests = choice.values.indices.map { run(index, $0).fields.dropFirst(choice.place + 1) }
        guard Set(rests.map { $0.joined(separator: "; ") }).count > 1 else { continue }
        // What does not depend on the choice comes last: extensions.
        let shared = plain.extensions
        let cases = zip(choice.values, rests).map { value, rest in
            "\(value) {\(rest.joined(separator: "; "))}"
        }
        let before = plain.fields.prefix(choice.place)
        let tag = plain.fields[choice.place] + " -> " + cases.joined(separator: " | ")
        return (before + [tag] + shared).joined(separator: "; ")
    }
    return (plain.fields + plain.extensions).joined(separator: "; ")
}

private func describe<Value: WireValue>(_ type: Value.Type, _ limits: Limits) -> String {
    "{"
        + describe(limits) { coder throws(DecodeError) in
            var value = Value()
            try value.code(&coder)
        } + "}"
}

/// Notes names and types in place of reading or writing.
private struct DescribingCoder: FieldCoder {
    typealias Failure = DecodeError

    let limits: Limits
    private(set) var fields: [String] = []
    private(set) var extensions: [String] = []
    /// The choices of this value: their places among the fields, and what may be chosen.
    private(set) var choices: [(place: Int, values: [String])] = []
    /// Which choice, counted from 0, gives which of its values.
    var forced: (choice: Int, value: Int)?

    init(limits: Limits) { self.limits = limits }

    private mutating func note(_ name: String, _ type: String) { fields.append("\(name) \(type)") }

    mutating func u8(_ name: String, _ value: inout UInt8) { note(name, "u8") }
    mutating func u32(_ name: String, _ value: inout UInt32) { note(name, "u32") }
    mutating func u64(_ name: String, _ value: inout UInt64) { note(name, "u64") }
    mutating func fixed64(_ name: String, _ value: inout UInt64) { note(name, "fixed64") }
    mutating func f64(_ name: String, _ value: inout Double) { note(name, "f64") }
    mutating func bool(_ name: String, _ value: inout Bool) { note(name, "flag") }
    mutating func text(_ name: String, _ value: inout String, maximum: Int) {
        note(name, "text(\(maximum))")
    }
    mutating func choice<Value: RawRepresentable<String> & CaseIterable & Equatable>(
        _ name: String, _ value: inout Value
    ) {
        let all = Array(Value.allCases)
        if let forced, forced.choice == choices.count { value = all[forced.value] }
        choices.append((fields.count, all.map(\.rawValue)))
        note(name, "choice " + all.map(\.rawValue).joined(separator: " "))
    }
    mutating func optionalNumber(_ name: String, _ value: inout ViewNumber?) {
        note(name, "number?")
    }
    mutating func integers(_ name: String, _ values: inout [Int32]) {
        // As many as the selection before has fields.
        let isOfSelection = fields.last?.hasSuffix(" selection") ?? false
        note(name, isOfSelection ? "deltas" : "\(values.count) zigzag")
    }
    mutating func integers<let count: Int>(
        _ name: String, _ values: inout InlineArray<count, Int32>
    ) {
        note(name, "\(count) zigzag")
    }
    mutating func doubles(_ name: String, _ values: inout [Double]) {
        note(name, "\(values.count) f64")
    }
    mutating func color(_ name: String, _ value: inout Color?) { note(name, "colour?") }
    mutating func texts(
        _ name: String, _ values: inout [String], maximum: Int, textMaximum: Int
    ) {
        note(name, "list(\(maximum)) of text(\(textMaximum))")
    }
    mutating func value<Value: WireValue>(_ name: String, _ value: inout Value) {
        note(name, describe(Value.self, limits))
    }
    mutating func optional<Value: WireValue>(_ name: String, _ value: inout Value?) {
        note(name, "optional " + describe(Value.self, limits))
    }
    mutating func list<Value: WireValue>(_ name: String, _ values: inout [Value], maximum: Int) {
        note(name, "list(\(maximum)) of " + describe(Value.self, limits))
    }
    mutating func json(_ name: String, _ value: inout JSONValue) { note(name, "json") }
    mutating func records(_ name: String, _ values: inout [ViewRecord], deflated: Bool) {
        note(name, "columns")
    }
    mutating func selection(_ name: String, _ value: inout Selection) { note(name, "selection") }
    mutating func body(_ name: String, _ value: inout FrameBody) { note(name, "body") }
    mutating func frameBody(
        _ value: inout FrameBody, _ distances: inout FrameBodyCodec.Distances
    ) {
        note("body", "frameBody")
    }
    mutating func numbers(_ name: String, _ values: inout [UInt32]) { note(name, "numbers") }
    mutating func extra(_ id: UInt32, _ name: String, _ value: inout UInt64?) {
        extensions.append("\(id):\(name) u64")
    }
    mutating func extra<Value: WireValue>(_ id: UInt32, _ name: String, _ value: inout Value?) {
        extensions.append("\(id):\(name) " + describe(Value.self, limits))
    }
    func invalid(_ name: String, _ expected: String) {}
}
