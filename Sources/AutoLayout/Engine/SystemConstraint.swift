import Cassowary

/// What a constraint of the engine's own is there for; one of each kind at most for an item.
enum SystemRole: UInt8 {
    case frameX, frameY, frameWidth, frameHeight
    case contentWidth, contentHeight
    case hugWidth, hugHeight, compressWidth, compressHeight
    case collapseWidth, collapseHeight
    case flowX, flowY

    /// Whether a content's length gives way to either side, at a strength of its own.
    var isContent: Bool { self == .contentWidth || self == .contentHeight }
}

/// What a constraint of the engine's own compares with zero: `variable + share × reference +
/// constant`.
struct SystemExpression: Equatable {
    var variable: Variable
    /// The superview's length, of which a flexible frame follows a share.
    var reference: Variable?
    var share = 0.0
    var constant: Double

    /// The distance of a variable from a value.
    init(_ variable: Variable, minus value: Double) {
        self.variable = variable
        constant = -value
    }

    /// Adds the expression to an empty one.
    func write(to expression: inout LinearExpression) {
        expression.add(variable, times: 1)
        if let reference { expression.add(reference, times: share) }
        expression.constant = constant
    }
}

/// What a constraint of the engine's own says.
struct SystemStatement {
    var expression: SystemExpression
    var relation: Relation
    var strength: Strength
    /// How strongly it holds against a greater value, where that is another strength.
    var strengthAbove: Strength?
}

/// A constraint that the engine keeps for an item: its content's size, a frame set by hand, a
/// collapse. What it says is with the solver alone.
struct SystemConstraint {
    let role: SystemRole
    /// The solver's number of it; below zero where it could not be put in force.
    let row: Int32

    /// The solver's number of it; `nil` where it could not be put in force.
    var id: ConstraintID? { row < 0 ? nil : ConstraintID(index: row) }

    init(_ role: SystemRole, _ id: ConstraintID?) { self.init(role, row: id?.index ?? -1) }

    init(_ role: SystemRole, row: Int32) {
        self.role = role
        self.row = row
    }
}
