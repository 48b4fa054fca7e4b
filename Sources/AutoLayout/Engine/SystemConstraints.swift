/// The engine's own constraints of one item, by role. Most items have none, or those of their
/// content, which have their place here; others are in a list.
struct SystemConstraints {
    private var others: [SystemConstraint] = []
    /// The solver's numbers of the content's constraints; below zero for none.
    private var contentWidth: Int32 = -1
    private var contentHeight: Int32 = -1

    var isEmpty: Bool { contentWidth < 0 && contentHeight < 0 && others.isEmpty }

    /// All of them: the content's after the others, which are in the order in which they came.
    var all: [SystemConstraint] {
        others + [self[.contentWidth], self[.contentHeight]].compactMap { $0 }
    }

    subscript(role: SystemRole) -> SystemConstraint? {
        switch role {
        case .contentWidth: contentWidth < 0 ? nil : SystemConstraint(role, row: contentWidth)
        case .contentHeight: contentHeight < 0 ? nil : SystemConstraint(role, row: contentHeight)
        default: others.isEmpty ? nil : others.first { $0.role == role }
        }
    }

    /// Puts a constraint in the place of the one of its role.
    mutating func put(_ constraint: SystemConstraint) {
        switch constraint.role {
        case .contentWidth: contentWidth = constraint.row
        case .contentHeight: contentHeight = constraint.row
        default: putAmongOthers(constraint)
        }
    }

    private mutating func putAmongOthers(_ constraint: SystemConstraint) {
        if let index = others.firstIndex(where: { $0.role == constraint.role }) {
            others[index] = constraint
        } else {
            // Frames come in fours.
            if others.isEmpty { others.reserveCapacity(4) }
            others.append(constraint)
        }
    }

    /// - Returns: The constraint that was there.
    mutating func remove(_ role: SystemRole) -> SystemConstraint? {
        guard let found = self[role] else { return nil }
        switch role {
        case .contentWidth: contentWidth = -1
        case .contentHeight: contentHeight = -1
        default: others.removeAll { $0.role == role }
        }
        return found
    }
}
