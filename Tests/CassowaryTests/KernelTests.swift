import Testing

@testable import Cassowary

/// Solving for what follows from a change by several ways, some of them longer than others.
/// Expected values are by hand; debug builds check after each call that rows, values and rates
/// agree.
@Suite("What follows by several ways")
struct KernelTests {
    private struct Chain: ~Copyable {
        var solver = Solver()

        /// Adds `result == the sum of others`.
        mutating func sum(_ others: [Variable]) throws -> Variable {
            let result = solver.makeVariable()
            _ = try solver.addConstraint(
                Expression(terms: [Term(result, 1)] + others.map { Term($0, -1) }), .equal)
            return result
        }
    }

    @Test(
        "a sum of the shortest and the longest way comes after both, whichever was added first",
        arguments: [false, true])
    func shortAndLong(isShortLast: Bool) throws {
        var chain = Chain()
        let start = chain.solver.makeVariable()
        let held = try chain.solver.addConstraint(
            Expression(terms: [Term(start, 1)], constant: -1), .equal)
        // The sum's own equation comes first or last; the one of a variable that came last is
        // looked at first.
        let total = chain.solver.makeVariable()
        let end = chain.solver.makeVariable()
        let ways: [Term] = [Term(total, 1), Term(start, -1), Term(end, -1)]
        if !isShortLast { _ = try chain.solver.addConstraint(Expression(terms: ways), .equal) }
        let second = try chain.sum([start])
        let third = try chain.sum([second])
        _ = try chain.solver.addConstraint(
            Expression(terms: [Term(end, 1), Term(third, -1)]), .equal)
        if isShortLast { _ = try chain.solver.addConstraint(Expression(terms: ways), .equal) }
        let twice = try chain.sum([total, start])
        _ = chain.solver.solve()
        for value in [1.0, 5, -3, 1024] {
            try chain.solver.setConstant(-value, of: held)
            _ = chain.solver.solve()
            let values = [second, third, end, total, twice].map { chain.solver.value(of: $0) }
            #expect(values == [value, value, value, 2 * value, 3 * value])
            let failure = chain.solver.invariantFailure()
            #expect(failure == nil)
        }
    }

    @Test("of two ways that cancel nothing follows")
    func cancelling() throws {
        var chain = Chain()
        let start = chain.solver.makeVariable()
        let held = try chain.solver.addConstraint(
            Expression(terms: [Term(start, 1)], constant: -1), .equal)
        let second = try chain.sum([start])
        let third = try chain.sum([second])
        let difference = chain.solver.makeVariable()
        _ = try chain.solver.addConstraint(
            Expression(terms: [Term(difference, 1), Term(start, -1), Term(third, 1)]), .equal)
        let last = try chain.sum([difference])
        _ = chain.solver.solve()
        try chain.solver.setConstant(-8, of: held)
        let changed = chain.solver.solve()
        #expect(changed.sorted() == [start, second, third])
        #expect([difference, last].map { chain.solver.value(of: $0) } == [0, 0])
    }

    @Test("coefficients are kept for what is reduced, until the basis is made anew")
    func reduced() throws {
        var chain = Chain()
        var previous = chain.solver.makeVariable()
        _ = try chain.solver.addConstraint(Expression(terms: [Term(previous, 1)]), .equal)
        for _ in 0..<50 { previous = try chain.sum([previous]) }
        _ = chain.solver.solve()
        var isReduced = chain.solver.basis.hasReduced
        #expect(!isReduced && chain.solver.basis.kernelCount == 51)
        // Three variables in three constraints that each mention all of them: no order of theirs is
        // a triangle.
        let knot = (0..<3).map { _ in chain.solver.makeVariable() }
        let held = try (0..<3).map { row in
            try chain.solver.addConstraint(
                Expression(
                    terms: knot.enumerated().map { Term($1, $0 == row ? 2 : 1) }, constant: -8),
                .equal)
        }
        _ = chain.solver.solve()
        for variable in knot {
            let value = chain.solver.value(of: variable)
            #expect(abs(value - 2) < 1e-12)
        }
        isReduced = chain.solver.basis.hasReduced
        let cells = chain.solver.basis.reduced.cellCount
        #expect(isReduced && cells > 0)
        for id in held { try chain.solver.removeConstraint(id) }
        _ = chain.solver.solve()
        let isGood = chain.solver.refactor()
        isReduced = chain.solver.basis.hasReduced
        let left = chain.solver.basis.reduced.cellCount
        let failure = chain.solver.invariantFailure()
        #expect(isGood && !isReduced && left == 0 && failure == nil)
        #expect(chain.solver.basis.kernelCount == 51)
    }
}
