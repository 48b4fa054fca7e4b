// What stands behind the frames: asked by one member, answered to that one alone.

/// Asks why views are where they are. Answered by `inspection`, after the tick in which it came.
public struct Inspect: Sendable, Equatable {
    /// The sender's number for the question, which the answer carries.
    public var request: UInt32 = 0
    /// Whether the whole scene is wanted as a document.
    public var wantsDocument = false
    /// The views to tell of.
    public var views: [String] = []

    /// Views in one question.
    public static let viewMaximum = 64

    /// Asks for what is broken, and no more.
    public init() {}
}

/// A part of the answer to `inspect`; the parts, in order, are the JSON text of a `SceneInspection`.
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
    public static let textBytesMaximum = 1 << 19

    /// Makes a part without text.
    public init() {}

    /// The messages that carry an answer.
    public static func messages(
        _ inspection: SceneInspection, request: UInt32
    ) -> [ServerMessage] {
        let text = inspection.json.text().utf8
        var parts: [String] = []
        var start = text.startIndex
        while start < text.endIndex || parts.isEmpty {
            var end =
                text.index(start, offsetBy: textBytesMaximum, limitedBy: text.endIndex)
                ?? text.endIndex
            // Not inside a character.
            while end < text.endIndex, text[end] & 0xC0 == 0x80 { text.formIndex(before: &end) }
            parts.append(String(decoding: text[start..<end], as: UTF8.self))
            start = end
        }
        return parts.enumerated().map { index, part in
            var message = Inspection()
            message.request = request
            message.chunkIndex = UInt32(truncatingIfNeeded: index)
            message.chunkCount = UInt32(truncatingIfNeeded: parts.count)
            message.text = part
            return .inspection(message)
        }
    }
}

/// Puts the parts of answers together.
public struct InspectionReader: Sendable {
    private var parts: [Inspection] = []

    /// Waits for the first part.
    public init() {}

    /// Takes the next part.
    ///
    /// - Returns: The number of the question and its answer, once all parts are there.
    /// - Throws: `DocumentError` for a part that is not the next one, and for a text that is no inspection; what came
    ///   before is forgotten then.
    public mutating func take(
        _ part: Inspection
    ) throws(DocumentError) -> (request: UInt32, inspection: SceneInspection)? {
        let isNext =
            parts.first.map {
                $0.request == part.request && $0.chunkCount == part.chunkCount
                    && Int(part.chunkIndex) == parts.count
            } ?? (part.chunkIndex == 0)
        guard isNext else {
            parts.removeAll()
            throw DocumentError(
                code: .badValue, message: "part \(part.chunkIndex) of an inspection out of order")
        }
        parts.append(part)
        guard parts.count == Int(part.chunkCount) else { return nil }
        defer { parts.removeAll() }
        return (part.request, try .parse(parts.flatMap { Array($0.text.utf8) }))
    }
}

/// How long the parts of an update cycle took, in nanoseconds; at most 4.29 seconds each.
public struct CycleDurations: Sendable, Equatable {
    /// Applying ops.
    public var ops: UInt32 = 0
    /// The update-constraints passes.
    public var updateConstraints: UInt32 = 0
    /// The solver.
    public var solve: UInt32 = 0
    /// The layout passes.
    public var layout: UInt32 = 0
    /// The display pass.
    public var display: UInt32 = 0

    /// Makes durations of nothing.
    public init() {}
}

extension Inspect: WireValue {
    mutating func code<Coder: FieldCoder>(_ coder: inout Coder) throws(Coder.Failure) {
        try coder.u32("request", &request)
        try coder.bool("document", &wantsDocument)
        try coder.texts(
            "views", &views, maximum: Self.viewMaximum, textMaximum: Hello.idBytesMaximum)
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

extension CycleDurations: WireValue {
    mutating func code<Coder: FieldCoder>(_ coder: inout Coder) throws(Coder.Failure) {
        try coder.u32("ops", &ops)
        try coder.u32("updateConstraints", &updateConstraints)
        try coder.u32("solve", &solve)
        try coder.u32("layout", &layout)
        try coder.u32("display", &display)
    }
}
