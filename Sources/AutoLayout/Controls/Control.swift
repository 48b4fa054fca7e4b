/// A view that people use: one row of text on the character grid, drawn from a value. UIKit's
/// `UIControl`.
///
/// It takes no input. What people do with it comes from the renderers as events; a program answers
/// by setting its value.
public class Control: GridTextView {
    override class var isBuiltIn: Bool { true }

    /// Whether people can use it. Nothing of its lines depends on it: renderers show it.
    public var isEnabled = true

    /// Whether it is selected.
    public var isSelected = false {
        didSet { if isSelected != oldValue { contentDidChange() } }
    }

    /// What the program has given it; a value of another type than the control's own counts as
    /// none.
    public var value: ControlValue? {
        didSet { if value != oldValue { contentDidChange() } }
    }

    /// The value that it shows, whatever it was given; `nil` for a control that has none.
    public var shownValue: ControlValue? { nil }

    /// The cells that a control is drawn with at most, however wide it is: a line is what members
    /// are told.
    public static let columnMaximum = 1024

    /// A run of text in the control's row, the columns counted from the leading edge.
    struct Part: Equatable {
        var column: Int
        var line: LineBreaker.Line
    }

    /// What was drawn last, and for which columns and direction.
    private var drawn: (columns: Int, isMirrored: Bool, parts: [Part])?
    /// The columns that the content would like, once they were counted; `.some(nil)` for no wish.
    private var naturalColumns: Int??

    // MARK: For the kinds of controls

    /// The columns that the content would like; `nil` for as many as the layout gives.
    func measureColumns() -> Int? { nil }

    /// What is drawn in so many columns, at least one, in the order in which people read.
    ///
    /// - Parameter isMirrored: Whether leading is on the right.
    func parts(columns: Int, isMirrored: Bool) -> [Part] { [] }

    /// Bytes that are gone through to measure or draw it.
    var sourceByteCount: Int { 0 }

    // MARK: Measuring

    public override var intrinsicContentSize: Size {
        Size(
            width: natural.map { Double($0) * cell.width } ?? Self.noIntrinsicMetric,
            height: cell.height)
    }

    public override func sizeThatFits(_ size: Size) -> Size {
        Size(width: natural.map { Double($0) * cell.width } ?? size.width, height: cell.height)
    }

    private var natural: Int? {
        if let naturalColumns { return naturalColumns }
        let columns = measureColumns()
        naturalColumns = .some(columns)
        return columns
    }

    override func contentDidChange() {
        naturalColumns = nil
        drawn = nil
        // Measured, and drawn in as many columns as it has.
        let columns = frame.isEmpty ? 0 : min(columns(in: frame.width), Self.columnMaximum)
        engine?.charge(
            LayoutEngine.Price.control
                + LayoutEngine.Price.characterByte * UInt64(2 * sourceByteCount + columns))
        invalidateIntrinsicContentSize()
        setNeedsDisplay()
    }

    override func alignmentDidChange() {
        drawn = nil
        setNeedsDisplay()
    }

    public override func boundsSizeDidChange() {
        super.boundsSizeDidChange()
        drawn = nil
        let columns = min(columns(in: frame.width), Self.columnMaximum)
        engine?.charge(
            LayoutEngine.Price.line
                + LayoutEngine.Price.characterByte * UInt64(sourceByteCount + columns))
        setNeedsDisplay()
    }

    // MARK: Drawing

    private var isMirrored: Bool { effectiveLayoutDirection == .rightToLeft }

    private var shownParts: [Part] {
        guard !frame.isEmpty else { return [] }
        let columns = min(columns(in: frame.width), Self.columnMaximum)
        let isMirrored = isMirrored
        if let drawn, drawn.columns == columns, drawn.isMirrored == isMirrored {
            return drawn.parts
        }
        let parts = parts(columns: columns, isMirrored: isMirrored)
        drawn = (columns, isMirrored, parts)
        return parts
    }

    public override var lines: [TextLine] {
        let top = top(rows: 1)
        let isMirrored = isMirrored
        return shownParts.map { part in
            let width = Double(part.line.columns) * cell.width
            let leading = Double(part.column) * cell.width
            return TextLine(
                text: part.line.text,
                origin: Point(x: isMirrored ? frame.width - leading - width : leading, y: top),
                width: width)
        }
    }

    public override var lineCount: Int { shownParts.count }

    public override var textByteCount: Int {
        max(sourceByteCount, shownParts.reduce(0) { $0 + $1.line.text.utf8.count })
    }
}

extension Control {
    /// The first line of a text, and an ellipsis where more follows.
    static func line(of text: String) -> LineBreaker.Line {
        LineBreaker.lines(of: text, columns: nil, maximum: 1).first
            ?? LineBreaker.Line(text: "", columns: 0)
    }

    /// A line of one character many times.
    static func run(_ character: Character, _ count: Int) -> String {
        String(repeating: character, count: max(0, count))
    }

    /// A text of characters one cell wide each, given from leading to trailing, as it is read on
    /// the screen.
    ///
    /// - Parameter count: How many they are; counting them takes longer than writing them.
    static func cells(_ text: String, count: Int, isMirrored: Bool) -> LineBreaker.Line {
        LineBreaker.Line(text: isMirrored ? String(text.reversed()) : text, columns: count)
    }
}
