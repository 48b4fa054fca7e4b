/// The constraints that speak of an item, in the order in which they were activated. Most items
/// have four, or none, and four have their place here; more are in a list.
struct AttachedConstraints {
    private var first: LayoutConstraint?
    private var second: LayoutConstraint?
    private var third: LayoutConstraint?
    private var fourth: LayoutConstraint?
    /// Those after the fourth.
    private var others: [LayoutConstraint] = []

    var isEmpty: Bool { first == nil }

    var count: Int {
        guard fourth == nil else { return 4 + others.count }
        return first == nil ? 0 : second == nil ? 1 : third == nil ? 2 : 3
    }

    /// All of them.
    var all: [LayoutConstraint] {
        var result: [LayoutConstraint] = []
        result.reserveCapacity(count)
        forEach { result.append($0) }
        return result
    }

    @inline(__always)
    func forEach(_ body: (LayoutConstraint) -> Void) {
        if let first { body(first) }
        if let second { body(second) }
        if let third { body(third) }
        if let fourth { body(fourth) }
        for constraint in others { body(constraint) }
    }

    @inline(__always)
    mutating func append(_ constraint: LayoutConstraint) {
        if first == nil {
            first = constraint
        } else if second == nil {
            second = constraint
        } else if third == nil {
            third = constraint
        } else if fourth == nil {
            fourth = constraint
        } else {
            // What holds views has several constraints for each.
            if others.isEmpty { others.reserveCapacity(8) }
            others.append(constraint)
        }
    }

    /// Removes a constraint, which is there once at most.
    ///
    /// - Returns: Whether it was there.
    mutating func remove(_ constraint: LayoutConstraint) -> Bool {
        if let index = others.lastIndex(where: { $0 === constraint }) {
            others.remove(at: index)
            return true
        }
        if fourth === constraint {
            fourth = nil
        } else if third === constraint {
            (third, fourth) = (fourth, nil)
        } else if second === constraint {
            (second, third, fourth) = (third, fourth, nil)
        } else if first === constraint {
            (first, second, third, fourth) = (second, third, fourth, nil)
        } else {
            return false
        }
        if !others.isEmpty { fourth = others.removeFirst() }
        return true
    }

    /// Removes those that are not active.
    mutating func removeInactive() {
        let kept = all.filter { $0.isActive }
        self = AttachedConstraints()
        for constraint in kept { append(constraint) }
    }
}
