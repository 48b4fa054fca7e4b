public import SceneDocument

/// A line of a label, broken and placed by the server, so that no renderer measures text.
public struct ContentLine: Hashable, Sendable {
    /// What it says.
    public var text: String
    /// Its left end from the label's left edge, in units.
    public var x: Int32
    /// Its top from the label's top edge, in units.
    public var y: Int32
    /// Its length in units.
    public var width: Int32

    /// Makes a line.
    public init(text: String, x: Int32, y: Int32, width: Int32) {
        self.text = text
        self.x = x
        self.y = y
        self.width = width
    }
}

extension ContentLine: WireValue {
    init() { self.init(text: "", x: 0, y: 0, width: 0) }

    mutating func code<Coder: FieldCoder>(_ coder: inout Coder) throws(Coder.Failure) {
        try coder.text("text", &text, maximum: coder.limits.textBytesMaximum)
        var values: InlineArray = [x, y, width]
        try coder.integers("place", &values)
        (x, y, width) = (values[0], values[1], values[2])
    }
}

/// What a renderer draws of a view, besides its frame.
public struct ViewContent: Hashable, Sendable {
    /// What it is drawn as.
    public var kind: ContentKind
    /// Whether it and its subviews are not drawn.
    public var hidden: Bool
    /// Whether its subviews are cut at its edges.
    public var clips: Bool
    /// 0 for invisible, 255 for opaque.
    public var opacity: UInt8
    /// The colour of its area.
    public var background: Color?
    /// The colour of its text and border.
    public var foreground: Color?
    /// The line around it.
    public var border: BorderStyle
    /// Where its lines stand.
    public var align: TextAlignment
    /// What its top left corner shows, in units: subviews are drawn that much further left.
    public var contentOffsetX: Int32
    /// The same, upwards.
    public var contentOffsetY: Int32
    /// Its lines of text.
    public var lines: [ContentLine]
    /// The font of its lines; nil on a grid. It is no part of the state hash.
    public var face: TextFace? {
        get { unhashed?.value.face }
        set {
            guard newValue != face else { return }
            setUnhashed(Unhashed(face: newValue, look: look))
        }
    }
    /// What is drawn besides; nil for most views. It is no part of the state hash.
    public var look: ViewLook? {
        get { unhashed?.value.look }
        set {
            guard newValue != look else { return }
            setUnhashed(Unhashed(face: face, look: newValue))
        }
    }
    /// Whether it has a face or a look.
    ///
    /// - Complexity: O(1).
    var hasUnhashed: Bool { unhashed != nil }

    /// Removes the face and the look.
    mutating func removeUnhashed() { unhashed = nil }

    /// What is no part of the state hash. On a grid few views have any.
    private struct Unhashed: Hashable, Sendable {
        var face: TextFace?
        var look: ViewLook?
    }
    private var unhashed: Shared<Unhashed>?

    private mutating func setUnhashed(_ new: Unhashed) {
        unhashed = new.face == nil && new.look == nil ? nil : Shared(new)
    }

    /// Makes the content of a plain view that draws nothing.
    public init(kind: ContentKind = .view) {
        self.kind = kind
        hidden = false
        clips = false
        opacity = 255
        border = .none
        align = .natural
        contentOffsetX = 0
        contentOffsetY = 0
        lines = []
    }
}

extension ViewContent: WireValue {
    init() { self.init(kind: .view) }

    mutating func code<Coder: FieldCoder>(_ coder: inout Coder) throws(Coder.Failure) {
        try codeStyle(&coder)
        try coder.list("lines", &lines, maximum: coder.limits.textBytesMaximum)
    }

    /// Everything but the lines, which views rarely share.
    mutating func codeStyle<Coder: FieldCoder>(_ coder: inout Coder) throws(Coder.Failure) {
        try coder.choice("kind", &kind)
        try coder.bool("hidden", &hidden)
        try coder.bool("clips", &clips)
        try coder.u8("opacity", &opacity)
        try coder.color("background", &background)
        try coder.color("foreground", &foreground)
        try coder.choice("border", &border)
        try coder.choice("align", &align)
        var offset: InlineArray = [contentOffsetX, contentOffsetY]
        try coder.integers("contentOffset", &offset)
        (contentOffsetX, contentOffsetY) = (offset[0], offset[1])
    }
}
