/// One of several titles: the chosen one stands in brackets. UIKit's `UISegmentedControl`.
///
/// Each segment is a line of its own in the one row, in the order of the titles, so that renderers know where it is. What
/// room there is beyond the titles is shared among them; where there is too little, the longest titles are cut first.
public final class SegmentedControl: Control {
    /// The titles.
    public var segments: [String] = [] {
        didSet { if segments != oldValue { contentDidChange() } }
    }

    /// The place of the chosen segment, from 0; `nil` where the value is no segment's.
    public var selectedSegmentIndex: Int? {
        guard case .number(let number) = value, let index = Int(exactly: number),
            segments.indices.contains(index)
        else { return nil }
        return index
    }

    public override var shownValue: ControlValue? {
        selectedSegmentIndex.map { .number(Double($0)) }
    }

    override var sourceByteCount: Int { segments.reduce(0) { $0 + $1.utf8.count + 2 } }

    /// The cells beside a title: brackets, or the room for them.
    private static let paddingColumns = 2

    override func measureColumns() -> Int? {
        let titles = segments.reduce(0) { $0 + Self.line(of: $1).columns + Self.paddingColumns }
        return titles + max(0, segments.count - 1)
    }

    override func parts(columns: Int, isMirrored: Bool) -> [Part] {
        guard !segments.isEmpty else { return [] }
        let titles = segments.map(Self.line(of:))
        let separators = segments.count - 1
        let widths = Self.widths(
            titles.map { $0.columns + Self.paddingColumns }, in: columns - separators)
        var parts: [Part] = []
        var column = 0
        for (index, title) in titles.enumerated() {
            // Beyond the edge there is nothing, but an empty line for each segment.
            let room = max(0, min(widths[index], columns - column))
            var line = Self.segment(title, columns: room, isChosen: index == selectedSegmentIndex)
            if index < separators, column + room < columns {
                line.text = isMirrored ? "│" + line.text : line.text + "│"
                line.columns += 1
            }
            parts.append(Part(column: column, line: line))
            column += line.columns
        }
        return parts
    }

    /// How many columns each segment has of those that there are.
    private static func widths(_ natural: [Int], in columns: Int) -> [Int] {
        let total = natural.reduce(0, +)
        guard total > columns else {
            let (each, rest) = (columns - total).quotientAndRemainder(dividingBy: natural.count)
            return natural.enumerated().map { $1 + each + ($0 < rest ? 1 : 0) }
        }
        // The greatest width that all can keep to; what is left of the columns goes to the first that are wider.
        var cap = 0
        var left = max(0, columns)
        var wider = natural.count
        for width in natural.sorted() {
            guard (width - cap) * wider <= left else { break }
            left -= (width - cap) * wider
            cap = width
            wider -= 1
        }
        guard wider > 0 else { return natural }
        cap += left / wider
        left %= wider
        return natural.map { width in
            guard width > cap else { return width }
            guard left > 0 else { return cap }
            left -= 1
            return cap + 1
        }
    }

    private static func segment(
        _ title: LineBreaker.Line, columns: Int, isChosen: Bool
    ) -> LineBreaker.Line {
        let room = columns - paddingColumns
        guard room > 0 else {
            let text = isChosen ? run("■", columns) : run("·", columns)
            return LineBreaker.Line(text: text, columns: columns)
        }
        let title = LineBreaker.truncated(title, columns: room)
        let free = room - title.columns
        let text =
            (isChosen ? "[" : " ") + run(" ", free / 2) + title.text + run(" ", free - free / 2)
            + (isChosen ? "]" : " ")
        return LineBreaker.Line(text: text, columns: columns)
    }
}
