/// Text, broken into lines by the width that the layout gives it.
///
/// A label with more than one line first takes its place at its natural width; once the layout has
/// given it a width, its height follows in the same cycle.
public final class Label: TextContentView {
    override var isBuiltIn: Bool { true }

    /// What the label says; `\n` breaks a line.
    public var text: String {
        didSet {
            guard text != oldValue else { return }
            wordsDidChange()
            contentDidChange()
        }
    }

    /// The most lines to show; 0 for as many as needed. 1 by default.
    public var numberOfLines = 1 {
        didSet { if numberOfLines != oldValue { contentDidChange() } }
    }

    /// The width at which lines break before the layout is known, in points; 0 means none.
    public var preferredMaxLayoutWidth: Double = 0 {
        didSet { if preferredMaxLayoutWidth != oldValue { contentDidChange() } }
    }

    /// The lines; `nil` if they changed while the label was in no window, until they are read.
    private var knownLines: [Typesetting.Line]?
    /// Whether the text, or what it is set in, has changed since.
    private var awaitsLines = false
    /// Sizes found for the present content, by the limit of its lines; −1 for unbroken ones.
    private var measurements: [Int: Size] = [:]
    /// Measurements that are kept: the natural one, and those of the widths that a cycle tries.
    private static let measurementMaximum = 4
    /// The width that the layout gave, which decides the height of a label that wraps.
    private var wrapWidth: Double?
    /// What few labels are told.
    private var truncation: Truncation?

    /// What becomes of text that does not fit.
    private final class Truncation {
        var mode = LineBreakMode.byTruncatingTail
        var minimumScale = 0.0
    }

    /// What becomes of text that is wider than the label, in faces; a grid truncates tails.
    public var lineBreakMode: LineBreakMode {
        get { truncation?.mode ?? .byTruncatingTail }
        set {
            guard newValue != lineBreakMode else { return }
            writeTruncation().mode = newValue
            contentDidChange()
        }
    }

    /// The smallest size that text of one line shrinks to where it is too wide, as a share of the
    /// font's, 0...1; 0 for no shrinking. Faces alone follow it. Apple, `minimumScaleFactor` with
    /// `adjustsFontSizeToFitWidth`.
    public var minimumScaleFactor: Double {
        get { truncation?.minimumScale ?? 0 }
        set {
            guard newValue != minimumScaleFactor else { return }
            writeTruncation().minimumScale = newValue
            contentDidChange()
        }
    }

    private func writeTruncation() -> Truncation {
        if let truncation { return truncation }
        let made = Truncation()
        truncation = made
        return made
    }

    /// Makes a label; its content hugs with 251 along both axes, as UIKit's does.
    public init(_ text: String = "", identifier: String = "") {
        self.text = text
        super.init(identifier: identifier)
        contentHuggingPriority = .init(251, 251)
    }

    public override var intrinsicContentSize: Size {
        let natural = measured(limit: nil)
        guard numberOfLines != 1 else { return natural }
        if preferredMaxLayoutWidth > 0 {
            let wrapped = measured(limit: typesetting.limit(in: preferredMaxLayoutWidth))
            return Size(
                width: min(natural.width, preferredMaxLayoutWidth), height: wrapped.height)
        }
        guard let wrapWidth, wrapWidth < natural.width else { return natural }
        return Size(
            width: natural.width,
            height: measured(limit: typesetting.limit(in: wrapWidth)).height)
    }

    override var textHeight: Double? { intrinsicContentSize.height }

    public override func sizeThatFits(_ size: Size) -> Size {
        guard numberOfLines != 1, size.width > 0 else { return measured(limit: nil) }
        return measured(limit: typesetting.limit(in: size.width))
    }

    public override var lines: [TextLine] {
        let size = frame.size
        let broken = broken
        let setting = shownTypesetting
        let height = setting.lineHeight
        let top = typesetting.place(max(0, (size.height - Double(broken.count) * height) / 2))
        return broken.enumerated().map { index, line in
            let width = setting.width(of: line.extent)
            let room = max(0, size.width - width)
            let x: Double
            switch effectiveAlignment {
            case .right: x = room
            case .center: x = setting.place(room / 2)
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

    override func contentDidChange() {
        measurements.removeAll()
        if case .faces = typesetting, let engine {
            // What changes pays for its words. Lines follow the layout: in the frame of before they
            // would be others, cut perhaps.
            _ = measured(limit: nil)
            awaitsLines = true
            engine.faces.awaitLines(of: self)
        } else {
            breakLines()
        }
        invalidateIntrinsicContentSize()
    }

    /// Breaks the lines of a label that was laid out, if the layout has not done so.
    func breakAwaitedLines() {
        if awaitsLines { breakLines() }
    }

    private func breakLines() {
        awaitsLines = false
        // Before it is in a window nobody looks at its lines, and more of it may change.
        guard engine != nil else {
            knownLines = nil
            return setNeedsDisplay()
        }
        chargeWords(text)
        chargeText(text)
        let lines = makeLines()
        chargeParts()
        forgetFaceText()
        chargeLines(lines.count)
        guard lines != knownLines else { return }
        knownLines = lines
        setNeedsDisplay()
    }

    private var broken: [Typesetting.Line] {
        guard !awaitsLines else {
            // Reading costs nothing, since replays read at other times.
            defer { forgetFaceText() }
            return makeLines()
        }
        if let knownLines { return knownLines }
        let lines = makeLines()
        knownLines = lines
        return lines
    }

    private func makeLines() -> [Typesetting.Line] {
        let size = frame.size
        let isLaidOut = !frame.isEmpty
        let setting = shownTypesetting
        var maximum = numberOfLines
        if isLaidOut {
            let fitting = max(
                1, Int(nearest: (size.height / setting.lineHeight + 1e-6).rounded(.down)))
            maximum = maximum == 0 ? fitting : min(maximum, fitting)
        }
        let mode = lineBreakMode
        let limit = isLaidOut ? setting.limit(in: size.width) : nil
        if case .faces(let faces) = setting {
            if let whole = wholeLine, limit.map({ whole.extent <= $0 }) ?? true { return [whole] }
            let text = faceText(text, faces)
            guard let limit, numberOfLines == 1 else {
                return text.lines(limit: limit, maximum: maximum, mode: mode)
            }
            return [text.line(limit: limit, mode: mode)]
        }
        guard let limit, numberOfLines == 1 else {
            return setting.lines(of: text, limit: limit, maximum: maximum, mode: mode)
        }
        return [setting.line(of: text, limit: limit, mode: mode)]
    }

    /// What the lines are set with: smaller faces where the text shrinks to the label's width.
    private var shownTypesetting: Typesetting {
        guard case .faces(let faces) = typesetting else { return typesetting }
        return .faces(shownFaces(faces))
    }

    override func shownFaces(_ faces: FaceTypesetting) -> FaceTypesetting {
        let minimum = minimumScaleFactor
        guard minimum > 0, numberOfLines == 1, !frame.isEmpty else { return faces }
        let extent = wholeLine?.extent ?? faceText(text, faces).naturalExtent
        let limit = faces.limit(in: frame.width)
        guard extent > limit else { return faces }
        // The largest size at which the extent fits; whole numbers, so that all machines agree.
        let least = Int(nearest: (Double(faces.font.size64) * minimum).rounded(.down))
        let size = faces.font.size64 * limit / extent
        return faces.resized(to: max(1, least, size))
    }

    override var hasFittedLines: Bool { broken.contains(where: { $0.isFitted }) }

    public override var lineCount: Int { broken.count }

    public override var textByteCount: Int { text.utf8.count }

    private func measured(limit: Int?) -> Size {
        if let known = measurements[limit ?? -1] { return known }
        let size = measure(limit: limit)
        if measurements.count >= Self.measurementMaximum { measurements.removeAll() }
        measurements[limit ?? -1] = size
        return size
    }

    private func measure(limit: Int?) -> Size {
        chargeWords(text)
        chargeText(text)
        let setting = typesetting
        let (count, widest) =
            switch setting {
            case .grid:
                Self.extent(of: setting.lines(of: text, limit: limit, maximum: numberOfLines))
            case .faces(let faces): extent(in: faces, limit: limit)
            }
        chargeParts()
        chargeLines(count)
        return Size(width: setting.width(of: widest), height: Double(count) * setting.lineHeight)
    }

    private func extent(
        in faces: FaceTypesetting, limit: Int?
    ) -> (lineCount: Int, widest: Int) {
        if let whole = wholeLine, limit.map({ whole.extent <= $0 }) ?? true {
            return (1, whole.extent)
        }
        let known = faceText(text, faces)
        guard limit == nil, let whole = known.wholeLine else {
            return known.extent(limit: limit, maximum: numberOfLines, mode: lineBreakMode)
        }
        wholeLine = whole
        // Most text fits into its line, and is not broken at all.
        if numberOfLines == 1 { forgetFaceText() }
        return (1, whole.extent)
    }

    private static func extent(of lines: [Typesetting.Line]) -> (lineCount: Int, widest: Int) {
        (lines.count, lines.map { $0.extent }.max() ?? 0)
    }
}
