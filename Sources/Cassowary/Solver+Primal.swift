/// Lowering the objective: the primal simplex of section 2.4 of the paper, over levels.
extension Solver {
    /// Where a moving column meets the kink of a basic symbol.
    struct Breakpoint {
        var distance: Double
        var coefficient: Double
        var symbol: Int32
        var isHard: Bool

        /// Whether its turn comes before another one's: the nearer first, then the one best divided
        /// by, then the one that came later, on which less depends.
        @inline(__always)
        func precedes(_ other: Self) -> Bool {
            if distance != other.distance { return distance < other.distance }
            let (own, others) = (coefficient.magnitude, other.coefficient.magnitude)
            return own != others ? own > others : symbol > other.symbol
        }
    }

    struct Candidate {
        var strength: Double
        /// How early it comes among those of one strength: the least first.
        var order: Int64
        var symbol: Int32

        /// - Parameter rate: By what the level changes with the symbol.
        init(strength: Double, rate: Double, symbol: Int32) {
            self.strength = strength
            self.symbol = symbol
            order = Int64(0 &- rate.exponent) << 32 | Int64(symbol)
        }

        /// Forgets the rate.
        mutating func orderBySymbol() { order = Int64(symbol) }
    }

    /// How many gradients the objective takes in before it is lowered.
    ///
    /// Those of constraints added together mostly concern the same few symbols, which then stay in
    /// the processor's cache from one step of the work to the next; taking in a large layout at
    /// once would walk through all of its memory in every step.
    private static let chargeBlock = 1024

    /// Moves columns until none lowers the objective.
    ///
    /// Only columns whose price changed are looked at. A step lowers some level and leaves all
    /// stronger ones alone, so the levels together shrink lexicographically.
    ///
    /// - Returns: Whether an optimum was reached.
    mutating func optimise() -> Bool {
        var steps = 0
        var stalls = 0
        let patience = 100 + rowCount / 4
        let maximum = 2000 + 50 * (rowCount + symbols.count)
        while !unpriced.isEmpty || !uncharged.isEmpty {
            guard !stopsIfOverdrawn() else { return false }
            updateObjective(atMost: Self.chargeBlock)
            let rest = uncharged.count
            let smallestIndex = stalls > patience
            collectCandidates(smallestIndex: smallestIndex)
            var position = 0
            while position < candidates.count {
                let column = candidates[position].symbol
                position += 1
                guard objective.matrix.count(ofColumn: column) > 0,
                    let price = improvement(column)
                else { continue }
                steps += 1
                guard steps <= maximum, !stopsIfOverdrawn(),
                    let distance = advance(
                        column, isUp: price.isUp, leading: price.entry, smallestIndex: smallestIndex
                    )
                else { return false }
                updateObjective(atMost: uncharged.count &- rest)
                stalls = distance > 0 ? 0 : stalls + 1
                if smallestIndex || stalls > patience {
                    // The rest is chosen anew, in the order that cannot cycle.
                    while position < candidates.count {
                        markUnpriced(candidates[position].symbol)
                        position += 1
                    }
                }
            }
        }
        return true
    }

    /// Turns the columns whose price changed into those worth moving, strongest level first.
    private mutating func collectCandidates(smallestIndex: Bool) {
        candidates.removeAll()
        charge(4 &* unpriced.count)
        for index in unpriced.indices {
            let symbol = unpriced[index]
            symbols[symbol].queues.remove(.unpriced)
            let gradientCount = objective.matrix.count(ofColumn: symbol)
            meter &+= UInt64(UInt32(bitPattern: gradientCount))
            guard gradientCount > 0, let price = improvement(symbol) else { continue }
            candidates.append(
                Candidate(
                    strength: smallestIndex ? 0 : price.entry.strength,
                    rate: smallestIndex ? 1 : price.entry.rate, symbol: symbol))
        }
        unpriced.removeAll()
        // Where there is much to do, the steepest columns first save steps (Dantzig's rule). Rates
        // of one magnitude count as equal, since neighbours in memory are quicker to work on one
        // after the other.
        let isSteepestFirst = candidates.count > 16
        if !isSteepestFirst {
            for index in candidates.indices { candidates[index].orderBySymbol() }
        }
        candidates.sort {
            $0.strength != $1.strength ? $0.strength > $1.strength : $0.order < $1.order
        }
    }

    /// The direction in which a column that has gradients lowers the objective, if there is one.
    private mutating func improvement(_ symbol: Int32) -> (isUp: Bool, entry: CostVector.Entry)? {
        let state = symbols[symbol]
        guard state.status == .parametric else { return nil }
        for isUp in [true, false] {
            guard (isUp ? state.shape.above : state.shape.below) != .infinity else { continue }
            if let entry = leadingCost(of: symbol, isUp: isUp), entry.rate < 0 {
                return (isUp, entry)
            }
        }
        return nil
    }

    /// Moves a column until going on would no longer lower its leading level, and makes it basic
    /// there.
    ///
    /// Kinks of weaker levels, and of the leading one while the slope stays downward, are passed in
    /// the same step; the paper's error variables would take one pivot for each.
    ///
    /// - Returns: The distance, or nil when no pivot can be used.
    mutating func advance(
        _ column: Int32, isUp: Bool, leading: CostVector.Entry, smallestIndex: Bool
    ) -> Double? {
        collectBreakpoints(column, isUp: isUp)
        guard !breakpoints.isEmpty else { return nil }
        if smallestIndex {
            guard let first = nearestBreakpoint() else { return nil }
            exchange(column, isUp: isUp, at: first)
            return first.distance
        }
        charge(4 &* breakpoints.count)
        var rate = leading.rate
        var stop: Int?
        for position in breakpoints.indices {
            sortBreakpoints(from: position)
            let breakpoint = breakpoints[position]
            if breakpoint.isHard {
                stop = position
                break
            }
            let shape = symbols[breakpoint.symbol].shape
            if strongest(of: shape) > leading.strength {
                stop = position
                break
            }
            let bend = shape.bend(at: leading.slot)
            if bend != 0 {
                rate += bend * breakpoint.coefficient.magnitude
                if rate >= -leading.tolerance {
                    stop = position
                    break
                }
            }
        }
        guard let stop else { return nil }
        let chosen = breakpoints[steadiest(near: stop)]
        for position in 0..<stop where breakpoints[position].symbol != chosen.symbol {
            pass(breakpoints[position].symbol)
        }
        exchange(column, isUp: isUp, at: chosen)
        return chosen.distance
    }

    /// How many breakpoints are looked for one by one before the rest is sorted: a step mostly ends
    /// at one of the first.
    private static let fewBreakpoints = 8

    /// Puts at a position the breakpoint whose turn it is, those before it being in their places;
    /// from `fewBreakpoints` on, all.
    private mutating func sortBreakpoints(from position: Int) {
        guard position < Self.fewBreakpoints else {
            if position == Self.fewBreakpoints {
                breakpoints.sort(from: position) { $0.precedes($1) }
            }
            return
        }
        var first = position
        for index in position..<breakpoints.count
        where breakpoints[index].precedes(breakpoints[first]) {
            first = index
        }
        guard first != position else { return }
        let found = breakpoints[first]
        breakpoints[first] = breakpoints[position]
        breakpoints[position] = found
    }

    /// Among breakpoints at the same distance as the one at `stop`, the one best divided by.
    private mutating func steadiest(near stop: Int) -> Int {
        var best = stop
        let limit = breakpoints[stop].distance
        guard breakpoints[stop].coefficient.magnitude < Tolerance.comfortablePivot else {
            return stop
        }
        breakpoints.sort(from: stop + 1) { $0.precedes($1) }
        let slack = 1e-11 * max(1, limit)
        for position in breakpoints.indices
        where (breakpoints[position].distance - limit).magnitude <= slack {
            let isLarger =
                breakpoints[position].coefficient.magnitude
                > breakpoints[best].coefficient.magnitude
            if isLarger { best = position }
        }
        return best
    }

    /// The nearest breakpoint of a column; of several, the smallest index, as Bland's rule asks.
    private mutating func nearestBreakpoint() -> Breakpoint? {
        var best: Breakpoint?
        for index in breakpoints.indices {
            let breakpoint = breakpoints[index]
            guard let chosen = best else {
                best = breakpoint
                continue
            }
            if breakpoint.distance < chosen.distance
                || (breakpoint.distance == chosen.distance && breakpoint.symbol < chosen.symbol)
            {
                best = breakpoint
            }
        }
        return best
    }

    mutating func firstBreakpoint(_ column: Int32, isUp: Bool) -> Breakpoint? {
        collectBreakpoints(column, isUp: isUp)
        return nearestBreakpoint()
    }

    private mutating func collectBreakpoints(_ column: Int32, isUp: Bool) {
        breakpoints.removeAll()
        let direction = isUp ? 1.0 : -1.0
        loadColumn(column)
        charge(self.column.entries.count)
        for index in self.column.entries.indices {
            let entry = self.column.entries[index]
            guard entry.value.magnitude > Tolerance.pivot else { continue }
            let state = symbols[entry.symbol]
            guard state.shape.hasKink else { continue }
            let rate = entry.value * direction
            let isHard = !state.shape.isSoft
            let meetsKink: Bool
            if isHard {
                meetsKink = (rate > 0 ? state.shape.above : state.shape.below) == .infinity
            } else {
                meetsKink = (rate > 0) == (state.side < 0)
            }
            guard meetsKink else { continue }
            breakpoints.append(
                Breakpoint(
                    distance: max(0, (kink(of: entry.symbol) - values[entry.symbol]) / rate),
                    coefficient: entry.value,
                    symbol: entry.symbol, isHard: isHard))
        }
    }

    /// Moves a column up to a breakpoint and exchanges it with the symbol that it meets there.
    mutating func exchange(_ column: Int32, isUp: Bool, at breakpoint: Breakpoint) {
        move(column, by: isUp ? breakpoint.distance : -breakpoint.distance)
        setValue(breakpoint.symbol, kink(of: breakpoint.symbol))
        swap(leaving: breakpoint.symbol, entering: column, side: isUp ? 1 : -1)
    }
}
