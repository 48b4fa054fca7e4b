import SeededRandom
import Testing

@testable import Cassowary

/// A room that somebody inspects has to go on as its replay does, which nobody inspects.
@Suite("Questions to the solver")
struct QuestionTests {
    /// What decides how a solver goes on, after each of many changes to mostly weak constraints of
    /// few values, of which most solutions are as good as others.
    ///
    /// - Parameter isCopied: Whether copies go on in the solver's place, as after a refused change:
    ///   they have no column at hand.
    private static func run(
        seed: UInt64, isAsked: Bool = false, isCopied: Bool = false
    ) throws -> [[Double]] {
        var random = SplitMix64(seed: seed)
        var solver = Solver()
        let variables = (0..<28).map {
            $0 % 2 == 0 ? solver.makeVariable() : solver.makeVariable(isNonNegative: true)
        }
        var constraints: [ConstraintID] = []
        var states: [[Double]] = []
        for _ in 0..<300 {
            if isCopied { solver = Solver(copying: solver) }
            if constraints.count > 40 {
                try solver.removeConstraint(constraints.remove(at: random.below(constraints.count)))
            }
            let (first, second) = (random.pick(variables), random.pick(variables))
            guard first != second else { continue }
            let expression = Expression(
                terms: [Term(first, 1), Term(second, -0.5)], constant: -Double(random.below(99)))
            let relation = random.pick([Relation.equal, .lessThanOrEqual, .greaterThanOrEqual])
            let strength = Strength(Double(1 + random.below(9)))
            // Some must hold, of which one that contradicts others is refused.
            let isRequired = random.below(4) == 0
            guard
                let added = try? solver.addConstraint(
                    expression, relation, strength: isRequired ? .required : strength)
            else { continue }
            constraints.append(added)
            // One is changed several times, as in a drag.
            let dragged = random.pick(constraints)
            for _ in 0..<3 {
                _ = solver.solve()
                if isAsked {
                    for variable in variables {
                        _ = solver.constraintsAffecting(variable)
                        _ = solver.isUnique(variable)
                    }
                    for constraint in constraints { _ = solver.isPressedFromBelow(constraint) }
                }
                if isCopied { solver = Solver(copying: solver) }
                states.append(variables.map { solver.value(of: $0) } + [Double(solver.basis.wear)])
                // Twice in one cycle.
                for _ in 0..<2 {
                    let before = solver.work
                    try? solver.setConstant(-Double(random.below(99)), of: dragged)
                    states.append([Double(solver.work &- before), Double(solver.basis.wear)])
                    if isCopied { solver = Solver(copying: solver) }
                }
            }
            _ = solver.solve()
        }
        return states
    }

    @Test("leave no trace in what later changes come to", arguments: 1...20 as ClosedRange<UInt64>)
    func noTrace(seed: UInt64) throws {
        try compare(Self.run(seed: seed, isAsked: true), Self.run(seed: seed))
    }

    @Test(
        "what a solver has at hand changes neither what follows nor its price",
        arguments: 1...20 as ClosedRange<UInt64>)
    func atHand(seed: UInt64) throws {
        try compare(Self.run(seed: seed, isCopied: true), Self.run(seed: seed))
    }

    private func compare(_ left: [[Double]], _ right: [[Double]]) {
        #expect(left.count > 1000 && left.count == right.count)
        if let index = zip(left, right).enumerated().first(where: { $1.0 != $1.1 })?.offset {
            Issue.record("after change \(index)")
        }
    }
}
