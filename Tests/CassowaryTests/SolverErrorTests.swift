import Testing

@testable import Cassowary

@Suite("Refusals of the solver")
struct SolverErrorTests {
    @Test("numbers that are not finite or out of range are refused")
    func numbers() throws {
        var solver = Solver()
        let x = solver.makeVariable()
        for bad in [Double.nan, .infinity, -.infinity] {
            #expect(throws: SolverError.notFinite) {
                _ = try solver.addConstraint(Expression(terms: [Term(x, bad)]), .equal)
            }
            #expect(throws: SolverError.notFinite) {
                _ = try solver.addConstraint(Expression(constant: bad), .equal)
            }
        }
        for bad in [1.1e9, -2e9, 1e-10] {
            #expect(throws: SolverError.outOfRange(bad)) {
                _ = try solver.addConstraint(Expression(terms: [Term(x, bad)]), .equal)
            }
        }
        let id = try solver.addConstraint(Expression(terms: [Term(x, 1)]), .equal)
        #expect(throws: SolverError.outOfRange(1e10)) { try solver.setConstant(1e10, of: id) }
        #expect(throws: SolverError.notFinite) { try solver.setConstant(.nan, of: id) }
        #expect(solver.counts == (1, 1, 1, 0))
    }

    @Test("names that stand for nothing are refused")
    func names() throws {
        var solver = Solver()
        for index in [Int32(-1), 0, 7, .max] {
            let x = Variable(index: index)
            let id = ConstraintID(index: index)
            #expect(throws: SolverError.unknownVariable(x)) {
                _ = try solver.addConstraint(Expression(terms: [Term(x, 1)]), .equal)
            }
            #expect(throws: SolverError.unknownVariable(x)) { try solver.releaseVariable(x) }
            let unknown = SolverError.unknownConstraint(id)
            #expect(throws: unknown) { try solver.removeConstraint(id) }
            #expect(throws: unknown) { try solver.setConstant(0, of: id) }
            #expect(throws: unknown) { try solver.setStrength(.required, of: id) }
            #expect(throws: unknown) { try solver.setActive(true, of: id) }
            #expect(solver.value(of: x) == 0)
            #expect(solver.violation(of: id) == 0)
            #expect(solver.constraintsAffecting(x) == [])
        }
    }

    @Test("a constraint without variables holds or not by itself")
    func constants() throws {
        var solver = Solver()
        let x = solver.makeVariable()
        let nothing = Expression(terms: [Term(x, 0), Term(x, 2), Term(x, -2)], constant: 3)
        #expect(throws: SolverError.unsatisfiable(conflict: [])) {
            _ = try solver.addConstraint(nothing, .equal)
        }
        _ = try solver.addConstraint(nothing, .greaterThanOrEqual)
        let soft = try solver.addConstraint(nothing, .equal, strength: Strength(5))
        _ = solver.solve()
        #expect(solver.violation(of: soft) == 3)
    }

    @Test("a long contradiction is named whole, sorted and without bystanders")
    func conflict() throws {
        var solver = Solver()
        let items = (0..<300).map { _ in solver.makeVariable() }
        var links: [ConstraintID] = []
        for index in 1..<items.count {
            links.append(
                try solver.addConstraint(
                    Expression(
                        terms: [Term(items[index], 1), Term(items[index - 1], -1)], constant: -1),
                    .greaterThanOrEqual))
            _ = try solver.addConstraint(
                Expression(terms: [Term(items[index], 1)], constant: -1000), .lessThanOrEqual)
        }
        _ = solver.solve()
        let before = items.map { solver.value(of: $0) }
        #expect(throws: SolverError.unsatisfiable(conflict: Array(links[100..<200]))) {
            _ = try solver.addConstraint(
                Expression(terms: [Term(items[200], 1), Term(items[100], -1)], constant: -99),
                .lessThanOrEqual)
        }
        #expect(solver.solve() == [])
        #expect(items.map { solver.value(of: $0) } == before)
    }

    @Test("strengths are clamped to their range")
    func strengths() {
        #expect(Strength(1000) == .required)
        #expect(Strength(5000).isRequired)
        #expect(!Strength(999.999).isRequired)
        #expect(Strength(-4).value > 0)
        #expect(Strength(.nan).value > 0)
        #expect(!Strength(.nan).isRequired)
        #expect(Strength(-4) < Strength(1))
    }
}
