/// A view that people use, drawn from a value: one row of text. UIKit's `UIControl`.
///
/// On a grid each kind is drawn by characters. In faces it has the size that UIKit gives it, its
/// texts are lines, and what has no text is a line of characters that is as wide as the control.
///
/// It takes no input. What people do with it comes from the renderers as events; a program answers
/// by setting its value.
public class Control: TextContentView {
    override var isBuiltIn: Bool { true }

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

    /// The size that the content would like in faces, of the frame; a width of nil for no wish.
    func naturalSize(in faces: FaceTypesetting) -> (width: Double?, height: Double) {
        (nil, faces.lineHeight)
    }

    /// How far constraints speak of less than the frame, in faces.
    var faceAlignmentInsets: EdgeInsets { .zero }

    /// The lines in faces; nil for those of the grid, fitted to the control's width.
    func lines(in faces: FaceTypesetting) -> [TextLine]? { nil }

    // MARK: Measuring

    public override var intrinsicContentSize: Size {
        if case .faces(let faces) = typesetting {
            let natural = naturalSize(in: faces)
            let insets = alignmentInsets
            return Size(
                width: natural.width.map { max(0, $0 - insets.leading - insets.trailing) }
                    ?? Self.noIntrinsicMetric,
                height: max(0, natural.height - insets.top - insets.bottom))
        }
        return Size(
            width: natural.map { Double($0) * cell.width } ?? Self.noIntrinsicMetric,
            height: cell.height)
    }

    public override func sizeThatFits(_ size: Size) -> Size {
        if case .faces(let faces) = typesetting {
            let natural = naturalSize(in: faces)
            return Size(width: natural.width ?? size.width, height: natural.height)
        }
        return Size(
            width: natural.map { Double($0) * cell.width } ?? size.width, height: cell.height)
    }

    /// The alignment insets that a program gives the control; 0 for its own, which are 0 on a grid
    /// and UIKit's in faces.
    public var givenAlignmentInsets = EdgeInsets.zero {
        didSet { if givenAlignmentInsets != oldValue { holdAlignmentInsets() } }
    }
    private var ownAlignmentInsets = EdgeInsets.zero

    private func updateAlignmentInsets() {
        var own = EdgeInsets.zero
        if case .faces = typesetting { own = faceAlignmentInsets }
        guard own != ownAlignmentInsets else { return }
        ownAlignmentInsets = own
        holdAlignmentInsets()
    }

    private func holdAlignmentInsets() {
        alignmentInsets =
            givenAlignmentInsets == .zero ? ownAlignmentInsets : givenAlignmentInsets
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
        updateAlignmentInsets()
        // Measured, and drawn in as many columns as it has.
        let columns = frame.isEmpty ? 0 : min(columns(in: frame.width), Self.columnMaximum)
        engine?.charge(
            LayoutEngine.Price.control
                + LayoutEngine.Price.characterByte * UInt64(2 * sourceByteCount + columns))
        wordsDidChange()
        chargeWords(sourceText)
        invalidateIntrinsicContentSize()
        setNeedsDisplay()
    }

    /// The text that is measured in faces.
    var sourceText: String { "" }

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
        if case .faces(let faces) = typesetting {
            if let lines = lines(in: faces) { return frame.isEmpty ? [] : lines }
            // Characters that draw the control, as wide as it is.
            let top = faces.grid(max(0, (frame.height - cell.height) / 2), .down)
            return shownParts.prefix(1).map { part in
                TextLine(text: part.line.text, origin: Point(x: 0, y: top), width: frame.width)
            }
        }
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

    override var hasFittedLines: Bool {
        guard case .faces(let faces) = typesetting else { return false }
        guard let lines = lines(in: faces) else { return true }
        var unpaid: UInt64 = 0
        return lines.contains {
            faces.advance(of: Array($0.text.unicodeScalars)[...], &unpaid).isFitted
        }
    }

    /// A line in faces, cut where it is wider than the room for it.
    ///
    /// - Parameters:
    ///   - start: The leading end of the room.
    ///   - room: The width of the room, in points.
    ///   - share: How much of what is left of the room lies before the line, 0...1.
    func line(
        _ text: String, in faces: FaceTypesetting, from start: Double, room: Double, share: Double
    ) -> TextLine {
        let line = faces.line(
            of: text, limit: faces.limit(in: max(0, room)), mode: .byTruncatingTail)
        let width = faces.width(of: line.extent)
        let x = start + max(0, room - width) * share
        let top = faces.grid(max(0, (frame.height - faces.lineHeight) / 2), .down)
        return TextLine(
            text: line.text, origin: Point(x: faces.grid(x, .down), y: top), width: width)
    }

    /// The width of a text's first line, in points.
    static func width(of text: String, in faces: FaceTypesetting) -> Double {
        faces.width(of: faces.extent(of: text))
    }

    public override var lineCount: Int {
        if case .faces(let faces) = typesetting { return lines(in: faces)?.count ?? 1 }
        return shownParts.count
    }

    public override var textByteCount: Int {
        if case .faces = typesetting { return sourceByteCount }
        return max(sourceByteCount, shownParts.reduce(0) { $0 + $1.line.text.utf8.count })
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
