/// Why a text is not a rule, a visual format or a condition, and where it stops being one.
public struct LanguageError: Error, Equatable, Sendable, CustomStringConvertible {
    /// What is wrong, as the beginning of a sentence without its full stop.
    public var message: String
    /// The place of the fault, in Unicode scalars from the beginning of the text.
    public var offset: Int
    /// What could have stood there instead; empty where no list would help.
    public var expected: [String]

    /// Makes an error that points at a place of the text.
    public init(message: String, offset: Int, expected: [String] = []) {
        self.message = message
        self.offset = offset
        self.expected = expected
    }

    /// The message, its place and what was expected, on one line.
    public var description: String {
        let place = "\(message) at character \(offset + 1)"
        return expected.isEmpty ? place : "\(place), expected \(expectedText)"
    }

    /// `expected` as a person would say it: `a, b or c`.
    public var expectedText: String {
        guard let last = expected.last else { return "" }
        guard expected.count > 1 else { return last }
        return expected.dropLast().joined(separator: ", ") + " or " + last
    }
}

/// The names of views, guides, constraints and sets.
public enum Identifier {
    /// The longest name, in bytes.
    public static let byteMaximum = 64

    /// Whether the text is a name: `[A-Za-z_][A-Za-z0-9_-]*`, at most 64 bytes.
    public static func isValid(_ text: String) -> Bool {
        var count = 0
        for byte in text.utf8 {
            guard count == 0 ? isStart(byte) : isPart(byte) else { return false }
            count += 1
            if count > byteMaximum { return false }
        }
        return count > 0
    }

    private static func isStart(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "_"):
            true
        default: false
        }
    }

    private static func isPart(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"): true
        default: isStart(byte)
        }
    }
}
