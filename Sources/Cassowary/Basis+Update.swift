/// Exchanging one basic symbol for another without factoring anew.
extension Basis {
    /// Takes an equation into the kernel whose pivot is a variable that no other equation of the
    /// kernel mentions.
    ///
    /// Nothing depends on the variable yet, so nothing else changes; the equations of a chain all
    /// enter like this.
    @inline(__always)
    mutating func enter(_ row: Int32, pivot: Int32, value: Double) {
        equations[row].pivot = pivot
        equations[row].value = value
        equationOf[pivot] = row
        kernelCount += 1
    }

    /// Whether the column solved last stands in equations of the kernel besides one.
    func spikeReachesOthers(than row: Int32) -> Bool {
        for index in spike.indices where spike[index].row != row && isInKernel(spike[index].row) {
            return true
        }
        return false
    }

    /// Gives an equation another pivot: `entering`, whose column is the one solved last, for
    /// `leaving`, whose row is the one solved last.
    ///
    /// This is the update of Forrest and Tomlin ("Updated triangular factors of the basis to
    /// maintain sparsity in the product form simplex method", 1972), less its ordering: the
    /// equation is eliminated only if the new column would otherwise close a cycle.
    ///
    /// - Parameter isOutside: Whether the equation was outside the kernel.
    /// - Returns: The new pivot's coefficient; zero means that the basis would be singular.
    mutating func replace(
        leaving: Int32, entering: Int32, in row: Int32, isOutside: Bool
    ) -> Double {
        let ownScale: Double
        if isOutside {
            ownScale = 1
            kernelCount += 1
        } else {
            ownScale = -equations[row].value
            if hasReduced { reduced.removeColumn(leaving) }
            equationOf[leaving] = -1
            if leaving & 1 == 1 { markerPivots -= 1 }
        }
        var pivot = 0.0
        work.removeAll()
        var closesCycle = false
        for index in multipliers.indices {
            let part = multipliers[index]
            if part.row != row { work.add(part.value * ownScale, at: part.row) }
        }
        for index in spike.indices {
            let part = spike[index]
            if part.row == row {
                pivot -= part.value
            } else if work.isUsed(part.row) {
                closesCycle = true
            }
        }
        if closesCycle {
            markReduced(row)
            reduced.removeRow(row)
            for index in spike.indices {
                let part = spike[index]
                if part.row != row, work.isUsed(part.row) {
                    pivot += work[part.row] * part.value
                }
            }
            var index = 0
            while index < work.count {
                let source = work.place(at: index)
                let factor = work.value(at: index)
                if factor != 0 {
                    append(target: row, source: source, factor: factor)
                }
                index += 1
            }
        }
        meter &+= UInt64(multipliers.count &+ spike.count &+ work.count)
        work.removeAll()
        for index in spike.indices {
            let part = spike[index]
            if part.row != row, isReduced(part.row) {
                reduced.insert(row: part.row, column: entering, value: -part.value)
            }
        }
        equations[row].pivot = entering
        equations[row].value = pivot
        equationOf[entering] = row
        if entering & 1 == 1 { markerPivots += 1 }
        return pivot
    }

    /// Takes an equation out of the kernel whose pivot is its own marker, if nothing else in the
    /// kernel uses it.
    mutating func releaseIfOwn(_ row: Int32) {
        let marker = Symbol(ConstraintID(index: row)).index
        guard equations[row].pivot == marker, use(of: row).firstAsSource < 0,
            !hasReduced || reduced.count(ofColumn: marker) == 0
        else { return }
        forgetOperations(target: row)
        equations[row].pivot = -1
        equationOf[marker] = -1
        markerPivots -= 1
        kernelCount -= 1
    }

    /// Whether the updates since the last factorisation have cost about as much to work with as a
    /// new one costs to make: an equation is factored in some three hundred instructions, an
    /// operation applied in some forty.
    var isWorn: Bool {
        let updates = operations.count - factoredOperations
        return (updates > 64 && wear > 8 * kernelCount)
            || updates > 64 + 2 * kernelCount || markerPivots > 64 + kernelCount / 4
    }
}
