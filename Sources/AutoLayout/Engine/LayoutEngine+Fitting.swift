import Cassowary

/// Questions about layouts that are not the present one, answered on a copy of the solver so that
/// nothing here can leave a trace in it.
extension LayoutEngine {
    /// The size that a view's own constraints, and those of what is in it, give it next to a
    /// target.
    func fittingSize(
        of view: View, target: Size, _ priorities: PriorityByAxis
    ) -> Size {
        do {
            return try fit(view, target, priorities, atMost: .max)
        } catch {
            report(.error(translateUnowned(error)))
            return view.storedFrame.size
        }
    }

    /// The same as a question, which reports nothing.
    ///
    /// - Returns: `nil` where finding it out takes more than `questionLimit` leaves.
    func fittingSizeAsked(
        of view: View, target: Size, _ priorities: PriorityByAxis
    ) -> Size? {
        let left = questionLimit &- min(work, questionLimit)
        return try? fit(view, target, priorities, atMost: left)
    }

    private func fit(
        _ view: View, _ target: Size, _ priorities: PriorityByAxis, atMost units: UInt64
    ) throws(SolverError) -> Size {
        guard let variables = view.variables else { return target }
        let before = work
        charge(Price.copy(of: solver))
        var copy = trialSolver()
        copy.workLimit = min(copy.workLimit, units)
        defer { charge(copy.work) }
        try loosen(view, in: &copy)
        for (variable, length, priority) in [
            (variables.width, target.width, priorities.horizontal),
            (variables.height, target.height, priorities.vertical),
        ] where length.isFinite {
            try wish(variable, length, priority, in: &copy)
        }
        _ = copy.solve()
        // Only now do labels that wrap know their widths, on which their heights depend.
        if try wrapLabels(in: view, &copy) { _ = copy.solve() }
        guard !copy.isExhausted, work &- before &+ copy.work <= units else { throw .exhausted }
        return Size(
            width: snapped(copy.value(of: variables.width)),
            height: snapped(copy.value(of: variables.height)))
    }

    /// Asks for a length. One that required constraints rule out gives way to these, and to nothing
    /// else.
    private func wish(
        _ variable: Variable, _ length: Double, _ priority: LayoutPriority, in copy: inout Solver
    ) throws(SolverError) {
        let equation = Expression(terms: [Term(variable, 1)], constant: -length)
        do throws(SolverError) {
            _ = try copy.addConstraint(equation, .equal, strength: priority.strength)
        } catch {
            guard case .unsatisfiable = error else { throw error }
            _ = try copy.addConstraint(equation, .equal, strength: Strength(1000.0.nextDown))
        }
    }

    /// Takes away everything that ties the view to its surroundings.
    private func loosen(_ view: View, in copy: inout Solver) throws(SolverError) {
        let inside = view.preorder
        charge(Price.step * UInt64(inside.count))
        for role in [SystemRole.frameX, .frameY, .frameWidth, .frameHeight, .flowX, .flowY] {
            if let id = view.systemConstraints[role]?.id { try copy.removeConstraint(id) }
        }
        for constraint in View.constraints(of: inside) {
            guard let id = constraint.solverID else { continue }
            let items = [constraint.firstItem, constraint.secondItem].compactMap { $0 }
            let isInside = items.allSatisfy { $0.hostView?.isDescendant(of: view) == true }
            if !isInside { try copy.removeConstraint(id) }
        }
    }

    private func wrapLabels(in view: View, _ copy: inout Solver) throws(SolverError) -> Bool {
        var changed = false
        for case let label as Label in view.preorder where label.wrapsByLayout {
            guard let variables = label.variables else { continue }
            let width = copy.value(of: variables.width)
            let height = label.sizeThatFits(Size(width: width, height: 0)).height
            for role in [SystemRole.contentHeight, .hugHeight, .compressHeight] {
                guard let id = label.systemConstraints[role]?.id else { continue }
                try copy.setConstant(-height, of: id)
                changed = true
            }
        }
        return changed
    }

    /// Another frame that satisfies all constraints of an ambiguous item as well; `nil` when there
    /// is none.
    func alternativeFrame(of item: LayoutItem) -> Rect? {
        guard let variables = item.variables else { return nil }
        solveIfNeeded()
        let found = publishedFrame(of: item)
        for (variable, value) in [
            (variables.x, found.minX), (variables.y, found.minY), (variables.width, found.width),
            (variables.height, found.height),
        ] where !solver.isUnique(variable) {
            for wish in [value + 32, value - 32] {
                var copy = trialSolver()
                defer { charge(copy.work) }
                do {
                    _ = try copy.addConstraint(
                        Expression(terms: [Term(variable, 1)], constant: -wish), .equal,
                        strength: Strength(0.5))
                } catch {
                    report(.error(translateUnowned(error)))
                    continue
                }
                _ = copy.solve()
                let other = Rect(
                    x: snapped(copy.value(of: variables.x)),
                    y: snapped(copy.value(of: variables.y)),
                    width: snapped(copy.value(of: variables.width)),
                    height: snapped(copy.value(of: variables.height)))
                if other != found { return other }
            }
        }
        return nil
    }

    private func translateUnowned(_ error: SolverError) -> LayoutError {
        if case .exhausted = error { return .tooExpensive }
        guard case .unsatisfiable(let conflict) = error else { return .badValue("\(error)") }
        return .unsatisfiable(conflict: conflict.compactMap { owner(of: $0)?.identifier })
    }
}

extension View {
    /// The smallest size, for `systemLayoutSizeFitting`.
    public static let layoutFittingCompressedSize = Size.zero
    /// A size larger than any content, for `systemLayoutSizeFitting`.
    public static let layoutFittingExpandedSize = Size(width: 10_000, height: 10_000)

    /// The size that the view's own constraints, and those of what is in it, give it next to a
    /// target.
    ///
    /// What ties the view to its surroundings does not count; nothing is changed. Labels that wrap
    /// take their height from the width found. Apple,
    /// `systemLayoutSizeFitting(_:withHorizontalFittingPriority:verticalFittingPriority:)`.
    ///
    /// - Parameters:
    ///   - target: The size wished for, in points.
    ///   - horizontal: How much the width wished for matters; above 250 it wins over hugging,
    ///     required is final.
    ///   - vertical: The same for the height.
    /// - Complexity: O(*n*) in the size of the hierarchy's solver, which is copied.
    public func systemLayoutSizeFitting(
        _ target: Size,
        withHorizontalFittingPriority horizontal: LayoutPriority = .fittingSizeLevel,
        verticalFittingPriority vertical: LayoutPriority = .fittingSizeLevel
    ) -> Size {
        hierarchyRoot.ensureEngine().fittingSize(
            of: self, target: target, PriorityByAxis(horizontal, vertical))
    }

    /// The same as a question, for who limits its work: nothing is reported, and a target that
    /// required constraints rule out gives way to these.
    ///
    /// - Returns: `nil` beyond `Window.questionLimit`, and for a view of no hierarchy.
    public func fittingSizeAsked(
        _ target: Size, horizontal: LayoutPriority, vertical: LayoutPriority
    ) -> Size? {
        engine?.fittingSizeAsked(of: self, target: target, PriorityByAxis(horizontal, vertical))
    }

    /// Shows, where the view's layout is ambiguous, another frame that would do as well; called
    /// again, the first one.
    ///
    /// For finding out by eye what is undetermined; the next layout of the superview takes it back.
    /// Apple, `exerciseAmbiguityInLayout`.
    ///
    /// - Returns: Whether there is another frame.
    @discardableResult
    public func exerciseAmbiguityInLayout() -> Bool {
        guard superview != nil, let engine, let other = engine.alternativeFrame(of: self) else {
            return false
        }
        show(storedFrame == engineFrame ? other : engineFrame)
        return true
    }
}
