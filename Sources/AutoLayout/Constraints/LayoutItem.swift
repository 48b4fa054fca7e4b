import Cassowary

/// What a constraint can speak of: a `View` or a `LayoutGuide`.
///
/// An item that takes part in an engine has solver variables for its place: its left and top edge in the
/// coordinates of `coordinateSpace`, its width and its height.
open class LayoutItem {
    // The stored properties stand in the order that wastes no room, here and in `View`.

    /// The name used in traces, diagnostics and documents; need not be unique.
    public var identifier: String

    /// The constraints, in the order in which they were activated, that speak of this item.
    @safe @exclusivity(unchecked) var attachedConstraints: [LayoutConstraint] = []
    /// The constraints that builders made for the item, in order.
    var builtConstraints: [LayoutConstraint] = []
    /// How constraints refer to the item without keeping it alive.
    var handle: LayoutItemHandle {
        if let madeHandle { return madeHandle }
        let made = LayoutItemHandle(self)
        madeHandle = made
        return made
    }
    private var madeHandle: LayoutItemHandle?
    @safe @exclusivity(unchecked) private var storedSolvedFrame = Rect.zero
    @safe @exclusivity(unchecked) private var storedVariables = ItemVariables.none
    /// A view's preorder number, valid while the hierarchy's `preorderIsValid` holds; below zero for guides.
    @safe @exclusivity(unchecked) var preorderIndex: Int32 = -1
    /// How many views lie above a view, valid while `preorderIsValid` holds.
    @safe @exclusivity(unchecked) var preorderDepth: Int32 = 0
    @safe @exclusivity(unchecked) private var hasSolvedFrame = false
    /// Whether the item is a view that constraints mean by its own edges: any but a scroll view.
    @safe @exclusivity(unchecked) var isPlainView = false

    /// Where the item's variables live, while it takes part in a layout.
    final var variables: ItemVariables? {
        @inline(__always) get { storedVariables.isNone ? nil : storedVariables }
        set { storedVariables = newValue ?? .none }
    }

    /// The values of the variables as of the last solve; `nil` before the first.
    final var solvedFrame: Rect? {
        @inline(__always) get { hasSolvedFrame ? storedSolvedFrame : nil }
        set {
            hasSolvedFrame = newValue != nil
            storedSolvedFrame = newValue ?? .zero
        }
    }

    init(identifier: String) {
        self.identifier = identifier
    }

    deinit { madeHandle?.reference = nil }

    /// Notes a constraint that speaks of the item. A place takes four.
    final func attach(_ constraint: LayoutConstraint) {
        if attachedConstraints.isEmpty { attachedConstraints.reserveCapacity(4) }
        attachedConstraints.append(constraint)
    }

    /// The view in whose coordinates the item's place is expressed: a view's superview, a guide's owner.
    var coordinateSpace: View? { nil }
    /// The nearest view whose hierarchy the item belongs to: a view itself, a guide's owner.
    var hostView: View? { nil }

    /// Adds the item's left edge, in the coordinates of `coordinateSpace`.
    func addLeftEdge(to sum: inout LinearExpression, times factor: Double) {
        if let variables { sum.add(variables.x, times: factor) }
    }
    /// Adds the item's top edge, in the coordinates of `coordinateSpace`.
    func addTopEdge(to sum: inout LinearExpression, times factor: Double) {
        if let variables { sum.add(variables.y, times: factor) }
    }
    /// Adds the item's width.
    func addWidth(to sum: inout LinearExpression, times factor: Double) {
        if let variables { sum.add(variables.width, times: factor) }
    }
    /// Adds the item's height.
    func addHeight(to sum: inout LinearExpression, times factor: Double) {
        if let variables { sum.add(variables.height, times: factor) }
    }
    /// The item itself, if it is a view.
    var asView: View? { nil }
    /// Distance of the first baseline from the top edge and of the last from the bottom edge, in points.
    var baselineOffsets: (fromTop: Double, fromBottom: Double) { (0, 0) }
}

/// Stands for an item in constraints, which may outlive it; empty once the item is gone.
///
/// It does the work of a weak reference without a table aside for the item's counts, which would make each use slower.
final class LayoutItemHandle {
    @safe @exclusivity(unchecked) fileprivate(set) var reference: LayoutItemReference?
    var item: LayoutItem? { reference?.item }

    fileprivate init(_ item: LayoutItem) { reference = LayoutItemReference(item) }
}

/// The four unknowns of one item.
struct ItemVariables {
    var x: Variable
    var y: Variable
    var width: Variable
    var height: Variable

    /// Stands for those of an item that has none.
    static let none = ItemVariables(
        x: Variable(index: -1), y: Variable(index: -1), width: Variable(index: -1),
        height: Variable(index: -1))

    @inline(__always) var isNone: Bool { x.index < 0 }
}
