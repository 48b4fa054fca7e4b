/// A view that shows lines of text on the character grid: a label or a control.
///
/// What the lines say is for the subclasses; this one has the grid's cell, and how it follows what
/// people want.
public class GridTextView: View {
    override class var isBuiltIn: Bool { true }

    /// Where the text lies within the view's width.
    public var textAlignment = TextAlignment.natural {
        didSet { if textAlignment != oldValue { alignmentDidChange() } }
    }

    /// The grid on which the text is measured.
    public var metrics = TextMetrics.standard {
        didSet { if metrics != oldValue { updateCell() } }
    }

    /// Whether the text is as large as people want it: the grid's cell follows the trait
    /// `preferredContentSizeCategory`. Apple, `UIContentSizeCategoryAdjusting`.
    public var adjustsFontForContentSizeCategory = false {
        didSet {
            guard adjustsFontForContentSizeCategory != oldValue else { return }
            updateCell()
        }
    }

    /// The cell that the text is measured on: that of `metrics`, in the size that people want.
    public private(set) var cell = TextMetrics.standard.cell

    /// How much of a cell's height lies above the baseline of text in it: 12 of the standard 16
    /// points, about where monospaced faces have it.
    static let ascent = 0.75

    /// The height of the text as the content's size has it, in points; nil where the text has no
    /// baseline.
    var textHeight: Double? { nil }

    /// The height of the text for which constraints on baselines were last written.
    private var knownTextHeight: (text: Double, cell: Double)?

    override final var textBaselines: (first: Double, last: Double)? {
        guard let textHeight else { return nil }
        // No text has the baseline that a line of it would have.
        let height = max(textHeight, cell.height)
        return (
            Self.ascent * cell.height - height / 2,
            height / 2 - (1 - Self.ascent) * cell.height
        )
    }

    override func didHoldContentSize() {
        guard let height = textHeight, engine != nil else { return }
        if let known = knownTextHeight, known == (height, cell.height) { return }
        knownTextHeight = (height, cell.height)
        rederiveBaselines()
    }

    /// Writes the constraints on the view's baselines anew.
    private func rederiveBaselines() {
        guard let engine, extras?.baselineOffsets == nil, !isUnconstrained else { return }
        for constraint in attachedConstraints where constraint.speaksOfBaseline(of: self) {
            engine.rederiveBreaking(constraint)
        }
    }

    private var ownItems: [DisplayItem] = []
    override var drawnItems: [DisplayItem] {
        get { ownItems }
        set { ownItems = newValue }
    }

    /// The lines as they are shown at the present size.
    public var lines: [TextLine] { [] }

    /// How many lines are shown.
    public var lineCount: Int { 0 }

    /// Bytes of the text that the lines are made from, or of the lines where they are longer.
    public var textByteCount: Int { 0 }

    public override var drawsContent: Bool { true }

    public override func draw(_ rect: Rect, in context: DrawingContext) {
        for line in lines {
            do {
                try context.add(.text(line))
            } catch {
                return
            }
        }
    }

    /// Measures anew after the text or the cell changed.
    func contentDidChange() {}

    /// Draws anew where the alignment is a part of the text; lines are otherwise placed when they
    /// are asked for.
    func alignmentDidChange() {}

    /// How many whole cells a width has room for, at least one.
    func columns(in width: Double) -> Int {
        max(1, Int(nearest: (width / cell.width + 1e-6).rounded(.down)))
    }

    /// Where a block of so many rows begins: as in UIKit, text that is less tall than its view
    /// stands in its middle.
    func top(rows: Int) -> Double {
        max(0, (frame.size.height - Double(rows) * cell.height) / 2).rounded(.down)
    }

    /// Notes that a text was gone through to measure it.
    func chargeText(_ text: String) {
        guard let engine else { return }
        let bytes = Array(text.utf8)
        let count = UInt64(bytes.count)
        guard !LineBreaker.isPlain(bytes) else {
            return engine.charge(LayoutEngine.Price.textByte * count)
        }
        // Beyond ASCII each scalar, however many bytes it has, is looked up in tables of widths and
        // of where characters end.
        let weight = bytes.reduce(into: UInt64(0)) { sum, byte in
            sum += byte < 0x80 ? 1 : byte >= 0xC0 ? 4 : 0
        }
        engine.charge(LayoutEngine.Price.characterByte * weight)
    }

    /// Notes that so many lines were made.
    func chargeLines(_ count: Int) {
        engine?.charge(LayoutEngine.Price.line * UInt64(count))
    }

    override func takeContentSizeCategory() {
        super.takeContentSizeCategory()
        updateCell()
    }

    /// Lines are placed by the direction when they are asked for.
    override func directionTraitDidChange() {
        super.directionTraitDidChange()
        engine?.linesObserver?(self)
    }

    private func updateCell() {
        let category =
            adjustsFontForContentSizeCategory ? currentTraits.contentSizeCategory : .large
        let wanted = category.scaled(metrics.cell)
        guard wanted != cell else { return }
        cell = wanted
        contentDidChange()
        engine?.linesObserver?(self)
    }
}
