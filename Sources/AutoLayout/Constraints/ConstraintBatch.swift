/// Those of some constraints that do not take part in a layout yet, attached to their items, in the
/// order in which they enter its engine.
///
/// The constraints are lent: the array that they come from outlives the batch.
struct ConstraintBatch {
    /// The members, each once, in the order in which they enter.
    private var members: [Lent<LayoutConstraint>] = []
    /// Whether that is another order than the stated one.
    let isReordered: Bool
    /// Where the members of one container end and those of the next one begin, from one turn to the
    /// next; empty in the stated order.
    private var ends: [Int32] = []

    /// How few constraints are left in the order in which they are stated: what there is to gain
    /// grows with their number.
    private static let shortBatch = 64

    /// Attaches the constraints that are inactive, in the stated order.
    ///
    /// - Parameter mayReorder: Whether those inside a view enter before those around it where there
    ///   are many.
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
        attachInnermostFirst(constraints, in: engine)
    }

    /// Branch by branch, from the last one to the first, each from the inside out: so what a view's
    /// constraints depend on was just looked at. Those of one container keep their order.
    private mutating func attachInnermostFirst(
        _ constraints: [LayoutConstraint], in engine: LayoutEngine
    ) {
        // By how much each one's container comes before the last view; below zero for what is no
        // member.
        var turns: [Int32] = []
        turns.reserveCapacity(constraints.count)
        var starts = [Int32](repeating: 0, count: Int(engine.preorderCount) + 1)
        for index in constraints.indices {
            let constraint = Lent(constraints[index])
            prefetchForAttaching(constraints, after: index)
            constraint.use { constraint in
                guard constraint.attachIfInactive() else { return turns.append(-1) }
                let turn = engine.preorderCount &- 1 &- constraint.containerIndex(in: engine)
                turns.append(turn)
                starts[Int(turn) + 1] += 1
            }
        }
        for turn in 1..<starts.count { starts[turn] += starts[turn - 1] }
        guard let count = starts.last, let first = constraints.first else { return }
        members = Array(repeating: Lent(first), count: Int(count))
        for (index, turn) in turns.enumerated() where turn >= 0 {
            members[Int(starts[Int(turn)])] = Lent(constraints[index])
            starts[Int(turn)] += 1
        }
        ends = starts
    }

    /// Puts the members in force, as far as their items share an engine.
    ///
    /// - Throws: The first conflict; some are in force then.
    mutating func enter(_ engine: LayoutEngine) throws(LayoutError) {
        guard isReordered else { return try enter(0..<members.count, engine) }
        var lengths = TiedLengths()
        var start = 0
        for end in ends where end > start {
            let range = start..<Int(end)
            lengths.putLongestFirst(&members, in: range, engine)
            try enter(range, engine)
            start = range.upperBound
        }
    }

    private func enter(_ range: Range<Int>, _ engine: LayoutEngine) throws(LayoutError) {
        var failure: LayoutError?
        for index in range {
            if isReordered { prefetchForEntering(after: index, engine) }
            members[index].use { constraint in
                do throws(LayoutError) { try constraint.join(engine) } catch { failure = error }
            }
            if let failure { throw failure }
        }
    }

    /// Asks for what attaching the constraints soon after one looks at.
    @inline(__always)
    private func prefetchForAttaching(_ constraints: [LayoutConstraint], after index: Int) {
        let steps = (index &+ 2 &* Prefetching.distance, index &+ Prefetching.distance)
        if steps.0 < constraints.count { Lent(constraints[steps.0]).prefetch() }
        if steps.1 < constraints.count { Lent(constraints[steps.1]).prefetchHandle() }
    }

    /// Asks for what entering the members soon after one looks at. What one member leads to is
    /// asked for step by step, with three members between two steps, so that the memory of one step
    /// has come before the next one reads it. All of that is ahead of the container at hand,
    /// mostly: before its first member enters, `TiedLengths` looks at the others.
    @inline(__always)
    private func prefetchForEntering(after index: Int, _ engine: LayoutEngine) {
        func member(_ distance: Int) -> Lent<LayoutConstraint>? {
            index &+ distance < members.count ? members[index &+ distance] : nil
        }
        member(28)?.prefetch()
        member(25)?.prefetchHandle()
        member(22)?.prefetchItem()
        member(19)?.prefetchVariables(in: engine)
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

    /// The number of the view that the constraint lies in: the one that has the deeper of the
    /// items, or of two as deep the one that comes first.
    fileprivate func containerIndex(in engine: LayoutEngine) -> Int32 {
        func place(of item: LayoutItem) -> (depth: Int32, container: Int32) {
            if item.isPlainView {
                let view = item.viewUnchecked
                return view.engine === engine ? view.place : (0, 0)
            }
            guard let host = item.hostView, host.engine === engine else { return (0, 0) }
            return item === host ? host.place : (host.preorderDepth &+ 1, host.preorderIndex)
        }
        let own = first?.use(place) ?? (depth: 0, container: 0)
        guard let other = second?.use(place) else { return own.container }
        guard own.depth == other.depth else {
            return own.depth > other.depth ? own.container : other.container
        }
        return min(own.container, other.container)
    }
}

extension View {
    /// How deep the view is, and the number of what it is in; that of a root is its own.
    fileprivate var place: (depth: Int32, container: Int32) {
        (preorderDepth, superviewReference?.useView { $0.preorderIndex } ?? 0)
    }
}
