public import SceneDocument

/// The result of a batch of ops.
public struct BatchOutcome: Sendable, Equatable {
    /// The refused ops, by index; for an atomic batch at most one, and then nothing was applied.
    public var refusals: [Refusal] = []
    /// The frames that a `layoutIfNeeded` of the batch assigned, rounded as shown.
    public var laidOut: [NamedRect] = []
    /// Constraints removed because an op moved or removed one of their views.
    public var removedConstraints: [String] = []
    /// The edits of the applied ops, in order, with their inverses; only while the model records
    /// them.
    public var edits: [Edit] = []
    /// Units of work for the batch, including its refused ops, in the units of `SceneModel.work`.
    public var work: UInt64 = 0
    /// Whether the batch failed and the scene was rebuilt from a snapshot of its document, which a
    /// replay must repeat.
    public var wasRebuilt = false
    /// Whether other authors' changes were laid out before the batch. The journal records this
    /// separately: the batch may have been refused, and some of those authors may have changed
    /// nothing, and neither is journalled.
    public var hasLaidOutOthers = false
}
