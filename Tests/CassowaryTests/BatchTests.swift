import Testing

@testable import Cassowary

@Suite("Several changes in one call, and who gives way")
struct BatchTests {
    private func equal(_ variable: Variable, _ value: Double) -> Expression {
        Expression(terms: [Term(variable, 1)], constant: -value)
    }

    @Test("constants that hold only together are taken together")
    func together() throws {
        var solver = Solver()
        let left = solver.makeVariable()
        let right = solver.makeVariable()
        let low = try solver.addConstraint(equal(left, 0), .equal)
        let high = try solver.addConstraint(equal(right, 10), .equal)
        // right - left == 10, required: neither edge can move alone.
        let width = Expression(terms: [Term(right, 1), Term(left, -1)], constant: -10)
        let size = try solver.addConstraint(width, .equal)
        _ = solver.solve()
        #expect(throws: SolverError.unsatisfiable(conflict: [high, size])) {
            try solver.setConstant(-5, of: low)
        }
        try solver.setConstants([(low, -5), (high, -15)])
        #expect(solver.solve() == [left, right])
        #expect(solver.value(of: left) == 5)
        #expect(solver.value(of: right) == 15)
    }

    @Test("a batch that cannot hold names all that contradict and changes nothing")
    func refused() throws {
        var solver = Solver()
        let x = solver.makeVariable()
        let y = solver.makeVariable()
        let first = try solver.addConstraint(equal(x, 1), .equal)
        let sum = Expression(terms: [Term(x, 1), Term(y, 1)], constant: -10)
        let total = try solver.addConstraint(sum, .equal)
        let second = try solver.addConstraint(equal(y, 9), .equal)
        _ = solver.solve()
        #expect(throws: SolverError.unsatisfiable(conflict: [first, total, second])) {
            try solver.setConstants([(first, -2), (second, -3)])
        }
        #expect(solver.solve() == [])
        #expect(solver.value(of: x) == 1 && solver.value(of: y) == 9)
        try solver.setConstants([(first, -2), (second, -8)])
        #expect(solver.solve() == [x, y])
    }

    @Test("of several changes of one constraint the last counts, and a bad one refuses all")
    func lastCounts() throws {
        var solver = Solver()
        let x = solver.makeVariable()
        let id = try solver.addConstraint(equal(x, 1), .equal)
        try solver.setConstants([(id, -2), (id, -3)])
        _ = solver.solve()
        #expect(solver.value(of: x) == 3)
        #expect(throws: SolverError.notFinite) {
            try solver.setConstants([(id, -4), (id, .nan)])
        }
        #expect(solver.solve() == [])
    }
}
