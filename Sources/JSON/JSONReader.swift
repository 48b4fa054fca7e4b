import Bytes

/// Reads JSON (RFC 8259) strictly: no duplicate keys, no trailing bytes, no invalid UTF-8, no
/// number outside the range of `Double`, no deeper nesting than `depthMaximum`.
public struct JSONReader {
    /// The deepest nesting of lists and objects.
    public static let depthMaximum = 64

    /// The deepest nesting in a journal, whose payloads hold what messages brought, a few levels
    /// deeper.
    package static let journalDepthMaximum = depthMaximum + 16

    private let bytes: [UInt8]
    private let depthMaximum: Int
    private var offset = 0
    private var line = 1
    private var lineStart = 0
    /// Bytes of this line that continue a scalar, so that columns count scalars.
    private var continuations = 0

    private init(_ utf8: [UInt8], depthMaximum: Int = Self.depthMaximum) {
        bytes = utf8
        self.depthMaximum = depthMaximum
    }

    /// Reads one value and nothing after it.
    ///
    /// - Throws: `JSONError` with the place of the first fault.
    /// - Complexity: O(bytes), besides comparing the keys of one object with each other.
    public static func read(_ utf8: [UInt8]) throws(JSONError) -> JSONValue {
        try read(utf8, depthMaximum: depthMaximum)
    }

    /// The same with another limit of nesting, which the reader follows by recursion.
    package static func read(
        _ utf8: [UInt8], depthMaximum: Int
    ) throws(JSONError) -> JSONValue {
        var reader = JSONReader(utf8, depthMaximum: depthMaximum)
        let value = try reader.value(depth: 0)
        reader.skipSpaces()
        guard reader.offset == utf8.count else { throw reader.error("more text after the value") }
        return value
    }

    /// Reads values that stand on lines of their own (NDJSON); empty lines may stand between them.
    ///
    /// - Throws: `JSONError` with the place of the first fault.
    public static func readLines(_ utf8: [UInt8]) throws(JSONError) -> [JSONValue] {
        var reader = JSONReader(utf8)
        var values: [JSONValue] = []
        reader.skipSpaces()
        while reader.offset < utf8.count {
            values.append(try reader.value(depth: 0))
            let line = reader.line
            reader.skipSpaces()
            guard reader.offset == utf8.count || reader.line > line else {
                throw reader.error("the next value must stand on a line of its own")
            }
        }
        return values
    }

    private func error(_ message: String) -> JSONError {
        JSONError(message: message, line: line, column: offset - lineStart - continuations + 1)
    }

    private var current: UInt8? { offset < bytes.count ? bytes[offset] : nil }

    private mutating func skipSpaces() {
        while let byte = current {
            switch byte {
            case 0x20, 0x09, 0x0D: offset += 1
            case 0x0A:
                offset += 1
                line += 1
                lineStart = offset
                continuations = 0
            default: return
            }
        }
    }

    private mutating func value(depth: Int) throws(JSONError) -> JSONValue {
        skipSpaces()
        let startLine = line
        let startColumn = offset - lineStart - continuations + 1
        guard let byte = current else { throw error("a value is missing") }
        let kind: JSONValue.Kind
        switch byte {
        case UInt8(ascii: "{"): kind = .object(try members(depth: depth + 1))
        case UInt8(ascii: "["): kind = .array(try elements(depth: depth + 1))
        case UInt8(ascii: "\""): kind = .string(try string())
        case UInt8(ascii: "t"): kind = .bool(try word("true", true))
        case UInt8(ascii: "f"): kind = .bool(try word("false", false))
        case UInt8(ascii: "n"): kind = try word("null", .null)
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): kind = .number(try number())
        default: throw error("a value cannot begin like this")
        }
        return JSONValue(kind, line: startLine, column: startColumn)
    }

    private mutating func word<T>(_ text: StaticString, _ value: T) throws(JSONError) -> T {
        for byte in text.description.utf8 {
            guard current == byte else { throw error("expected \"\(text)\"") }
            offset += 1
        }
        return value
    }

    private mutating func elements(depth: Int) throws(JSONError) -> [JSONValue] {
        guard depth <= depthMaximum else {
            throw error("nested deeper than \(depthMaximum) levels")
        }
        offset += 1
        var result: [JSONValue] = []
        skipSpaces()
        if current == UInt8(ascii: "]") {
            offset += 1
            return result
        }
        while true {
            result.append(try value(depth: depth))
            skipSpaces()
            switch current {
            case UInt8(ascii: ","): offset += 1
            case UInt8(ascii: "]"):
                offset += 1
                return result
            default: throw error("expected \",\" or \"]\"")
            }
        }
    }

    private mutating func members(depth: Int) throws(JSONError) -> [JSONMember] {
        guard depth <= depthMaximum else {
            throw error("nested deeper than \(depthMaximum) levels")
        }
        offset += 1
        var result: [JSONMember] = []
        var keys = KeySet()
        skipSpaces()
        if current == UInt8(ascii: "}") {
            offset += 1
            return result
        }
        while true {
            skipSpaces()
            guard current == UInt8(ascii: "\"") else { throw error("expected a key in quotes") }
            let place = error("")
            let key = try string()
            guard keys.insert(key, among: result) else {
                throw JSONError(
                    message: "the key \"\(key)\" stands twice", line: place.line,
                    column: place.column)
            }
            skipSpaces()
            guard current == UInt8(ascii: ":") else { throw error("expected \":\"") }
            offset += 1
            // Most objects have some members; growing one by one takes memory several times.
            if result.isEmpty { result.reserveCapacity(4) }
            result.append(JSONMember(key, try value(depth: depth)))
            skipSpaces()
            switch current {
            case UInt8(ascii: ","): offset += 1
            case UInt8(ascii: "}"):
                offset += 1
                return result
            default: throw error("expected \",\" or \"}\"")
            }
        }
    }

    private mutating func string() throws(JSONError) -> String {
        offset += 1
        let start = offset
        var isASCII = true
        // Most texts have no escape: validate and copy them in one piece.
        while let byte = current, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\"),
            byte >= 0x20
        {
            isASCII = isASCII && byte < 0x80
            if byte & 0xC0 == 0x80 { continuations += 1 }
            offset += 1
        }
        if current == UInt8(ascii: "\"") {
            offset += 1
            // ASCII needs no repair, and what repairs is quicker than what refuses: that looks
            // types up while it runs.
            if isASCII { return String(decoding: bytes[start..<offset - 1], as: UTF8.self) }
            return try text(Array(bytes[start..<offset - 1]))
        }
        var buffer = Array(bytes[start..<offset])
        while let byte = current {
            switch byte {
            case UInt8(ascii: "\""):
                offset += 1
                return try text(buffer)
            case UInt8(ascii: "\\"):
                offset += 1
                try escape(into: &buffer)
            case 0..<0x20: throw error("a control character must be escaped")
            default:
                if byte & 0xC0 == 0x80 { continuations += 1 }
                buffer.append(byte)
                offset += 1
            }
        }
        throw error("the text has no closing quote")
    }

    private func text(_ utf8: [UInt8]) throws(JSONError) -> String {
        guard let text = String(validating: utf8, as: UTF8.self) else {
            throw error("the text before this place is not valid UTF-8")
        }
        return text
    }

    private mutating func escape(into buffer: inout [UInt8]) throws(JSONError) {
        guard let byte = current else { throw error("the text has no closing quote") }
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): buffer.append(byte)
        case UInt8(ascii: "b"): buffer.append(0x08)
        case UInt8(ascii: "f"): buffer.append(0x0C)
        case UInt8(ascii: "n"): buffer.append(0x0A)
        case UInt8(ascii: "r"): buffer.append(0x0D)
        case UInt8(ascii: "t"): buffer.append(0x09)
        case UInt8(ascii: "u"):
            offset += 1
            try unicodeEscape(into: &buffer)
            return
        default: throw error("unknown escape")
        }
        offset += 1
    }

    private mutating func unicodeEscape(into buffer: inout [UInt8]) throws(JSONError) {
        var code = try hexadecimal()
        if (0xD800..<0xDC00).contains(code) {
            guard current == UInt8(ascii: "\\") else { throw error("half of a surrogate pair") }
            offset += 1
            guard current == UInt8(ascii: "u") else { throw error("half of a surrogate pair") }
            offset += 1
            let low = try hexadecimal()
            guard (0xDC00..<0xE000).contains(low) else { throw error("half of a surrogate pair") }
            code = 0x10000 + (code - 0xD800) << 10 + (low - 0xDC00)
        }
        guard let scalar = Unicode.Scalar(code) else { throw error("half of a surrogate pair") }
        buffer.append(contentsOf: Character(scalar).utf8)
    }

    private mutating func hexadecimal() throws(JSONError) -> UInt32 {
        var code: UInt32 = 0
        for _ in 0..<4 {
            guard let byte = current, let digit = Hexadecimal.value(byte) else {
                throw error("expected four hexadecimal digits")
            }
            code = code << 4 | UInt32(digit)
            offset += 1
        }
        return code
    }

    private mutating func number() throws(JSONError) -> Double {
        let start = offset
        let place = error("the number is too large")
        if current == UInt8(ascii: "-") { offset += 1 }
        if current == UInt8(ascii: "0") {
            offset += 1
            if let byte = current, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) {
                throw error("a number cannot begin with 0")
            }
        } else {
            try digits()
        }
        if current == UInt8(ascii: ".") {
            offset += 1
            try digits()
        }
        if current == UInt8(ascii: "e") || current == UInt8(ascii: "E") {
            offset += 1
            if current == UInt8(ascii: "+") || current == UInt8(ascii: "-") { offset += 1 }
            try digits()
        }
        guard let value = Double(String(decoding: bytes[start..<offset], as: UTF8.self)),
            value.isFinite
        else { throw place }
        return value
    }

    private mutating func digits() throws(JSONError) {
        let start = offset
        while let byte = current, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) {
            offset += 1
        }
        guard offset > start else { throw error("expected a digit") }
    }
}

/// The keys of one object: compared one by one while few, by hash when many.
private struct KeySet {
    private var hashed: Set<String> = []

    mutating func insert(_ key: String, among members: [JSONMember]) -> Bool {
        if members.count < 16 { return !members.contains { $0.key == key } }
        if hashed.isEmpty { hashed = Set(members.map { $0.key }) }
        return hashed.insert(key).inserted
    }
}
