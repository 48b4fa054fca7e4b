/// A new numbering of the views, in preorder: the view with the n-th of these numbers has the
/// number n from now on.
///
/// Neighbours in the tree get neighbouring numbers, and so sets of them short forms. Forgets all
/// selections.
public struct Keyframe: Sendable, Equatable {
    /// The tick of the mirror that it applies to.
    public var tick: UInt64 = 0
    /// Every view's number so far, in preorder.
    public var numbers: [UInt32] = []

    /// Makes a numbering of no views.
    public init() {}
}

extension Keyframe: WireValue {
    mutating func code<Coder: FieldCoder>(_ coder: inout Coder) throws(Coder.Failure) {
        try coder.u64("tick", &tick)
        try coder.numbers("numbers", &numbers)
    }
}
