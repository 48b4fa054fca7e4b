import Testing

@testable import Cassowary

/// Edits of one constant again and again, along a column that the solver has at hand.
@Suite("One constant changed again and again")
final class RepeatedEditTests {
    var solver = Solver()
    let left: Variable
    let right: Variable
    let edited: ConstraintID

    /// `left = 30`, `left + right = 100`, neither below zero.
    init() throws {
        left = solver.makeVariable(isNonNegative: true)
        right = solver.makeVariable(isNonNegative: true)
        edited = try solver.addConstraint(
            Expression(terms: [Term(left, 1)], constant: -30), .equal)
        _ = try solver.addConstraint(
            Expression(terms: [Term(left, 1), Term(right, 1)], constant: -100), .equal)
        _ = solver.solve()
    }

    /// What `left` and `right` are after `left` was to be a number.
    func edit(_ value: Double) throws -> [Double] {
        try solver.setConstant(-value, of: edited)
        let changed = solver.solve()
        #expect(changed == [left, right])
        return [solver.value(of: left), solver.value(of: right)]
    }

    @Test("a bound that the edits before did not reach is reached, and all is as before it")
    func bound() throws {
        for value in [40.0, 55, 60] { #expect(try edit(value) == [value, 100 - value]) }
        let before = solver.work
        #expect(throws: SolverError.self) { try solver.setConstant(-120, of: edited) }
        #expect(solver.work > before)
        #expect(solver.solve() == [])
        #expect(solver.value(of: left) == 60 && solver.value(of: right) == 40)
        #expect(try edit(100) == [100, 0])
        #expect(try edit(80) == [80, 20])
    }

    @Test("a bound that came in after the first edits counts, and no longer when it has gone")
    func laterBound() throws {
        #expect(try edit(40) == [40, 60])
        let least = try solver.addConstraint(
            Expression(terms: [Term(right, 1)], constant: -35), .greaterThanOrEqual)
        _ = solver.solve()
        #expect(try edit(65) == [65, 35])
        #expect(throws: SolverError.self) { try solver.setConstant(-66, of: edited) }
        #expect(solver.solve() == [])
        #expect(try edit(50) == [50, 50])
        try solver.setStrength(Strength(10), of: least)
        _ = solver.solve()
        #expect(try edit(90) == [90, 10])
        #expect(solver.violation(of: least) == 25)
        try solver.removeConstraint(least)
        _ = solver.solve()
        #expect(try edit(95) == [95, 5])
    }

    @Test("a wish that an edit crosses gives way by as much as it has to, there and back")
    func wish() throws {
        let wish = try solver.addConstraint(
            Expression(terms: [Term(right, 1)], constant: -50), .greaterThanOrEqual,
            strength: Strength(10))
        // Free but for this: it follows the wish where that holds, and stays behind where it does
        // not.
        let other = solver.makeVariable()
        _ = try solver.addConstraint(
            Expression(terms: [Term(other, 1), Term(right, -1)]), .equal, strength: Strength(5))
        _ = solver.solve()
        for (value, violation) in [(40.0, 0.0), (70, 20), (45, 0), (60, 10), (20, 0)] {
            try solver.setConstant(-value, of: edited)
            #expect(solver.solve() == [left, right, other])
            #expect(solver.value(of: other) == 100 - value)
            #expect(solver.violation(of: wish) == violation)
        }
    }
}
