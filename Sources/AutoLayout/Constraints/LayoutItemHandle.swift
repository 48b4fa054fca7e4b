/// Stands for an item in constraints, which may outlive it, and has the constraints that speak of
/// the item; empty once the item is gone.
///
/// It does the work of a weak reference without a table aside for the item's counts, which would
/// make each use slower. An item that no constraint speaks of has none.
final class LayoutItemHandle {
    @safe @exclusivity(unchecked) private(set) var reference: LayoutItemReference?
    /// The active constraints that speak of the item.
    @safe @exclusivity(unchecked) var constraints = AttachedConstraints()
    /// The constraints that builders made for the item, in order.
    var built: [LayoutConstraint] = []

    var item: LayoutItem? { reference?.item }

    init(_ item: LayoutItem) { reference = LayoutItemReference(item) }

    /// Lets go of the item, which goes, and of the constraints, which refer to this handle.
    func forgetItem() {
        reference = nil
        constraints = AttachedConstraints()
        built = []
    }

    func attach(_ constraint: LayoutConstraint) {
        if reference != nil { constraints.append(constraint) }
    }
}
