import LayoutValues

/// What the text of a view is measured and broken into lines with.
///
/// Extents are whole numbers: cells on a grid, units of 2⁻²⁰ em in faces. A line fits where its
/// extent is at most the limit that belongs to a width, so that no rounding decides.
enum Typesetting {
    case grid(Size)
    case faces(FaceTypesetting)

    /// A line and its extent.
    struct Line: Hashable {
        var text: String
        var extent: Int
        /// Whether renderers have to fit it to its width.
        var isFitted = false
    }

    /// The extent of the longest line that fits a width in points; at least one cell on a grid.
    func limit(in width: Double) -> Int {
        switch self {
        case .grid(let cell): max(1, Int(nearest: (width / cell.width + 1e-6).rounded(.down)))
        case .faces(let faces): faces.limit(in: width)
        }
    }

    /// The width of an extent, in points: up to the next pixel in faces.
    func width(of extent: Int) -> Double {
        switch self {
        case .grid(let cell): Double(extent) * cell.width
        case .faces(let faces): faces.width(of: extent)
        }
    }

    /// The height of a line, in points.
    var lineHeight: Double {
        switch self {
        case .grid(let cell): cell.height
        case .faces(let faces): faces.lineHeight
        }
    }

    /// How far a line's baseline lies below its top, in points.
    var ascent: Double {
        switch self {
        // 12 of the standard 16 points, about where monospaced faces have it.
        case .grid(let cell): 0.75 * cell.height
        case .faces(let faces): faces.ascent
        }
    }

    /// The lines of a text.
    ///
    /// - Parameters:
    ///   - limit: The longest extent of a line; nil does not wrap.
    ///   - maximum: The most lines there may be; what does not fit is cut. 0 means any number.
    func lines(
        of text: String, limit: Int?, maximum: Int, mode: LineBreakMode = .byTruncatingTail
    ) -> [Line] {
        switch self {
        case .grid:
            LineBreaker.lines(of: text, columns: limit, maximum: maximum).map {
                Line(text: $0.text, extent: $0.columns)
            }
        case .faces(let faces):
            faces.lines(of: text, limit: limit, maximum: maximum, mode: mode)
        }
    }

    /// The only line of a text that is not wrapped, cut where it is longer than the limit.
    func line(
        of text: String, limit: Int, mode: LineBreakMode = .byTruncatingTail
    ) -> Line {
        switch self {
        case .grid:
            let line =
                LineBreaker.lines(of: text, columns: nil, maximum: 1).first
                ?? LineBreaker.Line(text: "", columns: 0)
            let cut = LineBreaker.truncated(line, columns: limit)
            return Line(text: cut.text, extent: cut.columns)
        case .faces(let faces):
            return faces.line(of: text, limit: limit, mode: mode)
        }
    }

    /// The nearest place before a length where a line may begin, in points: whole points on a grid,
    /// pixels in faces.
    func place(_ length: Double) -> Double {
        switch self {
        case .grid: length.rounded(.down)
        case .faces(let faces): faces.grid(length, .down)
        }
    }
}
