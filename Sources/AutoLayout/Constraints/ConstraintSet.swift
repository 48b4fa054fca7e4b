public import ConstraintLanguage

/// A named group of constraints that is active as a whole, by hand or while a condition holds.
///
/// Conditions read the engine's sizes in the update-constraints pass. A set may change twice in one
/// cycle; if its condition still disagrees with what it brought about, it stays inactive and is
/// reported.
public final class ConstraintSet {
    /// The set's name.
    public let identifier: String
    /// The members, in order. Change them through `append` and `remove`.
    public private(set) var constraints: [LayoutConstraint] = []
    /// When the set is active by itself; `nil` leaves it to `activate` and `deactivate`.
    public var condition: Condition?
    /// Whether the members are asked to take part.
    public private(set) var isActive = false
    /// What was asked for by hand, which stands until `followCondition()`.
    public private(set) var override: Bool?
    /// Finds the item that a condition names.
    var resolve: (ItemReference) -> LayoutItem?
    /// How often the condition changed the set in the current cycle.
    var flipCount = 0
    /// The members that are left out for a while.
    private var left: Set<ObjectIdentifier> = []

    /// Makes an inactive set. `resolve` finds the items that the condition names.
    public init(
        identifier: String, condition: Condition? = nil,
        resolve: @escaping (ItemReference) -> LayoutItem? = { _ in nil }
    ) {
        self.identifier = identifier
        self.condition = condition
        self.resolve = resolve
    }

    /// Adds a member, which is not active unless the set is.
    ///
    /// - Parameters:
    ///   - constraint: The member.
    ///   - enabled: Whether it is active together with the set; a member can be left out for a
    ///     while.
    /// - Throws: `LayoutError.unsatisfiable` when the set is active and the member contradicts
    ///   others.
    public func append(
        _ constraint: LayoutConstraint, enabled: Bool = true
    ) throws(LayoutError) {
        if isActive, enabled { try constraint.activate() }
        constraints.append(constraint)
        if !enabled { left.insert(ObjectIdentifier(constraint)) }
    }

    /// Leaves a member out of the set's activation, or takes it in again; it changes at once when
    /// the set is active.
    ///
    /// - Throws: `LayoutError.unsatisfiable` when the member contradicts others; nothing is changed
    ///   then.
    public func setEnabled(
        _ enabled: Bool, _ constraint: LayoutConstraint
    ) throws(LayoutError) {
        if enabled {
            if isActive { try constraint.activate() }
            left.remove(ObjectIdentifier(constraint))
        } else {
            constraint.deactivate()
            left.insert(ObjectIdentifier(constraint))
        }
    }

    private var enabledConstraints: [LayoutConstraint] {
        constraints.filter { !left.contains(ObjectIdentifier($0)) }
    }

    /// Removes a member and takes it out of force.
    public func remove(_ constraint: LayoutConstraint) {
        constraint.deactivate()
        left.remove(ObjectIdentifier(constraint))
        constraints.removeAll { $0 === constraint }
    }

    /// Activates all members, whatever the condition says, until `followCondition()`.
    ///
    /// - Throws: `LayoutError.unsatisfiable`; none of the members is active then.
    public func activate() throws(LayoutError) {
        if !isActive {
            try LayoutConstraint.activate(enabledConstraints)
            isActive = true
        }
        override = true
    }

    /// The same whatever the members contradict; the newest of a conflict gives way.
    public func activateBreaking() {
        override = true
        turnOnBreaking()
    }

    private func turnOnBreaking() {
        guard !isActive else { return }
        isActive = true
        for constraint in enabledConstraints where !constraint.isActive {
            constraint.activateBreaking()
        }
    }

    /// Deactivates all members, whatever the condition says, until `followCondition()`.
    public func deactivate() {
        override = false
        deactivateMembers()
    }

    /// Lets the condition decide again from the next update-constraints pass on.
    public func followCondition() {
        override = nil
        if condition == nil { deactivateMembers() }
    }

    func deactivateMembers() {
        guard isActive else { return }
        isActive = false
        LayoutConstraint.deactivate(constraints)
    }

    /// Brings the set in line with its condition; returns whether it changed.
    func follow(_ engine: LayoutEngine) -> Bool {
        guard override == nil, let condition else { return false }
        let wanted = condition.clauses.allSatisfy { clause in
            guard let item = resolve(clause.item) else { return false }
            return clause.test.holds(for: item, engine)
        }
        guard wanted != isActive else { return false }
        guard flipCount < 2 else {
            if flipCount == 2 {
                flipCount += 1
                engine.report(.setOscillates(identifier))
            }
            guard isActive else { return false }
            deactivateMembers()
            return true
        }
        flipCount += 1
        if wanted { turnOnBreaking() } else { deactivateMembers() }
        return true
    }
}
