import Testing

@testable import Cassowary

/// `sum of terms + constant`.
private func sum(_ terms: (Double, Variable)..., constant: Double = 0) -> Expression {
    Expression(terms: terms.map { Term($0.1, $0.0) }, constant: constant)
}

@Suite("Solving")
struct SolverTests {
    @Test(
        "a new or unconstrained variable is zero, and one that loses its constraint returns to zero"
    )
    func zero() throws {
        var solver = Solver()
        let x = solver.makeVariable()
        #expect(solver.solve() == [])
        #expect(solver.value(of: x) == 0)
        let id = try solver.addConstraint(sum((1, x), constant: -50), .equal)
        #expect(solver.needsSolve == true)
        #expect(solver.value(of: x) == 0)
        #expect(solver.solve() == [x])
        #expect(solver.needsSolve == false)
        #expect(solver.value(of: x) == 50)
        try solver.removeConstraint(id)
        #expect(solver.solve() == [x])
        #expect(solver.value(of: x) == 0)
    }

    @Test("midpoints of a quadrilateral follow its dragged corners")
    func quadrilateral() throws {
        var solver = Solver()
        let corners = (0..<4).map { _ in solver.makeVariable() }
        let middles = (0..<4).map { _ in solver.makeVariable() }
        let start: [Double] = [10, 30, 90, 50]
        var stays: [ConstraintID] = []
        for index in 0..<4 {
            stays.append(
                try solver.addConstraint(
                    sum((1, corners[index]), constant: -start[index]), .equal,
                    strength: Strength(1)))
            let next = corners[(index + 1) % 4]
            _ = try solver.addConstraint(
                sum((2, middles[index]), (-1, corners[index]), (-1, next)), .equal)
            _ = try solver.addConstraint(sum((1, corners[index])), .greaterThanOrEqual)
            _ = try solver.addConstraint(
                sum((1, corners[index]), constant: -100), .lessThanOrEqual)
        }
        _ = solver.solve()
        #expect(middles.map { solver.value(of: $0) } == [20, 60, 70, 30])
        try solver.setConstant(-250, of: stays[1])
        let changed = solver.solve()
        #expect(changed == [corners[1], middles[0], middles[1]])
        #expect(corners.map { solver.value(of: $0) } == [10, 100, 90, 50])
        #expect(middles.map { solver.value(of: $0) } == [55, 95, 70, 30])
        #expect(solver.violation(of: stays[1]) == 150)
        #expect(solver.isSatisfied(stays[1]) == false)
        #expect(solver.isSatisfied(stays[0]) == true)
    }

    @Test("a chain of inequalities passes a push along")
    func chain() throws {
        var solver = Solver()
        let count = 200
        let items = (0..<count).map { _ in solver.makeVariable() }
        for index in 1..<count {
            _ = try solver.addConstraint(
                sum((1, items[index]), (-1, items[index - 1]), constant: -8), .greaterThanOrEqual)
        }
        for item in items {
            _ = try solver.addConstraint(sum((1, item)), .equal, strength: Strength(1))
        }
        let first = try solver.addConstraint(sum((1, items[0]), constant: -100), .equal)
        _ = solver.solve()
        #expect(items.map { solver.value(of: $0) } == (0..<count).map { 100 + 8 * Double($0) })
        try solver.setConstant(-107, of: first)
        #expect(solver.solve().count == count)
        #expect(solver.value(of: items[count - 1]) == 107 + 8 * Double(count - 1))
    }

    @Test("one constraint of a strength outweighs any number of weaker ones")
    func lexicographic() throws {
        var solver = Solver()
        let x = solver.makeVariable()
        for _ in 0..<50 {
            _ = try solver.addConstraint(
                sum((1e6, x), constant: -1e8), .equal, strength: Strength(250))
        }
        let strong = try solver.addConstraint(
            sum((1e-6, x), constant: -1e-6), .equal, strength: Strength(250.001))
        _ = solver.solve()
        #expect(abs(solver.value(of: x) - 1) < 1e-9)
        try solver.setStrength(Strength(249), of: strong)
        _ = solver.solve()
        #expect(abs(solver.value(of: x) - 100) < 1e-9)
    }

    @Test("any number of strengths may be in use, and each decides what stronger ones leave open")
    func manyStrengths() throws {
        var solver = Solver()
        var variables: [Variable] = []
        for index in 0..<100 {
            let x = solver.makeVariable()
            variables.append(x)
            for offset in 0..<3 {
                let strength = Strength(1 + Double(index * 3 + offset) * 0.5)
                _ = try solver.addConstraint(
                    sum((1, x), constant: -Double(offset)), .equal, strength: strength)
            }
        }
        _ = solver.solve()
        #expect(variables.allSatisfy { solver.value(of: $0) == 2 })
    }

    @Test("redundant required constraints are fine, and either may go")
    func redundant() throws {
        var solver = Solver()
        let x = solver.makeVariable()
        let y = solver.makeVariable()
        let first = try solver.addConstraint(sum((1, x), (1, y), constant: -10), .equal)
        let second = try solver.addConstraint(sum((2, x), (2, y), constant: -20), .equal)
        let third = try solver.addConstraint(sum((1, x), (-1, y), constant: -2), .equal)
        let fourth = try solver.addConstraint(sum((3, x), (1, y), constant: -22), .equal)
        _ = solver.solve()
        #expect([solver.value(of: x), solver.value(of: y)] == [6, 4])
        try solver.removeConstraint(first)
        _ = solver.solve()
        #expect([solver.value(of: x), solver.value(of: y)] == [6, 4])
        #expect(throws: SolverError.unsatisfiable(conflict: [second, fourth])) {
            try solver.setConstant(-11, of: third)
        }
        #expect(solver.solve() == [])
    }

    @Test("Beale's cycling example ends at its optimum")
    func beale() throws {
        var solver = Solver()
        let x = (0..<4).map { _ in solver.makeVariable(isNonNegative: true) }
        _ = try solver.addConstraint(
            sum((0.25, x[0]), (-60, x[1]), (-0.04, x[2]), (9, x[3])), .lessThanOrEqual)
        _ = try solver.addConstraint(
            sum((0.5, x[0]), (-90, x[1]), (-0.02, x[2]), (3, x[3])), .lessThanOrEqual)
        _ = try solver.addConstraint(sum((1, x[2]), constant: -1), .lessThanOrEqual)
        _ = try solver.addConstraint(
            sum((0.75, x[0]), (-150, x[1]), (0.02, x[2]), (-6, x[3]), constant: -1000), .equal,
            strength: Strength(1))
        _ = solver.solve()
        let values = x.map { solver.value(of: $0) }
        let expected = [0.04, 0, 1, 0]
        #expect(zip(values, expected).allSatisfy { abs($0 - $1) < 1e-9 })
    }

    @Test("the cube of Klee and Minty is climbed to its top", arguments: [3, 8, 12])
    func kleeMinty(size: Int) throws {
        var solver = Solver()
        let x = (0..<size).map { _ in solver.makeVariable(isNonNegative: true) }
        var height = Expression(constant: -1e9)
        for row in 0..<size {
            var terms: [Term] = []
            var factor = 2.0
            for column in (0..<row).reversed() {
                factor *= 2
                terms.append(Term(x[column], factor))
            }
            var limit = 5.0
            for _ in 0..<row { limit *= 5 }
            _ = try solver.addConstraint(
                Expression(terms: terms + [Term(x[row], 1)], constant: -limit), .lessThanOrEqual)
            var weight = 1.0
            for _ in 0..<(size - 1 - row) { weight *= 2 }
            height.terms.append(Term(x[row], weight))
        }
        _ = try solver.addConstraint(height, .equal, strength: Strength(1))
        _ = solver.solve()
        var top = 5.0
        for _ in 1..<size { top *= 5 }
        #expect(x.dropLast().allSatisfy { abs(solver.value(of: $0)) < 1e-6 })
        #expect(abs(solver.value(of: x[size - 1]) - top) < 1e-6)
    }

    @Test("a batch is optimised once and reports only what differs in the end")
    func batch() throws {
        var solver = Solver()
        let x = solver.makeVariable()
        let y = solver.makeVariable()
        let width = try solver.addConstraint(sum((1, x), constant: -10), .equal)
        _ = try solver.addConstraint(sum((1, y), (-2, x)), .equal)
        #expect(solver.solve() == [x, y])
        for constant in 11...20 { try solver.setConstant(-Double(constant), of: width) }
        #expect(solver.value(of: y) == 20)
        try solver.setConstant(-10, of: width)
        #expect(solver.solve() == [])
        #expect(solver.solve() == [])
    }

    @Test("an inactive constraint keeps its id and constant but holds nothing")
    func activity() throws {
        var solver = Solver()
        let x = solver.makeVariable()
        let first = try solver.addConstraint(sum((1, x), constant: -10), .equal)
        try solver.setActive(false, of: first)
        let second = try solver.addConstraint(sum((1, x), constant: -20), .equal)
        _ = solver.solve()
        #expect(solver.value(of: x) == 20)
        #expect(solver.violation(of: first) == 10)
        #expect(throws: SolverError.unsatisfiable(conflict: [second])) {
            try solver.setActive(true, of: first)
        }
        try solver.setConstant(-20, of: first)
        try solver.setActive(true, of: first)
        try solver.removeConstraint(second)
        _ = solver.solve()
        #expect(solver.value(of: x) == 20)
        #expect(solver.constraintsAffecting(x) == [first])
    }

    @Test("a non-negative variable is held at zero and affected by no constraint there")
    func nonNegative() throws {
        var solver = Solver()
        let x = solver.makeVariable(isNonNegative: true)
        let wish = try solver.addConstraint(
            sum((1, x), constant: 5), .equal, strength: Strength(10))
        _ = solver.solve()
        #expect(solver.value(of: x) == 0)
        #expect(solver.violation(of: wish) == 5)
        #expect(solver.constraintsAffecting(x) == [])
        #expect(solver.isUnique(x) == true)
        #expect(throws: SolverError.unsatisfiable(conflict: [])) {
            try solver.setStrength(.required, of: wish)
        }
        #expect(solver.counts.rows == 1)
    }

    @Test("ambiguity is seen where two wishes of one strength disagree")
    func uniqueness() throws {
        var solver = Solver()
        let x = solver.makeVariable()
        let y = solver.makeVariable()
        let z = solver.makeVariable()
        for constant in [-10.0, -20] {
            _ = try solver.addConstraint(
                sum((1, x), constant: constant), .equal, strength: Strength(5))
        }
        let tie = try solver.addConstraint(sum((1, y), (-1, x)), .equal)
        _ = solver.solve()
        #expect(solver.isUnique(x) == false)
        #expect(solver.isUnique(y) == false)
        #expect(solver.isUnique(z) == false)
        _ = try solver.addConstraint(sum((1, y), constant: -12), .equal, strength: Strength(1))
        _ = solver.solve()
        #expect(solver.isUnique(x) == true)
        #expect(solver.value(of: x) == 12)
        try solver.removeConstraint(tie)
        _ = solver.solve()
        #expect(solver.isUnique(x) == false)
        #expect(solver.isUnique(y) == true)
    }

    @Test(
        "each link of a long chain is asked about once, whatever depends on it",
        .timeLimit(.minutes(5)))
    func uniquenessOfAChain() throws {
        var solver = Solver()
        var heights: [Variable] = []
        var tops: [Variable] = []
        for index in 0..<1000 {
            heights.append(solver.makeVariable(isNonNegative: true))
            tops.append(solver.makeVariable())
            // At most and at least 16, as a text hugs its size and resists being cut: two wishes
            // that meet in a point.
            for relation in [Relation.lessThanOrEqual, .greaterThanOrEqual] {
                _ = try solver.addConstraint(
                    sum((1, heights[index]), constant: -16), relation, strength: Strength(5))
            }
            let above =
                index == 0
                ? sum((1, tops[0]))
                : sum((1, tops[index]), (-1, tops[index - 1]), (-1, heights[index - 1]))
            _ = try solver.addConstraint(above, .equal)
        }
        let free = solver.makeVariable()
        let after = solver.makeVariable()
        _ = try solver.addConstraint(
            sum((1, after), (-1, tops[999]), (-1, free)), .equal)
        _ = solver.solve()
        var spots = DegenerateSpots()
        for variable in heights + tops {
            let isUnique = solver.isUnique(variable, knowing: &spots)
            #expect(isUnique)
        }
        #expect(solver.value(of: tops[999]) == 999 * 16)
        let isUnique = solver.isUnique(after, knowing: &spots)
        #expect(!isUnique)
    }

    @Test("ids of released variables and removed constraints are used again")
    func recycling() throws {
        var solver = Solver()
        let x = solver.makeVariable()
        let id = try solver.addConstraint(sum((1, x), constant: -3), .equal)
        _ = solver.solve()
        #expect(throws: SolverError.variableInUse(x)) { try solver.releaseVariable(x) }
        try solver.removeConstraint(id)
        try solver.releaseVariable(x)
        let again = solver.makeVariable()
        #expect(again == x)
        #expect(solver.value(of: again) == 0)
        #expect(try solver.addConstraint(sum((1, again), constant: -4), .equal) == id)
        #expect(solver.solve() == [again])
        #expect(solver.value(of: again) == 4)
    }

    @Test("a copy goes its own way, with changes that were not yet published")
    func copying() throws {
        var solver = Solver()
        let x = solver.makeVariable()
        let id = try solver.addConstraint(sum((1, x), constant: -1), .equal)
        _ = solver.solve()
        try solver.setConstant(-2, of: id)
        var copy = Solver(copying: solver)
        try solver.setConstant(-3, of: id)
        #expect(solver.solve() == [x])
        #expect(copy.value(of: x) == 1)
        #expect(copy.solve() == [x])
        #expect(copy.value(of: x) == 2)
        #expect(solver.value(of: x) == 3)
        #expect(copy.invariantFailure() == nil)
    }

    @Test(
        "values that were far away and came back leave no rounding", arguments: [false, true])
    func farAwayAndBack(isSolvedThere: Bool) throws {
        var solver = Solver()
        let x = solver.makeVariable()
        let y = solver.makeVariable()
        let z = solver.makeVariable()
        let place = try solver.addConstraint(sum((1, x), constant: -0.1), .equal)
        _ = try solver.addConstraint(sum((1, y), (-1000, x)), .equal)
        _ = try solver.addConstraint(sum((1, z), (-1, y), constant: -0.3), .equal)
        _ = solver.solve()
        // At 1e11 a double is exact to 1.5e-5.
        try solver.setConstant(-1e8, of: place)
        if isSolvedThere { _ = solver.solve() }
        try solver.setConstant(-0.1, of: place)
        #expect(solver.invariantFailure() == nil)
        _ = solver.solve()
        #expect(abs(solver.value(of: z) - 100.3) < 1e-9)
    }

    @Test("an equation that holds but for rounding pushes no variable over its bound")
    func holdsButForRounding() throws {
        for isReversed in [false, true] {
            var solver = Solver()
            let x = solver.makeVariable(isNonNegative: true)
            let y = solver.makeVariable()
            _ = try solver.addConstraint(sum((1, y), constant: -5), .equal)
            let sign = isReversed ? -1.0 : 1
            // What is lacking is tolerated, and mending it with x would take ten times as much
            // below zero.
            let id = try solver.addConstraint(
                sum((sign, y), (sign * 0.1, x), constant: sign * (5e-11 - 5)), .equal)
            #expect(solver.invariantFailure() == nil)
            _ = solver.solve()
            #expect(solver.value(of: x) == 0)
            #expect(solver.value(of: y) == 5)
            #expect(solver.isSatisfied(id) == true)
        }
    }

    @Test("an equation that holds before it is added is still among those that hold its variable")
    func alreadyHolds() throws {
        var solver = Solver()
        let left = solver.makeVariable()
        let width = solver.makeVariable(isNonNegative: true)
        // Both are zero and other constraints speak of them before their own do.
        let right = Expression(terms: [Term(left, 1), Term(width, 1)], constant: -50)
        let edge = try solver.addConstraint(right, .lessThanOrEqual)
        let origin = try solver.addConstraint(Expression(terms: [Term(left, 1)]), .equal)
        let size = try solver.addConstraint(
            Expression(terms: [Term(width, 1)], constant: -20), .equal)
        _ = solver.solve()
        let holdLeft = solver.constraintsAffecting(left)
        let holdWidth = solver.constraintsAffecting(width)
        #expect(holdLeft == [origin])
        #expect(holdWidth == [size])
        try solver.removeConstraint(origin)
        _ = solver.solve()
        let isUnique = solver.isUnique(left)
        #expect(!isUnique)
        try solver.removeConstraint(edge)
    }
}
