public import LayoutValues

/// How large a symbol is: in faces a square of 1.2 × the size of the text beside it, up to the next
/// pixel, which is about a line's height; on a grid two columns and a row.
public struct SymbolExtent: Hashable, Sendable {
    /// The size of the content, in points.
    public let content: Size
    /// The side of the square that the symbol is drawn in, in points.
    public var side: Double { min(content.width, content.height) }

    /// The extent beside text in faces.
    ///
    /// - Parameter scale: Pixels in a point.
    init(font: Font, scale: Double) {
        let scale = scale > 0 ? scale : 1
        // 6/5 of a size in 1/64 point, in whole numbers as far as they go.
        let pixels = Double(6 * font.size64) * scale / Double(5 * Font.subdivision)
        let nearest = pixels.rounded()
        // What is whole but for the last digits is whole.
        let whole = abs(pixels - nearest) < 1e-6 ? nearest : pixels.rounded(.up)
        content = Size(width: whole / scale, height: whole / scale)
    }

    /// The extent beside text on a grid.
    init(cell: Size) { content = Size(width: 2 * cell.width, height: cell.height) }
}
