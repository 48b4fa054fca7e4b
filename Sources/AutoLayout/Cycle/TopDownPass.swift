/// A pass that serves marked views from the top down: superviews before subviews, siblings back to
/// front.
///
/// What is handed down from a superview to its subviews is `Inherited`.
struct TopDownPass<Inherited> {
    /// Whether anything waits in a view's subtree, the view included.
    let pending: PendingMark
    /// Serves a view, if it is marked itself, and gives what its subviews inherit. What the view
    /// inherits may be brought up to date, for its siblings too.
    let serve: (View, inout Inherited) throws(LayoutError) -> Inherited

    /// Serves the marked views of a subtree.
    func run(_ view: View, _ inherited: inout Inherited) throws(LayoutError) {
        view.marks[pending] = false
        var own = try serve(view, &inherited)
        // By index: a call may change the list.
        var index = 0
        while index < view.subviews.count {
            let subview = view.subviews[index]
            if subview.marks[pending] { try run(subview, &own) }
            index += 1
        }
    }
}

extension TopDownPass<Void> {
    /// Serves the marked views of a subtree that hands nothing down.
    func run(_ view: View) throws(LayoutError) {
        var nothing: Void = ()
        try run(view, &nothing)
    }
}
