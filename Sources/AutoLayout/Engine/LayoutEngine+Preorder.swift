/// Each view's place in the hierarchy, worked out once for all views after the hierarchy has
/// changed.
extension LayoutEngine {
    /// Sets `preorderIndex` and `preorderDepth` of all views.
    ///
    /// - Complexity: O(views) after the hierarchy has changed, else O(1).
    @inline(__always)
    func numberPreorder() {
        if !preorderIsValid { numberPreorderAnew() }
    }

    private func numberPreorderAnew() {
        preorderIsValid = true
        var next: Int32 = 0
        maximumDepth = 0
        number(root, depth: 0, &next)
        preorderCount = next
        charge(Price.step * UInt64(next))
    }

    /// - Complexity: O(views), with a stack as deep as the hierarchy, as its release has.
    private func number(_ view: View, depth: Int32, _ next: inout Int32) {
        view.preorderIndex = next
        view.preorderDepth = depth
        maximumDepth = max(maximumDepth, depth)
        next &+= 1
        guard !view.subviews.isEmpty else { return }
        view.prefetchFirstSubviews()
        unsafe view.subviews.withUnsafeBufferPointer { subviews in
            for index in subviews.indices {
                view.prefetchSubview(after: index)
                unsafe Lent(subviews[index]).use { number($0, depth: depth &+ 1, &next) }
            }
        }
    }
}

extension Window {
    /// How many views lie above the deepest one.
    ///
    /// - Complexity: as of `depth(of:)`.
    public var maximumDepth: Int {
        guard let engine else { return preorder.lazy.map { $0.depth }.max() ?? 0 }
        engine.numberPreorder()
        return Int(engine.maximumDepth)
    }

    /// Views of the window's hierarchy, superviews before their subviews and these in their order.
    ///
    /// - Complexity: O(n log n) for n views, besides O(views) once after the hierarchy has changed.
    public func inPreorder(_ views: [View]) -> [View] {
        guard let engine else {
            let wanted = Set(views.map(ObjectIdentifier.init))
            return preorder.filter { wanted.contains(ObjectIdentifier($0)) }
        }
        engine.numberPreorder()
        return views.sorted { $0.preorderIndex < $1.preorderIndex }
    }

    /// How many views lie above a view of the window's hierarchy.
    ///
    /// - Complexity: O(1), besides O(views) once after the hierarchy has changed.
    public func depth(of view: View) -> Int {
        guard let engine else { return view.depth }
        engine.numberPreorder()
        return Int(view.preorderDepth)
    }
}
