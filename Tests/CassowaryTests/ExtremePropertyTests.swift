import SeededRandom
import Testing

@testable import Cassowary

@Suite("Coefficients of every size")
struct ExtremePropertyTests {
    /// A number whose logarithm is evenly spread over `10^-decades ... 10^decades`.
    private func number(_ generator: inout SplitMix64, decades: Int) -> Double {
        var result = 1 + Double(generator.below(9000)) / 1000
        for _ in 0..<generator.below(decades) { result *= 10 }
        if generator.chance(1, of: 2) { result = 1 / result }
        return generator.chance(1, of: 2) ? result : -result
    }

    @Test("no mix of magnitudes makes the solver trap, hang or publish what is not finite")
    func anything() throws {
        for seed in UInt64(0)..<1500 {
            var generator = SplitMix64(seed: seed)
            var solver = Solver()
            solver.checksInvariants = false
            let decades = 1 + generator.below(9)
            var variables: [Variable] = []
            for _ in 0..<6 {
                variables.append(solver.makeVariable(isNonNegative: generator.chance(1, of: 3)))
            }
            var held: [ConstraintID] = []
            for _ in 0..<60 {
                do throws(SolverError) {
                    switch held.isEmpty ? 0 : generator.below(6) {
                    case 0...2:
                        var expression = Expression(
                            constant: number(&generator, decades: decades))
                        for _ in 0..<3 {
                            expression.terms.append(
                                Term(
                                    generator.pick(variables),
                                    number(&generator, decades: decades)))
                        }
                        held.append(
                            try solver.addConstraint(
                                expression, generator.pick([.equal, .lessThanOrEqual]),
                                strength: generator.pick([.required, Strength(3), Strength(7)])))
                    case 3:
                        try solver.removeConstraint(
                            held.remove(at: generator.below(held.count)))
                    default:
                        try solver.setConstant(
                            number(&generator, decades: decades), of: generator.pick(held))
                    }
                } catch {
                    continue
                }
                _ = solver.solve()
                for variable in variables {
                    #expect(solver.value(of: variable).isFinite, "seed \(seed)")
                }
            }
            for id in held { try solver.removeConstraint(id) }
            _ = solver.solve()
            #expect(solver.counts.rows == 0, "seed \(seed)")
            #expect(solver.basis.reduced.cellCount == 0, "seed \(seed)")
        }
    }

    @Test("moderate magnitudes keep every required constraint")
    func moderate() throws {
        for seed in UInt64(0)..<1500 {
            var generator = SplitMix64(seed: seed)
            var solver = Solver()
            solver.checksInvariants = false
            var variables: [Variable] = []
            for _ in 0..<8 { variables.append(solver.makeVariable()) }
            var required: [ConstraintID] = []
            for index in 0..<30 {
                var expression = Expression(constant: number(&generator, decades: 3))
                for _ in 0..<3 {
                    expression.terms.append(
                        Term(generator.pick(variables), number(&generator, decades: 2)))
                }
                let isRequired = index % 3 == 0
                let id = try? solver.addConstraint(
                    expression, isRequired ? .lessThanOrEqual : .equal,
                    strength: isRequired ? .required : Strength(Double(1 + index % 5)))
                if isRequired, let id { required.append(id) }
                _ = solver.solve()
                for id in required {
                    let isSatisfied = solver.isSatisfied(id)
                    #expect(isSatisfied, "seed \(seed) step \(index)")
                }
            }
        }
    }
}
