extension StringProtocol {
    /// The text without the white space around it: blanks, tabs, line ends and Unicode's other
    /// white space.
    ///
    /// - Complexity: O(*n*).
    package var trimmed: String {
        guard let first = firstIndex(where: { !$0.isWhitespace }),
            let last = lastIndex(where: { !$0.isWhitespace })
        else { return "" }
        return String(self[first...last])
    }
}

extension StringProtocol {
    /// The text for XML and HTML, as character data or within quotation marks. Line ends and tabs
    /// are character references, since parsers make blanks of them in attributes; characters that
    /// XML 1.0 does not allow are dropped.
    ///
    /// - Complexity: O(*n*).
    package var escapedForXML: String {
        var result = ""
        for scalar in unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "\n", "\t", "\r": result += "&#\(scalar.value);"
            case "\u{0}"..."\u{1F}", "\u{FFFE}", "\u{FFFF}": break
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}

extension Double {
    /// The number with so many digits after the point, rounded to the nearest; one in the middle
    /// goes to either side.
    ///
    /// Numbers beyond 2^53 / 10^digits, and those that are none, are written as Swift writes them.
    ///
    /// - Parameter digits: 0...9.
    package func text(digits: Int) -> String {
        var factor = 1.0
        for _ in 0..<digits { factor *= 10 }
        let scaled = (magnitude * factor).rounded(.toNearestOrEven)
        guard scaled < 9_007_199_254_740_992 else { return description }
        let text = String(UInt64(scaled))
        let padded = String(repeating: "0", count: max(0, digits + 1 - text.count)) + text
        let sign = self < 0 && scaled > 0 ? "-" : ""
        guard digits > 0 else { return sign + padded }
        return sign + padded.dropLast(digits) + "." + padded.suffix(digits)
    }
}
