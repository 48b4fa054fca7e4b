/// Those of some constraints that do not take part in a layout yet, attached to their items, and in which order they enter its engine.
///
/// The constraints are lent: the array that they come from outlives the batch.
struct ConstraintBatch {
    /// The members, each once, in the stated order.
    private var members: [Lent<LayoutConstraint>] = []
    /// The same in another order, in which they enter; empty for the stated one.
    private var reordered: [Lent<LayoutConstraint>] = []

    /// How few constraints are left in the order in which they are stated: what there is to gain grows with their number.
    private static let shortBatch: Int = 64

    /// Whether the members enter in another order than the stated one.
    var isReordered: Bool { !reordered.isEmpty }

    /// Attaches the constraints that are inactive, in the stated order.
    ///
    /// - Complexity: O(constraints), besides O(views) once after the hierarchy has changed.
    init(_ constraints: [LayoutConstraint], in engine: LayoutEngine) {
        members.reserveCapacity(constraints.count)
        let isLong = constraints.count > Self.shortBatch
        if isLong { engine.numberPreorder() }
        // By how much each is above the deepest.
        var heights: [Int32] = []
        if isLong { heights.reserveCapacity(constraints.count) }
        for index in constraints.indices {
            let member = Lent(constraints[index])
            let isNew = member.use { constraint in
                guard !constraint.isActive, constraint.first != nil else { return false }
                if isLong { heights.append(engine.maximumDepth &- constraint.depth(in: engine)) }
                constraint.attach()
                return true
            }
            if isNew { members.append(member) }
        }
        if isLong { reorder(by: heights, maximum: Int(engine.maximumDepth)) }
    }

    /// Has the members of the least heights enter first; those of one height, in the stated order.
    private mutating func reorder(by heights: [Int32], maximum: Int) {
        var starts = [Int](repeating: 0, count: maximum + 2)
        for height in heights { starts[Int(height) + 1] += 1 }
        for height in 1..<starts.count { starts[height] += starts[height - 1] }
        reordered = members
        for (position, height) in heights.enumerated() {
            reordered[starts[Int(height)]] = members[position]
            starts[Int(height)] += 1
        }
    }

    /// Puts the members in force, as far as their items share an engine.
    ///
    /// - Throws: The first conflict; some are in force then.
    func enter(_ engine: LayoutEngine) throws(LayoutError) {
        var failure: LayoutError?
        for member in isReordered ? reordered : members {
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

    /// Attaches the members again, which enter in the stated order now.
    mutating func attachInStatedOrder() {
        reordered = []
        for member in members { member.use { $0.attach() } }
    }
}

extension LayoutConstraint {
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
