/// An unknown of a `Solver`, named by a small integer.
///
/// Valid only with the solver that made it, until it is released; its index is used again
/// afterwards.
public struct Variable: Hashable, Comparable, Sendable, BitwiseCopyable {
    /// The variable's number, from zero and dense, so that it can index arrays.
    public let index: Int32

    /// Names the variable of a number, which an owner may keep in its place; no solver has one of a
    /// number below zero.
    @inlinable package init(index: Int32) { self.index = index }

    /// Orders variables by index.
    public static func < (left: Variable, right: Variable) -> Bool { left.index < right.index }
}

/// A constraint held by a `Solver`, active or not.
///
/// Valid until the constraint is removed; its index is used again afterwards.
public struct ConstraintID: Hashable, Comparable, Sendable, BitwiseCopyable {
    /// The constraint's number, from zero and dense, so that it can index arrays.
    public let index: Int32

    /// Names the constraint of a number, which an owner may keep in its place.
    @inlinable package init(index: Int32) { self.index = index }

    /// Orders constraints by index.
    public static func < (left: ConstraintID, right: ConstraintID) -> Bool {
        left.index < right.index
    }
}
