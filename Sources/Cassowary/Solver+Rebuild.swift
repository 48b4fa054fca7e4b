/// The way out of every numerical difficulty: the part of the system where it arose is made anew
/// from its constraints.
extension Solver {
    /// Constraints and variables that hang together, ascending.
    struct Component {
        var constraints: [Int32] = []
        var variables: [Int32] = []
    }

    /// Makes the basis of a component anew from its source constraints, in the order of their ids.
    ///
    /// A required constraint that does not fit, which only rounding can cause since each fitted
    /// when it was added, is set aside until it is changed. Other components keep their basis and
    /// values.
    ///
    /// - Parameter places: Symbols of the components concerned; empty for everything.
    mutating func rebuild(around places: [Int32] = []) {
        guard !stopsIfOverdrawn() else { return }
        rebuildCount += 1
        let component = component(around: places)
        var setAside: Set<Int32> = []
        // Each failed attempt sets one more aside.
        while let misfit = rebuild(component, without: setAside), !isExhausted {
            setAside.insert(misfit)
        }
        guard isBlurred, !isExhausted, !places.isEmpty else { return }
        // Other components have the difficulty too.
        rebuild()
    }

    /// The symbols that a solve has yet to deal with: moved, repriced or out of bounds.
    var outstanding: [Int32] {
        var result: [Int32] = []
        for index in suspects.indices { result.append(suspects[index]) }
        for index in unpriced.indices { result.append(unpriced[index]) }
        for index in uncharged.indices { result.append(uncharged[index]) }
        var variable = touched.next(after: -1)
        while variable >= 0 {
            result.append(variable * 2)
            variable = touched.next(after: variable)
        }
        return result
    }

    /// Everything that hangs together with some symbols through constraints in force.
    private mutating func component(around places: [Int32]) -> Component {
        let isWhole = places.isEmpty
        meter &+= UInt64(symbols.count)
        var isMember = [Bool](repeating: isWhole, count: symbols.count)
        var open: [Int32] = places
        while let symbol = open.popLast() {
            guard !isMember[Int(symbol)] else { continue }
            isMember[Int(symbol)] = true
            let isVariable = symbol & 1 == 0
            meter &+= UInt64(
                isVariable ? terms.count(ofColumn: symbol >> 1) : terms.count(ofRow: symbol >> 1))
            var next =
                isVariable ? terms.head(ofColumn: symbol >> 1) : terms.head(ofRow: symbol >> 1)
            while next >= 0 {
                let cell = terms.cells[next]
                next = isVariable ? cell.nextInColumn : cell.nextInRow(after: next)
                if !isVariable {
                    open.append(cell.column * 2)
                } else if sources[cell.row].isActive {
                    open.append(cell.row * 2 + 1)
                }
            }
        }
        var result = Component()
        for index in sources.indices where isMember[2 * index + 1] && sources[index].isAlive {
            result.constraints.append(Int32(index))
        }
        for index in variables.indices where isMember[2 * index] && variables[index].isAlive {
            result.variables.append(Int32(index))
        }
        return result
    }

    /// - Returns: A constraint whose failed addition could not be taken back.
    private mutating func rebuild(
        _ component: Component, without setAside: Set<Int32>
    ) -> Int32? {
        endJournal()
        needsSolve = true
        dissolve(component)
        meter &+= UInt64(component.constraints.count &+ component.variables.count)
        for isRequired in [true, false] {
            for constraint in component.constraints
            where sources[constraint].isActive
                && sources[constraint].isRequired == isRequired
            {
                guard !stopsIfOverdrawn() else { return nil }
                let id = ConstraintID(index: constraint)
                insertRow(id)
                if setAside.contains(constraint) {
                    setShape(Symbol(id).index, .free, side: 1)
                    continue
                }
                if takesFreshVariable(id) || !isRequired { continue }
                beginJournal()
                crossKink(Symbol(id).index)
                if case .feasible = repair() {
                    endJournal()
                } else {
                    guard rollBack() else { return constraint }
                    setShape(Symbol(id).index, .free, side: 1)
                }
            }
        }
        return nil
    }

    /// Takes a component's constraints out of the basis and releases its variables.
    private mutating func dissolve(_ component: Component) {
        clearSuspects()
        for constraint in component.constraints {
            let symbol = constraint * 2 + 1
            let state = symbols[symbol]
            if state.status != .absent, !sources[constraint].hasDeparted { rowCount -= 1 }
            if state.status != .absent { objective.release(state.shape) }
            objective.removeRates(of: symbol)
            symbols[symbol].status = .absent
            symbols[symbol].shape = .free
            symbols[symbol].charged = 0
            sources[constraint].hasDeparted = false
        }
        for variable in component.variables {
            let symbol = variable * 2
            objective.removeRates(of: symbol)
            symbols[symbol].status = .parametric
            symbols[symbol].charged = 0
            setValue(symbol, 0)
        }
        isBlurred = false
        factorBasis()
    }
}
