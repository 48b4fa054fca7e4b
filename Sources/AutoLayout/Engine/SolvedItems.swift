import Cassowary

/// Whose each variable is, and which items have joined or changed since they were last taken.
struct SolvedItems: ~Copyable {
    /// Which item owns the variables from a multiple of four on: an engine makes and gives back an
    /// item's four at a time, so that they stay together.
    private var ownerOfFour: [LayoutItemReference?] = []
    /// Items whose variables changed; may repeat.
    private var changed = Buffer<LayoutItemReference>()
    /// Items that joined, which counts as a change of all four variables.
    private var joined = Buffer<LayoutItemReference>()
    /// The variables that changed in the last solve: memory that is used again.
    private var changedVariables = Buffer<Variable>()

    /// Whether any item has joined or changed.
    @inline(__always)
    var isAnyWaiting: Bool { !changed.isEmpty || !joined.isEmpty }

    /// How much there is to keep in mind.
    var bookkeepingCount: Int { ownerOfFour.count + changed.count + joined.count }

    @inline(__always)
    private static func four(_ variable: Variable) -> Int { Int(variable.index) >> 2 }

    /// The item that a variable belongs to; `nil` for none.
    func owner(of variable: Variable) -> LayoutItemReference? { ownerOfFour[Self.four(variable)] }

    mutating func join(_ item: LayoutItemReference, _ variables: ItemVariables) {
        note(item, as: Self.four(variables.x))
        for variable in variables.all where Self.four(variable) != Self.four(variables.x) {
            note(item, as: Self.four(variable))
        }
        joined.append(item)
    }

    /// Makes room for so many more items.
    mutating func reserveCapacity(_ count: Int) {
        ownerOfFour.reserveCapacity(ownerOfFour.count + count)
        joined.reserveCapacity(joined.count + count, sure: joined.count + count)
    }

    private mutating func note(_ owner: LayoutItemReference, as four: Int) {
        while ownerOfFour.count < four { ownerOfFour.append(nil) }
        if four == ownerOfFour.count {
            ownerOfFour.append(owner)
        } else {
            ownerOfFour[four] = owner
        }
    }

    mutating func leave(_ item: LayoutItemReference, _ variables: ItemVariables) {
        for variable in variables.all where owner(of: variable) == item {
            ownerOfFour[Self.four(variable)] = nil
        }
        joined.removeAll { $0 == item }
        changed.removeAll { $0 == item }
    }

    /// Has the solver find its optimum, and notes whose variables it changed.
    ///
    /// - Returns: How many variables that belong to an item have changed.
    mutating func noteChanges(of solver: inout Solver) -> UInt64 {
        // In a first layout all items have joined, and are told of anyway.
        guard joined.count < ownerOfFour.count else { return solver.solveCountingChanges() }
        solver.solve(noting: &changedVariables)
        // The variables of an item mostly follow one another.
        var four = -1
        var isOwned = false
        var owned: UInt64 = 0
        for index in changedVariables.indices {
            let next = Self.four(changedVariables[index])
            if next != four {
                four = next
                let owner = ownerOfFour[next]
                isOwned = owner != nil
                if let owner { changed.append(owner) }
            }
            if isOwned { owned &+= 1 }
        }
        changedVariables.removeAll()
        changedVariables.release(beyond: 4 * LayoutEngine.spareMaximum)
        return owned
    }

    /// Tells of every item that joined or changed since the last call.
    ///
    /// - Parameter items: An empty buffer, which becomes them; its memory is for those that change
    ///   next.
    @inline(__always)
    mutating func take(_ items: inout Buffer<LayoutItemReference>) {
        if joined.isEmpty { swap(&items, &changed) } else { takeJoined(&items) }
    }

    private mutating func takeJoined(_ items: inout Buffer<LayoutItemReference>) {
        for index in changed.indices { joined.append(changed[index]) }
        changed.removeAll()
        changed.release(beyond: LayoutEngine.spareMaximum)
        swap(&items, &joined)
    }
}
