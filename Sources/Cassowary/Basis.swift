/// The basis of the simplex method in factored form, from which rows and columns of the tableau are computed on demand.
///
/// The paper keeps the whole tableau. Its rows fill in: in a chain of n views each row mentions all views before it.
/// The constraints themselves stay short, so this module keeps them and a factorisation of the basic symbols' columns
/// ("revised simplex"; Dantzig and Orchard-Hays, 1954). Its equations are `terms - marker = 0`, one for each active
/// constraint. A basic marker whose own equation defines it needs no work and stays outside; the equations inside
/// form the *kernel*: each has one basic symbol as its pivot.
///
///     operations × kernel columns = pivots + upper
///
/// where `upper` is triangular in an order that is never stored: as each symbol is computed from others, a depth-first
/// search from the places where the right side is not zero finds the equations concerned, and in which order
/// (Gilbert and Peierls, "Sparse partial pivoting in time proportional to arithmetic operations", 1988). So a solve
/// costs what depends on the right side, not the size of the basis.
struct Basis: ~Copyable {
    /// A row operation: the target's equation minus `factor` times the source's.
    struct Operation {
        var target: Int32
        var source: Int32
        var factor: Double
        /// The next later operation that reads the same source.
        var nextOfSource: Int32 = -1
        /// The next earlier operation that changes the same target.
        var previousOfTarget: Int32 = -1
    }

    /// An equation, by the number of its constraint.
    struct Equation {
        /// The basic symbol that it is solved for; -1 outside the kernel.
        var pivot: Int32 = -1
        /// The search that visited the equation last.
        var visit: UInt32 = 0
        var value = 0.0
    }

    /// The operations that concern an equation; -1 for none.
    struct Use {
        /// The first and the last that reads the equation.
        var firstAsSource: Int32 = -1
        var lastAsSource: Int32 = -1
        /// The last that changes it.
        var lastAsTarget: Int32 = -1
    }

    /// An equation that a search is at, and the cell by which it goes on there.
    struct Step {
        var row: Int32
        var cell: Int32
    }

    struct Part {
        var row: Int32
        var value: Double
    }

    /// Coefficients but the pivots': equations by symbols.
    var upper = SparseMatrix()
    var equations = Buffer<Equation>()
    /// The equation that a basic symbol is the pivot of; -1 if none.
    var equationOf = Buffer<Int32>()
    var operations = Buffer<Operation>()
    /// The operations by equation; empty while there are none, for most layouts are factored without any.
    var uses = Buffer<Use>()
    /// How many of the operations the last factorisation made.
    var factoredOperations = 0
    /// How many operations solves went through since the last factorisation.
    var wear = 0
    /// Cells touched by solves, updates and factorisations, but for `wear`.
    var meter: UInt64 = 0
    /// Cells touched by everything: `wear` counts the operations anyway.
    var cellsTouched: UInt64 { meter &+ Self.cells(ofOperations: wear) }
    /// The `meter` at which a factorisation is cut short.
    var meterLimit = UInt64.max
    /// How many equations the kernel has.
    var kernelCount = 0
    /// How many basic markers are pivots in the kernel, for the use of another equation.
    var markerPivots = 0

    /// Right side and solution of the solve at hand, by equation.
    var work = SparseVector()
    /// The equations that the last solve reached, each before those it depends on.
    var reached = Buffer<Int32>()
    private var stack = Buffer<Step>()
    /// The cells of an equation that another is taken from, by column; -1 for none. In use during a factorisation only.
    var cellOf = IndexTable()
    /// The operations that are due, while the operations are applied to a sparse vector.
    var due = OperationQueue()
    var visit: UInt32 = 0
    /// What the search at hand has cost so far.
    private(set) var priceOfSearch: UInt64 = 0
    /// The column solved last, after the operations and before the triangle.
    var spike = Buffer<Part>()
    /// The spike of the column that is put aside while a question is answered.
    var asideSpike = Buffer<Part>()
    /// The row solved last, after the triangle and before the operations.
    var multipliers = Buffer<Part>()

    /// Where the equations of a path of dependences mention the pivot of the next one: cells of `upper`.
    var path = Buffer<Int32>()

    init() {}

    init(copying other: borrowing Basis) {
        upper = SparseMatrix(copying: other.upper)
        equations = Buffer(copying: other.equations)
        equationOf = Buffer(copying: other.equationOf)
        operations = Buffer(copying: other.operations)
        uses = Buffer(copying: other.uses)
        factoredOperations = other.factoredOperations
        wear = other.wear
        // The wear that it begins with is not its work.
        meter = 0 &- Self.cells(ofOperations: wear)
        kernelCount = other.kernelCount
        markerPivots = other.markerPivots
        visit = other.visit
    }

    mutating func grow(equations equationCount: Int, symbols symbolCount: Int) {
        equations.grow(to: equationCount, filling: Equation())
        if !uses.isEmpty { uses.grow(to: equationCount, filling: Use()) }
        equationOf.grow(to: symbolCount, filling: -1)
        upper.grow(rows: equationCount, columns: symbolCount)
        work.grow(to: equationCount)
    }

    /// Gives back memory that is kept for symbols and operations to come.
    mutating func trim() {
        upper.trim()
        equations.trim()
        equationOf.trim()
        operations.trim()
        uses.trim()
        work.trim()
        reached.trim()
        stack.trim()
        cellOf.trim()
        spike.trim()
        multipliers.trim()
        path.trim()
    }

    /// Cells that operations touch: the source's and the target's.
    @inline(__always)
    static func cells(ofOperations count: Int) -> UInt64 { 2 &* UInt64(truncatingIfNeeded: count) }

    @inline(__always)
    func isInKernel(_ row: Int32) -> Bool { equations[row].pivot >= 0 }

    /// Solves the kernel for the right side in `work`, whose places are equations.
    ///
    /// Afterwards `work` holds the value of each reached equation's pivot, and `spike` the right side as the
    /// operations left it, of which an update is made.
    mutating func solveColumn() {
        operateForward()
        spike.removeAll()
        beginVisit()
        var index = 0
        let seedCount = work.count
        while index < seedCount {
            let row = work.place(at: index)
            let value = work.value(at: index)
            if value != 0 {
                spike.append(Part(row: row, value: value))
                if isInKernel(row) { visitDependents(of: row) }
            }
            index &+= 1
        }
        index = reached.count
        while index > 0 {
            index &-= 1
            let row = reached[index]
            let solution = work.divide(row, by: equations[row].value)
            guard solution != 0 else { continue }
            var next = upper.head(ofColumn: equations[row].pivot)
            while next >= 0 {
                let cell = upper.cells[next]
                work.add(-cell.value * solution, at: cell.row)
                next = cell.nextInColumn
            }
        }
    }

    /// Solves the transposed kernel for the right side in `work`, whose places are the equations of the symbols.
    ///
    /// Afterwards `work` holds the weight of each equation, also of those that `reached` does not list, and
    /// `multipliers` the weights before the operations.
    mutating func solveRow() {
        beginVisit()
        var index = 0
        let seedCount = work.count
        while index < seedCount {
            let row = work.place(at: index)
            if work.value(at: index) != 0 { visitRequisites(of: row) }
            index &+= 1
        }
        multipliers.removeAll()
        index = reached.count
        while index > 0 {
            index &-= 1
            let row = reached[index]
            let solution = work.divide(row, by: equations[row].value)
            multipliers.append(Part(row: row, value: solution))
            guard solution != 0 else { continue }
            var next = upper.head(ofRow: row)
            while next >= 0 {
                let cell = upper.cells[next]
                work.add(-cell.value * solution, at: equationOf[cell.column])
                next = cell.nextInRow
            }
        }
        operateBackward()
    }

    private mutating func beginVisit() {
        reached.removeAll()
        priceOfSearch = 0
        visit &+= 1
        if visit == 0 {
            // Marks of the first searches would look current again after the counter wraps.
            for row in equations.indices { equations[row].visit = 0 }
            visit = 1
        }
    }

    /// Marks the equations of the kernel that depend on the pivot of one, itself included; `isMarked` tells until the next
    /// solve.
    mutating func markDependents(of row: Int32) {
        beginVisit()
        visitDependents(of: row)
    }

    /// Pays for the search at hand as if it were made again.
    mutating func payForSearch() { meter &+= priceOfSearch }

    func isMarked(_ row: Int32) -> Bool { equations[row].visit == visit }

    /// Visits the equations that mention the pivot of `row`, and theirs in turn.
    private mutating func visitDependents(of row: Int32) {
        guard equations[row].visit != visit else { return }
        equations[row].visit = visit
        stack.append(Step(row: row, cell: upper.head(ofColumn: equations[row].pivot)))
        var cost = 0 &- 2 &* reached.count
        while stack.count > 0 {
            let top = stack.count &- 1
            let cell = stack[top].cell
            guard cell >= 0 else {
                reached.append(stack[top].row)
                stack.truncate(to: top)
                continue
            }
            stack[top].cell = upper.cells[cell].nextInColumn
            let child = upper.cells[cell].row
            if equations[child].visit != visit {
                equations[child].visit = visit
                stack.append(Step(row: child, cell: upper.head(ofColumn: equations[child].pivot)))
            } else {
                cost &+= 1
            }
        }
        charge(search: cost)
    }

    /// Visits the equations whose pivots `row` mentions, and theirs in turn.
    private mutating func visitRequisites(of row: Int32) {
        guard equations[row].visit != visit else { return }
        equations[row].visit = visit
        stack.append(Step(row: row, cell: upper.head(ofRow: row)))
        var cost = 0 &- 2 &* reached.count
        while stack.count > 0 {
            let top = stack.count &- 1
            let cell = stack[top].cell
            guard cell >= 0 else {
                reached.append(stack[top].row)
                stack.truncate(to: top)
                continue
            }
            stack[top].cell = upper.cells[cell].nextInRow
            let child = equationOf[upper.cells[cell].column]
            if equations[child].visit != visit {
                equations[child].visit = visit
                stack.append(Step(row: child, cell: upper.head(ofRow: child)))
            } else {
                cost &+= 1
            }
        }
        charge(search: cost)
    }

    /// Charges a search for its equations and their cells: each equation but the first was found by a cell, and the other cells
    /// led to one that had been visited. So nothing is counted where a search goes on, which is most of it.
    ///
    /// - Parameter search: The number of those other cells, less twice the equations that were reached before: one number, as two
    ///   would take a second register from the search.
    @inline(__always)
    private mutating func charge(search: Int) {
        let price = UInt64(truncatingIfNeeded: 2 &* reached.count &- 1 &+ search)
        meter &+= price
        priceOfSearch &+= price
    }
}
