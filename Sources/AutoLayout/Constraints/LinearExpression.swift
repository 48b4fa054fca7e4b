import Cassowary

/// A linear expression under construction: items add what they consist of, so that each takes a single array.
struct LinearExpression {
    private(set) var terms: [Term] = []
    var constant: Double = 0

    /// Makes an empty expression with room for a location in terms of another, the common case.
    init() { terms.reserveCapacity(4) }

    mutating func add(_ variable: Variable, times factor: Double) {
        terms.append(Term(variable, factor))
    }

    var expression: Expression { Expression(terms: terms, constant: constant) }
}
