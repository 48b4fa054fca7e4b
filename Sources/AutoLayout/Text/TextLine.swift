/// One line of a label as it is shown: what it says and where, in the label's own coordinates.
public struct TextLine: Hashable, Sendable {
    /// The text of the line, without its line break; may end in an ellipsis.
    public var text: String
    /// The top left corner of the line, in points.
    public var origin: Point
    /// The width of the text, in points.
    public var width: Double

    /// Makes a line.
    public init(text: String, origin: Point, width: Double) {
        self.text = text
        self.origin = origin
        self.width = width
    }
}

/// The grid on which text is measured, so that a server needs no fonts and all renderers agree.
public struct TextMetrics: Hashable, Sendable {
    /// The extent of one character cell, in points; wide characters take two cells.
    public var cell: Size

    /// Cells of 8 × 16 points.
    public static let standard = TextMetrics(cell: Size(width: 8, height: 16))

    /// Makes metrics from the extent of a cell, which must be positive.
    public init(cell: Size) {
        self.cell = cell
    }
}
