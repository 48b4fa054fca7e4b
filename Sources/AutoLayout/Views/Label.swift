/// Text on the character grid, broken into lines by the width that the layout gives it.
///
/// A label with more than one line first takes its place at its natural width; once the layout has
/// given it a width, its height follows in the same cycle.
public final class Label: GridTextView {
    override class var isBuiltIn: Bool { true }

    /// What the label says; `\n` breaks a line.
    public var text: String {
        didSet { if text != oldValue { contentDidChange() } }
    }

    /// The most lines to show; 0 for as many as needed. 1 by default.
    public var numberOfLines = 1 {
        didSet { if numberOfLines != oldValue { contentDidChange() } }
    }

    /// The width at which lines break before the layout is known, in points; 0 means none.
    public var preferredMaxLayoutWidth: Double = 0 {
        didSet { if preferredMaxLayoutWidth != oldValue { contentDidChange() } }
    }

    /// The lines; `nil` if they changed while the label was in no window, until they are read.
    private var knownLines: [LineBreaker.Line]?
    /// Sizes found for the present content, by the columns that lines may have; 0 for unbroken
    /// ones.
    private var measurements: [Int: Size] = [:]
    /// Measurements that are kept: the natural one, and those of the widths that a cycle tries.
    private static let measurementMaximum = 4
    /// The width that the layout gave, which decides the height of a label that wraps.
    private var wrapWidth: Double?

    /// Makes a label; its content hugs with 251 along both axes, as UIKit's does.
    public init(_ text: String = "", identifier: String = "") {
        self.text = text
        super.init(identifier: identifier)
        contentHuggingPriority = .init(251, 251)
    }

    public override var intrinsicContentSize: Size {
        let natural = measured(columns: nil)
        guard numberOfLines != 1 else { return natural }
        if preferredMaxLayoutWidth > 0 {
            let wrapped = measured(columns: columns(in: preferredMaxLayoutWidth))
            return Size(
                width: min(natural.width, preferredMaxLayoutWidth), height: wrapped.height)
        }
        guard let wrapWidth, wrapWidth < natural.width else { return natural }
        return Size(
            width: natural.width, height: measured(columns: columns(in: wrapWidth)).height)
    }

    override var textHeight: Double? { intrinsicContentSize.height }

    public override func sizeThatFits(_ size: Size) -> Size {
        guard numberOfLines != 1, size.width > 0 else { return measured(columns: nil) }
        return measured(columns: columns(in: size.width))
    }

    public override var lines: [TextLine] {
        let size = frame.size
        let height = cell.height
        let top = top(rows: broken.count)
        return broken.enumerated().map { index, line in
            let width = Double(line.columns) * cell.width
            let room = max(0, size.width - width)
            let x: Double
            switch effectiveAlignment {
            case .right: x = room
            case .center: x = (room / 2).rounded(.down)
            case .left, .natural, .justified: x = 0
            }
            return TextLine(
                text: line.text, origin: Point(x: x, y: top + Double(index) * height),
                width: width)
        }
    }

    public override func boundsSizeDidChange() {
        super.boundsSizeDidChange()
        if numberOfLines != 1, wrapWidth != frame.width {
            wrapWidth = frame.width
            updateContentSizeConstraints()
        }
        breakLines()
    }

    /// Whether the label takes its height from the width that the layout gives it.
    var wrapsByLayout: Bool {
        numberOfLines != 1 && preferredMaxLayoutWidth <= 0 && intrinsicContentSizeOverride == nil
    }

    private var effectiveAlignment: TextAlignment {
        switch textAlignment {
        case .natural, .justified:
            return effectiveLayoutDirection == .rightToLeft ? .right : .left
        case .left, .center, .right: return textAlignment
        }
    }

    override func contentDidChange() {
        measurements.removeAll()
        breakLines()
        invalidateIntrinsicContentSize()
    }

    private func breakLines() {
        // Before it is in a window nobody looks at its lines, and more of it may change.
        guard engine != nil else {
            knownLines = nil
            return setNeedsDisplay()
        }
        chargeText(text)
        let lines = makeLines()
        chargeLines(lines.count)
        guard lines != knownLines else { return }
        knownLines = lines
        setNeedsDisplay()
    }

    private var broken: [LineBreaker.Line] {
        if let knownLines { return knownLines }
        let lines = makeLines()
        knownLines = lines
        return lines
    }

    private func makeLines() -> [LineBreaker.Line] {
        let size = frame.size
        let isLaidOut = !frame.isEmpty
        let width = isLaidOut ? columns(in: size.width) : nil
        var limit = numberOfLines
        if isLaidOut {
            let fitting = max(
                1, Int(nearest: (size.height / cell.height + 1e-6).rounded(.down)))
            limit = limit == 0 ? fitting : min(limit, fitting)
        }
        guard numberOfLines == 1 else {
            return LineBreaker.lines(of: text, columns: width, maximum: limit)
        }
        let lines = LineBreaker.lines(of: text, columns: nil, maximum: 1)
        guard let width else { return lines }
        return lines.map { LineBreaker.truncated($0, columns: width) }
    }

    public override var lineCount: Int { broken.count }

    public override var textByteCount: Int { text.utf8.count }

    private func measured(columns: Int?) -> Size {
        if let known = measurements[columns ?? 0] { return known }
        let size = measure(columns: columns)
        if measurements.count >= Self.measurementMaximum { measurements.removeAll() }
        measurements[columns ?? 0] = size
        return size
    }

    private func measure(columns: Int?) -> Size {
        chargeText(text)
        let lines = LineBreaker.lines(of: text, columns: columns, maximum: numberOfLines)
        chargeLines(lines.count)
        let widest = lines.map(\.columns).max() ?? 0
        return Size(
            width: Double(widest) * cell.width,
            height: Double(lines.count) * cell.height)
    }
}
