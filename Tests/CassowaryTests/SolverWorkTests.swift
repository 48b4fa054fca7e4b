import SceneTestSupport
import SeededRandom
import Testing

@testable import Cassowary

@Suite("Work of the solver")
struct SolverWorkTests {
    /// What one run of the dense system came to.
    private struct Run {
        var values: [Double] = []
        var work: UInt64 = 0
        var isExhausted = false
    }

    /// Constraints of six terms each over 24 variables, all of which end up in one another's rows.
    private func run(limit: UInt64 = .max) -> Run {
        var solver = Solver()
        solver.workLimit = limit
        var state: UInt64 = 88_172_645_463_325_252
        func next(_ count: UInt64) -> Int {
            state ^= state << 13
            state ^= state >> 7
            state ^= state << 17
            return Int(state % count)
        }
        let variables = (0..<24).map { _ in solver.makeVariable(isNonNegative: next(2) == 0) }
        let relations: [Relation] = [.equal, .lessThanOrEqual, .greaterThanOrEqual]
        for index in 0..<60 {
            let terms = (0..<6).map { _ in
                Term(variables[next(24)], Double(next(9)) - 4 + 0.5)
            }
            let expression = Expression(terms: terms, constant: Double(next(200)) - 100)
            let isRequired = index % 6 == 0
            do {
                _ = try solver.addConstraint(
                    expression, isRequired ? .lessThanOrEqual : relations[next(3)],
                    strength: isRequired ? .required : Strength(Double(1 + next(4))))
            } catch .exhausted {
                let isExhausted = solver.isExhausted
                #expect(isExhausted)
            } catch {
                // Contradictions are part of the run.
            }
            if index % 7 == 0 { _ = solver.solve() }
        }
        _ = solver.solve()
        return Run(
            values: variables.map { solver.value(of: $0) }, work: solver.work,
            isExhausted: solver.isExhausted)
    }

    @Test("the same calls cost the same, and more calls cost more")
    func deterministic() {
        let first = run()
        #expect(first.work == run().work)
        #expect(first.work > 10_000)
        #expect(!first.isExhausted)
    }

    @Test("wherever the limit falls, a solver stops near it or ends as without one")
    func everyLimit() {
        let whole = run()
        var exhaustedCount = 0
        for step in 0...20 {
            let limit = whole.work * UInt64(step) / 18
            let cut = run(limit: limit)
            if cut.isExhausted {
                exhaustedCount += 1
                #expect(cut.work > limit)
                // One row, column or factorisation of this small system goes past the limit at
                // most.
                #expect(cut.work < limit + 20_000)
            } else {
                #expect(cut.values == whole.values)
                #expect(cut.work == whole.work)
            }
        }
        #expect(exhaustedCount >= 16)
    }

    /// Adds required constraints of three terms each to variables that cannot be negative, many of
    /// which contradict others: repairs of many exchanges, which are then taken back.
    private func contradict(seed: UInt64, limit: UInt64 = .max) -> (work: UInt64, refused: Int) {
        var random = SplitMix64(seed: seed)
        var solver = Solver()
        solver.workLimit = limit
        let variables = (0..<40).map { _ in solver.makeVariable(isNonNegative: true) }
        var refused = 0
        for _ in 0..<90 {
            let terms = (0..<3).map { _ in
                Term(variables[random.below(40)], random.pick([1, 1, -1, -1, 2, -0.5]))
            }
            do {
                _ = try solver.addConstraint(
                    Expression(terms: terms, constant: Double(random.below(200)) - 100),
                    random.pick([.equal, .lessThanOrEqual, .greaterThanOrEqual]))
            } catch .exhausted {
                return (solver.work, refused)
            } catch {
                refused += 1
            }
        }
        return (solver.work, refused)
    }

    /// A limit that falls into the factorisation before a roll-back leaves other variables basic
    /// than the journal knows.
    @Test(
        "wherever the limit falls while contradictions are taken back, the solver stops",
        arguments: [0, 2])
    func everyLimitOfContradictions(seed: UInt64) {
        let whole = contradict(seed: seed)
        #expect(whole.refused > 10)
        for step in 1..<60 {
            let limit = whole.work * UInt64(step) / 60
            #expect(contradict(seed: seed, limit: limit).work >= limit)
        }
    }

    @Test(
        "an exhausted solver refuses changes; a copy made before goes on undisturbed"
    )
    func copyGoesOn() throws {
        var solver = Solver()
        let variables = (0..<200).map { _ in solver.makeVariable() }
        for (left, right) in zip(variables, variables.dropFirst()) {
            _ = try solver.addConstraint(
                Expression(terms: [Term(right, 1), Term(left, -1)], constant: -2), .equal)
        }
        let hold = try solver.addConstraint(
            Expression(terms: [Term(variables[0], 1)]), .equal)
        _ = solver.solve()
        var copy = Solver(copying: solver)
        solver.workLimit = solver.work
        #expect(throws: SolverError.exhausted) {
            _ = try solver.addConstraint(
                Expression(terms: [Term(variables[199], 1)], constant: -1), .equal)
        }
        let isExhausted = solver.isExhausted
        #expect(isExhausted)
        #expect(throws: SolverError.exhausted) { try solver.removeConstraint(hold) }
        #expect(solver.solve() == [])
        try copy.setConstant(-5, of: hold)
        _ = copy.solve()
        #expect(copy.value(of: variables[199]) == 403)
        let isCopyExhausted = copy.isExhausted
        #expect(!isCopyExhausted)
    }

    @Test("terms that go are paid for: what is left moves together for them now and then")
    func removedTerms() throws {
        var solver = Solver()
        let terms = (0..<1000).map { _ in Term(solver.makeVariable(), 1) }
        let id = try solver.addConstraint(
            Expression(terms: terms, constant: 1), .greaterThanOrEqual, strength: Strength(1))
        _ = solver.solve()
        let before = solver.work
        try solver.removeConstraint(id)
        let price = solver.work - before
        #expect(price >= 2000 && price < 4000)
        let cells = solver.terms.cells.count
        #expect(cells == 0)
    }

    @Test("a conflict of thousands is explained on an eighth of the usual stack")
    func longConflict() async throws {
        let count = try await onSmallStack {
            var solver = Solver()
            let variables = (0..<2_000).map { _ in solver.makeVariable(isNonNegative: true) }
            do {
                for (left, right) in zip(variables, variables.dropFirst()) {
                    _ = try solver.addConstraint(
                        Expression(terms: [Term(right, 1), Term(left, -1)]), .equal)
                }
                _ = try solver.addConstraint(
                    Expression(terms: [Term(variables[0], 1)], constant: -3), .equal)
                _ = try solver.addConstraint(
                    Expression(terms: [Term(variables[1_999], 1)], constant: -50), .equal)
            } catch SolverError.unsatisfiable(let conflict) {
                return conflict.count
            } catch {
                return -1
            }
            return 0
        }
        // Every equation of the chain, and the one that holds its beginning.
        #expect(count == 2_000)
    }

    @Test("of many constraints that could be left out of a conflict, none is named")
    func superfluousMembers() throws {
        // The sum of 100 parts that cannot be negative is to be -1; that each part is at most 5 has
        // no part in it.
        var solver = Solver()
        let parts = (0..<100).map { _ in solver.makeVariable(isNonNegative: true) }
        let sum = solver.makeVariable()
        for part in parts {
            _ = try solver.addConstraint(
                Expression(terms: [Term(part, 1)], constant: -5), .lessThanOrEqual)
        }
        let total = try solver.addConstraint(
            Expression(terms: [Term(sum, 1)] + parts.map { Term($0, -1) }), .equal)
        #expect(throws: SolverError.unsatisfiable(conflict: [total])) {
            _ = try solver.addConstraint(
                Expression(terms: [Term(sum, 1)], constant: 1), .equal)
        }
    }
}
