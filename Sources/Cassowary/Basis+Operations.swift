/// Applying the row operations to a sparse vector, without looking at those that do not concern it.
extension Basis {
    /// Notes an operation as the latest.
    mutating func append(target: Int32, source: Int32, factor: Double) {
        let index = Int32(operations.count)
        markReduced(target)
        operations.append(
            Operation(
                target: target, source: source, factor: factor,
                previousOfTarget: uses[target].lastAsTarget))
        let previous = uses[source].lastAsSource
        if previous >= 0 {
            operations[previous].nextOfSource = index
        } else {
            uses[source].firstAsSource = index
        }
        uses[source].lastAsSource = index
        uses[target].lastAsTarget = index
    }

    /// Notes that an equation of the kernel is not what its constraint says: `reduced` has its
    /// coefficients.
    mutating func markReduced(_ row: Int32) {
        uses.grow(to: equations.count, filling: Use())
        reduced.grow(rows: equations.count, columns: equationOf.count)
        uses[row].isReduced = true
    }

    /// The operations that concern an equation.
    @inline(__always)
    func use(of row: Int32) -> Use { uses.isEmpty ? Use() : uses[row] }

    /// Forgets all operations.
    mutating func forgetOperations() {
        operations.removeAll()
        uses.removeAll()
    }

    /// Has what reads one equation read another in its place.
    mutating func hand(usesOf old: Int32, to row: Int32) {
        guard !uses.isEmpty else { return }
        uses[row].firstAsSource = uses[old].firstAsSource
        uses[row].lastAsSource = uses[old].lastAsSource
        uses[old].firstAsSource = -1
        uses[old].lastAsSource = -1
    }

    /// Applies the operations in order.
    mutating func operateForward() {
        guard operations.count > 0 else { return }
        due.begin(isAscending: true)
        var place = 0
        var current: Int32 = -1
        while true {
            // Places that came into use since, by the operation just done, wait for operations
            // after it.
            while place < work.count {
                var next = uses[work.place(at: place)].firstAsSource
                while next >= 0 && next <= current { next = operations[next].nextOfSource }
                if next >= 0 { due.insert(next) }
                place &+= 1
            }
            guard let index = due.next else { return }
            current = index
            let operation = operations[index]
            wear &+= 1
            let value = work[operation.source]
            if value != 0 { work.add(-operation.factor * value, at: operation.target) }
            due.replaceNext(by: operation.nextOfSource)
        }
    }

    /// Applies the transposed operations in the opposite order.
    mutating func operateBackward() {
        guard operations.count > 0 else { return }
        due.begin(isAscending: false)
        var place = 0
        var current = Int32.max
        while true {
            while place < work.count {
                var next = uses[work.place(at: place)].lastAsTarget
                while next >= current { next = operations[next].previousOfTarget }
                if next >= 0 { due.insert(next) }
                place &+= 1
            }
            guard let index = due.next else { return }
            current = index
            let operation = operations[index]
            wear &+= 1
            let value = work[operation.target]
            if value != 0 { work.add(-operation.factor * value, at: operation.source) }
            due.replaceNext(by: operation.previousOfTarget)
        }
    }

    /// Takes back wear, not what the operations cost.
    mutating func forgetWear(since before: Int) {
        meter = cellsTouched &- Self.cells(ofOperations: before)
        wear = before
    }

    /// Drops the operations that change an equation which nothing reads, and what they made of it.
    mutating func forgetOperations(target: Int32) {
        guard !uses.isEmpty else { return }
        reduced.removeRow(target)
        uses[target].isReduced = false
        var index = uses[target].lastAsTarget
        while index >= 0 {
            // An operation without effect stays in the lists of its source and does nothing there.
            operations[index].factor = 0
            index = operations[index].previousOfTarget
        }
        uses[target].lastAsTarget = -1
    }
}

/// A queue of operation numbers, smallest or largest first: a binary heap.
struct OperationQueue: ~Copyable {
    private var heap = Buffer<Int32>()
    private var sign: Int32 = 1

    mutating func begin(isAscending: Bool) {
        heap.removeAll()
        sign = isAscending ? 1 : -1
    }

    mutating func insert(_ operation: Int32) {
        let key = operation &* sign
        var child = heap.count
        heap.append(key)
        while child > 0 {
            let parent = (child &- 1) >> 1
            guard key < heap[parent] else { break }
            heap[child] = heap[parent]
            child = parent
        }
        heap[child] = key
    }

    /// The operation whose turn it is.
    @inline(__always)
    var next: Int32? { heap.isEmpty ? nil : heap[0] &* sign }

    /// Takes the operation out whose turn it was, and puts another one in, unless it is below zero;
    /// in one walk through the heap, as most operations lead to another.
    mutating func replaceNext(by operation: Int32) {
        var key = operation &* sign
        if operation < 0 {
            let count = heap.count &- 1
            key = heap[count]
            heap.truncate(to: count)
            guard count > 0 else { return }
        }
        let count = heap.count
        var parent = 0
        while true {
            var child = 2 &* parent &+ 1
            guard child < count else { break }
            if child &+ 1 < count, heap[child &+ 1] < heap[child] { child &+= 1 }
            guard heap[child] < key else { break }
            heap[parent] = heap[child]
            parent = child
        }
        heap[parent] = key
    }
}
