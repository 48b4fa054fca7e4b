/// How a constraint's expression relates to zero.
public enum Relation: Sendable, BitwiseCopyable {
    /// The expression is zero.
    case equal
    /// The expression is at most zero.
    case lessThanOrEqual
    /// The expression is at least zero.
    case greaterThanOrEqual
}

/// A variable times a coefficient.
public struct Term: Sendable, BitwiseCopyable {
    /// The unknown.
    public var variable: Variable
    /// Its factor; zero, or a magnitude from 1e-9 to 1e9 where a constraint takes it in.
    public var coefficient: Double

    /// Makes the term `coefficient * variable`.
    public init(_ variable: Variable, _ coefficient: Double) {
        self.variable = variable
        self.coefficient = coefficient
    }
}

/// A linear expression: a sum of terms and a constant.
///
/// A variable may occur several times; a constraint sums its coefficients.
public struct Expression: Sendable {
    /// The terms, in any order.
    public var terms: [Term]
    /// The part without a variable.
    public var constant: Double

    /// Makes the sum of `terms` and `constant`.
    public init(terms: [Term] = [], constant: Double = 0) {
        self.terms = terms
        self.constant = constant
    }
}
