import ConstraintLanguage
import JSON
public import SceneDocument

/// Asks why views are where they are. Answered by `inspection`, after the tick in which it came.
public struct Inspect: Sendable, Equatable {
    /// The sender's number for the question, which the answer carries.
    public var request: UInt32 = 0
    /// Whether the whole scene is wanted as a document.
    public var wantsDocument = false
    /// The views to tell of.
    public var views: [String] = []
    /// The sizes to find out; `nil` for none. Needs `Capability.fitting`.
    public var fittings: FittingList?

    /// Views in one question.
    public static let viewMaximum = 64

    /// Asks for what is broken, and no more.
    public init() {}
}

extension Inspect: WireValue {
    mutating func code<Coder: FieldCoder>(_ coder: inout Coder) throws(Coder.Failure) {
        try coder.u32("request", &request)
        try coder.bool("document", &wantsDocument)
        try coder.texts(
            "views", &views, maximum: Self.viewMaximum, textMaximum: Identifier.byteMaximum)
        try coder.extra(2, "fittings", &fittings)
    }
}

/// Sizes to find out in one inspection.
public struct FittingList: Sendable, Equatable {
    /// The questions.
    public var views: [FittingQuestion] = []

    /// Questions in one inspection.
    public static let maximum = 16

    /// Makes a list.
    public init(_ views: [FittingQuestion] = []) { self.views = views }
}

extension FittingList: WireValue {
    init() { self.init([]) }

    mutating func code<Coder: FieldCoder>(_ coder: inout Coder) throws(Coder.Failure) {
        try coder.list("views", &views, maximum: Self.maximum)
    }
}

/// Asks which size a view's own constraints, and those of what is in it, give it next to a target.
/// Apple, `systemLayoutSizeFitting(_:withHorizontalFittingPriority:verticalFittingPriority:)`.
public struct FittingQuestion: Sendable, Equatable {
    /// The view.
    public var view = ""
    /// The size wished for, in points: 0…10^6. What is beyond counts as the nearer end.
    public var size = Size(width: 0, height: 0)
    /// How much the width and the height wished for matter. What is beyond 1…1000 counts as the
    /// nearer end.
    public var priorities = PriorityByAxis(.fittingSizeLevel, .fittingSizeLevel)

    /// The greatest length, in points.
    public static let lengthMaximum = 1_000_000.0

    /// Asks for the smallest size of a view.
    public init(view: String = "") { self.view = view }
}

extension FittingQuestion: WireValue {
    init() { self.init(view: "") }

    mutating func code<Coder: FieldCoder>(_ coder: inout Coder) throws(Coder.Failure) {
        try coder.text("view", &view, maximum: Identifier.byteMaximum)
        var lengths = [size.width, size.height]
        try coder.doubles("size", &lengths)
        let ends = lengths.map { min(max($0, 0), Self.lengthMaximum) }
        size = Size(width: ends[0], height: ends[1])
        var values = [priorities.horizontal.rawValue, priorities.vertical.rawValue]
        try coder.doubles("priorities", &values)
        priorities = PriorityByAxis(LayoutPriority(values[0]), LayoutPriority(values[1]))
    }
}

/// A part of the answer to `inspect`; the parts, in order, are the JSON text of a
/// `SceneInspection`.
public struct Inspection: Sendable, Equatable {
    /// The question's number.
    public var request: UInt32 = 0
    /// Which part, from 0.
    public var chunkIndex: UInt32 = 0
    /// How many parts there are.
    public var chunkCount: UInt32 = 1
    /// The part.
    public var text = ""

    /// Bytes of a part.
    public static let textBytesMaximum = TextParts.byteMaximum

    /// Makes a part without text.
    public init() {}

    /// The messages that carry an answer.
    public static func messages(
        _ inspection: SceneInspection, request: UInt32
    ) -> [ServerMessage] {
        TextParts.of(inspection.json.text()).map { part in
            var message = Inspection()
            message.request = request
            message.chunkIndex = part.index
            message.chunkCount = part.count
            message.text = part.text
            return .inspection(message)
        }
    }
}

extension Inspection: WireValue {
    mutating func code<Coder: FieldCoder>(_ coder: inout Coder) throws(Coder.Failure) {
        try coder.u32("request", &request)
        try coder.u32("chunkIndex", &chunkIndex)
        try coder.u32("chunkCount", &chunkCount)
        try coder.text("text", &text, maximum: Self.textBytesMaximum)
        if chunkCount > UInt32(Limits.chunkMaximum) {
            try coder.invalid("chunkCount", "at most \(Limits.chunkMaximum)")
        }
        if chunkIndex >= chunkCount { try coder.invalid("chunkIndex", "less than chunkCount") }
    }
}
