/// Those of some constraints that do not take part in a layout yet, attached to their items, in the order in which they enter its engine.
///
/// The constraints are lent: the array that they come from outlives the batch.
struct ConstraintBatch {
    /// The members, each once, in the order in which they enter.
    private var members: [Lent<LayoutConstraint>] = []
    /// Whether that is another order than the stated one.
    let isReordered: Bool

    /// How few constraints are left in the order in which they are stated: what there is to gain grows with their number.
    private static let shortBatch = 64

    /// Attaches the constraints that are inactive, in the stated order.
    ///
    /// - Parameter mayReorder: Whether those deepest in the hierarchy enter first where there are many.
    /// - Complexity: O(constraints), besides O(views) once after the hierarchy has changed.
    init(_ constraints: [LayoutConstraint], in engine: LayoutEngine, mayReorder: Bool) {
        isReordered = mayReorder && constraints.count > Self.shortBatch
        guard isReordered else {
            members.reserveCapacity(constraints.count)
            for index in constraints.indices {
                let member = Lent(constraints[index])
                if member.use({ $0.attachIfInactive() }) { members.append(member) }
            }
            return
        }
        engine.numberPreorder()
        attachDeepestFirst(constraints, in: engine)
    }

    /// The members of one depth keep their order.
    private mutating func attachDeepestFirst(
        _ constraints: [LayoutConstraint], in engine: LayoutEngine
    ) {
        // By how much each is above the deepest; below zero for what is no member.
        var heights: [Int32] = []
        heights.reserveCapacity(constraints.count)
        var starts = [Int](repeating: 0, count: Int(engine.maximumDepth) + 2)
        for index in constraints.indices {
            Lent(constraints[index]).use { constraint in
                guard constraint.attachIfInactive() else { return heights.append(-1) }
                let height = engine.maximumDepth &- constraint.depth(in: engine)
                heights.append(height)
                starts[Int(height) + 1] += 1
            }
        }
        for height in 1..<starts.count { starts[height] += starts[height - 1] }
        guard let count = starts.last, let first = constraints.first else { return }
        members = Array(repeating: Lent(first), count: count)
        for (index, height) in heights.enumerated() where height >= 0 {
            members[starts[Int(height)]] = Lent(constraints[index])
            starts[Int(height)] += 1
        }
    }

    /// Puts the members in force, as far as their items share an engine.
    ///
    /// - Throws: The first conflict; some are in force then.
    func enter(_ engine: LayoutEngine) throws(LayoutError) {
        var failure: LayoutError?
        for member in members {
            member.use { constraint in
                do throws(LayoutError) { try constraint.join(engine) } catch { failure = error }
            }
            if let failure { throw failure }
        }
    }

    /// Makes the members inactive; the engine is to be restored.
    func takeBack() {
        for member in members {
            member.use { constraint in
                if constraint.isActive { constraint.detach() }
                constraint.solverID = nil
            }
        }
    }
}

extension LayoutConstraint {
    /// Attaches the constraint unless it is active, or its item is gone; returns whether it did.
    fileprivate func attachIfInactive() -> Bool {
        guard !isActive, first != nil else { return false }
        attach()
        return true
    }

    /// How deep in an engine's hierarchy the deeper of the items is.
    fileprivate func depth(in engine: LayoutEngine) -> Int32 {
        func depth(of item: LayoutItem) -> Int32 {
            if item.isPlainView {
                return item.viewUnchecked.engine === engine ? item.preorderDepth : 0
            }
            guard let host = item.hostView, host.engine === engine else { return 0 }
            return host.preorderDepth
        }
        let own = first?.use(depth) ?? 0
        return max(own, second?.use(depth) ?? 0)
    }
}
