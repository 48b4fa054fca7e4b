import Cassowary

/// A linear expression under construction: items add what they consist of, so that all take a single array.
struct LinearExpression {
    var expression: Expression
    var constant: Double {
        get { expression.constant }
        set { expression.constant = newValue }
    }

    /// Makes an empty expression.
    ///
    /// - Parameter memory: An empty array, whose memory it uses.
    init(in memory: consuming [Term]) {
        // For a location in terms of another, the common case.
        memory.reserveCapacity(4)
        expression = Expression(terms: memory)
    }

    mutating func add(_ variable: Variable, times factor: Double) {
        expression.terms.append(Term(variable, factor))
    }
}
