import LayoutValues

/// A text in faces: where its lines may end, and the lengths of its words.
///
/// Lengths are in units of 2⁻²⁰ em, so a text serves all sizes of its font.
final class FaceText {
    private let paragraphs: [Paragraph]

    /// - Complexity: O(length of the text).
    init(_ text: String, _ setting: FaceTypesetting) {
        paragraphs = Paragraph.all(of: text, setting)
    }

    /// The units of work of breaking lines within words, and of cutting them, since the last call.
    func takeWork() -> UInt64 {
        paragraphs.reduce(0) { $0 &+ $1.takeWork() }
    }

    /// The natural extent of the first paragraph.
    var naturalExtent: Int { whole.line.advance.units }

    /// The text in one line; nil where it has several paragraphs.
    var wholeLine: Typesetting.Line? {
        paragraphs.count == 1 ? paragraphs[0].typeset(whole.line) : nil
    }

    /// The first paragraph in one line.
    private var whole: Paragraph.Broken {
        paragraphs[0].line(from: 0, limit: nil, breaksWords: false)
    }

    /// The lines, broken where they are longer than the limit.
    ///
    /// - Parameters:
    ///   - limit: The longest extent of a line; nil does not wrap.
    ///   - maximum: The most lines there may be; the last of them is cut. 0 means any number.
    func lines(limit: Int?, maximum: Int, mode: LineBreakMode) -> [Typesetting.Line] {
        var lines: [Typesetting.Line] = []
        forEachLine(limit: limit, maximum: maximum, mode: mode) { paragraph, line in
            lines.append(paragraph.typeset(line))
        }
        return lines
    }

    /// How many lines there would be, and the extent of the longest.
    func extent(
        limit: Int?, maximum: Int, mode: LineBreakMode
    ) -> (lineCount: Int, widest: Int) {
        var (count, widest) = (0, 0)
        forEachLine(limit: limit, maximum: maximum, mode: mode) { _, line in
            count += 1
            widest = max(widest, line.advance.units)
        }
        return (count, widest)
    }

    private func forEachLine(
        limit: Int?, maximum: Int, mode: LineBreakMode,
        _ body: (Paragraph, Paragraph.Line) -> Void
    ) {
        var count = 0
        for (index, paragraph) in paragraphs.enumerated() {
            let isLast = index + 1 == paragraphs.count
            var start = 0
            repeat {
                let broken = paragraph.line(
                    from: start, limit: limit, breaksWords: mode == .byCharWrapping)
                let hasMore = broken.next < paragraph.count || !isLast
                count += 1
                if count == maximum, hasMore {
                    let last = paragraph.lastLine(from: start, broken, limit: limit, mode: mode)
                    return body(paragraph, last)
                }
                body(paragraph, broken.line)
                start = broken.next
            } while start < paragraph.count
        }
    }

    /// The text in one line, cut where it is longer than the limit.
    func line(limit: Int, mode: LineBreakMode) -> Typesetting.Line {
        if let wholeLine, wholeLine.extent <= limit { return wholeLine }
        let (first, whole) = (paragraphs[0], whole)
        if mode == .byWordWrapping || mode == .byCharWrapping {
            let broken = first.line(from: 0, limit: limit, breaksWords: mode == .byCharWrapping)
            return first.typeset(broken.line)
        }
        return first.typeset(first.lastLine(from: 0, whole, limit: limit, mode: mode))
    }
}

extension Paragraph {
    fileprivate func typeset(_ line: Line) -> Typesetting.Line {
        Typesetting.Line(
            text: text(of: line), extent: line.advance.units, isFitted: line.advance.isFitted)
    }
}
