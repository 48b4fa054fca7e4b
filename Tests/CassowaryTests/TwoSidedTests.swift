import SceneTestSupport
import SeededRandom
import Testing

@testable import Cassowary

/// Constraints that give way to either side at a strength of its own.
@Suite("Constraints of two strengths")
struct TwoSidedTests {
    /// Widths of two views that fill a row, each with a content 100 wide.
    private struct Row: ~Copyable {
        var solver = Solver()
        let first: Variable
        let second: Variable
        private(set) var contents = (ConstraintID(index: 0), ConstraintID(index: 0))
        private(set) var whole = ConstraintID(index: 0)

        init() {
            first = solver.makeVariable(isNonNegative: true)
            second = solver.makeVariable(isNonNegative: true)
        }

        /// Enters the constraints.
        mutating func fill(
            width: Double, hugging: (Double, Double), compression: (Double, Double)
        ) throws {
            func content(_ variable: Variable) -> Expression {
                Expression(terms: [Term(variable, 1)], constant: -100)
            }
            contents = (
                try solver.addConstraint(
                    content(first), below: Strength(compression.0), above: Strength(hugging.0)),
                try solver.addConstraint(
                    content(second), below: Strength(compression.1), above: Strength(hugging.1))
            )
            whole = try solver.addConstraint(
                Expression(terms: [Term(first, 1), Term(second, 1)], constant: -width), .equal)
            _ = solver.solve()
        }

        var widths: [Double] { [solver.value(of: first), solver.value(of: second)] }

        var invariantFailure: String? { mutating get { solver.invariantFailure() } }

        var pressed: [Bool] {
            mutating get {
                [
                    solver.isPressedFromBelow(contents.0), solver.isPressedFromBelow(contents.1),
                ]
            }
        }

        mutating func resize(to width: Double) throws {
            try solver.setConstant(-width, of: whole)
            _ = solver.solve()
        }
    }

    @Test("the side that matters less gives way, above and below")
    func sides() throws {
        var row = Row()
        try row.fill(width: 300, hugging: (250, 251), compression: (750, 749))
        #expect(row.widths == [200, 100])
        try row.resize(to: 150)
        #expect(row.widths == [100, 50])
        try row.resize(to: 200)
        #expect(row.widths == [100, 100])
        try row.resize(to: 240)
        #expect(row.widths == [140, 100])
        #expect(row.solver.counts.constraints == 3)
        #expect(row.invariantFailure == nil)
    }

    @Test(
        "strengths change, also so that a side matters more than the other one of another constraint"
    )
    func changes() throws {
        var row = Row()
        try row.fill(width: 300, hugging: (250, 251), compression: (750, 750))
        try row.solver.setStrengths(
            below: Strength(750), above: Strength(252), of: row.contents.0)
        _ = row.solver.solve()
        #expect(row.widths == [100, 200])
        // Now the first holds on to its size from above more than the second does from below.
        try row.solver.setStrengths(
            below: Strength(100), above: Strength(900), of: row.contents.0)
        try row.solver.setStrengths(
            below: Strength(200), above: Strength(901), of: row.contents.1)
        try row.resize(to: 150)
        #expect(row.widths == [50, 100])
        try row.resize(to: 300)
        #expect(row.widths == [200, 100])
        try row.solver.setStrength(Strength(950), of: row.contents.0)
        _ = row.solver.solve()
        #expect(row.widths == [100, 200])
        try row.solver.setStrength(.required, of: row.contents.0)
        try row.solver.setStrengths(below: Strength(1), above: Strength(2), of: row.contents.0)
        _ = row.solver.solve()
        #expect(row.widths == [200, 100])
        #expect(row.invariantFailure == nil)
    }

    @Test("it is known which side holds")
    func pressed() throws {
        var row = Row()
        try row.fill(width: 300, hugging: (250, 251), compression: (750, 749))
        // The second hugs its content, which the first gave up.
        #expect(row.pressed == [true, true])
        try row.resize(to: 150)
        #expect(row.pressed == [false, false])
        let isUnknownPressed = row.solver.isPressedFromBelow(ConstraintID(index: 99))
        #expect(!isUnknownPressed)
    }

    @Test(
        "refusals, optima and uniqueness agree with the oracle, whatever came before",
        arguments: 0..<8)
    func agreement(block: Int) throws {
        for seed in UInt64(block) * 500..<UInt64(block + 1) * 500 { try check(seed: seed) }
    }

    /// A constraint in the solver, and what the oracle has for it: one constraint, or one for each
    /// side.
    private struct Held {
        let id: ConstraintID
        var plain: [PlainConstraint]
        var isActive = true
    }

    private func check(seed: UInt64) throws {
        var system = RandomSystem(seed: seed ^ 0x2500_0750)
        let bounds = system.isNonNegative
        var solver = Solver()
        let variables = bounds.map { solver.makeVariable(isNonNegative: $0) }
        var held: [Held] = []
        func softStrength() -> Strength {
            Strength(system.generator.pick([1, 250, 250, 750, 999.5]))
        }
        for step in 0..<24 {
            let choice = held.isEmpty ? 0 : system.generator.below(8)
            let index = held.isEmpty ? 0 : system.generator.below(held.count)
            let isPair = !held.isEmpty && held[index].plain.count == 2
            switch choice {
            case 0...2:
                var plain = system.constraint()
                let (below, above) = (softStrength(), softStrength())
                let id = try solver.addConstraint(
                    plain.expression(variables), below: below, above: above)
                (plain.relation, plain.strength) = (.greaterThanOrEqual, below)
                var other = plain
                (other.relation, other.strength) = (.lessThanOrEqual, above)
                held.append(Held(id: id, plain: [plain, other]))
            case 3:
                let plain = system.constraint()
                let id = try? solver.addConstraint(
                    plain.expression(variables), plain.relation, strength: plain.strength)
                if let id { held.append(Held(id: id, plain: [plain])) }
            case 4:
                let constant = system.constant()
                guard (try? solver.setConstant(constant, of: held[index].id)) != nil else { break }
                for part in held[index].plain.indices {
                    held[index].plain[part].constant = constant
                }
            case 5 where isPair:
                let (below, above) = (softStrength(), softStrength())
                try solver.setStrengths(below: below, above: above, of: held[index].id)
                held[index].plain[0].strength = below
                held[index].plain[1].strength = above
            case 6:
                guard (try? solver.setActive(!held[index].isActive, of: held[index].id)) != nil
                else { break }
                held[index].isActive.toggle()
            default:
                try solver.removeConstraint(held[index].id)
                held.remove(at: index)
            }
            if let failure = solver.invariantFailure() {
                Issue.record("seed \(seed) step \(step): \(failure)")
                return
            }
            guard system.generator.chance(1, of: 3) else { continue }
            _ = solver.solve()
            let plain = held.filter(\.isActive).flatMap(\.plain)
            let values = variables.map { solver.value(of: $0) }
            var oracle = Oracle(isNonNegative: bounds, constraints: plain)
            let (actual, expected) = (
                violationsByStrength(plain, at: values), oracle.violations()
            )
            #expect(
                areClose(actual, expected, within: 1e-6),
                "seed \(seed) step \(step): \(actual) not \(expected)")
            for (index, variable) in variables.enumerated() {
                let range = oracle.range(of: index)
                let isUnique =
                    range.least.flatMap { least in range.greatest.map { $0 - least < 1e-6 } }
                    ?? false
                let found = solver.isUnique(variable)
                #expect(
                    found == isUnique,
                    "seed \(seed) step \(step): variable \(index) \(range)")
            }
        }
        #expect(solver.counts.rebuilds == 0, "seed \(seed)")
    }

    @Test(
        "more strengths than can be told apart are refused, and room that comes free is used again")
    func tooManyStrengths() throws {
        var solver = Solver()
        solver.checksInvariants = false
        let variable = solver.makeVariable()
        var ids: [ConstraintID] = []
        var refusal: SolverError?
        // From strong to weak, as each new level then comes last.
        while refusal == nil, ids.count < 600_000 {
            do throws(SolverError) {
                ids.append(
                    try solver.addConstraint(
                        Expression(terms: [Term(variable, 1)]), .equal,
                        strength: Strength(999 - Double(ids.count) / 1024)))
            } catch {
                refusal = error
            }
        }
        #expect(refusal == .tooManyStrengths)
        #expect(ids.count > 500_000)
        #expect(solver.counts.constraints == ids.count)
        // What is in force already can be said again, and one that goes makes room.
        let last = ids.removeLast()
        try solver.removeConstraint(last)
        ids.append(
            try solver.addConstraint(
                Expression(terms: [Term(variable, 1)]), .equal, strength: Strength(0.25)))
        #expect(solver.counts.constraints == ids.count)
    }
}
