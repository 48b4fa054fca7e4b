/// The prices of constraints, and of symbols, which change with them.
extension Solver {
    /// The price of a constraint's marker; counts one use of each of its levels.
    mutating func makeShape(_ source: Source) -> Shape {
        let sides: Shape.Sides =
            switch source.relation {
            case .lessThanOrEqual: .above
            case .equal: [.below, .above]
            case .greaterThanOrEqual: .below
            }
        guard !source.isRequired else { return Shape(slope: .infinity, level: -1, sides: sides) }
        let weight = min(1, source.scale)
        let level = objective.retain(source.strengths.below.value, weight: weight)
        guard source.strengths.above != source.strengths.below else {
            return Shape(slope: source.scale, level: level, sides: sides)
        }
        return Shape(
            slope: source.scale, levelBelow: level,
            levelAbove: objective.retain(source.strengths.above.value, weight: weight), sides: sides
        )
    }

    /// The side of the kink that a basic symbol is on; on the kink itself, the cheaper one.
    mutating func side(of symbol: Int32, shape: Shape) -> Int8 {
        let kink = kink(of: symbol)
        if values[symbol] > kink { return 1 }
        if values[symbol] < kink { return -1 }
        guard shape.levelAbove == shape.levelBelow else {
            let isAboveCheaper =
                objective.strength(of: shape.levelAbove)
                < objective.strength(of: shape.levelBelow)
            return isAboveCheaper ? 1 : -1
        }
        return shape.above <= shape.below ? 1 : -1
    }

    /// Changes a symbol's price; the objective follows.
    ///
    /// The caller sees to it that a parametric symbol rests on its kink.
    mutating func setShape(_ symbol: Int32, _ shape: Shape, side: Int8) {
        let old = symbols[symbol]
        let keepsLevels =
            old.shape.levelBelow == shape.levelBelow && old.shape.levelAbove == shape.levelAbove
        if old.charged != 0, !keepsLevels {
            loadRow(symbol)
            addRow(-old.charged, level: old.level(of: old.charged))
            symbols[symbol].charged = 0
        }
        symbols[symbol].shape = shape
        symbols[symbol].side = side
        kinks[symbol] = shape.kinkClass
        invalidateKinks()
        if old.status == .parametric, symbols[symbol].isFixed != old.isFixed {
            row.owner = -1
            if old.isFixed { findRates(of: symbol) } else { objective.removeRates(of: symbol) }
        }
        if old.status != .basic {
            markUnpriced(symbol)
        } else if shape.isSoft {
            markUncharged(symbol)
        }
    }

    /// Works out how the objective changes with a parametric symbol that could not move so far, for
    /// whose kind it keeps no rates.
    ///
    /// - Complexity: O(length of the column).
    mutating func findRates(of symbol: Int32) {
        forEachRate(of: symbol) { solver, level, rate in
            solver.objective.add(rate, to: symbol, level: level)
            return !solver.stopsIfOverdrawn()
        }
    }

    /// Calls `body` with each part of how the objective changes with a parametric symbol: one for
    /// each basic symbol that moves with it and whose price is charged.
    ///
    /// - Parameter body: Returns whether to go on.
    mutating func forEachRate(
        of symbol: Int32, _ body: (inout Solver, _ level: Int32, _ rate: Double) -> Bool
    ) {
        loadColumn(symbol)
        charge(column.entries.count)
        for index in column.entries.indices {
            let entry = column.entries[index]
            let state = symbols[entry.symbol]
            guard state.charged != 0 else { continue }
            let level = state.level(of: state.charged)
            guard body(&self, level, entry.value * state.charged) else { return }
        }
    }

    /// Adds `factor` times the row at hand to a level of the objective.
    private mutating func addRow(_ factor: Double, level: Int32) {
        var index = 0
        while index < row.entries.count {
            let entry = row.entries[index]
            index &+= 1
            guard !symbols[entry.symbol].isFixed else { continue }
            objective.add(factor * entry.value, to: entry.symbol, level: level)
            markUnpriced(entry.symbol)
        }
        charge(index)
    }

    /// The strength of a price that may be paid, on the side where it is the stronger.
    mutating func strongest(of shape: Shape) -> Double {
        let above = objective.strength(of: shape.levelAbove)
        return shape.levelAbove == shape.levelBelow
            ? above : max(above, objective.strength(of: shape.levelBelow))
    }
}
