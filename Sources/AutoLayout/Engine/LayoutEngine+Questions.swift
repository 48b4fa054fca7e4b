import Cassowary
import LayoutValues

/// Questions to the solver that change nothing.
extension LayoutEngine {
    /// For each item, whether another placement of it would satisfy all constraints equally well.
    func areAmbiguous(_ items: [some LayoutItem]) -> [Bool] {
        asking { solver in
            var spots = DegenerateSpots()
            return items.map { item in
                guard let variables = item.variables else { return false }
                return
                    !(solver.isUnique(variables.x, knowing: &spots)
                    && solver.isUnique(variables.y, knowing: &spots)
                    && solver.isUnique(variables.width, knowing: &spots)
                    && solver.isUnique(variables.height, knowing: &spots))
            }
        }
    }

    /// The constraints that hold an item where it is, along one axis, in the order of their
    /// creation.
    func constraintsAffecting(_ item: LayoutItem, along axis: Axis) -> [LayoutConstraint] {
        idsAffecting(item, along: axis).compactMap { owner(of: $0) }
            .sorted { $0.serial < $1.serial }
    }

    /// The solver's constraints that hold an item where it is, along one axis, ascending.
    func idsAffecting(_ item: LayoutItem, along axis: Axis) -> [ConstraintID] {
        guard let variables = item.variables else { return [] }
        return asking { solver in
            let found =
                axis == .horizontal
                ? solver.constraintsAffecting(variables.x)
                    + solver.constraintsAffecting(variables.width)
                : solver.constraintsAffecting(variables.y)
                    + solver.constraintsAffecting(variables.height)
            return Set(found).sorted()
        }
    }

    /// Those of the solver's constraints that keep what they are about from becoming greater.
    func pressedFromBelow(_ ids: Set<ConstraintID>) -> Set<ConstraintID> {
        asking { solver in
            var pressed: Set<ConstraintID> = []
            for id in ids where solver.isPressedFromBelow(id) { pressed.insert(id) }
            return pressed
        }
    }

    /// Puts a question to the solver that leaves it as it is. While something is to be solved the
    /// question goes to a copy: solving at another moment than the cycle's could end in another of
    /// several equal answers.
    private func asking<Answer>(_ question: (inout Solver) -> Answer) -> Answer {
        let left = questionLimit &- min(work, questionLimit)
        guard solver.needsSolve else {
            solver.questionLimit =
                solver.work.addingReportingOverflow(left).overflow
                ? .max : solver.work &+ left
            defer { solver.questionLimit = .max }
            return question(&solver)
        }
        var copy = trialSolver()
        defer { charge(copy.work) }
        copy.workLimit = min(copy.workLimit, left)
        copy.questionLimit = left
        _ = copy.solve()
        return question(&copy)
    }
}
