import SeededRandom
import Testing

@testable import Cassowary

/// Room that is made at once changes what is moved in memory, and nothing else.
@Suite("Reserved capacity")
struct CapacityTests {
    /// What a history of rows of views comes to: the bits of all values, and the work.
    private func answers(seed: UInt64, reserving: [Int: (Int, Int)]) throws -> [UInt64] {
        var generator = SplitMix64(seed: seed)
        var solver = Solver()
        var variables: [Variable] = []
        var ids: [ConstraintID] = []
        var answers: [UInt64] = []
        for step in 0..<300 {
            if let (variables, constraints) = reserving[step] {
                solver.reserveCapacity(variables: variables, constraints: constraints)
            }
            let variable = solver.makeVariable(isNonNegative: generator.below(2) == 0)
            variables.append(variable)
            let other = variables[generator.below(variables.count)]
            let constant = Double(generator.below(90))
            ids.append(
                try solver.addConstraint(
                    Expression(terms: [Term(variable, 1), Term(other, 0.5)], constant: -constant),
                    generator.below(3) == 0 ? .greaterThanOrEqual : .equal,
                    strength: Strength(Double(1 + generator.below(900)))))
            if generator.below(4) == 0 {
                try solver.removeConstraint(ids.remove(at: generator.below(ids.count)))
            }
            guard step % 20 == 0 else { continue }
            _ = solver.solve()
            answers.append(solver.work)
            for variable in variables { answers.append(solver.value(of: variable).bitPattern) }
        }
        let failure = solver.invariantFailure()
        #expect(failure == nil)
        return answers
    }

    @Test("values and work are the same to the bit", arguments: 0..<10 as Range<UInt64>)
    func sameAnswers(seed: UInt64) throws {
        let plain = try answers(seed: seed, reserving: [:])
        for reserving in [[0: (300, 400)], [0: (20_000, 20_000)], [7: (1, 1), 150: (500, 0)]] {
            #expect(try answers(seed: seed, reserving: reserving) == plain)
        }
    }

    @Test("there is room for what was asked for, and it can be given back")
    func room() throws {
        var solver = Solver()
        let least = solver.byteCount
        solver.reserveCapacity(variables: 1000, constraints: 1500)
        let reserved = solver.byteCount
        for _ in 0..<1000 {
            let variable = solver.makeVariable()
            _ = try solver.addConstraint(Expression(terms: [Term(variable, 1)]), .equal)
        }
        let used = solver.byteCount
        #expect(used == reserved)
        solver = Solver()
        solver.reserveCapacity(variables: 1000, constraints: 1500)
        solver.trim()
        let left = solver.byteCount
        #expect(left < least + 4096)
    }

    @Test("a buffer tells of elements ahead of their turn, and keeps those that are wanted")
    func looksAhead() {
        var buffer = Buffer<Int>()
        for number in 0..<10 { buffer.append(number) }
        var calls: [String] = []
        buffer.removeAll(
            lookingAhead: { calls.append("ahead \($0)") },
            where: { number in
                calls.append("\(number)")
                return number % 3 == 0
            })
        #expect(buffer.indices.map { buffer[$0] } == [1, 2, 4, 5, 7, 8])
        let expected =
            (0..<6).flatMap { ["ahead \($0 + 4)", "\($0)"] } + (6..<10).map { "\($0)" }
        #expect(calls == expected)
    }
}
