import JSON

/// The texts of a file in one language: `"ID.key" = "text";` of a `.strings` file.
public struct LocalizedStrings: Sendable, Hashable {
    /// The language, such as `ar` or `zh-Hans`.
    public var language: String
    private var texts: [String: String] = [:]

    /// Creates a table.
    public init(language: String, texts: [String: String]) {
        self.language = language
        self.texts = texts
    }

    /// Whether the language is written from right to left.
    public var isRightToLeft: Bool {
        let code = language.prefix { $0 != "-" && $0 != "_" }
        return ["ar", "he", "iw", "fa", "ur", "yi", "ps", "ckb", "dv", "sd", "ug"].contains(code)
    }

    /// The text of an object's key, such as `text` or `normalTitle`.
    func text(_ id: String?, _ key: String) -> String? {
        id.flatMap { texts["\($0).\(key)"] }
    }

    /// Reads a `.strings` file in UTF-8 or UTF-16.
    ///
    /// - Throws: `InterfaceError` with the line of the first fault.
    public init(_ bytes: [UInt8], language: String) throws(InterfaceError) {
        guard bytes.count <= 4 << 20 else { throw InterfaceError("a file of strings over 4 MiB") }
        self.language = language
        let decoded: String?
        switch (bytes.first, bytes.dropFirst().first) {
        case (0xFF, 0xFE): decoded = Self.utf16(bytes.dropFirst(2), isLittle: true)
        case (0xFE, 0xFF): decoded = Self.utf16(bytes.dropFirst(2), isLittle: false)
        default: decoded = String(validating: bytes, as: UTF8.self)
        }
        guard let decoded else { throw InterfaceError("the strings are neither UTF-8 nor UTF-16") }
        var reader = StringsReader(decoded)
        texts = try reader.pairs()
    }

    /// Reads an `.xcstrings` file: one table for each language.
    ///
    /// - Throws: `InterfaceError` for what is no such file.
    public static func catalog(_ bytes: [UInt8]) throws(InterfaceError) -> [LocalizedStrings] {
        guard let json = try? JSONReader.read(bytes),
            let entries = json["strings"]?.members
        else { throw InterfaceError("the string catalogue is no JSON with \"strings\"") }
        var tables: [String: [String: String]] = [:]
        for entry in entries {
            guard let list = entry.value["localizations"]?.members else { continue }
            for localization in list {
                guard let text = localization.value["stringUnit"]?["value"]?.string
                else { continue }
                tables[localization.key, default: [:]][entry.key] = text
            }
        }
        return tables.sorted { $0.key < $1.key }.map { LocalizedStrings(language: $0, texts: $1) }
    }

    private static func utf16(_ bytes: ArraySlice<UInt8>, isLittle: Bool) -> String? {
        guard bytes.count % 2 == 0 else { return nil }
        let list = Array(bytes)
        let units = stride(from: 0, to: list.count, by: 2).map { index in
            let (low, high) =
                isLittle ? (list[index], list[index + 1]) : (list[index + 1], list[index])
            return UInt16(high) << 8 | UInt16(low)
        }
        return String(validating: units, as: UTF16.self)
    }
}

/// Reads pairs of texts. Comments are passed over.
private struct StringsReader {
    private let scalars: [Unicode.Scalar]
    private var place = 0

    init(_ text: String) { scalars = Array(text.unicodeScalars) }

    mutating func pairs() throws(InterfaceError) -> [String: String] {
        var result: [String: String] = [:]
        if peek == "\u{FEFF}" { place += 1 }
        while try skipBlanks() {
            let key = try token()
            _ = try skipBlanks()
            guard take("=") else { throw error("\"=\" is missing after a key") }
            _ = try skipBlanks()
            result[key] = try token()
            _ = try skipBlanks()
            guard take(";") else { throw error("\";\" is missing after a text") }
        }
        return result
    }

    private var peek: Unicode.Scalar? { place < scalars.count ? scalars[place] : nil }

    private func error(_ text: String) -> InterfaceError {
        let line = 1 + scalars.prefix(place).count { $0 == "\n" }
        return InterfaceError(line: line, "the strings cannot be read: \(text)")
    }

    private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
        guard peek == scalar else { return false }
        place += 1
        return true
    }

    /// - Returns: Whether anything is left.
    private mutating func skipBlanks() throws(InterfaceError) -> Bool {
        while let next = peek {
            if next.properties.isWhitespace {
                place += 1
            } else if next == "/", place + 1 < scalars.count, scalars[place + 1] == "*" {
                place += 2
                while !(peek == "*" && place + 1 < scalars.count && scalars[place + 1] == "/") {
                    guard peek != nil else { throw error("a comment does not end") }
                    place += 1
                }
                place += 2
            } else if next == "/", place + 1 < scalars.count, scalars[place + 1] == "/" {
                while let next = peek, next != "\n" { place += 1 }
            } else {
                return true
            }
        }
        return false
    }

    private mutating func token() throws(InterfaceError) -> String {
        var text = String.UnicodeScalarView()
        guard take("\"") else {
            while let next = peek,
                next.properties.isAlphabetic || "0123456789._-[]".unicodeScalars.contains(next)
            {
                text.append(next)
                place += 1
            }
            guard !text.isEmpty else { throw error("a text in quotes is missing") }
            return String(text)
        }
        while let next = peek {
            place += 1
            if next == "\"" { return String(text) }
            text.append(next == "\\" ? try escaped() : next)
        }
        throw error("a text does not end")
    }

    private mutating func escaped() throws(InterfaceError) -> Unicode.Scalar {
        guard let next = peek else { throw error("a text does not end") }
        place += 1
        switch next {
        case "n": return "\n"
        case "t": return "\t"
        case "r": return "\r"
        case "U", "u":
            var value: UInt32 = 0
            var digits = 0
            while digits < 4, let digit = peek.flatMap({ UInt32(String($0), radix: 16) }) {
                value = value * 16 + digit
                place += 1
                digits += 1
            }
            return Unicode.Scalar(value) ?? "\u{FFFD}"
        default: return next
        }
    }
}
