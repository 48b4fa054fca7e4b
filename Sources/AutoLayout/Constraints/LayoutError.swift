/// What can go wrong when a layout is described or run.
public enum LayoutError: Error, Equatable, Sendable {
    /// Required constraints contradict one another. `conflict` names an irreducible set by
    /// identifier.
    case unsatisfiable(conflict: [String])
    /// The change or the pass cost more than `Window.workLimit` allows, and was cut short.
    case tooExpensive
    /// The items of the constraint are in no common hierarchy.
    case noCommonAncestor(String)
    /// A number is NaN, infinite or beyond the solver's range.
    case badValue(String)
    /// A view asked for its own `updateConstraints` inside `updateConstraints` or `layoutSubviews`.
    case updateConstraintsLoop(view: String)
    /// `layoutSubviews` of the views kept invalidating itself; `markedBy` names the views that
    /// marked them.
    case layoutFeedbackLoop(views: [String], markedBy: [String])
    /// `updateProperties` of a view, or of views in turn, kept asking for itself; the first of them
    /// in preorder.
    case updatePropertiesLoop(view: String)
    /// Handlers kept changing traits; the first view in preorder whose traits were to change again.
    case traitLoop(view: String)
    /// A view was to become a subview of itself or of its own descendant.
    case hierarchyCycle(String)
    /// A drawing context was used after the `draw` that it was made for.
    case contextExpired(view: String)
    /// A builder's `updateConstraints` describes a constraint that it did not make before.
    case nothingToUpdate(String)
    /// A builder's description lacks a relation, or compares what cannot be compared.
    case badDescription(String)
    /// A description speaks of the superview of a view that has none.
    case noSuperview(String)
    /// A text is no rule or visual format; the message says where and why.
    case badFormat(String)
}

/// Something that people should know about, though the layout goes on.
public enum LayoutDiagnostic: Equatable, Sendable {
    /// The cycle ended early.
    case error(LayoutError)
    /// A required constraint was given up because it contradicts the others in `conflict`.
    case brokeConstraint(String, conflict: [String])
    /// A constraint given up before holds again.
    case restoredConstraint(String)
    /// Inside `layoutSubviews` of `by`, a view outside its subtree was marked.
    case markedOutsideSubtree(view: String, by: String)
    /// An override did not call `super`; only found in debug builds.
    case missingSuperCall(view: String, method: String)
    /// A conditional set changed more than twice in one cycle and was switched off.
    case setOscillates(String)
    /// An animation block laid nothing out, so nothing is animated.
    case nothingAnimated

    /// Whether the layout ended early, so that frames are not those that the scene asks for.
    public var isError: Bool {
        if case .error = self { return true }
        return false
    }
}
