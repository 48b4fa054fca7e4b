import CharacterWidth

/// Breaks text into lines on the character grid: greedily at spaces, inside a word only where it is wider than a
/// whole line, always at line breaks of the text.
struct LineBreaker {
    /// A line and its width in cells.
    struct Line: Equatable {
        var text: String
        var columns: Int
    }

    /// - Parameters:
    ///   - columns: The width of a line in cells, at least 1; `nil` does not wrap.
    ///   - maximum: The most lines there may be; what does not fit is cut with an ellipsis. 0 means any number.
    static func lines(of text: String, columns: Int?, maximum: Int) -> [Line] {
        let lines = asciiLines(of: text, columns: columns) ?? anyLines(of: text, columns: columns)
        guard maximum > 0, lines.count > maximum else { return lines }
        let cut = Array(lines[..<maximum])
        guard let last = cut.last else { return cut }
        return cut.dropLast() + [
            truncated(last, columns: columns ?? last.columns + 1, always: true)
        ]
    }

    /// The lines of a text, all of them, character by character.
    static func anyLines(of text: String, columns: Int?) -> [Line] {
        var result: [Line] = []
        for paragraph in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if let columns {
                wrap(paragraph, columns: max(columns, 1), into: &result)
            } else {
                result.append(Line(text: String(paragraph), columns: displayWidth(of: paragraph)))
            }
        }
        return result
    }

    /// The line cut to a width in cells with an ellipsis, if it is wider or if more follows anyway.
    static func truncated(_ line: Line, columns: Int, always: Bool = false) -> Line {
        guard always || line.columns > columns else { return line }
        guard columns > 0 else { return Line(text: "", columns: 0) }
        var text = ""
        var used = 0
        for character in line.text {
            let width = displayWidth(of: character)
            guard used + width <= columns - 1 else { break }
            text.append(character)
            used += width
        }
        while text.last == " " {
            text.removeLast()
            used -= 1
        }
        return Line(text: text + "…", columns: used + 1)
    }

    private static func wrap(_ paragraph: Substring, columns: Int, into result: inout [Line]) {
        var line = ""
        var used = 0
        func finish() {
            while line.last == " " {
                line.removeLast()
                used -= 1
            }
            result.append(Line(text: line, columns: used))
            line = ""
            used = 0
        }
        for word in words(of: paragraph) {
            let width = displayWidth(of: word)
            let isSpace = word.first == " "
            if used + width <= columns {
                line += word
                used += width
            } else if isSpace {
                // Spaces at a break vanish with it.
                finish()
            } else {
                if used > 0 { finish() }
                guard width > columns else {
                    line = String(word)
                    used = width
                    continue
                }
                for character in word {
                    let width = displayWidth(of: character)
                    if used > 0, used + width > columns { finish() }
                    line.append(character)
                    used += width
                }
            }
        }
        finish()
    }

    /// Runs of spaces and runs of anything else, in order.
    private static func words(of text: Substring) -> [Substring] {
        var result: [Substring] = []
        var start = text.startIndex
        while start < text.endIndex {
            let isSpace = text[start] == " "
            let end = text[start...].firstIndex { ($0 == " ") != isSpace } ?? text.endIndex
            result.append(text[start..<end])
            start = end
        }
        return result
    }
}
