import SeededRandom
import Testing

@testable import Cassowary

/// Going back to an earlier state, held against a copy that was never touched.
@Suite("Checkpoints")
struct CheckpointTests {
    /// A solver, what it was given, and a source of more.
    private struct Script: ~Copyable {
        var solver = Solver()
        var generator: SplitMix64
        var variables: [Variable] = []
        var ids: [ConstraintID] = []

        init(seed: UInt64) { generator = SplitMix64(seed: seed) }

        init(copying other: borrowing Script) {
            solver = Solver(copying: other.solver)
            generator = other.generator
            variables = other.variables
            ids = other.ids
        }

        mutating func makeVariable() {
            variables.append(solver.makeVariable(isNonNegative: generator.chance(1, of: 3)))
        }

        /// Adds a constraint on some variables; on a variable of its own first, so that it mostly
        /// needs no step.
        mutating func addConstraint(onOwnVariable: Bool, isPlain: Bool = false) {
            var terms: [Term] = []
            if onOwnVariable {
                makeVariable()
                terms.append(Term(variables[variables.count - 1], generator.pick([1, -1, 2, 3.5])))
            }
            for _ in 0..<generator.below(3) {
                terms.append(
                    Term(generator.pick(variables), generator.pick([1, -1, 0.5, -3, 1e-3])))
            }
            let expression = Expression(
                terms: terms, constant: Double(generator.below(41) - 20) * 2.5)
            do throws(SolverError) {
                if generator.chance(1, of: 3) {
                    ids.append(
                        try solver.addConstraint(
                            expression, below: Strength(generator.pick([750, 749, 1])),
                            above: Strength(generator.pick([250, 251]))))
                } else {
                    ids.append(
                        try solver.addConstraint(
                            expression,
                            isPlain
                                ? .equal
                                : generator.pick([.equal, .lessThanOrEqual, .greaterThanOrEqual]),
                            strength: generator.pick([.required, .required, Strength(500)])))
                }
            } catch {
                // A refusal is a state, too.
            }
        }

        /// Adds what needs steps and what is refused.
        mutating func add(_ count: Int) {
            for _ in 0..<count { addConstraint(onOwnVariable: generator.chance(1, of: 4)) }
        }

        /// Changes of all kinds.
        mutating func change() {
            for _ in 0..<12 {
                do throws(SolverError) {
                    switch generator.below(ids.isEmpty ? 1 : 6) {
                    case 0, 1: add(1)
                    case 2:
                        try solver.setConstant(
                            Double(generator.below(50)), of: generator.pick(ids))
                    case 3:
                        try solver.setActive(generator.chance(1, of: 2), of: generator.pick(ids))
                    case 4:
                        let index = generator.below(ids.count)
                        try solver.removeConstraint(ids.remove(at: index))
                    default: _ = solver.solve()
                    }
                } catch {
                    // The same in both.
                }
            }
            _ = solver.solve()
        }
    }

    /// All that decides a solver's later answers, in words, part by part. The numbers of searches
    /// are not among it.
    private func describe(_ solver: borrowing Solver) -> [String] {
        // No symbol beyond these has been used.
        let rows = max(solver.variables.count, solver.sources.count)
        func words<Element>(_ buffer: borrowing Buffer<Element>) -> String {
            (0..<Int32(min(buffer.count, 2 * rows))).map { "\(buffer[$0])" }
                .joined(separator: ";")
        }
        func words(_ matrix: borrowing SparseMatrix, rows: Int) -> String {
            let heads = (0..<Int32(rows)).map { matrix.head(ofRow: $0) }
            let columns = (0..<Int32(matrix.columnCount)).map { matrix.head(ofColumn: $0) }
            let cells = matrix.cells.indices.map { "\(matrix.cells[Int32($0)])" }
            return "\(heads) \(columns) \(cells) \(matrix.cellCount)"
        }
        func words(_ table: borrowing TermTable, rows: Int) -> String {
            let heads = (0..<Int32(rows)).map { table.head(ofRow: $0) }
            let columns = (0..<Int32(table.columnCount)).map { table.head(ofColumn: $0) }
            let cells = table.cells.indices.map { "\(table.cells[Int32($0)])" }
            return "\(heads) \(columns) \(cells) \(table.cellCount)"
        }
        let reducedRows = solver.basis.hasReduced ? rows : 0
        let order = solver.objective.order.map { "\($0) \(solver.objective.strength(of: $0))" }
        let equations = (0..<Int32(rows)).map { row in
            "\(solver.basis.equations[row].pivot) \(solver.basis.equations[row].value)"
        }
        return [
            words(solver.terms, rows: rows), words(solver.basis.reduced, rows: reducedRows),
            words(solver.objective.matrix, rows: order.count), "\(order)", "\(equations)",
            words(solver.basis.equationOf), words(solver.basis.operations),
            "\(solver.basis.kernelCount) \(solver.basis.markerPivots) \(solver.basis.wear)",
            "\(solver.symbols.count)", words(solver.symbols), words(solver.values),
            words(solver.kinks), words(solver.kinkValues), words(solver.sources),
            words(solver.variables), words(solver.freeVariables), words(solver.freeConstraints),
            words(solver.departed), words(solver.uncharged), words(solver.unpriced),
            "\(solver.touched.count)", "\(solver.published)", "\(solver.counts)",
            "\(solver.movesSinceRefresh) \(solver.isBlurred) \(solver.hasPivoted) \(solver.peak)",
            "\(solver.farthest) \(solver.needsSolve) \(solver.isExhausted) \(solver.history)",
        ]
    }

    /// The first part in which two states differ, twice; nil if there is none.
    private func difference(_ left: [String], _ right: [String]) -> [String]? {
        zip(left, right).first { $0 != $1 }.map { [$0, $1] }
    }

    @Test(
        "a solver goes back to every state bit for bit, and goes on from it as if nothing had been")
    func returns() throws {
        var countsWereEnough = 0
        var refusals = 0
        for seed in 0..<200 as Range<UInt64> {
            var script = Script(seed: seed)
            script.makeVariable()
            let isPlain = seed % 3 != 0
            for _ in 0..<(1 + seed % 12) {
                script.addConstraint(onOwnVariable: true, isPlain: isPlain)
            }
            if seed % 5 == 0 { script.change() }
            let before = describe(script.solver)
            var twin = Script(copying: script)
            let (variables, ids) = (script.variables, script.ids)

            let checkpoint = script.solver.checkpoint(onlyAdding: true)
            if let count = checkpoint.constraintCount {
                countsWereEnough += 1
                #expect(count == script.solver.counts.constraints)
            }
            for _ in 0..<2 {
                let number = script.ids.count
                script.add(10)
                if script.ids.count < number + 10 { refusals += 1 }
                script.solver.restore(checkpoint)
                (script.variables, script.ids) = (variables, ids)
                #expect(difference(describe(script.solver), before) == nil, "seed \(seed)")
            }
            script.generator = twin.generator
            script.change()
            twin.change()
            #expect(
                difference(describe(script.solver), describe(twin.solver)) == nil,
                "seed \(seed), later")
        }
        // Both ways were gone, and refusals were among what was taken back.
        #expect(countsWereEnough > 60 && countsWereEnough < 180)
        #expect(refusals > 50)
    }

    @Test("a solver that may be changed in all ways is copied, and so is one that was")
    func copies() throws {
        var solver = Solver()
        let variable = solver.makeVariable()
        let id = try solver.addConstraint(
            Expression(terms: [Term(variable, 1)], constant: -7), .equal)
        #expect(solver.checkpoint(onlyAdding: true).constraintCount == 1)
        #expect(solver.checkpoint(onlyAdding: false).constraintCount == nil)
        let checkpoint = solver.checkpoint(onlyAdding: false)
        try solver.setConstant(-9, of: id)
        #expect(solver.checkpoint(onlyAdding: true).constraintCount == nil)
        solver.restore(checkpoint)
        _ = solver.solve()
        #expect(solver.value(of: variable) == 7)
        #expect(solver.checkpoint(onlyAdding: true).constraintCount == nil)
    }

    @Test("what going back costs is the work that the solver begins with")
    func price() throws {
        var solver = Solver()
        for _ in 0..<100 {
            let variable = solver.makeVariable()
            _ = try solver.addConstraint(Expression(terms: [Term(variable, 1)]), .equal)
        }
        let checkpoint = solver.checkpoint(onlyAdding: true)
        #expect(checkpoint.constraintCount == 100)
        let entering = solver.work
        solver.restore(checkpoint)
        let price = solver.work
        #expect(price > 0 && price <= entering)
    }
}
