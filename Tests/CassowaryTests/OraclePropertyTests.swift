import SceneTestSupport
import SeededRandom
import Testing

@testable import Cassowary

@Suite("The solver against a slow oracle")
struct OraclePropertyTests {
    @Test("refusals, conflicts, optima and uniqueness agree with the oracle", arguments: 0..<8)
    func agreement(block: Int) throws {
        for seed in UInt64(block) * 4000..<UInt64(block + 1) * 4000 {
            try check(seed: seed)
        }
    }

    private func check(seed: UInt64) throws {
        var system = RandomSystem(seed: seed)
        let bounds = system.isNonNegative
        var solver = Solver()
        let variables = bounds.map { solver.makeVariable(isNonNegative: $0) }
        var held: [(id: ConstraintID, plain: PlainConstraint)] = []
        for _ in 0..<(2 + system.generator.below(10)) {
            let offered = system.constraint()
            let required = (held.map(\.plain) + [offered]).filter(\.strength.isRequired)
            let fits =
                !offered.strength.isRequired
                || Oracle(isNonNegative: bounds, constraints: required).isFeasible
            do throws(SolverError) {
                let id = try solver.addConstraint(
                    offered.expression(variables), offered.relation, strength: offered.strength)
                #expect(fits, "seed \(seed): took in what cannot hold")
                held.append((id, offered))
            } catch {
                #expect(!fits, "seed \(seed): refused \(offered) with \(error)")
                guard case .unsatisfiable(let conflict) = error else { continue }
                expectIrreducible(conflict, offered: offered, held: held, bounds, seed: seed)
            }
            if let failure = solver.invariantFailure() {
                Issue.record("seed \(seed): \(failure)")
                return
            }
            if system.generator.chance(1, of: 4) { _ = solver.solve() }
        }
        _ = solver.solve()
        let values = variables.map { solver.value(of: $0) }
        let plain = held.map(\.plain)
        var oracle = Oracle(isNonNegative: bounds, constraints: plain)
        let expected = oracle.violations()
        let actual = violationsByStrength(plain, at: values)
        #expect(
            areClose(actual, expected, within: 1e-6), "seed \(seed): \(actual) not \(expected)")
        for constraint in plain where constraint.strength.isRequired {
            #expect(constraint.violation(at: values) < 1e-7, "seed \(seed)")
        }
        var spots = DegenerateSpots()
        for (index, variable) in variables.enumerated() {
            if bounds[index] { #expect(values[index] >= -1e-9, "seed \(seed)") }
            let range = oracle.range(of: index)
            let isUnique =
                range.least.flatMap { least in range.greatest.map { $0 - least < 1e-6 } } ?? false
            #expect(
                solver.isUnique(variable) == isUnique, "seed \(seed): variable \(index) \(range)")
            #expect(
                solver.isUnique(variable, knowing: &spots) == isUnique,
                "seed \(seed): variable \(index) \(range), asked after others")
        }
        #expect(solver.counts.rebuilds == 0, "seed \(seed)")
    }

    private func expectIrreducible(
        _ conflict: [ConstraintID], offered: PlainConstraint,
        held: [(id: ConstraintID, plain: PlainConstraint)], _ bounds: [Bool], seed: UInt64
    ) {
        #expect(conflict == conflict.sorted(), "seed \(seed)")
        let members = held.filter { conflict.contains($0.id) }.map(\.plain)
        #expect(members.count == conflict.count, "seed \(seed): unknown members")
        #expect(members.allSatisfy { $0.strength.isRequired }, "seed \(seed)")
        let whole = Oracle(isNonNegative: bounds, constraints: members + [offered])
        #expect(!whole.isFeasible, "seed \(seed): the conflict is none")
        for left in members.indices {
            var rest = members
            rest.remove(at: left)
            let part = Oracle(isNonNegative: bounds, constraints: rest + [offered])
            #expect(part.isFeasible == true, "seed \(seed): member \(left) is superfluous")
        }
    }
}
