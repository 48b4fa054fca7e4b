import SeededRandom
import Testing

@testable import Cassowary

@Suite("A nested layout under long use")
struct LayoutSoakPropertyTests {
    @Test("edits, removals and additions by the thousand end within 1e-9 of a fresh solver")
    func soak() throws {
        let seed: UInt64 = 7
        var generator = SplitMix64(seed: seed)
        var layout = try NestedLayout(count: 120, fan: 4)
        for step in 0..<30_000 {
            try layout.change(&generator)
            guard step % 3000 == 2999 else { continue }
            _ = layout.solver.solve()
            if let failure = layout.solver.invariantFailure() {
                Issue.record("seed \(seed) step \(step): \(failure)")
            }
            var fresh = try NestedLayout(count: 120, fan: 4, constants: layout.constants)
            _ = fresh.solver.solve()
            let pairs = zip(layout.values, fresh.values)
            let worst = pairs.map { abs($0 - $1) }.max() ?? 0
            #expect(worst <= 1e-9, "seed \(seed) step \(step)")
            #expect(layout.solver.counts.rows == fresh.solver.counts.rows)
        }
    }

    @Test("a rebuild from the sources changes no value")
    func rebuild() throws {
        var layout = try NestedLayout(count: 200, fan: 5)
        _ = layout.solver.solve()
        let before = layout.values
        layout.solver.rebuild()
        #expect(layout.solver.counts.rebuilds == 1)
        #expect(layout.solver.needsSolve == true)
        _ = layout.solver.solve()
        #expect(zip(before, layout.values).allSatisfy { abs($0 - $1) <= 1e-9 })
        #expect(layout.solver.invariantFailure() == nil)
    }

    @Test("a rebuild of one component leaves the bits of the others alone")
    func component() throws {
        var solver = Solver()
        var variables: [Variable] = []
        for part in 0..<3 {
            let left = solver.makeVariable()
            let width = solver.makeVariable(isNonNegative: true)
            let third = 1.0 / (3 + Double(part))
            // left == third, left + width == 10 * third, and a wish that cannot come true.
            _ = try solver.addConstraint(
                Expression(terms: [Term(left, 1)], constant: -third), .equal)
            _ = try solver.addConstraint(
                Expression(terms: [Term(left, 1), Term(width, 1)], constant: -10 * third), .equal)
            _ = try solver.addConstraint(
                Expression(terms: [Term(width, 1)], constant: -100), .equal, strength: Strength(500)
            )
            variables += [left, width]
        }
        _ = solver.solve()
        let before = variables.map { solver.value(of: $0).bitPattern }
        solver.rebuild(around: [Symbol(variables[2]).index])
        #expect(solver.counts.rebuilds == 1)
        #expect(solver.invariantFailure() == nil)
        // Only the second component was let go.
        for (index, variable) in variables.enumerated() where index != 2 && index != 3 {
            let symbol = Symbol(variable)
            #expect(solver.values[symbol.index].bitPattern == before[index])
        }
        #expect(solver.solve() == [])
        #expect(variables.map { solver.value(of: $0).bitPattern } == before)
    }
}
