/// One of several titles: the chosen one stands in brackets. UIKit's `UISegmentedControl`.
///
/// The segments stand in one line, divided by `│`, which their titles do not have: so renderers
/// know where each is. What room there is beyond the titles is shared among them; where there is
/// too little, the longest titles are cut first.
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

    // MARK: Faces

    /// UIKit's since iOS 13: segments are equally wide, 32 points high with the shadow below.
    private static let faceHeight = 32.0
    private static let facePadding = 12.0
    private static let faceSize = 13.0

    override var defaultFont: FontDescriptor {
        FontDescriptor(pointSize: Self.faceSize, weight: .medium)
    }

    override var faceAlignmentInsets: EdgeInsets {
        EdgeInsets(top: 0, leading: 0, bottom: 1, trailing: 0)
    }

    override var sourceText: String { segments.joined(separator: " ") }

    override func naturalSize(in faces: FaceTypesetting) -> (width: Double?, height: Double) {
        let widest = segments.map { Self.width(of: $0, in: faces) }.max() ?? 0
        return (
            Double(segments.count) * (widest + 2 * Self.facePadding),
            max(Self.faceHeight, faces.lineHeight + Self.facePadding)
        )
    }

    // MARK: The grid

    override func measureColumns() -> Int? {
        let titles = segments.reduce(0) { $0 + Self.title(of: $1).columns + Self.paddingColumns }
        return titles + max(0, segments.count - 1)
    }

    override func parts(columns: Int, isMirrored: Bool) -> [Part] {
        guard !segments.isEmpty else { return [] }
        let titles = segments.map(Self.title(of:))
        let separators = segments.count - 1
        let widths = Self.widths(
            titles.map { $0.columns + Self.paddingColumns }, in: columns - separators)
        var texts: [String] = []
        var used = 0
        for (index, title) in titles.enumerated() {
            // Beyond the edge there is nothing.
            let room = max(0, min(widths[index], columns - used))
            var text = Self.segment(title, columns: room, isChosen: index == selectedSegmentIndex)
            used += room
            if index < separators, used < columns {
                let separator = String(Self.separator)
                text = isMirrored ? separator + text : text + separator
                used += 1
            }
            texts.append(text)
        }
        let text = (isMirrored ? texts.reversed() : texts).joined()
        return [Part(column: 0, line: LineBreaker.Line(text: text, columns: used))]
    }

    private static let separator: Character = "│"

    /// A title's first line without separators.
    private static func title(of text: String) -> LineBreaker.Line {
        guard text.contains(separator) else { return line(of: text) }
        return line(of: String(text.map { $0 == separator ? "|" : $0 }))
    }

    /// How many columns each segment has of those that there are.
    private static func widths(_ natural: [Int], in columns: Int) -> [Int] {
        let total = natural.reduce(0, +)
        guard total > columns else {
            let (each, rest) = (columns - total).quotientAndRemainder(dividingBy: natural.count)
            return natural.enumerated().map { $1 + each + ($0 < rest ? 1 : 0) }
        }
        // The greatest width that all can keep to; what is left of the columns goes to the first
        // that are wider.
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
    ) -> String {
        let room = columns - paddingColumns
        guard room > 0 else {
            return run(isChosen ? "■" : "·", columns)
        }
        let title = LineBreaker.truncated(title, columns: room)
        let free = room - title.columns
        return (isChosen ? "[" : " ") + run(" ", free / 2) + title.text
            + run(" ", free - free / 2) + (isChosen ? "]" : " ")
    }
}
