import Cassowary

/// What happens when something that cannot be refused (a viewport, growing content, a collapse, a
/// condition) makes required constraints contradictory: the newest member of an irreducible
/// conflict is given up, reported as broken, and tried again whenever constraints change. UIKit
/// does the same. A stack view's own constraints are made late, and are given up only where nothing
/// else is left.
extension LayoutEngine {
    /// Puts a constraint in force whatever it contradicts; the newest of a conflict, perhaps
    /// itself, gives way.
    func addBreaking(_ constraint: LayoutConstraint) {
        guard constraint.solverID == nil, prepare(constraint) else { return }
        do {
            let equation = try equation(of: constraint)
            while constraint.solverID == nil {
                do {
                    constraint.solverID = try insert(equation, of: constraint)
                } catch .unsatisfiable(let conflict) {
                    guard giveUpNewest(of: conflict, offered: constraint) else { return }
                } catch {
                    report(.error(translate(error, offered: constraint)))
                    return
                }
            }
            reuse(equation.takeExpression())
        } catch {
            report(.error(error))
        }
    }

    /// Writes a constraint anew where there is no caller to refuse.
    func rederiveBreaking(_ constraint: LayoutConstraint) {
        guard constraint.isActive else { return }
        if let id = constraint.solverID {
            constraint.solverID = nil
            erase(id)
        }
        addBreaking(constraint)
    }

    /// Makes room for a constraint of the engine's own; people's constraints give way to it.
    ///
    /// - Returns: Whether something gave way, so that another try makes sense.
    func giveUpNewest(of conflict: [ConstraintID]) -> Bool {
        let members = userConstraints(conflict)
        guard let newest = members.max(by: { $1.givesWay(before: $0) }) else { return false }
        giveUp(newest, members: members)
        return true
    }

    /// - Returns: Whether the offered constraint is worth another try; false when it was itself the
    ///   newest.
    private func giveUpNewest(of conflict: [ConstraintID], offered: LayoutConstraint) -> Bool {
        let members = userConstraints(conflict).filter { $0 !== offered } + [offered]
        guard let newest = members.max(by: { $1.givesWay(before: $0) }) else { return false }
        giveUp(newest, members: members)
        return newest !== offered
    }

    private func userConstraints(_ conflict: [ConstraintID]) -> [LayoutConstraint] {
        conflict.compactMap { owner(of: $0) }
    }

    private func giveUp(_ constraint: LayoutConstraint, members: [LayoutConstraint]) {
        if let id = constraint.solverID {
            constraint.solverID = nil
            erase(id)
        }
        guard !constraint.isBroken else { return }
        constraint.isBroken = true
        brokenConstraints.append(constraint)
        let names = members.sorted { $0.serial < $1.serial }.map { $0.identifier }
        report(.brokeConstraint(constraint.identifier, conflict: names))
    }
}
