import ConstraintLanguage
import SceneDocument

/// What is wrong with the layout at a tick, by name.
public struct Diagnostics: Sendable, Equatable {
    /// The bit of `Hello.capabilities` with which a client asks for this message after its
    /// snapshot.
    public static let capability = Capability.diagnostics

    /// The tick that it is about.
    public var tick: UInt64 = 0
    /// Views whose place the constraints leave open, in preorder.
    public var ambiguous: [String] = []
    /// Constraints that were given up because they contradict others.
    public var broken: [String] = []
    /// Views that kept marking one another in the tick until the cycle was ended.
    public var feedbackLoop: [String] = []
    /// Whether finding out what is ambiguous was ended before the last view, because it took too
    /// much work.
    public var isUnfinished = false

    /// Says that nothing is wrong.
    public init() {}
}

extension Diagnostics: WireValue {
    mutating func code<Coder: FieldCoder>(_ coder: inout Coder) throws(Coder.Failure) {
        try coder.u64("tick", &tick)
        try coder.texts(
            "ambiguous", &ambiguous, maximum: coder.limits.viewMaximum,
            textMaximum: Identifier.byteMaximum)
        try coder.texts(
            "broken", &broken, maximum: coder.limits.constraintMaximum, textMaximum: 256)
        try coder.texts(
            "feedbackLoop", &feedbackLoop, maximum: coder.limits.viewMaximum,
            textMaximum: Identifier.byteMaximum)
        var unfinished: UInt64? = isUnfinished ? 1 : nil
        try coder.extra(2, "unfinished", &unfinished)
        isUnfinished = unfinished ?? 0 != 0
    }
}
