/// Restoring required constraints: the dual simplex of section 2.6 of the paper.
extension Solver {
    enum RepairResult {
        case feasible
        /// The row of this symbol cannot reach its bound: its members are a Farkas certificate.
        case conflict(Int32)
        case trouble
    }

    /// Makes every required row feasible, spending as little violation of weaker constraints as
    /// possible.
    ///
    /// If the tableau was optimal before a constant changed, the entering rule keeps it optimal.
    /// After a great many pivots the choice falls back to smallest indices, which cannot cycle
    /// (Bland; as in the decision procedure of Dutertre and de Moura, 2006).
    mutating func repair() -> RepairResult {
        var pivots = 0
        let patience = 50 + rowCount
        let maximum = 1000 + 20 * (rowCount + symbols.count)
        while let row = nextInfeasibleRow(smallestIndex: pivots > patience) {
            pivots += 1
            guard pivots <= maximum, !stopsIfOverdrawn() else { return .trouble }
            let kink = kink(of: row)
            let need = kink - values[row]
            guard let choice = entering(row: row, need: need, smallestIndex: pivots > patience)
            else {
                if isRounding(row: row, need: need) {
                    setValue(row, kink)
                    continue
                }
                return .conflict(row)
            }
            move(choice.column, by: need / choice.coefficient)
            setValue(row, kink)
            swap(
                leaving: row, entering: choice.column,
                side: (need > 0) == (choice.coefficient > 0) ? 1 : -1)
        }
        return .feasible
    }

    /// What a repair that began with a journal came to.
    enum Outcome {
        case feasible
        case conflict([ConstraintID])
        case trouble
    }

    /// Repairs after a change to `offered`, and lets no blurred tableau decide: the answer is then
    /// that of a copy whose tableau is made anew. The journal ends unless the change is to be taken
    /// back.
    ///
    /// - Parameter offered: The constraint that the conflict, if there is one, is not to name; nil
    ///   to name all.
    mutating func repairChecked(offered: ConstraintID?) -> Outcome {
        let result = repair()
        if !isBlurred {
            switch result {
            case .feasible:
                endJournal()
                return .feasible
            case .conflict(let row): return .conflict(members(row: row, offered: offered))
            case .trouble: break
            }
        }
        guard !stopsIfOverdrawn() else { return .trouble }
        var trial = Solver(copying: self)
        trial.workLimit = workLimit &- work
        let before = work
        for index in suspects.indices { trial.symbols[suspects[index]].queues.remove(.suspects) }
        switch trial.remake() {
        case .feasible:
            let limit = workLimit
            self = trial
            meter &+= before
            workLimit = limit
            return .feasible
        case .conflict(let row):
            let members = trial.members(row: row, offered: offered)
            meter &+= trial.work
            return .conflict(members)
        case .trouble:
            meter &+= trial.work
            return .trouble
        }
    }

    private mutating func members(row: Int32, offered: ConstraintID?) -> [ConstraintID] {
        offered.map { conflict(row: row, offered: $0) } ?? conflict(row: row)
    }

    mutating func clearSuspects() {
        for index in suspects.indices { symbols[suspects[index]].queues.remove(.suspects) }
        suspects.removeAll()
    }

    private mutating func nextInfeasibleRow(smallestIndex: Bool) -> Int32? {
        var best: Int32?
        var worst = 0.0
        var write = 0
        for read in suspects.indices {
            let symbol = suspects[read]
            let state = symbols[symbol]
            let kink = kink(of: symbol)
            guard state.status == .basic, state.isInfeasible(at: values[symbol], kink: kink) else {
                symbols[symbol].queues.remove(.suspects)
                continue
            }
            suspects[write] = symbol
            write += 1
            let violation = (values[symbol] - kink).magnitude
            if let chosen = best {
                let isBetter =
                    smallestIndex
                    ? symbol < chosen
                    : violation > worst || (violation == worst && symbol < chosen)
                guard isBetter else { continue }
            }
            best = symbol
            worst = violation
        }
        charge(suspects.count)
        suspects.truncate(to: write)
        return best
    }

    /// Chooses the column that mends a row at the least price per unit.
    ///
    /// Equal prices prefer the symbol of fewest constraints, which moves least: for a new
    /// constraint that is a fresh variable, the subject of section 2.5 of the paper.
    mutating func entering(
        row: Int32, need: Double, smallestIndex: Bool
    ) -> (column: Int32, coefficient: Double)? {
        loadRow(row)
        let smallest = smallestPivot(need: need)
        var best: (column: Int32, coefficient: Double)?
        charge(4 &* self.row.entries.count)
        for index in self.row.entries.indices {
            let cell = self.row.entries[index]
            guard cell.value.magnitude > smallest, isMovable(cell.symbol, cell.value, need: need)
            else { continue }
            let isUp = (need > 0) == (cell.value > 0)
            let choice = (column: cell.symbol, coefficient: cell.value)
            if smallestIndex {
                if best.map({ cell.symbol < $0.column }) ?? true { best = choice }
                continue
            }
            let levelCount = UInt64(objective.matrix.count(ofColumn: cell.symbol))
            // Levels are sorted in as they come.
            meter &+= levelCount &* levelCount / 8 &+ levelCount
            setCost(of: cell.symbol, isUp: isUp)
            guard let chosen = best else {
                best = choice
                Swift.swap(&cost, &bestCost)
                continue
            }
            let order = CostVector.compare(
                cost, per: cell.value.magnitude, bestCost, per: chosen.coefficient.magnitude)
            if order < 0 || (order == 0 && isPreferred(choice, to: chosen)) {
                best = choice
                Swift.swap(&cost, &bestCost)
            }
        }
        return best
    }

    /// The size of coefficient that a pivot has to exceed, so that it does not magnify rounding
    /// where a larger one would mend the row too. What that costs in violation, optimising
    /// afterwards wins back.
    private mutating func smallestPivot(need: Double) -> Double {
        var largest = 0.0
        for index in row.entries.indices {
            let cell = row.entries[index]
            if cell.value.magnitude > largest, isMovable(cell.symbol, cell.value, need: need) {
                largest = cell.value.magnitude
            }
        }
        return max(Tolerance.pivot, Tolerance.steepPivot * largest)
    }

    /// Whether a column may move in the direction that brings the row at hand nearer to the bound.
    mutating func isMovable(_ column: Int32, _ coefficient: Double, need: Double) -> Bool {
        let shape = symbols[column].shape
        return ((need > 0) == (coefficient > 0) ? shape.above : shape.below) != .infinity
    }

    private mutating func isPreferred(
        _ left: (column: Int32, coefficient: Double), to right: (column: Int32, coefficient: Double)
    ) -> Bool {
        let leftIsLarge = left.coefficient.magnitude >= Tolerance.comfortablePivot
        let rightIsLarge = right.coefficient.magnitude >= Tolerance.comfortablePivot
        if leftIsLarge != rightIsLarge { return leftIsLarge }
        let leftCount = mentions(left.column)
        let rightCount = mentions(right.column)
        if leftCount != rightCount { return leftCount < rightCount }
        let leftSize = left.coefficient.magnitude
        let rightSize = right.coefficient.magnitude
        if leftSize != rightSize { return leftSize > rightSize }
        return left.column < right.column
    }

    /// How many constraints mention a symbol, which bounds what its column can fill in.
    private mutating func mentions(_ symbol: Int32) -> Int32 {
        symbol & 1 == 1 ? 1 : terms.count(ofColumn: symbol >> 1)
    }

    /// Works out the price of moving a parametric symbol one unit, by level, into `cost`.
    private mutating func setCost(of column: Int32, isUp: Bool) {
        cost.removeAll()
        let shape = symbols[column].shape
        let direction = isUp ? 1.0 : -1.0
        let level = isUp ? shape.levelAbove : shape.levelBelow
        var own = isUp ? shape.above : shape.below
        var index = objective.matrix.head(ofColumn: column)
        while index >= 0 {
            let cell = objective.matrix.cells[index]
            var rate = direction * cell.value
            if cell.row == level {
                rate += own
                own = 0
            }
            cost.insert(entry(slot: cell.row, rate: rate))
            index = cell.nextInColumn
        }
        if level >= 0, own != 0 { cost.insert(entry(slot: level, rate: own)) }
    }

    /// The price of moving a parametric symbol one unit at the strongest level where there is any;
    /// asked for every column that is considered, so it makes no list of the others.
    mutating func leadingCost(of column: Int32, isUp: Bool) -> CostVector.Entry? {
        let shape = symbols[column].shape
        let direction = isUp ? 1.0 : -1.0
        let level = isUp ? shape.levelAbove : shape.levelBelow
        var own = isUp ? shape.above : shape.below
        var best: CostVector.Entry?
        var index = objective.matrix.head(ofColumn: column)
        while index >= 0 {
            let cell = objective.matrix.cells[index]
            index = cell.nextInColumn
            var candidate = entry(slot: cell.row, rate: direction * cell.value)
            if cell.row == level {
                candidate.rate += own
                own = 0
            }
            if candidate.rate.magnitude > candidate.tolerance,
                best.map({ candidate.strength > $0.strength }) ?? true
            {
                best = candidate
            }
        }
        if level >= 0, own != 0 {
            let candidate = entry(slot: level, rate: own)
            if best.map({ candidate.strength > $0.strength }) ?? true { best = candidate }
        }
        return best
    }

    private mutating func entry(slot: Int32, rate: Double) -> CostVector.Entry {
        CostVector.Entry(
            strength: objective.strength(of: slot), slot: slot, rate: rate,
            tolerance: objective.tolerance(of: slot))
    }

    /// Whether a shortfall is within the rounding of the sum that shows it.
    private mutating func isRounding(row: Int32, need: Double) -> Bool {
        loadRow(row, isWhole: true)
        var sum = 0.0
        for index in self.row.entries.indices {
            let entry = self.row.entries[index]
            sum += (entry.value * values[entry.symbol]).magnitude
        }
        return need.magnitude <= 10 * Tolerance.rounding * sum
    }
}
