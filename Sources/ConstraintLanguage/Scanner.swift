/// Reads tokens from a text, one after another, and points at the place where one is missing.
struct Scanner {
    let scalars: [Unicode.Scalar]
    private(set) var offset = 0

    init(_ text: String) {
        // The view's own count is a walk over the text.
        var scalars: [Unicode.Scalar] = []
        scalars.reserveCapacity(text.utf8.count)
        for scalar in text.unicodeScalars { scalars.append(scalar) }
        self.scalars = scalars
    }

    var isAtEnd: Bool { offset >= scalars.count }
    var current: Unicode.Scalar? { offset < scalars.count ? scalars[offset] : nil }

    mutating func skipSpaces() {
        while let scalar = current, Self.isSpace(scalar) { offset += 1 }
    }

    func error(_ message: String, expected: [String] = [], at place: Int? = nil) -> LanguageError {
        LanguageError(message: message, offset: place ?? offset, expected: expected)
    }

    /// The error for whatever stands here.
    func unexpected(_ expected: [String]) -> LanguageError {
        guard let scalar = current else {
            return error("the text ends too early", expected: expected)
        }
        return error("unexpected \"\(scalar)\"", expected: expected)
    }

    /// Skips spaces, then takes the text if it stands here.
    mutating func take(_ text: String) -> Bool {
        skipSpaces()
        var end = offset
        for scalar in text.unicodeScalars {
            guard end < scalars.count, scalars[end] == scalar else { return false }
            end += 1
        }
        offset = end
        return true
    }

    mutating func require(_ text: String) throws(LanguageError) {
        guard take(text) else { throw unexpected(["\"\(text)\""]) }
    }

    mutating func requireEnd(_ expected: [String]) throws(LanguageError) {
        skipSpaces()
        guard isAtEnd else { throw unexpected(expected + ["the end"]) }
    }

    /// Takes a name. Dashes belong to it: a sum needs a space or stands after an attribute.
    mutating func identifier(_ what: String) throws(LanguageError) -> String {
        skipSpaces()
        guard let first = current, Self.isLetter(first) || first == "_" else {
            throw unexpected([what])
        }
        let start = offset
        while let scalar = current,
            Self.isLetter(scalar) || Self.isDigit(scalar) || scalar == "_" || scalar == "-"
        {
            offset += 1
        }
        let count = offset - start
        guard count <= Identifier.byteMaximum else {
            throw error(
                "a name of \(count) characters, the longest may have \(Identifier.byteMaximum)",
                at: start)
        }
        return text(from: start)
    }

    /// Takes letters only: attributes, guides and key words have nothing else.
    mutating func word() -> (text: String, offset: Int) {
        skipSpaces()
        let start = offset
        while let scalar = current, Self.isLetter(scalar) { offset += 1 }
        return (text(from: start), start)
    }

    var isAtNumber: Bool {
        guard let scalar = current else { return false }
        return Self.isDigit(scalar) || scalar == "+" || scalar == "-"
    }

    /// Takes a decimal number: sign, digits, fraction, exponent; all but the digits may be missing.
    mutating func number(_ what: String = "a number") throws(LanguageError) -> Double {
        skipSpaces()
        let start = offset
        if current == "+" || current == "-" { offset += 1 }
        try digits(what)
        if current == "." {
            offset += 1
            try digits("a digit")
        }
        if current == "e" || current == "E" {
            offset += 1
            if current == "+" || current == "-" { offset += 1 }
            try digits("a digit")
        }
        guard let value = Double(text(from: start)), value.isFinite else {
            throw error("the number is too large", at: start)
        }
        return value
    }

    private mutating func digits(_ what: String) throws(LanguageError) {
        guard let scalar = current, Self.isDigit(scalar) else { throw unexpected([what]) }
        while let scalar = current, Self.isDigit(scalar) { offset += 1 }
    }

    /// What was taken since a place; letters, digits and the like, all of ASCII.
    private func text(from start: Int) -> String {
        String(
            decoding: scalars[start..<offset].map { UInt8(truncatingIfNeeded: $0.value) },
            as: UTF8.self)
    }

    static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
        guard scalar.isASCII else { return scalar.properties.isWhitespace }
        // The same for ASCII, without a look into Unicode's tables.
        return scalar == " " || (0x09...0x0D).contains(scalar.value)
    }

    private static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
        ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar)
    }

    private static func isDigit(_ scalar: Unicode.Scalar) -> Bool { ("0"..."9").contains(scalar) }
}
