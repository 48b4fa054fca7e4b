/// Reads tokens from a text, one after another, and points at the place where one is missing.
///
/// It goes through the bytes of UTF-8: all that the languages are made of is ASCII but for spaces
/// and mistakes.
struct Scanner {
    private let bytes: [UInt8]
    /// The byte at which the scanner stands. Setting it goes back, or on to where a copy had come.
    var place = 0

    init(_ text: String) { bytes = Array(text.utf8) }

    var isAtEnd: Bool { place >= bytes.count }
    /// The byte here; nil at the end.
    var current: UInt8? { place < bytes.count ? bytes[place] : nil }

    mutating func skipSpaces() {
        while let byte = current {
            if byte < 0x80 {
                guard Self.isSpace(byte) else { return }
                place += 1
            } else {
                guard let scalar = scalar(at: place), scalar.properties.isWhitespace else { return }
                place += UTF8.width(scalar)
            }
        }
    }

    // MARK: Errors

    func error(_ message: String, expected: [String] = [], at place: Int? = nil) -> LanguageError {
        LanguageError(message: message, offset: offset(of: place ?? self.place), expected: expected)
    }

    /// The error for whatever stands here.
    func unexpected(_ expected: [String]) -> LanguageError {
        guard let scalar = scalar(at: place) else {
            return error("the text ends too early", expected: expected)
        }
        return error("unexpected \"\(scalar)\"", expected: expected)
    }

    /// A place as errors have it: in scalars.
    private func offset(of place: Int) -> Int {
        bytes[..<place].count { $0 & 0xC0 != 0x80 }
    }

    private func scalar(at place: Int) -> Unicode.Scalar? {
        guard place < bytes.count else { return nil }
        var decoder = UTF8()
        var rest = bytes[place...].prefix(4).makeIterator()
        guard case .scalarValue(let scalar) = decoder.decode(&rest) else { return nil }
        return scalar
    }

    // MARK: Tokens

    /// Skips spaces, then takes the text if it stands here.
    mutating func take(_ text: String) -> Bool {
        skipSpaces()
        var end = place
        for byte in text.utf8 {
            guard end < bytes.count, bytes[end] == byte else { return false }
            end += 1
        }
        place = end
        return true
    }

    /// Skips spaces, then takes the sign, of one or two ASCII characters, if it stands here.
    mutating func takeSign(_ first: Unicode.Scalar, _ second: Unicode.Scalar? = nil) -> Bool {
        skipSpaces()
        guard current == UInt8(ascii: first) else { return false }
        guard let second else {
            place += 1
            return true
        }
        guard place + 1 < bytes.count, bytes[place + 1] == UInt8(ascii: second) else {
            return false
        }
        place += 2
        return true
    }

    mutating func require(_ sign: Unicode.Scalar) throws(LanguageError) {
        guard takeSign(sign) else { throw unexpected(["\"\(sign)\""]) }
    }

    mutating func requireEnd(_ expected: [String]) throws(LanguageError) {
        skipSpaces()
        guard isAtEnd else { throw unexpected(expected + ["the end"]) }
    }

    /// Takes a name. Dashes belong to it: a sum needs a space or stands after an attribute.
    mutating func identifier(_ what: String) throws(LanguageError) -> String {
        skipSpaces()
        guard let first = current, Self.isLetter(first) || first == UInt8(ascii: "_") else {
            throw unexpected([what])
        }
        let start = place
        while let byte = current, Self.isNamePart(byte) { place += 1 }
        let count = place - start
        guard count <= Identifier.byteMaximum else {
            throw error(
                "a name of \(count) characters, the longest may have \(Identifier.byteMaximum)",
                at: start)
        }
        return text(from: start)
    }

    /// Takes letters only: attributes, guides and key words have nothing else.
    mutating func word() -> (text: String, place: Int) {
        skipSpaces()
        let start = place
        while let byte = current, Self.isLetter(byte) { place += 1 }
        return (text(from: start), start)
    }

    /// Whether a word that was just taken is the beginning of an item's name, or the whole of one
    /// before its attribute.
    var goesOnAsItem: Bool {
        guard let byte = current else { return false }
        return Self.isNamePart(byte) || byte == UInt8(ascii: ".")
    }

    var isAtNumber: Bool {
        guard let byte = current else { return false }
        return Self.isDigit(byte) || byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-")
    }

    /// Takes a decimal number: sign, digits, fraction, exponent; all but the digits may be missing.
    mutating func number(_ what: String = "a number") throws(LanguageError) -> Double {
        skipSpaces()
        let start = place
        var decimal = Decimal()
        if current == UInt8(ascii: "+") || current == UInt8(ascii: "-") {
            decimal.isNegative = current == UInt8(ascii: "-")
            place += 1
        }
        try digits(what) { decimal.add($0) }
        if current == UInt8(ascii: ".") {
            place += 1
            try digits("a digit") { decimal.addFraction($0) }
        }
        if current == UInt8(ascii: "e") || current == UInt8(ascii: "E") {
            place += 1
            if current == UInt8(ascii: "+") || current == UInt8(ascii: "-") { place += 1 }
            decimal.isShort = false
            try digits("a digit") { _ in }
        }
        if let value = decimal.value { return value }
        guard let value = Double(text(from: start)), value.isFinite else {
            throw error("the number is too large", at: start)
        }
        return value
    }

    private mutating func digits(
        _ what: String, _ note: (UInt8) -> Void
    ) throws(LanguageError) {
        guard let first = current, Self.isDigit(first) else { throw unexpected([what]) }
        while let byte = current, Self.isDigit(byte) {
            note(byte - UInt8(ascii: "0"))
            place += 1
        }
    }

    /// What was taken since a place; letters, digits and the like, all of ASCII.
    private func text(from start: Int) -> String {
        String(decoding: bytes[start..<place], as: UTF8.self)
    }

    // MARK: Characters

    static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
        guard scalar.isASCII else { return scalar.properties.isWhitespace }
        return isSpace(UInt8(truncatingIfNeeded: scalar.value))
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: " ") || (0x09...0x0D).contains(byte)
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        // The bit of small letters.
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }

    private static func isNamePart(_ byte: UInt8) -> Bool {
        isLetter(byte) || isDigit(byte) || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-")
    }
}

/// The digits of a number. Short ones make a value at once: both the digits and the power of ten
/// are exact then, so that their quotient is rounded once, to the same value as any reader's.
private struct Decimal {
    /// Numbers of so many digits are below 2^53, and powers of ten up to 10^22 are exact.
    private static let digitMaximum = 15
    private static let powers: [Double] = [
        1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
    ]

    var isNegative = false
    var isShort = true
    private var digits: UInt64 = 0
    private var count = 0
    private var fractionCount = 0

    mutating func add(_ digit: UInt8) {
        count += 1
        guard count <= Self.digitMaximum else { return isShort = false }
        digits = digits &* 10 &+ UInt64(digit)
    }

    mutating func addFraction(_ digit: UInt8) {
        add(digit)
        fractionCount += 1
    }

    /// The value; `nil` where it takes a reader of longer numbers.
    var value: Double? {
        guard isShort else { return nil }
        let value = Double(digits) / Self.powers[fractionCount]
        return isNegative ? -value : value
    }
}
