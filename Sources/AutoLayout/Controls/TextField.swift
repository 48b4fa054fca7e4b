/// One line of text that people write. While it holds none it says its placeholder. UIKit's
/// `UITextField`.
public final class TextField: Control {
    /// What it says while it holds nothing.
    public var placeholder = "" {
        didSet { if placeholder != oldValue { contentDidChange() } }
    }

    /// What it holds.
    public var text: String {
        get { if case .text(let text) = value { text } else { "" } }
        set { value = .text(newValue) }
    }

    public override var shownValue: ControlValue? { .text(text) }

    private var source: String { text.isEmpty ? placeholder : text }

    override var textHeight: Double? { cell.height }

    override var sourceByteCount: Int { source.utf8.count }

    override func parts(columns: Int, isMirrored: Bool) -> [Part] {
        let line = LineBreaker.truncated(Self.line(of: source), columns: columns)
        let free = columns - line.columns
        let leading: Int
        switch textAlignment {
        case .natural, .justified: leading = 0
        case .center: leading = free / 2
        case .left: leading = isMirrored ? free : 0
        case .right: leading = isMirrored ? 0 : free
        }
        return [Part(column: leading, line: line)]
    }
}
