/// A view that shows lines of text: a label or a control.
///
/// Subclasses decide what the lines say; this one knows what they are set in, which follows the
/// traits: cells of a grid, or the hierarchy's faces.
public class TextContentView: View {
    override var isBuiltIn: Bool { true }

    /// Where the text lies within the view's width.
    public var textAlignment = TextAlignment.natural {
        didSet { if textAlignment != oldValue { alignmentDidChange() } }
    }

    /// The grid on which the text is measured.
    public var metrics = TextMetrics.standard {
        didSet { if metrics != oldValue { updateTypesetting() } }
    }

    /// The font that the text has where faces set it; the grid has one for all.
    public var font: FontDescriptor {
        get { faceState?.font ?? FontDescriptor() }
        set {
            guard newValue != font else { return }
            writeFaceState().font = newValue
            updateTypesetting()
        }
    }
    private var faceState: FaceState?

    /// The font where none is given.
    var defaultFont: FontDescriptor { FontDescriptor() }

    /// Whether the text is as large as people want it: the font follows the trait
    /// `preferredContentSizeCategory`. Apple, `UIContentSizeCategoryAdjusting`.
    public var adjustsFontForContentSizeCategory = false {
        didSet {
            guard adjustsFontForContentSizeCategory != oldValue else { return }
            updateTypesetting()
        }
    }

    /// What the text is measured with.
    var typesetting: Typesetting { faceState?.typesetting.map(Typesetting.faces) ?? .grid(cell) }

    /// Marks the words of the text as not measured.
    func wordsDidChange() { faceState?.forgetWords() }

    /// A text in the faces of the view, kept until `forgetFaceText`: measuring it and breaking its
    /// lines take the same words.
    ///
    /// - Parameter text: What the view says at present.
    func faceText(_ text: String, _ faces: FaceTypesetting) -> FaceText {
        if let known = faceState?.text { return known }
        let made = FaceText(text, faces)
        faceState?.text = made
        return made
    }

    func forgetFaceText() { faceState?.text = nil }

    /// The text in one line, as long as the words stay; nil where it is not known, or more lines.
    var wholeLine: Typesetting.Line? {
        get { faceState?.wholeLine }
        set { faceState?.wholeLine = newValue }
    }

    /// The cell of a control that is drawn by characters: that of the grid at the size of text that
    /// people want.
    private(set) var cell = TextMetrics.standard.cell

    /// The font that the text is drawn in, with what a renderer has to know besides the lines; nil
    /// on a grid.
    public var face: DrawnFace? {
        guard let faces = faceState?.typesetting else { return nil }
        let shown = shownFaces(faces)
        return DrawnFace(font: shown.font, ascent: shown.ascent, isFitted: hasFittedLines)
    }

    /// The font that is drawn: smaller than the one wanted where the text shrinks to fit.
    func shownFaces(_ faces: FaceTypesetting) -> FaceTypesetting { faces }

    /// Whether renderers have to fit lines to their widths.
    var hasFittedLines: Bool { false }

    /// The height of the text as the content's size has it, in points; nil where the text has no
    /// baseline.
    var textHeight: Double? { nil }

    /// The height of the text for which constraints on baselines were last written.
    private var knownTextHeight: (text: Double, line: Double)?

    override final var textBaselines: (first: Double, last: Double)? {
        guard let textHeight else { return nil }
        // No text has the baseline that a line of it would have.
        let line = typesetting.lineHeight
        let height = max(textHeight, line)
        return (
            typesetting.ascent - height / 2,
            height / 2 - (line - typesetting.ascent)
        )
    }

    override func didHoldContentSize() {
        guard let height = textHeight, engine != nil else { return }
        let line = typesetting.lineHeight
        if let known = knownTextHeight, known == (height, line) { return }
        knownTextHeight = (height, line)
        rederiveBaselines()
    }

    /// Rewrites the constraints on the view's baselines.
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

    /// Measures again after the text or the font changed.
    func contentDidChange() {}

    /// Draws again where the alignment is a part of the text; lines are otherwise placed when they
    /// are asked for.
    func alignmentDidChange() {}

    /// The whole cells that a width has room for, at least one.
    func columns(in width: Double) -> Int { Typesetting.grid(cell).limit(in: width) }

    /// The top of a block of lines: as in UIKit, text that is less tall than its view stands in its
    /// middle.
    func top(rows: Int) -> Double {
        typesetting.place(
            max(0, (frame.size.height - Double(rows) * typesetting.lineHeight) / 2))
    }

    /// Notes that a text was gone through to measure it.
    func chargeText(_ text: String) {
        guard let engine else { return }
        if faceState?.typesetting != nil {
            return engine.charge(LayoutEngine.Price.setByte * UInt64(text.utf8.count))
        }
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

    /// Charges the measuring of a text's words, which `isShaped` remembers; on a grid there are
    /// none.
    func chargeWords(_ text: String) {
        guard let engine, let faceState, faceState.typesetting != nil, !faceState.isShaped
        else { return }
        faceState.isShaped = true
        engine.charge(LayoutEngine.Price.shaping(text.unicodeScalars))
    }

    /// Charges the measuring of parts of words.
    func chargeParts() {
        if let text = faceState?.text { engine?.charge(text.takeWork()) }
    }

    /// Charges the lines that were made.
    func chargeLines(_ count: Int) {
        engine?.charge(LayoutEngine.Price.line * UInt64(count))
    }

    override func takeTextTraits() {
        super.takeTextTraits()
        updateTypesetting()
    }

    /// Measures again after the faces of the hierarchy changed.
    func facesDidChange() { updateTypesetting(isForced: true) }

    /// Lines are placed by the direction when they are asked for.
    override func directionTraitDidChange() {
        super.directionTraitDidChange()
        engine?.contentObserver?(self)
    }

    /// - Parameter isForced: Whether to measure again if the font is the same.
    private func updateTypesetting(isForced: Bool = false) {
        let traits = currentTraits
        let category = adjustsFontForContentSizeCategory ? traits.contentSizeCategory : .large
        let wantedCell = category.scaled(metrics.cell)
        var wanted: FaceTypesetting?
        if traits.typography == .faces, let measurer = engine?.faces.measurer {
            wanted = FaceTypesetting(
                measurer: measurer, font: font.font(category, defaults: defaultFont),
                scale: traits.displayScale)
        }
        let known = faceState?.typesetting
        guard isForced || wantedCell != cell || wanted?.setting != known?.setting else { return }
        cell = wantedCell
        if wanted != nil || faceState != nil {
            let state = writeFaceState()
            state.typesetting = wanted
            state.forgetWords()
        }
        contentDidChange()
        engine?.contentObserver?(self)
    }

    private func writeFaceState() -> FaceState {
        if let faceState { return faceState }
        let made = FaceState()
        faceState = made
        return made
    }
}

/// What a view needs of faces; views on a grid, which are most, have none.
private final class FaceState {
    /// The font that the view was given.
    var font: FontDescriptor?
    var typesetting: FaceTypesetting?
    /// Whether the words of the text were measured since they changed, and paid for.
    var isShaped = false
    /// The text, between measuring it and breaking its lines.
    var text: FaceText?
    /// The text in one line, if it is one.
    var wholeLine: Typesetting.Line?

    func forgetWords() {
        isShaped = false
        text = nil
        wholeLine = nil
    }
}

/// The font of a view's lines, as renderers have to know it.
public struct DrawnFace: Hashable, Sendable {
    /// Size and weight.
    public var font: Font
    /// How far the baseline of each line lies below its top, in points.
    public var ascent: Double
    /// Whether renderers have to fit the lines to their widths, since they draw characters in faces
    /// that were not measured.
    public var isFitted: Bool
}

extension LayoutEngine.Price {
    /// The measuring of text that was not measured before: its words and their scalars.
    static func shaping(_ scalars: some Sequence<Unicode.Scalar>) -> UInt64 {
        var units = word
        for scalar in scalars {
            switch scalar.value {
            case 0x20: units += word
            case ..<0x300: units += self.scalar
            default: units += scalar.properties.isShapedAlone ? self.scalar : hardScalar
            }
        }
        return units
    }
}

extension Unicode.Scalar.Properties {
    /// Whether shaping takes no more time for the scalar than for a letter.
    fileprivate var isShapedAlone: Bool {
        switch generalCategory {
        case .nonspacingMark, .enclosingMark, .spacingMark, .format, .modifierSymbol: false
        default: !isEmojiPresentation
        }
    }
}
