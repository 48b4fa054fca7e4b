import Testing

@testable import Cassowary

/// The objective keeps no rates of what may not move; they are found where a required equation is
/// asked about or given up.
@Suite("Required equations and what weaker constraints would do")
struct RequiredEquationTests {
    /// A value that a required equation holds, and that others would rather have elsewhere.
    private struct Held: ~Copyable {
        var solver = Solver()
        let value: Variable
        let equation: ConstraintID

        /// - Parameter wishes: Where each weaker constraint would have the value, and how much that
        ///   matters.
        init(at constant: Double, wishes: [(Double, Double)]) throws {
            value = solver.makeVariable()
            for (wish, strength) in wishes {
                _ = try solver.addConstraint(
                    Expression(terms: [Term(value, 1)], constant: -wish), .equal,
                    strength: Strength(strength))
            }
            equation = try solver.addConstraint(
                Expression(terms: [Term(value, 1)], constant: -constant), .equal)
            _ = solver.solve()
        }

        var isPressedFromBelow: Bool { mutating get { solver.isPressedFromBelow(equation) } }

        var rateCount: Int32 {
            solver.objective.matrix.count(ofColumn: Symbol(equation).index)
        }
    }

    @Test(
        "an equation is pressed to where the strongest wish would take it",
        arguments: [
            ([(100, 500)], true), ([(20, 500)], false), ([(100, 500), (20, 700)], false),
            ([(100, 500), (20, 300)], true), ([(100, 500), (20, 500), (90, 500)], true),
            ([], false),
        ] as [([(Double, Double)], Bool)])
    func pressed(wishes: [(Double, Double)], isFromBelow: Bool) throws {
        var held = try Held(at: 50, wishes: wishes)
        #expect(held.isPressedFromBelow == isFromBelow)
        // The answer leaves nothing behind.
        #expect(held.rateCount == 0)
        #expect(held.isPressedFromBelow == isFromBelow)
        #expect(held.solver.invariantFailure() == nil)
    }

    @Test("what becomes weaker than a wish gives way to it, and holds again once it is required")
    func relaxed() throws {
        var held = try Held(at: 50, wishes: [(100, 500), (20, 300)])
        try held.solver.setStrength(Strength(400), of: held.equation)
        _ = held.solver.solve()
        #expect(held.solver.value(of: held.value) == 100)
        try held.solver.setStrength(Strength(600), of: held.equation)
        _ = held.solver.solve()
        #expect(held.solver.value(of: held.value) == 50)
        #expect(held.rateCount > 0)
        try held.solver.setStrength(.required, of: held.equation)
        #expect(held.rateCount == 0)
        try held.solver.setActive(false, of: held.equation)
        _ = held.solver.solve()
        #expect(held.solver.value(of: held.value) == 100)
        #expect(held.solver.invariantFailure() == nil)
    }

    @Test("a refusal after a step takes the step back, with what the objective said")
    func refused() throws {
        var solver = Solver()
        let (first, second) = (
            solver.makeVariable(isNonNegative: true), solver.makeVariable(isNonNegative: true)
        )
        let wish = try solver.addConstraint(
            Expression(terms: [Term(first, 1)], constant: -10), .equal, strength: Strength(500))
        _ = try solver.addConstraint(
            Expression(terms: [Term(first, 1), Term(second, -1)]), .equal, strength: Strength(300))
        // What is paid for this one is in the rates of what the steps exchange.
        _ = try solver.addConstraint(
            Expression(terms: [Term(second, 1)]), .equal, strength: Strength(100))
        _ = solver.solve()
        // The second is brought down, then the first, before it turns out that neither may be below
        // zero.
        #expect(throws: SolverError.unsatisfiable(conflict: [])) {
            _ = try solver.addConstraint(
                Expression(terms: [Term(first, 1), Term(second, 1)], constant: 5), .equal)
        }
        _ = solver.solve()
        #expect([solver.value(of: first), solver.value(of: second)] == [10, 10])
        #expect(solver.invariantFailure() == nil)
        try solver.setConstant(-30, of: wish)
        _ = solver.solve()
        #expect([solver.value(of: first), solver.value(of: second)] == [30, 30])
    }
}
