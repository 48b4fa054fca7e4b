import Cassowary

/// A linear expression under construction: items add what they consist of, so that all take one
/// piece of memory, which serves one expression after the other.
struct LinearExpression: ~Copyable {
    private(set) var terms = Buffer<Term>()
    var constant = 0.0

    mutating func add(_ variable: Variable, times factor: Double) {
        terms.append(Term(variable, factor))
    }

    /// Makes it zero again.
    mutating func removeAll() {
        terms.removeAll()
        constant = 0
    }
}
