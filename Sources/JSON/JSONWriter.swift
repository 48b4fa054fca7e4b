import Bytes

extension JSONValue {
    /// The value as JSON: compact, or over several lines where one line would be too long.
    ///
    /// Numbers are the shortest decimals that read back as the same value, integers without a
    /// fraction.
    public func text(pretty: Bool = false) -> String {
        var output: [UInt8] = []
        append(to: &output, pretty: pretty)
        return String(decoding: output, as: UTF8.self)
    }

    /// Appends the value as JSON in UTF-8.
    public func append(to output: inout [UInt8], pretty: Bool = false) {
        var writer = JSONWriter(pretty: pretty, output: output)
        output = []
        writer.write(self, indentation: 0)
        output = writer.output
    }
}

/// Writes JSON in UTF-8.
private struct JSONWriter {
    private static let lineMaximum = 96
    private static let indentationStep = 2
    let pretty: Bool
    var output: [UInt8]

    init(pretty: Bool, output: [UInt8]) {
        self.pretty = pretty
        self.output = output
    }

    mutating func write(_ value: JSONValue, indentation: Int) {
        switch value.kind {
        case .null: raw("null")
        case .bool(let value): raw(value ? "true" : "false")
        case .number(let number): raw(number.isFinite ? NumberText.of(number) : "null")
        case .string(let text): string(text)
        case .array(let values):
            let breaks = breaksLines(value, indentation)
            list(.init(ascii: "["), .init(ascii: "]"), count: values.count, breaks, indentation) {
                writer, index, inner in
                writer.write(values[index], indentation: inner)
            }
        case .object(let members):
            let breaks = breaksLines(value, indentation)
            list(.init(ascii: "{"), .init(ascii: "}"), count: members.count, breaks, indentation) {
                writer, index, inner in
                writer.string(members[index].key)
                writer.output.append(UInt8(ascii: ":"))
                if writer.pretty { writer.output.append(0x20) }
                writer.write(members[index].value, indentation: inner)
            }
        }
    }

    private func breaksLines(_ value: JSONValue, _ indentation: Int) -> Bool {
        guard pretty else { return false }
        var room = Self.lineMaximum - indentation
        return !Self.fits(value, &room)
    }

    /// Whether the value takes at most `room` bytes on one line; stops as soon as it does not.
    private static func fits(_ value: JSONValue, _ room: inout Int) -> Bool {
        switch value.kind {
        case .null, .bool: room -= 5
        case .number(let number): room -= NumberText.of(number).utf8.count
        case .string(let text): room -= text.utf8.count + 2
        case .array(let values):
            room -= 2
            for element in values {
                room -= 2
                guard fits(element, &room) else { return false }
            }
        case .object(let members):
            room -= 2
            for member in members {
                room -= member.key.utf8.count + 6
                guard fits(member.value, &room) else { return false }
            }
        }
        return room >= 0
    }

    private mutating func list(
        _ open: UInt8, _ close: UInt8, count: Int, _ breaks: Bool, _ indentation: Int,
        _ element: (inout JSONWriter, Int, Int) -> Void
    ) {
        output.append(open)
        let inner = indentation + Self.indentationStep
        for index in 0..<count {
            if index > 0 {
                output.append(UInt8(ascii: ","))
                if pretty && !breaks { output.append(0x20) }
            }
            if breaks { newLine(inner) }
            element(&self, index, inner)
        }
        if breaks && count > 0 { newLine(indentation) }
        output.append(close)
    }

    private mutating func newLine(_ indentation: Int) {
        output.append(0x0A)
        output.append(contentsOf: repeatElement(0x20, count: indentation))
    }

    private mutating func raw(_ text: String) {
        output.append(contentsOf: text.utf8)
    }

    private static func isEscaped(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || byte == 0x7F
    }

    private mutating func string(_ text: String) {
        output.append(UInt8(ascii: "\""))
        defer { output.append(UInt8(ascii: "\"")) }
        // Most texts have nothing to escape and are copied whole: the journal has every op in this
        // form.
        var isPlain = true
        for byte in text.utf8 where Self.isEscaped(byte) {
            isPlain = false
            break
        }
        guard !isPlain else { return raw(text) }
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""): raw("\\\"")
            case UInt8(ascii: "\\"): raw("\\\\")
            case 0x0A: raw("\\n")
            case 0x0D: raw("\\r")
            case 0x09: raw("\\t")
            case 0..<0x20, 0x7F:
                let digits = String(byte, radix: 16)
                raw("\\u" + String(repeating: "0", count: 4 - digits.count) + digits)
            default: output.append(byte)
            }
        }
    }
}
