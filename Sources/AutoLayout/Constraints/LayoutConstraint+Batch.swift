/// Taking part in a layout together.
extension LayoutConstraint {
    /// Activates all, as one batch.
    ///
    /// Of many, those inside a view enter the engine before those around it: what is in the view
    /// then has its place before the view is tied to the rest, and each step of the solver concerns
    /// a few views instead of most. One branch of the hierarchy follows another, so that these few
    /// are those that the steps before concerned.
    ///
    /// - Throws: The first conflict; the engine is then exactly as it was.
    /// - Complexity: O(size of the layout), besides the solver's part.
    public static func activate(_ constraints: [LayoutConstraint]) throws(LayoutError) {
        guard constraints.count > 1,
            let engine = constraints.lazy.compactMap({ $0.sharedEngine() }).first
        else {
            for constraint in constraints { try constraint.activate() }
            return
        }
        let checkpoint = engine.checkpoint(onlyAdding: true)
        var batch = ConstraintBatch(constraints, in: engine, mayReorder: true)
        defer { withExtendedLifetime(constraints) {} }
        do throws(LayoutError) {
            do throws(LayoutError) {
                try batch.enter(engine)
            } catch {
                guard batch.isReordered else { throw error }
                // The first conflict is that of the stated order.
                batch.takeBack()
                engine.restore(checkpoint)
                batch = ConstraintBatch(constraints, in: engine, mayReorder: false)
                try batch.enter(engine)
            }
        } catch {
            batch.takeBack()
            engine.restore(checkpoint)
            throw error
        }
    }

    /// Enters the engine given, where both items most likely are, or another one that they share;
    /// waits if they share none.
    func join(_ engine: LayoutEngine) throws(LayoutError) {
        if isKnown(to: engine) { return try enter(engine) }
        if let engine = sharedEngine() { try enter(engine) }
    }

    /// Whether both items are plain views in an engine.
    private func isKnown(to engine: LayoutEngine) -> Bool {
        func isIn(_ item: LayoutItem) -> Bool {
            item.isPlainView && item.viewUnchecked.engine === engine
        }
        guard let first, first.use(isIn) else { return false }
        return !hasSecondItem || second?.use(isIn) == true
    }
}
