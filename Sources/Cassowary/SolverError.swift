/// Why a solver refused a call. A refused call changes nothing.
public enum SolverError: Error, Equatable, Sendable {
    /// The offered required constraint, constant, strength or activation contradicts required
    /// constraints.
    ///
    /// `conflict` is sorted and irreducible: with the offered constraint its members cannot all
    /// hold, and without any one of them the rest can. It is empty when the offered constraint
    /// cannot hold at all, alone or against the bound of a non-negative variable, and never names
    /// the offered constraint itself.
    case unsatisfiable(conflict: [ConstraintID])
    /// A coefficient or constant is infinite or not a number.
    case notFinite
    /// A coefficient or constant is above 1e9 in magnitude, or a coefficient is below 1e-9 but not
    /// zero.
    case outOfRange(Double)
    /// The variable was never made, or has been released.
    case unknownVariable(Variable)
    /// The constraint was never added, or has been removed.
    case unknownConstraint(ConstraintID)
    /// The variable cannot be released while a constraint, active or not, mentions it.
    case variableInUse(Variable)
    /// More different strengths would be in force than 524,000, which is what a symbol has room to
    /// tell apart.
    case tooManyStrengths
    /// The change cost more than `Solver.workLimit` allows and was cut short, or one before it was.
    /// The solver is to be given up.
    case exhausted
}

extension SolverError: CustomStringConvertible {
    /// A sentence without its full stop.
    public var description: String {
        switch self {
        case .unsatisfiable: "required constraints contradict one another"
        case .notFinite: "a number is not finite"
        case .outOfRange(let number):
            "\(number) is out of range: numbers are at most 1e9, coefficients at least 1e-9"
        case .unknownVariable: "a variable was never made, or has been released"
        case .unknownConstraint: "a constraint was never added, or has been removed"
        case .variableInUse: "a variable is released while a constraint mentions it"
        case .tooManyStrengths: "more different strengths are in force than can be told apart"
        case .exhausted: "solving takes more work than is allowed"
        }
    }
}
