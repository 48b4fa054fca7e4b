extension Solver {
    /// Whether a variable has the same value in every optimal solution. Call after `solve()`.
    ///
    /// - Complexity: O(number of symbols that the variable depends on), except where several
    ///   constraints meet in one point: there a small solver is asked, made of the rows and columns
    ///   that can move together with the variable.
    public mutating func isUnique(_ variable: Variable) -> Bool {
        var spots = DegenerateSpots()
        return isUnique(variable, knowing: &spots)
    }

    /// The same for one of many variables of one solution: what the answer found out about single
    /// columns serves the next ones.
    ///
    /// - Parameters:
    ///   - variable: The variable asked about.
    ///   - spots: What is known so far; a new value after any change of the solver.
    /// - Complexity: as above, but each column is asked about once for all variables that depend on
    ///   it, so that a chain of *n* views, of which the last depends on all, takes *n* small
    ///   questions and not *n*² / 2.
    public mutating func isUnique(
        _ variable: Variable, knowing spots: inout DegenerateSpots
    ) -> Bool {
        guard isKnown(variable), work <= questionLimit else { return true }
        return leavingNoTrace { $0.hasOneValue(variable, knowing: &spots) }
    }

    private mutating func hasOneValue(
        _ variable: Variable, knowing spots: inout DegenerateSpots
    ) -> Bool {
        var open: [Term] = []
        for term in movableTerms(of: Symbol(variable).index)
        where work <= questionLimit && spots.canMove(term.variable.index, of: &self) {
            open.append(term)
        }
        guard !open.isEmpty else { return true }
        // What moves in a spot of its own has nothing to make up for it. Several in one spot may
        // cancel each other.
        guard !spots.hasOneAlone(of: open) else { return false }
        return !UniquenessTrial(&self, open).canMove
    }

    /// The columns that a symbol depends on and that can move at no price as far as the objective
    /// knows; for a column, that column itself.
    private mutating func movableTerms(of symbol: Int32) -> [Term] {
        if symbols[symbol].status == .parametric {
            return isMovable(symbol) ? [Term(Variable(index: symbol), 1)] : []
        }
        return movableCells(of: symbol)
    }

    fileprivate mutating func movableCells(of symbol: Int32) -> [Term] {
        loadRow(symbol)
        var result: [Term] = []
        for index in row.entries.indices {
            let entry = row.entries[index]
            if entry.value.magnitude > Tolerance.pivot, isMovable(entry.symbol) {
                result.append(Term(Variable(index: entry.symbol), entry.value))
            }
        }
        return result
    }

    /// The basic symbols with a price that a column moves.
    fileprivate mutating func pricedSymbols(movedBy symbol: Int32) -> [Int32] {
        loadColumn(symbol)
        var result: [Int32] = []
        for index in column.entries.indices {
            let symbol = column.entries[index].symbol
            if symbols[symbol].shape.hasKink { result.append(symbol) }
        }
        return result
    }

    /// Whether a column can move at no price as far as the objective knows.
    private mutating func isMovable(_ column: Int32) -> Bool {
        let shape = symbols[column].shape
        for isUp in [true, false] {
            guard (isUp ? shape.above : shape.below) != .infinity else { continue }
            guard let leading = leadingCost(of: column, isUp: isUp) else { return true }
            if leading.rate < 0 { return true }
        }
        return false
    }
}

/// What questions of uniqueness found out about the columns of one solution.
///
/// Columns that a priced symbol links move together, if at all: they make a spot. Different spots
/// know nothing of each other.
public struct DegenerateSpots {
    private struct Column {
        var spot: Int
        var canMove: Bool?
    }

    private var columns: [Int32: Column] = [:]
    private var count = 0

    /// Nothing is known.
    public init() {}

    /// Whether a column has another value in some optimal solution.
    fileprivate mutating func canMove(_ column: Int32, of solver: inout Solver) -> Bool {
        if let known = columns[column]?.canMove { return known }
        let trial = UniquenessTrial(&solver, [Term(Variable(index: column), 1)])
        if columns[column] == nil {
            for each in trial.columns { columns[each] = Column(spot: count) }
            count += 1
        }
        columns[column]?.canMove = trial.canMove
        return trial.canMove
    }

    /// Whether some spot has exactly one of these columns.
    fileprivate func hasOneAlone(of terms: [Term]) -> Bool {
        var seen: [Int: Int] = [:]
        for term in terms {
            if let spot = columns[term.variable.index]?.spot { seen[spot, default: 0] += 1 }
        }
        return seen.values.contains(1)
    }
}

/// The part of a solved system that may move together at no price, as a system of its own: one
/// variable for each column that may move, meaning how far it has, and one constraint for each
/// symbol with a price.
///
/// The objective's rates hold for the slopes in force. Where a basic symbol rests exactly on its
/// kink the price of moving on changes at once, so a rate of zero is a question and no answer; the
/// trial answers it by solving. Columns that cannot move are left out, which keeps the trial as
/// small as the degenerate spot.
private struct UniquenessTrial {
    /// Whether the expression can take another value without a higher price.
    let canMove: Bool
    /// All columns of the part, or those of the expression alone where it could not be built.
    let columns: [Int32]

    /// - Parameter terms: The expression asked about; its variables carry the indices of columns.
    init(_ solver: inout Solver, _ terms: [Term]) {
        var builder = Builder()
        for term in terms { _ = builder.displacement(of: term.variable.index) }
        var isBuilt = true
        var next = 0
        while next < builder.columns.count, isBuilt, solver.work <= solver.questionLimit {
            isBuilt = Self.add(column: builder.columns[next], of: &solver, to: &builder)
            next += 1
        }
        guard isBuilt else {
            // Rounding made the present point look infeasible; saying that it may move is the
            // careful answer.
            canMove = true
            columns = terms.map { $0.variable.index }
            return
        }
        columns = builder.columns
        guard next == builder.columns.count else {
            canMove = false
            return
        }
        let expression = terms.map {
            Term(builder.displacement(of: $0.variable.index), $0.coefficient)
        }
        builder.allow(solver.questionLimit &- min(solver.work, solver.questionLimit))
        canMove = builder.moves(expression, towards: 1) || builder.moves(expression, towards: -1)
        solver.meter &+= builder.work
    }

    /// Enters a column's own price and every basic symbol that it moves; new columns are found on
    /// the way.
    private static func add(
        column: Int32, of solver: inout Solver, to builder: inout Builder
    ) -> Bool {
        let own = Term(builder.displacement(of: column), 1)
        guard add(price: column, [own], of: &solver, to: &builder) else { return false }
        for moved in solver.pricedSymbols(movedBy: column) where builder.enter(moved) {
            guard solver.work <= solver.questionLimit else { break }
            let terms = solver.movableCells(of: moved).map {
                Term(builder.displacement(of: $0.variable.index), $0.coefficient)
            }
            guard add(price: moved, terms, of: &solver, to: &builder) else { return false }
        }
        return true
    }

    private static func add(
        price symbol: Int32, _ terms: [Term], of solver: inout Solver, to builder: inout Builder
    ) -> Bool {
        let state = solver.symbols[symbol]
        let shape = state.shape
        guard shape.hasKink, !terms.isEmpty else { return true }
        let isRequired = shape.below == .infinity || shape.above == .infinity
        let weight = isRequired ? 1 : max(shape.below, shape.above)
        let kink = solver.kink(of: symbol)
        let distance = solver.values[symbol] - kink
        let expression = Expression(
            terms: terms.map { Term($0.variable, $0.coefficient * weight) },
            constant: distance.magnitude <= Tolerance.around(kink) ? 0 : distance * weight)
        func add(_ relation: Relation, _ level: Int32) -> Bool {
            let strength: Strength =
                isRequired ? .required : Strength(solver.objective.strength(of: level))
            return builder.add(expression, relation, strength)
        }
        if shape.sides == [.below, .above], shape.levelBelow == shape.levelAbove {
            return add(.equal, shape.levelBelow)
        }
        return (!shape.sides.contains(.below) || add(.greaterThanOrEqual, shape.levelBelow))
            && (!shape.sides.contains(.above) || add(.lessThanOrEqual, shape.levelAbove))
    }

    /// The trial's own solver, with its variables by column.
    private struct Builder: ~Copyable {
        private var solver = Solver()
        private var variables: [Int32: Variable] = [:]
        private var entered: Set<Int32> = []
        private(set) var columns: [Int32] = []
        /// Units for what its solver does not count: for itself, which is made and released again,
        /// and for each column and row that is looked up.
        private var meter: UInt64 = 600
        private static let lookup: UInt64 = 120

        mutating func displacement(of column: Int32) -> Variable {
            if let variable = variables[column] { return variable }
            meter &+= Self.lookup
            let variable = solver.makeVariable()
            variables[column] = variable
            columns.append(column)
            return variable
        }

        /// What its solver has cost.
        var work: UInt64 { meter &+ solver.work }

        /// Lets its solver spend so much more.
        mutating func allow(_ units: UInt64) {
            let (limit, isTooMuch) = solver.work.addingReportingOverflow(units)
            solver.workLimit = isTooMuch ? .max : limit
        }

        /// Notes a row; false when it was there before.
        mutating func enter(_ row: Int32) -> Bool {
            meter &+= Self.lookup
            return entered.insert(row).inserted
        }

        mutating func add(
            _ expression: Expression, _ relation: Relation, _ strength: Strength
        ) -> Bool {
            do {
                _ = try solver.addConstraint(expression, relation, strength: strength)
                return true
            } catch {
                return false
            }
        }

        /// Whether the expression follows a constraint that is weaker than all others.
        mutating func moves(_ terms: [Term], towards target: Double) -> Bool {
            do {
                let wish = try solver.addConstraint(
                    Expression(terms: terms, constant: -target), .equal,
                    strength: Strength(weakest: ()))
                _ = solver.solve()
                var reached = 0.0
                for term in terms { reached += term.coefficient * solver.value(of: term.variable) }
                try solver.removeConstraint(wish)
                return reached.magnitude > 1e-7 && !solver.isExhausted
            } catch .exhausted {
                return false
            } catch {
                return true
            }
        }
    }
}
