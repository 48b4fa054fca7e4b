import Testing

@testable import Cassowary

/// Required constraints that enter where a content gives way. Expected values are by hand; debug
/// builds check after each call that rows, values and rates agree.
@Suite("Contents that give way to what enters")
struct HolderTests {
    /// Lengths with contents, which resist being compressed (750) more than being stretched (250).
    private struct Contents: ~Copyable {
        var solver = Solver()
        private(set) var lengths: [Variable] = []

        /// Adds a length; one without a content is free.
        mutating func add(_ content: Double?) throws -> Variable {
            let length = solver.makeVariable(isNonNegative: true)
            lengths.append(length)
            if let content {
                _ = try solver.addConstraint(
                    Expression(terms: [Term(length, 1)], constant: -content),
                    below: Strength(750), above: Strength(250))
            }
            return length
        }

        /// Adds `first == second + constant`.
        @discardableResult
        mutating func tie(
            _ first: Variable, _ second: Variable, constant: Double = 0,
            _ relation: Relation = .equal
        ) throws -> ConstraintID {
            try solver.addConstraint(
                Expression(terms: [Term(first, 1), Term(second, -1)], constant: -constant), relation
            )
        }

        mutating func solved() -> [Double] {
            _ = solver.solve()
            let failure = solver.invariantFailure()
            #expect(failure == nil)
            return lengths.map { solver.value(of: $0) }
        }

        mutating func expect(_ expected: [Double], at location: SourceLocation = #_sourceLocation) {
            let lengths = solved()
            #expect(lengths == expected, sourceLocation: location)
        }

        /// Before the next solve.
        mutating func expect(
            _ length: Variable, _ expected: Double, at location: SourceLocation = #_sourceLocation
        ) {
            let value = solver.currentValue(of: length)
            #expect(value == expected, sourceLocation: location)
        }
    }

    @Test(
        "views of a row are as high as the highest of them, in whichever order they are tied to it",
        arguments: [[30, 20, 10], [10, 20, 30], [20, 30, 10], [20, 20, 20], [5, 40, 40]])
    func row(heights: [Double]) throws {
        var row = Contents()
        let height = try row.add(nil)
        for content in heights { try row.tie(try row.add(content), height, constant: -16) }
        let highest = try #require(heights.max())
        row.expect([highest + 16] + heights.map { _ in highest })
    }

    @Test("what is tied later holds at once, without a solve")
    func holdsAtOnce() throws {
        var row = Contents()
        let high = try row.add(30)
        let low = try row.add(12)
        let moves = row.solver.movesSinceRefresh
        let tie = try row.tie(low, high)
        // No column was moved, as a repair does.
        let movesAfter = row.solver.movesSinceRefresh
        #expect(movesAfter == moves)
        // The lower one was stretched, and the other one did not move.
        row.expect(low, 30)
        row.expect(high, 30)
        row.expect([30, 30])
        // Without the tie each has its own length again.
        try row.solver.removeConstraint(tie)
        row.expect([30, 12])
    }

    @Test("a content is not compressed for one that can be stretched")
    func strongerSide() throws {
        var row = Contents()
        let low = try row.add(12)
        let high = try row.add(30)
        // The longer one is stated first in the equation, and would have to be compressed.
        try row.tie(high, low)
        row.expect([30, 30])
    }

    @Test("an inequality stretches as far as it needs, and one that holds stretches nothing")
    func inequality() throws {
        var row = Contents()
        let low = try row.add(12)
        let high = try row.add(30)
        try row.tie(low, high, constant: -5, .greaterThanOrEqual)
        row.expect([25, 30])
        try row.tie(high, low, .greaterThanOrEqual)
        row.expect([25, 30])
    }

    @Test("a content is stretched whose view something else holds, too, where that costs least")
    func otherConstraints() throws {
        var row = Contents()
        let low = try row.add(12)
        let high = try row.add(30)
        let free = try row.add(15)
        // At 800 the first is 12: stretching the other one costs less.
        _ = try row.solver.addConstraint(
            Expression(terms: [Term(low, 1)], constant: -12), .equal, strength: Strength(800))
        // Their sum is that of the first and the third.
        _ = try row.solver.addConstraint(
            Expression(terms: [Term(low, 1), Term(free, 1), Term(high, -1)], constant: 0), .equal)
        row.expect([12, 30, 18])
    }

    /// Twice the content, by two ways: its own length, and that of one that is as long.
    @Test("what depends on a content in two ways moves twice as far")
    func twoWays() throws {
        var stack = Contents()
        let first = try stack.add(10)
        let second = try stack.add(nil)
        try stack.tie(second, first)
        let whole = try stack.add(nil)
        // whole = first + second
        _ = try stack.solver.addConstraint(
            Expression(terms: [Term(whole, 1), Term(first, -1), Term(second, -1)], constant: 0),
            .equal)
        stack.expect(whole, 20)
        // Something that waits for the objective, so that prices are not known.
        let other = try stack.add(5)
        try stack.tie(other, try stack.add(7))
        let fixed = try stack.solver.addConstraint(
            Expression(terms: [Term(whole, 1)], constant: -50), .equal)
        stack.expect(first, 25)
        stack.expect([25, 25, 50, 7, 7])
        try stack.solver.setConstant(-60, of: fixed)
        stack.expect([30, 30, 60, 7, 7])
    }

    @Test("a column that is stretched stretches what is in it, and compresses nothing")
    func column() throws {
        var column = Contents()
        let whole = try column.add(nil)
        let parts = [try column.add(10), try column.add(20), try column.add(30)]
        _ = try column.solver.addConstraint(
            Expression(
                terms: [Term(whole, 1)] + parts.map { Term($0, -1) }, constant: 0), .equal)
        let wide = try column.add(100)
        try column.tie(wide, whole)
        // Which of the three is stretched is the solver's choice; 40 are to be spread, none is
        // compressed.
        let lengths = column.solved()
        #expect(lengths[0] == 100 && lengths[4] == 100)
        #expect(lengths[1...3].reduce(0, +) == 100)
        #expect(lengths[1] >= 10 && lengths[2] >= 20 && lengths[3] >= 30)
    }

    @Test("what is refused leaves contents as they were")
    func refused() throws {
        var row = Contents()
        let low = try row.add(12)
        let high = try row.add(30)
        try row.tie(low, high)
        let small = try row.solver.addConstraint(
            Expression(terms: [Term(high, 1)], constant: -40), .lessThanOrEqual)
        let before = row.solved()
        #expect(before == [30, 30])
        #expect(throws: SolverError.self) {
            _ = try row.solver.addConstraint(
                Expression(terms: [Term(low, 1)], constant: -50), .greaterThanOrEqual)
        }
        row.expect(before)
        try row.solver.removeConstraint(small)
        _ = try row.solver.addConstraint(
            Expression(terms: [Term(low, 1)], constant: -50), .greaterThanOrEqual)
        row.expect([50, 50])
    }

    @Test(
        "a rectangle's variables are those that are made one by one, also from numbers that were given back"
    )
    func rectangle() throws {
        var apart = Solver()
        var together = Solver()
        for round in 0..<3 {
            let four = together.makeRectangle()
            let made = [
                apart.makeVariable(), apart.makeVariable(),
                apart.makeVariable(isNonNegative: true), apart.makeVariable(isNonNegative: true),
            ]
            #expect([four.x, four.y, four.width, four.height] == made)
            for (variable, isBounded) in zip(made, [false, false, true, true]) {
                for low in [-7.0, 3] {
                    let pull = Expression(terms: [Term(variable, 1)], constant: -low)
                    let ids = (
                        try apart.addConstraint(pull, .equal, strength: Strength(1)),
                        try together.addConstraint(pull, .equal, strength: Strength(1))
                    )
                    _ = apart.solve()
                    _ = together.solve()
                    #expect(apart.value(of: variable) == (isBounded ? max(0, low) : low))
                    #expect(together.value(of: variable) == apart.value(of: variable))
                    try apart.removeConstraint(ids.0)
                    try together.removeConstraint(ids.1)
                }
            }
            // The next four are these again, in the opposite order, and one new one after them.
            guard round == 0 else { continue }
            for variable in made.dropFirst() {
                try apart.releaseVariable(variable)
                try together.releaseVariable(variable)
            }
        }
        #expect(apart.counts.variables == together.counts.variables)
    }
}
