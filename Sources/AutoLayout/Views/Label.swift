/// Text on the character grid, broken into lines by the width that the layout gives it.
///
/// A label with more than one line first takes its place at its natural width; once the layout has given it a
/// width, its height follows in the same cycle.
public final class Label: View {
    override class var isBuiltIn: Bool { true }

    /// What the label says; `\n` breaks a line.
    public var text: String {
        didSet { if text != oldValue { contentDidChange() } }
    }

    /// The most lines to show; 0 for as many as needed. 1 by default.
    public var numberOfLines = 1 {
        didSet { if numberOfLines != oldValue { contentDidChange() } }
    }

    /// Where the lines lie within the label's width.
    public var textAlignment = TextAlignment.natural

    /// The width at which lines break before the layout is known, in points; 0 means none.
    public var preferredMaxLayoutWidth: Double = 0 {
        didSet { if preferredMaxLayoutWidth != oldValue { contentDidChange() } }
    }

    /// The grid on which the text is measured.
    public var metrics = TextMetrics.standard {
        didSet { if metrics != oldValue { updateCell() } }
    }

    /// Whether the text is as large as people want it: the grid's cell follows the trait `preferredContentSizeCategory`.
    /// Apple, `UIContentSizeCategoryAdjusting`.
    public var adjustsFontForContentSizeCategory = false {
        didSet {
            guard adjustsFontForContentSizeCategory != oldValue else { return }
            updateCell()
        }
    }

    /// The cell that the text is measured on: that of `metrics`, in the size that people want.
    public private(set) var cell = TextMetrics.standard.cell

    private var broken: [LineBreaker.Line] = []
    private var ownItems: [DisplayItem] = []
    override var drawnItems: [DisplayItem] {
        get { ownItems }
        set { ownItems = newValue }
    }
    /// Sizes found for the present content, by the columns that lines may have; 0 for unbroken ones.
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
        breakLines()
    }

    public override var drawsContent: Bool { true }

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

    public override func sizeThatFits(_ size: Size) -> Size {
        guard numberOfLines != 1, size.width > 0 else { return measured(columns: nil) }
        return measured(columns: columns(in: size.width))
    }

    public override func draw(_ rect: Rect, in context: DrawingContext) {
        for line in lines {
            do {
                try context.add(.text(line))
            } catch {
                return
            }
        }
    }

    /// The lines as they are shown at the present size.
    public var lines: [TextLine] {
        let size = frame.size
        let height = cell.height
        // As in UIKit, text that is less tall than the label stands in its middle.
        let top = max(0, (size.height - Double(broken.count) * height) / 2).rounded(.down)
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

    override func takeContentSizeCategory() {
        super.takeContentSizeCategory()
        updateCell()
    }

    private func updateCell() {
        let category =
            adjustsFontForContentSizeCategory ? currentTraits.contentSizeCategory : .large
        let wanted = category.scaled(metrics.cell)
        guard wanted != cell else { return }
        cell = wanted
        contentDidChange()
    }

    private func contentDidChange() {
        measurements.removeAll()
        breakLines()
        invalidateIntrinsicContentSize()
    }

    private func breakLines() {
        chargeText()
        let size = frame.size
        let isLaidOut = !frame.isEmpty
        let width = isLaidOut ? columns(in: size.width) : nil
        var limit = numberOfLines
        if isLaidOut {
            let fitting = max(1, Int((size.height / cell.height + 1e-6).rounded(.down)))
            limit = limit == 0 ? fitting : min(limit, fitting)
        }
        var lines: [LineBreaker.Line]
        if numberOfLines == 1 {
            lines = LineBreaker.lines(of: text, columns: nil, maximum: 1)
            if let width { lines = lines.map { LineBreaker.truncated($0, columns: width) } }
        } else {
            lines = LineBreaker.lines(of: text, columns: width, maximum: limit)
        }
        chargeLines(lines.count)
        guard lines != broken else { return }
        broken = lines
        setNeedsDisplay()
    }

    private func columns(in width: Double) -> Int {
        max(1, Int((width / cell.width + 1e-6).rounded(.down)))
    }

    /// How many lines are shown.
    public var lineCount: Int { broken.count }

    private func chargeLines(_ count: Int) {
        engine?.charge(LayoutEngine.Price.line * UInt64(count))
    }

    private func chargeText() {
        guard let engine else { return }
        let count = UInt64(text.utf8.count)
        guard !LineBreaker.isPlain(text.utf8) else {
            return engine.charge(LayoutEngine.Price.textByte * count)
        }
        // How wide characters are is looked up in tables beyond ASCII.
        let other = text.utf8.reduce(into: UInt64(0)) { count, byte in
            if byte >= 0x80 { count += 1 }
        }
        engine.charge(LayoutEngine.Price.characterByte * (count + other))
    }

    private func measured(columns: Int?) -> Size {
        if let known = measurements[columns ?? 0] { return known }
        let size = measure(columns: columns)
        if measurements.count >= Self.measurementMaximum { measurements.removeAll() }
        measurements[columns ?? 0] = size
        return size
    }

    private func measure(columns: Int?) -> Size {
        chargeText()
        let lines = LineBreaker.lines(of: text, columns: columns, maximum: numberOfLines)
        chargeLines(lines.count)
        let widest = lines.map(\.columns).max() ?? 0
        return Size(
            width: Double(widest) * cell.width,
            height: Double(lines.count) * cell.height)
    }
}
