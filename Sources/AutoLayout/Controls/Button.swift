/// A title that is tapped, in brackets at the ends of the width that it has. UIKit's `UIButton`.
///
/// In faces a button has the insets of `UIButton.Configuration.plain()` around its title.
public final class Button: Control {
    /// What it says; the first line is shown.
    public var title = "" {
        didSet { if title != oldValue { contentDidChange() } }
    }

    /// Whether a symbol stands in its middle while the title is empty.
    public var showsSymbol = false {
        didSet { if showsSymbol != oldValue { contentDidChange() } }
    }

    /// The extent of the symbol, in points; nil where there is a title or no symbol.
    public var symbol: SymbolExtent? {
        guard showsSymbol, title.isEmpty else { return nil }
        return switch typesetting {
        case .faces(let faces): SymbolExtent(font: faces.font, scale: faces.scale)
        case .grid(let cell): SymbolExtent(cell: cell)
        }
    }

    /// The cells beside the title: a bracket and a space on each side.
    private static let paddingColumns = 4

    /// Makes a button with a title in its middle.
    public init(_ title: String = "", identifier: String = "") {
        self.title = title
        super.init(identifier: identifier)
    }

    override var textHeight: Double? { typesetting.lineHeight }

    override var sourceByteCount: Int { title.utf8.count }

    // MARK: Faces

    /// Apple, `UIButton.Configuration.plain().contentInsets`, iOS 15.
    private static let faceInsets = EdgeInsets(top: 7, leading: 12, bottom: 7, trailing: 12)

    override var sourceText: String { title }

    /// What stands in the button: a dot before the title of what is selected.
    private var faceTitle: String { isSelected ? "• " + title : title }

    override func naturalSize(in faces: FaceTypesetting) -> (width: Double?, height: Double) {
        let insets = Self.faceInsets
        let symbol = symbol?.content ?? .zero
        return (
            Self.width(of: faceTitle, in: faces) + symbol.width + insets.leading
                + insets.trailing,
            max(faces.lineHeight, symbol.height) + insets.top + insets.bottom
        )
    }

    override func lines(in faces: FaceTypesetting) -> [TextLine]? {
        let inset = min(Self.faceInsets.leading, frame.width / 2)
        let share: Double =
            switch textAlignment {
            case .left: 0
            case .right: 1
            case .center, .natural, .justified: 0.5
            }
        return [
            line(
                faceTitle, in: faces, from: inset, room: frame.width - 2 * inset, share: share)
        ]
    }

    // MARK: The grid

    override func measureColumns() -> Int? {
        Self.line(of: title).columns + Self.paddingColumns
    }

    override func parts(columns: Int, isMirrored: Bool) -> [Part] {
        let room = columns - Self.paddingColumns
        let whole = Self.line(of: title)
        // Brackets only around something, unless there is nothing.
        guard room >= min(1, whole.columns) else {
            return [Part(column: 0, line: LineBreaker.truncated(whole, columns: columns))]
        }
        let line = LineBreaker.truncated(whole, columns: room)
        let free = room - line.columns
        let left: Int
        switch textAlignment {
        case .left: left = 0
        case .right: left = free
        case .center, .natural, .justified: left = free / 2
        }
        // A dot stands at the leading side of what is selected.
        let (before, after) =
            switch (isSelected, isMirrored) {
            case (false, _): (" ", " ")
            case (true, false): ("•", " ")
            case (true, true): (" ", "•")
            }
        let text =
            "[" + before + Self.run(" ", left) + line.text + Self.run(" ", free - left) + after
            + "]"
        return [Part(column: 0, line: LineBreaker.Line(text: text, columns: columns))]
    }
}
