import CharacterWidth

/// The characters that a terminal or a reader of output can show.
public enum TextEncoding: Sendable {
    /// All of Unicode, in UTF-8.
    case utf8
    /// ASCII alone: borders are made of `+`, `-` and `|`, other characters become similar ones or
    /// `?`.
    case ascii

    /// The encoding of the locale: `LC_ALL`, else `LC_CTYPE`, else `LANG`, of which empty ones do
    /// not count.
    ///
    /// - Parameter isTerminal: Whether the output is a terminal, where no locale at all means
    ///   ASCII, as POSIX has it. Elsewhere it means UTF-8: the output is for another program, whose
    ///   locale is not known.
    public static func detect(
        environment: [String: String], isTerminal: Bool
    ) -> TextEncoding {
        let names = ["LC_ALL", "LC_CTYPE", "LANG"]
        guard let locale = names.lazy.compactMap({ environment[$0] }).first(where: { !$0.isEmpty })
        else { return isTerminal ? .ascii : .utf8 }
        // `language_COUNTRY.codeset@modifier`; codesets are spelt in several ways.
        let codeset = locale.split(separator: ".", maxSplits: 1).dropFirst().first ?? ""
        let name = codeset.prefix { $0 != "@" }.lowercased().filter { $0 != "-" && $0 != "_" }
        return name == "utf8" ? .utf8 : .ascii
    }

    /// A text in this encoding, with the same number of columns.
    public func encode(_ text: String) -> String {
        switch self {
        case .utf8: return text
        case .ascii:
            guard !text.utf8.allSatisfy({ $0 < 0x80 }) else { return text }
            var result = ""
            for character in text { result += Self.ascii(character) }
            return result
        }
    }

    /// The ASCII characters for a character, as many as it has columns.
    static func ascii(_ character: Character) -> String {
        guard !character.isASCII else { return String(character) }
        if let similar = similar[character] { return String(similar) }
        // Dots of charts.
        if "\u{2801}"..."\u{28FF}" ~= character { return "*" }
        return String(repeating: "?", count: displayWidth(of: String(character)))
    }

    /// Characters of borders, controls and the viewer's own lines, and what stands for them.
    private static let similar: [Character: Character] = {
        var table: [Character: Character] = [:]
        for (characters, ascii) in [
            ("─━═╌┄", "-"), ("│┃║╎┆", "|"), ("┌┐└┘╭╮╰╯╔╗╚╝┏┓┗┛├┤┬┴┼", "+"), ("●•■", "*"),
            ("○□", "o"), ("·…", "."), ("▶→▸", ">"), ("◀←◂", "<"), ("↑▲▴", "^"), ("↓▼▾", "v"),
            ("⏸", "="), ("✓", "+"), ("✗×", "x"), ("–—−", "-"), ("‘’", "'"), ("“”", "\""),
            ("█▓▒░▆▇", "#"), ("▁▂", "_"), ("▃▄▅", "="), ("±", "~"),
        ] as [(String, Character)] {
            for character in characters { table[character] = ascii }
        }
        return table
    }()
}
