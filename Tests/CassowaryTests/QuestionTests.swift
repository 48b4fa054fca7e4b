import SeededRandom
import Testing

@testable import Cassowary

/// A room that somebody inspects has to go on as its replay does, which nobody inspects.
@Suite("Questions to the solver")
struct QuestionTests {
    /// What decides how a solver goes on, after each of many changes to weak constraints of few values, of which most
    /// solutions are as good as others.
    private static func run(seed: UInt64, isAsked: Bool) throws -> [[Double]] {
        var random = SplitMix64(seed: seed)
        var solver = Solver()
        let variables = (0..<28).map {
            $0 % 2 == 0 ? solver.makeVariable() : solver.makeVariable(isNonNegative: true)
        }
        var constraints: [ConstraintID] = []
        var states: [[Double]] = []
        for _ in 0..<300 {
            if constraints.count > 40 {
                try solver.removeConstraint(constraints.remove(at: random.below(constraints.count)))
            }
            let (first, second) = (random.pick(variables), random.pick(variables))
            guard first != second else { continue }
            let expression = Expression(
                terms: [Term(first, 1), Term(second, -0.5)], constant: -Double(random.below(99)))
            let relation = random.pick([Relation.equal, .lessThanOrEqual, .greaterThanOrEqual])
            constraints.append(
                try solver.addConstraint(
                    expression, relation, strength: Strength(Double(1 + random.below(9)))))
            _ = solver.solve()
            if isAsked {
                for variable in variables {
                    _ = solver.constraintsAffecting(variable)
                    _ = solver.isUnique(variable)
                }
            }
            states.append(variables.map { solver.value(of: $0) } + [Double(solver.basis.wear)])
        }
        return states
    }

    @Test("leave no trace in what later changes come to", arguments: 1...20 as ClosedRange<UInt64>)
    func noTrace(seed: UInt64) throws {
        let asked = try Self.run(seed: seed, isAsked: true)
        let unasked = try Self.run(seed: seed, isAsked: false)
        #expect(asked.count > 200)
        for (index, (left, right)) in zip(asked, unasked).enumerated() where left != right {
            Issue.record("after change \(index)")
            break
        }
    }
}
