import SeededRandom
import Testing

@testable import Cassowary

@Suite("A nested layout under long use")
struct LayoutSoakPropertyTests {
    /// A tree of stacks of `fan` children; every view has a position and a length along its axis.
    private struct Layout: ~Copyable {
        var solver = Solver()
        var lengths: [Variable] = []
        var wishes: [ConstraintID] = []
        var constants: [Double] = []

        init(count: Int, fan: Int, wish: [Double]? = nil) throws {
            var positions: [Variable] = []
            for index in 0..<count {
                let position = solver.makeVariable()
                let length = solver.makeVariable(isNonNegative: true)
                constants.append(wish?[index] ?? Double(20 + index * 37 % 61))
                if index == 0 {
                    _ = try solver.addConstraint(Expression(terms: [Term(position, 1)]), .equal)
                } else {
                    let isFirst = (index - 1) % fan == 0
                    let parent = (index - 1) / fan
                    _ = try solver.addConstraint(
                        isFirst
                            ? Expression(terms: [Term(position, 1)], constant: -8)
                            : Expression(
                                terms: [
                                    Term(position, 1), Term(positions[index - 1], -1),
                                    Term(lengths[index - 1], -1),
                                ], constant: -8), .equal)
                    _ = try solver.addConstraint(
                        Expression(
                            terms: [Term(position, 1), Term(length, 1), Term(lengths[parent], -1)],
                            constant: 8), .lessThanOrEqual)
                }
                // Every wish has a strength of its own, so that the optimum is unique.
                wishes.append(
                    try solver.addConstraint(
                        Expression(terms: [Term(length, 1)], constant: -constants[index]), .equal,
                        strength: Strength(100 + Double(index))))
                positions.append(position)
                lengths.append(length)
            }
        }

        var values: [Double] {
            var result: [Double] = []
            for length in lengths { result.append(solver.value(of: length)) }
            return result
        }
    }

    @Test("edits, removals and additions by the thousand end within 1e-9 of a fresh solver")
    func soak() throws {
        let seed: UInt64 = 7
        var generator = SplitMix64(seed: seed)
        var layout = try Layout(count: 120, fan: 4)
        for step in 0..<30_000 {
            let index = generator.below(120)
            if generator.chance(1, of: 10) {
                try layout.solver.removeConstraint(layout.wishes[index])
                if generator.chance(1, of: 2) { _ = layout.solver.solve() }
                layout.wishes[index] = try layout.solver.addConstraint(
                    Expression(
                        terms: [Term(layout.lengths[index], 1)], constant: -layout.constants[index]),
                    .equal, strength: Strength(100 + Double(index)))
            } else {
                layout.constants[index] = Double(generator.below(400)) / 4
                try layout.solver.setConstant(-layout.constants[index], of: layout.wishes[index])
            }
            if generator.chance(1, of: 3) { _ = layout.solver.solve() }
            guard step % 3000 == 2999 else { continue }
            _ = layout.solver.solve()
            if let failure = layout.solver.invariantFailure() {
                Issue.record("seed \(seed) step \(step): \(failure)")
            }
            var fresh = try Layout(count: 120, fan: 4, wish: layout.constants)
            _ = fresh.solver.solve()
            let pairs = zip(layout.values, fresh.values)
            let worst = pairs.map { abs($0 - $1) }.max() ?? 0
            #expect(worst <= 1e-9, "seed \(seed) step \(step)")
            #expect(layout.solver.counts.rows == fresh.solver.counts.rows)
        }
    }

    @Test("a rebuild from the sources changes no value")
    func rebuild() throws {
        var layout = try Layout(count: 200, fan: 5)
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
