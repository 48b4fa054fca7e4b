import SceneTestSupport
import SeededRandom
import Testing

@testable import Cassowary

/// Runs one random script of every kind of change and keeps the plain constraints beside the
/// solver.
private struct Script: ~Copyable {
    var system: RandomSystem
    var solver = Solver()
    let variables: [Variable]
    var held: [(id: ConstraintID, plain: PlainConstraint, isActive: Bool)] = []
    let seed: UInt64

    init(seed: UInt64, steepness: Double? = nil) {
        self.seed = seed
        var system = RandomSystem(seed: seed, variableMaximum: 8)
        system.steepness = steepness
        // The first draws decide the variables; the rest the changes.
        system.generator = SplitMix64(seed: seed ^ 0xABCDEF)
        self.system = system
        var made: [Variable] = []
        for bound in system.isNonNegative { made.append(solver.makeVariable(isNonNegative: bound)) }
        variables = made
    }

    var active: [PlainConstraint] { held.filter(\.isActive).map(\.plain) }

    /// One random change. Returns false if the solver refused it.
    mutating func change() -> Bool {
        do throws(SolverError) {
            let kind = held.isEmpty ? 0 : system.generator.below(11)
            let index = held.isEmpty ? 0 : system.generator.below(held.count)
            switch kind {
            case 0...2:
                let plain = system.constraint()
                let id = try solver.addConstraint(
                    plain.expression(variables), plain.relation, strength: plain.strength)
                held.append((id, plain, true))
            case 3...4:
                try solver.removeConstraint(held[index].id)
                held.remove(at: index)
            case 5...7:
                let constant = system.constant()
                try solver.setConstant(constant, of: held[index].id)
                held[index].plain.constant = constant
            case 8:
                let strength = system.strength()
                try solver.setStrength(strength, of: held[index].id)
                held[index].plain.strength = strength
            case 9:
                var changes: [(index: Int, constant: Double)] = []
                for _ in 0..<(1 + system.generator.below(4)) {
                    changes.append((system.generator.below(held.count), system.constant()))
                }
                try solver.setConstants(changes.map { (held[$0.index].id, $0.constant) })
                for change in changes { held[change.index].plain.constant = change.constant }
            default:
                try solver.setActive(!held[index].isActive, of: held[index].id)
                held[index].isActive.toggle()
            }
            return true
        } catch {
            return false
        }
    }

    var values: [Double] {
        var result: [Double] = []
        for variable in variables { result.append(solver.value(of: variable)) }
        return result
    }

    /// The values of a new solver that is given the active constraints in the order of `shuffle`.
    func fresh(shuffle: inout SplitMix64) throws -> [Double] {
        var other = Solver()
        let made = system.isNonNegative.map { other.makeVariable(isNonNegative: $0) }
        for plain in active.shuffled(using: &shuffle) {
            _ = try other.addConstraint(
                plain.expression(made), plain.relation, strength: plain.strength)
        }
        _ = other.solve()
        return made.map { other.value(of: $0) }
    }
}

@Suite("The solver's answer and its history")
struct HistoryPropertyTests {
    @Test("any history ends where a fresh solver ends", arguments: 0..<8)
    func independence(block: Int) throws {
        for seed in UInt64(block) * 400..<UInt64(block + 1) * 400 {
            var script = Script(seed: seed)
            var shuffle = SplitMix64(seed: ~seed)
            for step in 0..<60 {
                _ = script.change()
                if let failure = script.solver.invariantFailure() {
                    Issue.record("seed \(seed) step \(step): \(failure)")
                    return
                }
                guard script.system.generator.chance(1, of: 3) else { continue }
                _ = script.solver.solve()
                let values = script.values
                let actual = violationsByStrength(script.active, at: values)
                let other = try script.fresh(shuffle: &shuffle)
                let expected = violationsByStrength(script.active, at: other)
                guard areClose(actual, expected, within: 1e-7) else {
                    Issue.record("seed \(seed) step \(step): \(actual) not \(expected)")
                    return
                }
                for constraint in script.active where constraint.strength.isRequired {
                    #expect(constraint.violation(at: values) < 1e-7, "seed \(seed) step \(step)")
                }
                for (index, variable) in script.variables.enumerated() {
                    guard script.solver.isUnique(variable) else { continue }
                    #expect(
                        abs(values[index] - other[index]) <= 1e-9,
                        "seed \(seed) step \(step): \(values[index]) not \(other[index])")
                }
            }
            #expect(script.solver.counts.rebuilds == 0, "seed \(seed)")
        }
    }

    @Test(
        "values agree with their constraints where a size is a million times another",
        arguments: 0..<8)
    func steepness(block: Int) {
        for seed in UInt64(block) * 400..<UInt64(block + 1) * 400 {
            var script = Script(seed: seed, steepness: 1e6)
            // Rates may differ by more than the checks let pass; values may not.
            script.solver.checksInvariants = false
            for step in 0..<60 {
                _ = script.change()
                if script.system.generator.chance(1, of: 3) { _ = script.solver.solve() }
                if let failure = script.solver.valueFailure() {
                    Issue.record("seed \(seed) step \(step): \(failure)")
                    break
                }
            }
        }
    }

    /// The id that the next constraint gets, if one is free and none waits to be.
    private func nextFreeID(_ solver: borrowing Solver) -> Int32? {
        guard solver.departed.isEmpty, !solver.freeConstraints.isEmpty else { return nil }
        return solver.freeConstraints[solver.freeConstraints.count - 1]
    }

    @Test("the changed list is the exact difference, and a refused call changes nothing")
    func differences() {
        for seed in UInt64(10_000)..<12_000 {
            var script = Script(seed: seed)
            for step in 0..<80 {
                let before = script.values
                let countsBefore = script.solver.counts
                let neededSolve = script.solver.needsSolve
                let nextID = nextFreeID(script.solver)
                let isTaken = script.change()
                #expect(script.values == before, "seed \(seed): values change only in solve()")
                if !isTaken {
                    #expect(script.solver.counts == countsBefore, "seed \(seed) step \(step)")
                    #expect(script.solver.needsSolve == neededSolve, "seed \(seed) step \(step)")
                    // Ids that the basis still holds come free when it is next factored, which any
                    // call may do.
                    if nextID != nil, let now = nextFreeID(script.solver) {
                        #expect(now == nextID, "seed \(seed) step \(step)")
                    }
                    if !neededSolve {
                        // Even when asked to look again, the solver finds nothing to do.
                        script.solver.needsSolve = true
                        #expect(script.solver.solve() == [], "seed \(seed) step \(step)")
                    }
                }
                if script.system.generator.chance(1, of: 2) {
                    let changed = script.solver.solve()
                    let after = script.values
                    let expected = script.variables.indices.filter { before[$0] != after[$0] }
                    #expect(changed == expected.map { script.variables[$0] }, "seed \(seed)")
                }
            }
        }
    }

    @Test("adding and removing a constraint restores unique values and all memory")
    func addThenRemove() throws {
        for seed in UInt64(20_000)..<23_000 {
            var script = Script(seed: seed)
            for _ in 0..<25 { _ = script.change() }
            _ = script.solver.solve()
            let before = script.values
            var isUnique: [Bool] = []
            for variable in script.variables { isUnique.append(script.solver.isUnique(variable)) }
            let rows = script.solver.counts.rows
            for _ in 0..<5 {
                let plain = script.system.constraint()
                guard
                    let id = try? script.solver.addConstraint(
                        plain.expression(script.variables), plain.relation,
                        strength: plain.strength)
                else { continue }
                if script.system.generator.chance(1, of: 2) { _ = script.solver.solve() }
                try script.solver.removeConstraint(id)
                _ = script.solver.solve()
            }
            #expect(script.solver.counts.rows == rows, "seed \(seed)")
            for (index, value) in script.values.enumerated() where isUnique[index] {
                #expect(abs(value - before[index]) <= 1e-9, "seed \(seed): variable \(index)")
            }
            for constraint in script.held { try script.solver.removeConstraint(constraint.id) }
            _ = script.solver.solve()
            #expect(script.values.allSatisfy { $0 == 0 }, "seed \(seed)")
            #expect(script.solver.counts.rows == 0, "seed \(seed)")
            #expect(script.solver.basis.reduced.cellCount == 0, "seed \(seed)")
            #expect(script.solver.objective.matrix.cellCount == 0, "seed \(seed)")
            #expect(script.solver.objective.order.isEmpty, "seed \(seed)")
            #expect(script.solver.terms.cellCount == 0, "seed \(seed)")
            for variable in script.variables { try script.solver.releaseVariable(variable) }
            #expect(script.solver.counts == (0, 0, 0, 0), "seed \(seed)")
        }
    }

    @Test("the same calls give the same bits")
    func repeatability() {
        func digest(seed: UInt64) -> [UInt64] {
            var script = Script(seed: seed)
            var bits: [UInt64] = []
            for _ in 0..<60 {
                _ = script.change()
                for variable in script.solver.solve() { bits.append(UInt64(variable.index)) }
                bits += script.values.map(\.bitPattern)
            }
            return bits
        }
        for seed in UInt64(30_000)..<30_200 {
            #expect(digest(seed: seed) == digest(seed: seed), "seed \(seed)")
        }
    }
}
