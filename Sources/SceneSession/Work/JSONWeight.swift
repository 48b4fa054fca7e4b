import JSON

/// The size of a JSON value: the memory to hold it and the work to parse it.
struct JSONWeight {
    /// Values, those of arrays and objects counted one by one.
    private(set) var values = 0
    /// Bytes of text, including the names of members.
    private(set) var textBytes = 0

    /// Bytes of text that are rules, visual formats or conditions where the value is a message of
    /// ops.
    private(set) var languageBytes = 0

    /// The weight of nothing.
    init() {}

    /// Computes the weight of a value, by recursion as deep as `JSONReader` lets values be nested.
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
                addLanguage(member)
            }
        }
    }

    /// Counts what has to be parsed, by where it stands, before it is: what is refused then has
    /// been read all the same.
    private mutating func addLanguage(_ member: JSONMember) {
        switch member.key {
        case "rule", "vfl", "when":
            if case .string(let text) = member.value.kind { languageBytes += text.utf8.count }
        case "constraints":
            guard case .array(let elements) = member.value.kind else { return }
            for case .string(let text) in elements.lazy.map(\.kind) {
                languageBytes += text.utf8.count
            }
        default: break
        }
    }

    /// The approximate memory in bytes.
    var byteEstimate: Int { 48 * values + textBytes }

    /// Units of work to parse a message with the value, to answer it and to journal it.
    var readingWork: UInt64 {
        Self.message + Self.value * UInt64(values) + Self.textByte * UInt64(textBytes)
            + Self.languageByte * UInt64(languageBytes)
    }

    /// Units of work to parse the rules, formats and conditions of a message once more, as a whole
    /// scene's are for its snapshot.
    var languageWork: UInt64 { Self.languageByte * UInt64(languageBytes) }

    private static let message: UInt64 = 4000
    private static let value: UInt64 = 200
    private static let textByte: UInt64 = 1
    /// A byte of a rule, a visual format or a condition, besides that of its text.
    static let languageByte: UInt64 = 5
}
