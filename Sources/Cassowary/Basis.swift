/// The basis of the simplex method in factored form, from which rows and columns of the tableau are
/// computed on demand.
///
/// The paper keeps the whole tableau. Its rows fill in: in a chain of n views each row mentions all
/// views before it. The constraints themselves stay short, so this module keeps them and a
/// factorisation of the basic symbols' columns ("revised simplex"; Dantzig and Orchard-Hays, 1954).
/// Its equations are `terms - marker = 0`, one for each active constraint. A basic marker whose own
/// equation defines it needs no work and stays outside; the equations inside form the *kernel*:
/// each has one basic symbol as its pivot.
///
///     operations × kernel columns = pivots + upper
///
/// where `upper` is triangular in an order that is never stored: as each symbol is computed from
/// others, a search from the places where the right side is not zero finds the equations concerned,
/// and in which order (Gilbert and Peierls, "Sparse partial pivoting in time proportional to
/// arithmetic operations", 1988). So a solve costs what depends on the right side, not the size of
/// the basis.
///
/// Nor is most of `upper` stored. What no operation has changed is what the constraints say of the
/// symbols that are pivots, and is looked up there: the methods are given the constraints' terms.
/// Only the equations that operations have *reduced* have coefficients of their own, and most
/// layouts have none.
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
        /// The search that came to the equation last, and one more once it was done with it.
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
        /// Whether the equation's coefficients are in `reduced`, no longer those of its constraint.
        var isReduced = false
    }

    /// An equation that a search is at, and where it goes on there: a cell of the terms, or what
    /// `Mention` says.
    struct Step {
        var row: Int32
        var cell: Int32
    }

    /// A step on the path from one equation to another that it depends on.
    struct PathStep {
        var row: Int32
        /// The coefficient of the next equation's pivot.
        var value: Double
        /// Its cell in `reduced`; -1 if it is a term of the constraint.
        var cell: Int32
    }

    struct Part {
        var row: Int32
        var value: Double
    }

    /// The coefficients but the pivots' of equations that operations have changed, by symbols;
    /// during a factorisation, of all.
    var reduced = SparseMatrix()
    var equations = Buffer<Equation>()
    /// The equation that a basic symbol is the pivot of; -1 if none.
    var equationOf = Buffer<Int32>()
    var operations = Buffer<Operation>()
    /// The operations by equation; empty while there are none, for most layouts are factored
    /// without any.
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
    /// The equations that the search at hand has found; of one in depth those that it is done with,
    /// the last one first to be solved.
    var reached = Buffer<Int32>()
    /// The way on which a search in depth is.
    var stack = Buffer<Step>()
    /// The cells of an equation that another is taken from, by column; -1 for none. In use during a
    /// factorisation only.
    var cellOf = IndexTable()
    /// The operations that are due, while the operations are applied to a sparse vector.
    var due = OperationQueue()
    /// The number of the search at hand, which is even.
    var visit: UInt32 = 0
    /// What the search at hand has cost so far.
    var priceOfSearch: UInt64 = 0
    /// The column solved last, after the operations and before the triangle.
    var spike = Buffer<Part>()
    /// The spike of the column that is put aside while a question is answered.
    var asideSpike = Buffer<Part>()
    /// The row solved last, after the triangle and before the operations.
    var multipliers = Buffer<Part>()

    /// A path of dependences: where each equation mentions the pivot of the next one.
    var path = Buffer<PathStep>()

    init() {}

    init(copying other: borrowing Basis) {
        reduced = SparseMatrix(copying: other.reduced)
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
        equationOf.grow(to: symbolCount, filling: -1)
        if !uses.isEmpty {
            uses.grow(to: equationCount, filling: Use())
            reduced.grow(rows: equationCount, columns: symbolCount)
        }
        work.grow(to: equationCount)
    }

    /// Gives back memory that is kept for symbols and operations to come.
    mutating func trim() {
        reduced.trim()
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

    /// Whether any equation may have coefficients that are not its constraint's.
    @inline(__always)
    var hasReduced: Bool { !uses.isEmpty }

    /// Whether operations have changed an equation of the kernel.
    @inline(__always)
    func isReduced(_ row: Int32) -> Bool { !uses.isEmpty && uses[row].isReduced }

    /// Whether an equation of the kernel is what its constraint says.
    @inline(__always)
    func isAsStated(_ row: Int32) -> Bool { isInKernel(row) && !isReduced(row) }

    /// The equation whose pivot is a constraint's marker, if that is another constraint's; -1 for
    /// none.
    @inline(__always)
    func borrower(ofMarkerOf row: Int32) -> Int32 {
        guard markerPivots > 0 else { return -1 }
        let equation = equationOf[Symbol.marker(ofRow: row)]
        return equation == row ? -1 : equation
    }
}
