public import SceneDocument

/// What a program behind a room refuses of what members change, whatever their rights. Two are
/// equal: options differ in numbers.
public struct OpPolicy: Sendable, Equatable {
    /// Why an op of a room must not be performed; nil to let it pass. Called on the room's thread
    /// for each op, those of undo and redo included.
    public let refusal: @Sendable (_ op: Op, _ room: String) -> Refusal?

    /// Makes a policy of a function.
    public init(refusal: @escaping @Sendable (_ op: Op, _ room: String) -> Refusal?) {
        self.refusal = refusal
    }

    /// Whether both are policies.
    public static func == (left: Self, right: Self) -> Bool { true }
}
