import ConstraintLanguage

/// The small integer that stands for a view on the wire, within one numbering generation.
public struct ViewNumber: Hashable, Comparable, Sendable {
    /// Below `Limits.viewNumberMaximum`.
    public var rawValue: UInt32

    /// Makes a number.
    public init(_ rawValue: UInt32) {
        self.rawValue = rawValue
    }

    /// By value.
    public static func < (left: ViewNumber, right: ViewNumber) -> Bool {
        left.rawValue < right.rawValue
    }
}

/// A view's frame relative to its superview, in the room's unit: one pixel, or 1/1024 point where frames are not
/// rounded.
public struct QuantisedFrame: Hashable, Sendable {
    /// The four numbers, to be reckoned with at once: left, top, width, height.
    var vector: SIMD4<Int32>

    /// Makes a frame.
    public init(x: Int32, y: Int32, width: Int32, height: Int32) {
        vector = SIMD4(x, y, width, height)
    }

    init(vector: SIMD4<Int32>) { self.vector = vector }

    /// The left edge.
    public var x: Int32 {
        get { vector[0] }
        set { vector[0] = newValue }
    }
    /// The top edge.
    public var y: Int32 {
        get { vector[1] }
        set { vector[1] = newValue }
    }
    /// Horizontal extent.
    public var width: Int32 {
        get { vector[2] }
        set { vector[2] = newValue }
    }
    /// Vertical extent.
    public var height: Int32 {
        get { vector[3] }
        set { vector[3] = newValue }
    }

    /// The empty frame at the origin.
    public static let zero = QuantisedFrame(vector: .zero)
}

/// A line of a label, broken and placed by the server, so that no renderer measures text.
public struct TextLine: Hashable, Sendable {
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

/// What a renderer draws of a view, besides its frame.
public struct ViewContent: Hashable, Sendable {
    /// What the view is.
    public var kind: ViewKind
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
    public var lines: [TextLine]

    /// Makes the content of a plain view that draws nothing.
    public init(kind: ViewKind = .view) {
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

/// Everything that the wire says of a view.
public struct ViewRecord: Hashable, Sendable {
    /// Its number.
    public var number: ViewNumber
    /// Its name.
    public var id: String
    /// Its superview; nil for the root.
    public var parent: ViewNumber?
    /// Its frame in its superview.
    public var frame: QuantisedFrame
    /// What is drawn of it.
    public var content: ViewContent

    /// Makes a record.
    public init(
        number: ViewNumber, id: String, parent: ViewNumber?, frame: QuantisedFrame,
        content: ViewContent
    ) {
        self.number = number
        self.id = id
        self.parent = parent
        self.frame = frame
        self.content = content
    }
}

extension QuantisedFrame: WireValue {
    init() { self = .zero }

    mutating func code<Coder: FieldCoder>(_ coder: inout Coder) throws(Coder.Failure) {
        var values = [x, y, width, height]
        try coder.integers("frame", &values)
        self = QuantisedFrame(x: values[0], y: values[1], width: values[2], height: values[3])
    }
}

extension TextLine: WireValue {
    init() { self.init(text: "", x: 0, y: 0, width: 0) }

    mutating func code<Coder: FieldCoder>(_ coder: inout Coder) throws(Coder.Failure) {
        try coder.text("text", &text, maximum: coder.limits.textBytesMaximum)
        var values = [x, y, width]
        try coder.integers("place", &values)
        (x, y, width) = (values[0], values[1], values[2])
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
        var offset = [contentOffsetX, contentOffsetY]
        try coder.integers("contentOffset", &offset)
        (contentOffsetX, contentOffsetY) = (offset[0], offset[1])
    }
}

extension ViewRecord: WireValue {
    init() {
        self.init(
            number: ViewNumber(0), id: "", parent: nil, frame: .zero, content: ViewContent())
    }

    mutating func code<Coder: FieldCoder>(_ coder: inout Coder) throws(Coder.Failure) {
        try coder.number("number", &number)
        try coder.text("id", &id, maximum: Identifier.byteMaximum)
        if !Identifier.isValid(id) { try coder.invalid("id", "a name") }
        try coder.optionalNumber("parent", &parent)
        try frame.code(&coder)
        try coder.value("content", &content)
    }
}
