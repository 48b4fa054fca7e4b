import Cassowary

/// What a constraint can speak of: a `View` or a `LayoutGuide`.
///
/// An item that takes part in an engine has solver variables for its place: its left and top edge
/// in the coordinates of `coordinateSpace`, its width and its height.
open class LayoutItem {
    // The stored properties stand in the order that wastes no room, here and in `View`.

    /// The name used in traces, diagnostics and documents; need not be unique.
    public var identifier: String

    /// How constraints refer to the item without keeping it alive.
    final var handle: LayoutItemHandle {
        if let madeHandle { return madeHandle }
        let made = LayoutItemHandle(self)
        madeHandle = made
        return made
    }
    @safe @exclusivity(unchecked) private var madeHandle: LayoutItemHandle?
    @safe @exclusivity(unchecked) private var storedSolvedFrame = Rect.zero
    @safe @exclusivity(unchecked) private var storedVariables = ItemVariables.none
    /// A view's preorder number, valid while the hierarchy's `preorderIsValid` holds; below zero
    /// for guides.
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

    deinit { madeHandle?.forgetItem() }

    /// The constraints, in the order in which they were activated, that speak of this item.
    /// How many constraints speak of the item.
    final var attachedCount: Int { madeHandle?.constraints.count ?? 0 }

    final var attachedConstraints: [LayoutConstraint] { madeHandle?.constraints.all ?? [] }
    /// Goes through them, where nothing is attached or detached meanwhile.
    @inline(__always)
    final func forEachAttached(_ body: (LayoutConstraint) -> Void) {
        madeHandle?.constraints.forEach(body)
    }
    /// Whether no active constraint speaks of the item.
    final var isUnconstrained: Bool { madeHandle?.constraints.isEmpty ?? true }
    /// The constraints that builders made for the item, in order.
    final var builtConstraints: [LayoutConstraint] {
        get { madeHandle?.built ?? [] }
        set { handle.built = newValue }
    }

    /// Forgets the constraints that are not active any more.
    final func detachInactive() { madeHandle?.constraints.removeInactive() }

    /// The view in whose coordinates the item's place is expressed: a view's superview, a guide's
    /// owner.
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
    /// Distance of the first baseline from the top edge and of the last from the bottom edge, in
    /// points, as they were given; nil for none.
    var givenBaselines: (fromTop: Double, fromBottom: Double)? { nil }
    /// How far the first and the last baseline of the item's text lie below its middle, in points;
    /// nil without text.
    var textBaselines: (first: Double, last: Double)? { nil }
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

    var all: [Variable] { [x, y, width, height] }

    /// Whether they follow one another, as those do that were made from new numbers.
    @inline(__always) var areInOrder: Bool {
        let first = x.index
        return y.index == first &+ 1 && width.index == first &+ 2 && height.index == first &+ 3
    }
}
