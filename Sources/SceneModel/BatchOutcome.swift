public import SceneProtocol

/// What a batch of ops came to.
public struct BatchOutcome: Sendable, Equatable {
    /// The ops that were kept out, by index; of an atomic batch at most one, and then nothing was applied.
    public var refusals: [Refusal] = []
    /// Where views stood right after a `layoutIfNeeded` of the batch had moved them, rounded as shown.
    public var laidOut: [NamedRect] = []
    /// Constraints that left because an op moved or removed a view they spoke of.
    public var removedConstraints: [String] = []
    /// What the ops that were applied changed, in order, with what takes it back; only while the model records it.
    public var edits: [Edit] = []
    /// Units of work that the batch took, its refusals included, in the units of `SceneModel.work`.
    public var work: UInt64 = 0
    /// Whether the batch failed and the scene went back to a state that was rebuilt from its document, which a replay has
    /// to do as well.
    public var wasRebuilt = false
    /// Whether other authors' changes were laid out before the batch. The journal has to say so by itself: the batch may
    /// have been refused, and of the authors that it waited for some may have changed nothing, and neither is journalled.
    public var hasLaidOutOthers = false
}
