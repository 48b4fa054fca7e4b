import CharacterWidth

/// Breaks text into lines on the character grid: greedily at spaces, inside a word only where it is
/// wider than a whole line, always at line breaks of the text.
struct LineBreaker {
    /// A line and its width in cells.
    struct Line: Equatable {
        var text: String
        var columns: Int
    }

    /// - Parameters:
    ///   - columns: The width of a line in cells, at least 1; `nil` does not wrap.
    ///   - maximum: The most lines there may be; what does not fit is cut with an ellipsis. 0 means
    ///     any number.
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
        let cells = Self.cells(of: text)
        var result: [Line] = []
        var start = 0
        while start <= cells.count {
            let end = cells[start...].firstIndex { $0.kind == .lineBreak } ?? cells.count
            if let columns {
                wrap(start..<end, of: cells, text, columns: max(columns, 1), into: &result)
            } else {
                result.append(line(start..<end, of: cells, text))
            }
            start = end + 1
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

    // MARK: By characters

    /// A character: a space, a line break or anything else.
    private struct Cell {
        enum Kind {
            case space, lineBreak, other
        }

        var start: String.Index
        var columns: Int
        var kind: Kind
    }

    /// The characters of a text. Where they end is looked for once, and none is compared with
    /// another: equality of characters is that of Unicode's canonical equivalence, which takes ten
    /// times as long.
    private static func cells(of text: String) -> [Cell] {
        var cells: [Cell] = []
        var start = text.startIndex
        while start < text.endIndex {
            let end = text.index(after: start)
            let byte = text.utf8[start]
            let isSingle = text.utf8.index(after: start) == end
            let kind: Cell.Kind =
                switch (isSingle, byte) {
                case (true, UInt8(ascii: " ")): .space
                case (true, UInt8(ascii: "\n")): .lineBreak
                default: .other
                }
            cells.append(
                Cell(start: start, columns: displayWidth(of: text[start]), kind: kind))
            start = end
        }
        return cells
    }

    private static func line(_ range: Range<Int>, of cells: [Cell], _ text: String) -> Line {
        let end = range.upperBound < cells.count ? cells[range.upperBound].start : text.endIndex
        let start = range.lowerBound < cells.count ? cells[range.lowerBound].start : text.endIndex
        return Line(
            text: String(text[start..<end]), columns: cells[range].reduce(0) { $0 + $1.columns })
    }

    private static func wrap(
        _ paragraph: Range<Int>, of cells: [Cell], _ text: String, columns: Int,
        into result: inout [Line]
    ) {
        // A line is a part of its paragraph: what vanishes at a break is between two lines.
        var current = paragraph.lowerBound..<paragraph.lowerBound
        var used = 0
        func finish() {
            var end = current.upperBound
            while end > current.lowerBound, cells[end - 1].kind == .space { end -= 1 }
            result.append(line(current.lowerBound..<end, of: cells, text))
            current = current.upperBound..<current.upperBound
            used = 0
        }
        var place = paragraph.lowerBound
        while place < paragraph.upperBound {
            let isSpace = cells[place].kind == .space
            let end =
                cells[place..<paragraph.upperBound].firstIndex { ($0.kind == .space) != isSpace }
                ?? paragraph.upperBound
            let word = place..<end
            place = end
            let width = cells[word].reduce(0) { $0 + $1.columns }
            if used + width <= columns {
                current = (current.isEmpty ? word.lowerBound : current.lowerBound)..<end
                used += width
            } else if isSpace {
                finish()
            } else {
                if used > 0 { finish() }
                if current.isEmpty || width <= columns {
                    current = word.lowerBound..<word.lowerBound
                }
                for index in word {
                    if used > 0, used + cells[index].columns > columns { finish() }
                    current = (current.isEmpty ? index : current.lowerBound)..<(index + 1)
                    used += cells[index].columns
                }
            }
        }
        finish()
    }
}
