import SceneProtocol

/// How much a value of JSON is: what it takes to hold it and to read it.
struct JSONWeight {
    /// Values, those of arrays and objects counted one by one.
    private(set) var values = 0
    /// Bytes of text, names of members included.
    private(set) var textBytes = 0

    /// The weight of nothing.
    init() {}

    /// Weighs a value. Values are nested 64 deep at most, and so is the recursion.
    init(of value: JSONValue) { add(value) }

    private mutating func add(_ value: JSONValue) {
        values += 1
        switch value.kind {
        case .null, .bool, .number: break
        case .string(let text): textBytes += text.utf8.count
        case .array(let elements): for element in elements { add(element) }
        case .object(let members):
            for member in members {
                textBytes += member.key.utf8.count
                add(member.value)
            }
        }
    }

    /// About how many bytes it takes in memory.
    var byteEstimate: Int { 48 * values + textBytes }

    /// Units of work that it takes to read a message with it, to answer it and to write it down.
    var readingWork: UInt64 {
        Self.message + Self.value * UInt64(values) + Self.textByte * UInt64(textBytes)
    }

    private static let message: UInt64 = 3000
    private static let value: UInt64 = 200
    private static let textByte: UInt64 = 1
}
