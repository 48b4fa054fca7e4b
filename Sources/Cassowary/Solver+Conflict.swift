/// Naming the constraints that a refused one contradicts.
extension Solver {
    /// A minimal set of required constraints that the row of a failed repair shows to contradict
    /// `offered`.
    ///
    /// The columns of a row are linearly independent, so the one dependency that the row states is
    /// minimal: without any of its members, the others can hold (Farkas' lemma). Only bounds of
    /// non-negative variables, which apply whether the row mentions them or not, can make a member
    /// superfluous.
    mutating func conflict(row: Int32, offered: ConstraintID) -> [ConstraintID] {
        let members = certificate(row: row, offered: offered)
        return explainsConflicts ? reduced(members, offered: offered) : members
    }

    /// The same for a change of several constants, where no single constraint is the offered one;
    /// all are named.
    mutating func conflict(row: Int32) -> [ConstraintID] {
        loadRow(row, isWhole: true)
        var one = Symbol(index: row).constraint
        var index = 0
        while one == nil, index < self.row.entries.count {
            one = Symbol(index: self.row.entries[index].symbol).constraint
            index += 1
        }
        guard let one else { return [] }
        return (conflict(row: row, offered: one) + [one]).sorted()
    }

    private mutating func certificate(row: Int32, offered: ConstraintID) -> [ConstraintID] {
        loadRow(row, isWhole: true)
        var largest = 1.0
        for index in self.row.entries.indices {
            largest = max(largest, self.row.entries[index].value.magnitude)
        }
        var result: [ConstraintID] = []
        if let own = Symbol(index: row).constraint, own != offered { result.append(own) }
        for index in self.row.entries.indices {
            let entry = self.row.entries[index]
            guard entry.value.magnitude > Tolerance.pivot * largest else { continue }
            if let member = Symbol(index: entry.symbol).constraint, member != offered {
                result.append(member)
            }
        }
        result.sort()
        return result
    }

    /// Whether any of these constraints mentions a non-negative variable.
    private func meetsBound(_ ids: [ConstraintID]) -> Bool {
        for id in ids {
            var index = terms.head(ofRow: id.index)
            while index >= 0 {
                let cell = terms.cells[index]
                if variables[cell.column].isNonNegative { return true }
                index = cell.nextInRow(after: index)
            }
        }
        return false
    }

    /// How many members a certificate may have for superfluous ones to be looked for.
    ///
    /// Each level of the search makes a solver of the members that are left; a longer list helps no
    /// reader.
    private static let reducibleMaximum = 128
    /// Units for a solver that is made and released again, besides what it counts, and for each
    /// constraint that is put into its terms.
    private static let trialPrice: UInt64 = 600
    private static let translationPrice: UInt64 = 250

    /// Leaves out one member at a time in a solver of just these constraints, until none can be
    /// left out: a deletion filter (Chinneck and Dravnieks, "Locating minimal infeasible constraint
    /// sets in linear programs", 1991).
    ///
    /// The certificate of the rest, where it contradicts `offered` still, drops several members at
    /// once. A member that was needed stays needed in every subset, so none is asked about twice.
    /// More than `reducibleMaximum` members are returned as they are.
    ///
    /// - Complexity: O(members²) additions to a solver of the members alone.
    private mutating func reduced(
        _ found: [ConstraintID], offered: ConstraintID
    ) -> [ConstraintID] {
        var members = found
        var neededCount = 0
        while neededCount < members.count, members.count <= Self.reducibleMaximum,
            meetsBound(members + [offered]), !isOverdrawn,
            let rest = certificate(without: &neededCount, of: members, offered: offered)
        {
            members = rest
        }
        return members
    }

    /// The certificate of a smaller set of members that still contradicts `offered`; `nil` if each
    /// of them is needed.
    ///
    /// - Parameter neededCount: How many of the first members are known to be needed; grows as more
    ///   are found to be.
    private mutating func certificate(
        without neededCount: inout Int, of members: [ConstraintID], offered: ConstraintID
    ) -> [ConstraintID]? {
        var trial = Solver()
        trial.workLimit = workLimit &- min(work, workLimit)
        trial.explainsConflicts = false
        trial.checksInvariants = checksInvariants
        defer { meter &+= trial.work &+ Self.trialPrice }
        meter &+= Self.translationPrice &* UInt64(members.count &+ 1)
        var translated: [Int32: Variable] = [:]
        let offer = expression(of: offered, in: &trial, &translated)
        do throws(SolverError) {
            // Ids of a new solver count from zero, so they are positions in `members`.
            for member in members {
                let expression = expression(of: member, in: &trial, &translated)
                _ = try trial.addConstraint(expression, sources[member.index].relation)
            }
            while neededCount < members.count {
                let left = ConstraintID(index: Int32(neededCount))
                try trial.setActive(false, of: left)
                do throws(SolverError) {
                    let relation = sources[offered.index].relation
                    let id = try trial.addConstraint(offer, relation)
                    try trial.removeConstraint(id)
                } catch {
                    guard case .unsatisfiable(let conflict) = error else { return nil }
                    return conflict.map { members[Int($0.index)] }
                }
                try trial.setActive(true, of: left)
                neededCount += 1
            }
        } catch {
            // Rounding made the copy stricter than the original; the certificate stands.
            return nil
        }
        return nil
    }

    private func expression(
        of id: ConstraintID, in trial: inout Solver, _ translated: inout [Int32: Variable]
    ) -> Expression {
        let source = sources[id.index]
        var result = Expression(constant: constant(of: id.index))
        var index = terms.head(ofRow: id.index)
        while index >= 0 {
            let cell = terms.cells[index]
            let variable =
                translated[cell.column]
                ?? trial.makeVariable(isNonNegative: variables[cell.column].isNonNegative)
            translated[cell.column] = variable
            result.terms.append(Term(variable, cell.value * source.scale))
            index = cell.nextInRow(after: index)
        }
        return result
    }
}
