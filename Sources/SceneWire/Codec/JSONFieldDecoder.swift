import Bytes
import JSON
import SceneDocument

/// Reads fields from members of a JSON object; a key that is not asked for is an error.
struct JSONFieldDecoder: FieldCoder {
    typealias Failure = DecodeError

    private let object: JSONValue
    private let members: [JSONMember]
    private var isTaken: [Bool]
    let limits: Limits

    init(_ value: JSONValue, name: String, limits: Limits) throws(DecodeError) {
        guard let members = value.members else {
            throw Self.error(name, value, "an object")
        }
        object = value
        self.members = members
        isTaken = Array(repeating: false, count: members.count)
        self.limits = limits
    }

    static func error(_ name: String, _ place: JSONValue, _ expected: String) -> DecodeError {
        .field(name: name, line: place.line, column: place.column, expected: expected)
    }

    static func value<Value: WireValue>(
        _ type: Value.Type, _ json: JSONValue, name: String, limits: Limits
    ) throws(DecodeError) -> Value {
        var decoder = try JSONFieldDecoder(json, name: name, limits: limits)
        var value = Value()
        try value.code(&decoder)
        try decoder.finish()
        return value
    }

    func finish() throws(DecodeError) {
        guard let index = isTaken.firstIndex(of: false) else { return }
        throw Self.error(members[index].key, members[index].value, "no such key")
    }

    mutating func take(_ name: String) -> JSONValue? {
        guard let index = members.firstIndex(where: { $0.key == name }) else { return nil }
        isTaken[index] = true
        return members[index].value
    }

    mutating func require(_ name: String) throws(DecodeError) -> JSONValue {
        guard let value = take(name) else { throw Self.error(name, object, "this key") }
        return value
    }

    func invalid(_ name: String, _ expected: String) throws(DecodeError) {
        let place = members.first { $0.key == name }?.value ?? object
        throw Self.error(name, place, expected)
    }

    /// A whole number of the type that it is kept in: `Int` may be too narrow for the range.
    static func integer<Whole: FixedWidthInteger>(
        _ name: String, _ json: JSONValue, in range: ClosedRange<Whole>
    ) throws(DecodeError) -> Whole {
        guard let number = json.number, let integer = Whole(exactly: number),
            range.contains(integer)
        else {
            throw error(name, json, "an integer in \(range.lowerBound)...\(range.upperBound)")
        }
        return integer
    }

    static func list(
        _ name: String, _ json: JSONValue, maximum: Int
    ) throws(DecodeError) -> [JSONValue] {
        guard let values = json.array, values.count <= maximum else {
            throw error(name, json, "a list of at most \(maximum)")
        }
        return values
    }

    mutating func u8(_ name: String, _ value: inout UInt8) throws(DecodeError) {
        value = try Self.integer(name, try require(name), in: 0...255)
    }

    mutating func u32(_ name: String, _ value: inout UInt32) throws(DecodeError) {
        value = try Self.integer(name, try require(name), in: 0...UInt32.max)
    }

    mutating func u64(_ name: String, _ value: inout UInt64) throws(DecodeError) {
        let json = try require(name)
        if let text = json.string, let large = UInt64(text), large > 1 << 53,
            String(large) == text
        {
            value = large
        } else {
            value = try Self.integer(name, json, in: 0...UInt64(1) << 53)
        }
    }

    mutating func fixed64(_ name: String, _ value: inout UInt64) throws(DecodeError) {
        let json = try require(name)
        guard let text = json.string, text.utf8.count == 16,
            let bits = UInt64(text, radix: 16), Hexadecimal.text(bits) == text
        else { throw Self.error(name, json, "16 hexadecimal digits in lower case") }
        value = bits
    }

    mutating func f64(_ name: String, _ value: inout Double) throws(DecodeError) {
        let json = try require(name)
        guard let number = json.number else { throw Self.error(name, json, "a number") }
        value = number
    }

    mutating func bool(_ name: String, _ value: inout Bool) throws(DecodeError) {
        let json = try require(name)
        guard let flag = json.bool else {
            throw Self.error(name, json, "true or false")
        }
        value = flag
    }

    mutating func text(
        _ name: String, _ value: inout String, maximum: Int
    ) throws(DecodeError) {
        value = try Self.text(name, try require(name), maximum: maximum)
    }

    private static func text(
        _ name: String, _ json: JSONValue, maximum: Int
    ) throws(DecodeError) -> String {
        guard let text = json.string, text.utf8.count <= maximum else {
            throw error(name, json, "a text of at most \(maximum) bytes")
        }
        return text
    }

    mutating func choice<Value: RawRepresentable<String> & CaseIterable & Equatable>(
        _ name: String, _ value: inout Value
    ) throws(DecodeError) {
        let json = try require(name)
        guard let text = json.string, let match = Value(rawValue: text) else {
            let names = Value.allCases.map { $0.rawValue }.joined(separator: ", ")
            throw Self.error(name, json, "one of \(names)")
        }
        value = match
    }

    mutating func optionalNumber(
        _ name: String, _ value: inout ViewNumber?
    ) throws(DecodeError) {
        guard let json = take(name) else { return value = nil }
        let number = try Self.integer(name, json, in: 0...Limits.viewNumberMaximum - 1)
        value = ViewNumber(UInt32(truncatingIfNeeded: number))
    }

    mutating func integers(_ name: String, _ values: inout [Int32]) throws(DecodeError) {
        let json = try require(name)
        let list = try Self.list(name, json, maximum: values.count)
        guard list.count == values.count else {
            throw Self.error(name, json, "\(values.count) integers")
        }
        values = try Self.int32s(name, list)
    }

    mutating func integers<let count: Int>(
        _ name: String, _ values: inout InlineArray<count, Int32>
    ) throws(DecodeError) {
        var list = Array(repeating: Int32(0), count: count)
        try integers(name, &list)
        for index in values.indices { values[index] = list[index] }
    }

    static func int32s(_ name: String, _ list: [JSONValue]) throws(DecodeError) -> [Int32] {
        var result: [Int32] = []
        for element in list {
            result.append(try integer(name, element, in: Int32.min...Int32.max))
        }
        return result
    }

    mutating func doubles(_ name: String, _ values: inout [Double]) throws(DecodeError) {
        let json = try require(name)
        let list = try Self.list(name, json, maximum: values.count)
        guard list.count == values.count else {
            throw Self.error(name, json, "\(values.count) numbers")
        }
        for (index, element) in list.enumerated() {
            guard let number = element.number else {
                throw Self.error(name, element, "a number")
            }
            values[index] = number
        }
    }

    mutating func color(_ name: String, _ value: inout Color?) throws(DecodeError) {
        guard let json = take(name) else { return value = nil }
        guard let text = json.string, let color = Color(text) else {
            throw Self.error(name, json, "#rrggbb or #rrggbbaa")
        }
        value = color
    }

    mutating func texts(
        _ name: String, _ values: inout [String], maximum: Int, textMaximum: Int
    ) throws(DecodeError) {
        values = []
        for element in try Self.list(name, try require(name), maximum: maximum) {
            values.append(try Self.text(name, element, maximum: textMaximum))
        }
    }

    mutating func value<Value: WireValue>(
        _ name: String, _ value: inout Value
    ) throws(DecodeError) {
        value = try Self.value(Value.self, try require(name), name: name, limits: limits)
    }

    mutating func optional<Value: WireValue>(
        _ name: String, _ value: inout Value?
    ) throws(DecodeError) {
        guard let json = take(name) else { return value = nil }
        value = try Self.value(Value.self, json, name: name, limits: limits)
    }

    mutating func extra(
        _ id: UInt32, _ name: String, _ value: inout UInt64?
    ) throws(DecodeError) {
        guard members.contains(where: { $0.key == name }) else { return value = nil }
        var some: UInt64 = 0
        try u64(name, &some)
        value = some
    }

    mutating func extra<Value: WireValue>(
        _ id: UInt32, _ name: String, _ value: inout Value?
    ) throws(DecodeError) {
        try optional(name, &value)
    }

    mutating func list<Value: WireValue>(
        _ name: String, _ values: inout [Value], maximum: Int
    ) throws(DecodeError) {
        values = []
        for element in try Self.list(name, try require(name), maximum: maximum) {
            values.append(try Self.value(Value.self, element, name: name, limits: limits))
        }
    }

    mutating func json(_ name: String, _ value: inout JSONValue) throws(DecodeError) {
        value = try require(name)
    }

    mutating func records(
        _ name: String, _ values: inout [ViewRecord], deflated: Bool
    ) throws(DecodeError) {
        try list(name, &values, maximum: limits.viewMaximum + 1)
    }

    mutating func selection(_ name: String, _ value: inout Selection) throws(DecodeError) {
        value = try FrameBodyJSON.selection(name, try require(name), limits: limits)
    }

    mutating func body(_ name: String, _ value: inout FrameBody) throws(DecodeError) {
        value = try FrameBodyJSON.body(name, try require(name), limits: limits)
    }

    mutating func frameBody(
        _ value: inout FrameBody, _ distances: inout FrameBodyCodec.Distances
    ) throws(DecodeError) {
        try u64("baseDistance", &distances.base)
        try u64("durableDistance", &distances.durable)
        try body("body", &value)
    }

    mutating func numbers(_ name: String, _ values: inout [UInt32]) throws(DecodeError) {
        values = []
        for element in try Self.list(name, try require(name), maximum: limits.viewMaximum + 1) {
            let number = try Self.integer(name, element, in: 0...Limits.viewNumberMaximum - 1)
            values.append(UInt32(truncatingIfNeeded: number))
        }
    }

    /// The member `extensions`: an object of hexadecimal texts by id, with the rule of the binary
    /// format.
    mutating func extensions() throws(DecodeError) {
        guard let json = take("extensions") else { return }
        guard let members = json.members else {
            throw Self.error("extensions", json, "an object")
        }
        for member in members {
            guard let id = UInt32(member.key), String(id) == member.key else {
                throw Self.error("extensions", member.value, "ids as keys")
            }
            guard let text = member.value.string, Hexadecimal.bytes(text) != nil else {
                throw Self.error("extensions", member.value, "hexadecimal texts")
            }
            if id & 1 == 1 { throw .unknownExtension(id: id) }
        }
    }
}
