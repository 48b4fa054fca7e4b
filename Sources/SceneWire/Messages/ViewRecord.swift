import ConstraintLanguage

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
