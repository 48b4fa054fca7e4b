/// Finding the equations that a solve concerns, in depth, so that the last one found comes before
/// those that depend on it.
extension Basis {
    /// Where a search goes on from an equation, if not at a cell of the constraints' terms, which
    /// numbers from zero on are.
    private enum Mention {
        /// No more terms.
        static let endOfTerms: Int32 = -1
        /// Nothing more at all.
        static let end = Int32.min
        /// The constraint's own marker.
        static let marker = Int32.min + 1

        /// A cell of `reduced`, or its absence.
        static func reduced(_ cell: Int32) -> Int32 { cell < 0 ? end : -2 &- cell }
        /// The cell of `reduced` that a number stands for.
        static func cell(_ mention: Int32) -> Int32 { -2 &- mention }
    }

    /// Begins a search; an equation is marked with its number, or with the next one once the search
    /// is done with it.
    mutating func beginVisit() {
        reached.removeAll()
        priceOfSearch = 0
        visit &+= 2
        if visit < 2 {
            // Marks of the first searches would look current again after the counter wraps.
            for row in equations.indices { equations[row].visit = 0 }
            visit = 2
        }
    }

    /// Pays for the search at hand as if it were made again.
    mutating func payForSearch() { meter &+= priceOfSearch }

    /// Whether the search at hand has come to an equation.
    @inline(__always)
    func isMarked(_ row: Int32) -> Bool { equations[row].visit &- visit <= 1 }

    /// Visits the equations that mention the pivot of `first`, and theirs in turn.
    mutating func visitDependents(of first: Int32, in terms: borrowing TermTable) {
        let pivot = mark(first)
        guard pivot >= 0 else { return }
        var step = Step(row: first, cell: firstMention(of: pivot, in: terms))
        var cost = 0 &- reached.count
        while true {
            var child: Int32 = -1
            if step.cell >= 0 {
                child = terms.cells[step.cell].row
                step.cell = terms.cells[step.cell].nextInColumn
                if isReduced(child) { child = -1 }
            } else if step.cell == Mention.end || (step.cell == Mention.endOfTerms && !hasReduced) {
                guard let before = goBack(from: step) else { break }
                step = before
                continue
            } else {
                child = nextDependentBeyondTerms(&step)
            }
            let pivot = child < 0 ? -1 : mark(child)
            guard pivot >= 0 else {
                cost &+= 1
                continue
            }
            stack.append(step)
            step = Step(row: child, cell: firstMention(of: pivot, in: terms))
        }
        charge(search: cost)
    }

    /// Visits the equations whose pivots `first` mentions, and theirs in turn.
    mutating func visitRequisites(of first: Int32, in terms: borrowing TermTable) {
        guard mark(first) >= 0 else { return }
        var step = Step(row: first, cell: firstMention(in: first, terms))
        var cost = 0 &- reached.count
        while true {
            let child: Int32
            if step.cell >= 0 {
                child = equationOf[Symbol.variable(terms.cells[step.cell].column)]
                step.cell = terms.cells[step.cell].nextInRow(after: step.cell)
            } else if step.cell == Mention.end
                || (step.cell == Mention.endOfTerms && markerPivots == 0)
            {
                guard let before = goBack(from: step) else { break }
                step = before
                continue
            } else {
                child = nextRequisiteBeyondTerms(&step)
            }
            guard child >= 0, mark(child) >= 0 else {
                cost &+= 1
                continue
            }
            stack.append(step)
            step = Step(row: child, cell: firstMention(in: child, terms))
        }
        charge(search: cost)
    }

    /// Marks an equation of the kernel that a search goes into.
    ///
    /// - Returns: Its pivot; -1 if it was marked before, or is outside the kernel.
    @inline(__always)
    private mutating func mark(_ row: Int32) -> Int32 {
        let visit = visit
        return equations.modify(row) { equation in
            guard equation.visit != visit, equation.pivot >= 0 else { return -1 }
            equation.visit = visit
            return equation.pivot
        }
    }

    /// Lists an equation that a search is done with.
    ///
    /// - Returns: The one that it came from; nil if it began there.
    @inline(__always)
    private mutating func goBack(from step: Step) -> Step? {
        reached.append(step.row)
        return stack.popLast()
    }

    /// Where a pivot is mentioned first.
    @inline(__always)
    private func firstMention(of pivot: Int32, in terms: borrowing TermTable) -> Int32 {
        pivot & 1 == 0 ? terms.head(ofColumn: pivot >> 1) : Mention.marker
    }

    /// What an equation mentions first.
    @inline(__always)
    private func firstMention(in row: Int32, _ terms: borrowing TermTable) -> Int32 {
        isReduced(row) ? Mention.reduced(reduced.head(ofRow: row)) : terms.head(ofRow: row)
    }

    /// The next equation that mentions the pivot of the one where a search is, other than by a
    /// variable among its terms; -1 if there is none here.
    private mutating func nextDependentBeyondTerms(_ step: inout Step) -> Int32 {
        let pivot = equations[step.row].pivot
        switch step.cell {
        case Mention.endOfTerms:
            step.cell = hasReduced ? Mention.reduced(reduced.head(ofColumn: pivot)) : Mention.end
            return -1
        case Mention.marker:
            step.cell = Mention.endOfTerms
            return isAsStated(pivot >> 1) ? pivot >> 1 : -1
        default:
            let cell = reduced.cells[Mention.cell(step.cell)]
            step.cell = Mention.reduced(cell.nextInColumn)
            return cell.row
        }
    }

    /// The next equation whose pivot is mentioned by the one where a search is, other than a
    /// variable among its terms; -1 if there is none here.
    private mutating func nextRequisiteBeyondTerms(_ step: inout Step) -> Int32 {
        guard step.cell != Mention.endOfTerms else {
            step.cell = Mention.end
            return borrower(ofMarkerOf: step.row)
        }
        let cell = reduced.cells[Mention.cell(step.cell)]
        step.cell = Mention.reduced(cell.nextInRow)
        return equationOf[cell.column]
    }

    /// Charges a search for its equations and their cells: each equation but the first was found by
    /// a cell, and the other cells, that of its own pivot among them, led to none or to one that
    /// had been visited. So nothing is counted where a search goes on, which is most of it.
    ///
    /// - Parameter search: The number of those other cells, less the equations that were reached
    ///   before: one number, as two would take a second register from the search.
    @inline(__always)
    private mutating func charge(search: Int) {
        let price = UInt64(truncatingIfNeeded: reached.count &+ search)
        meter &+= price
        priceOfSearch &+= price
    }
}
