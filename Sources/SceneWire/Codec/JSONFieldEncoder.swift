import Bytes
import JSON
import SceneDocument

/// Writes fields as members of a JSON object.
struct JSONFieldEncoder: FieldCoder {
    typealias Failure = Never

    private(set) var members: [JSONMember] = []
    var limits: Limits { .standard }

    private mutating func add(_ name: String, _ value: JSONValue) {
        members.append(JSONMember(name, value))
    }

    static func object<Value: WireValue>(_ value: Value) -> JSONValue {
        var encoder = JSONFieldEncoder()
        var value = value
        value.code(&encoder)
        return .object(encoder.members)
    }

    func invalid(_ name: String, _ expected: String) {}

    mutating func u8(_ name: String, _ value: inout UInt8) { add(name, .number(Double(value))) }
    mutating func u32(_ name: String, _ value: inout UInt32) { add(name, .number(Double(value))) }

    /// A number while a double holds it exactly, else decimal digits in a text.
    mutating func u64(_ name: String, _ value: inout UInt64) {
        add(name, value <= 1 << 53 ? .number(Double(value)) : .string(String(value)))
    }

    mutating func fixed64(_ name: String, _ value: inout UInt64) {
        add(name, .string(Hexadecimal.text(value)))
    }

    mutating func f64(_ name: String, _ value: inout Double) { add(name, .number(value)) }
    mutating func bool(_ name: String, _ value: inout Bool) { add(name, .bool(value)) }
    mutating func text(_ name: String, _ value: inout String, maximum: Int) {
        add(name, .string(value))
    }

    mutating func choice<Value: RawRepresentable<String> & CaseIterable & Equatable>(
        _ name: String, _ value: inout Value
    ) {
        add(name, .string(value.rawValue))
    }

    mutating func optionalNumber(_ name: String, _ value: inout ViewNumber?) {
        if let value { add(name, .number(Double(value.rawValue))) }
    }

    mutating func integers(_ name: String, _ values: inout [Int32]) {
        add(name, .array(values.map { .number(Double($0)) }))
    }

    mutating func integers<let count: Int>(
        _ name: String, _ values: inout InlineArray<count, Int32>
    ) {
        add(name, .array(values.indices.map { .number(Double(values[$0])) }))
    }

    mutating func doubles(_ name: String, _ values: inout [Double]) {
        add(name, .array(values.map { .number($0) }))
    }

    mutating func color(_ name: String, _ value: inout Color?) {
        if let value { add(name, .string(value.text)) }
    }

    mutating func texts(
        _ name: String, _ values: inout [String], maximum: Int, textMaximum: Int
    ) {
        add(name, .strings(values))
    }

    mutating func value<Value: WireValue>(_ name: String, _ value: inout Value) {
        add(name, Self.object(value))
    }

    mutating func optional<Value: WireValue>(_ name: String, _ value: inout Value?) {
        if let value { add(name, Self.object(value)) }
    }

    mutating func extra(_ id: UInt32, _ name: String, _ value: inout UInt64?) {
        if var value { u64(name, &value) }
    }

    mutating func extra<Value: WireValue>(_ id: UInt32, _ name: String, _ value: inout Value?) {
        optional(name, &value)
    }

    mutating func list<Value: WireValue>(_ name: String, _ values: inout [Value], maximum: Int) {
        add(name, .array(values.map { Self.object($0) }))
    }

    mutating func json(_ name: String, _ value: inout JSONValue) { add(name, value) }

    mutating func records(_ name: String, _ values: inout [ViewRecord], deflated: Bool) {
        add(name, .array(values.map { Self.object($0) }))
    }

    mutating func selection(_ name: String, _ value: inout Selection) {
        add(name, FrameBodyJSON.json(value))
    }

    mutating func body(_ name: String, _ value: inout FrameBody) {
        add(name, FrameBodyJSON.json(value))
    }

    mutating func frameBody(
        _ value: inout FrameBody, _ distances: inout FrameBodyCodec.Distances
    ) {
        u64("baseDistance", &distances.base)
        u64("durableDistance", &distances.durable)
        body("body", &value)
    }

    mutating func numbers(_ name: String, _ values: inout [UInt32]) {
        add(name, .array(values.map { .number(Double($0)) }))
    }
}
