extension StringProtocol {
    /// The text made safe for a terminal or a log: characters that a terminal obeys, that break a
    /// line or that change the order of text are written as `\u009b`, four hexadecimal digits each.
    ///
    /// These are the controls of C0 and C1 with DEL, the separators of lines and paragraphs, and
    /// the controls of bidirectional text. All else stays, the backslash too, so that JSON stays
    /// the same JSON: in it such characters occur in strings alone.
    ///
    /// - Parameter keepsLayout: Whether line feeds and tabs stay, for texts of several lines.
    /// - Complexity: O(*n*); a text without any is copied once.
    /// - Source: ECMA-48 for controls; Unicode Standard Annex #9, table 4, for those of
    ///   bidirectional text.
    public func escapingControls(keepsLayout: Bool = false) -> String {
        guard unicodeScalars.contains(where: { $0.isObeyed(keepsLayout) }) else {
            return String(self)
        }
        var result = ""
        for scalar in unicodeScalars {
            guard scalar.isObeyed(keepsLayout) else {
                result.unicodeScalars.append(scalar)
                continue
            }
            let digits = String(scalar.value, radix: 16)
            result += "\\u" + String(repeating: "0", count: Swift.max(0, 4 - digits.count)) + digits
        }
        return result
    }
}

extension Unicode.Scalar {
    /// Whether a terminal would do something rather than show it.
    fileprivate func isObeyed(_ keepsLayout: Bool) -> Bool {
        switch value {
        case 0x09, 0x0A: !keepsLayout
        case 0x00...0x1F, 0x7F...0x9F, 0x061C, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069:
            true
        default: false
        }
    }
}
