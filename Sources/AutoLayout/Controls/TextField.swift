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

    override var textHeight: Double? { typesetting.lineHeight }

    override var sourceByteCount: Int { source.utf8.count }

    // MARK: Faces

    /// The border and the room beside the text of `UITextField.BorderStyle.roundedRect`.
    private static let faceInset = 7.0
    /// The height of a field with the standard font, and what text has above and below it where it
    /// is larger.
    private static let faceHeight = 34.0
    private static let facePadding = 13.0

    override var sourceText: String { source }

    override func naturalSize(in faces: FaceTypesetting) -> (width: Double?, height: Double) {
        (
            Self.width(of: source, in: faces) + 2 * Self.faceInset,
            max(Self.faceHeight, faces.lineHeight + Self.facePadding)
        )
    }

    override func lines(in faces: FaceTypesetting) -> [TextLine]? {
        let inset = min(Self.faceInset, frame.width / 2)
        let isMirrored = effectiveLayoutDirection == .rightToLeft
        let share: Double =
            switch textAlignment {
            case .natural, .justified: isMirrored ? 1 : 0
            case .center: 0.5
            case .left: 0
            case .right: 1
            }
        return [
            line(source, in: faces, from: inset, room: frame.width - 2 * inset, share: share)
        ]
    }

    // MARK: The grid

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
