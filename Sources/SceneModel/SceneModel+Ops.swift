import AutoLayout
public import SceneDocument

extension SceneModel {
    /// Applies ops in order. Only `layoutIfNeeded` ops run a layout.
    ///
    /// An invalid op is refused alone and leaves no trace; in an atomic batch the first invalid op,
    /// or a conflict that remains at its end, refuses the whole batch.
    ///
    /// Beyond `workLimit` the batch is stopped: it is refused, and the scene `isExhausted`.
    public func apply(_ ops: [Op], atomic: Bool = false) -> BatchOutcome {
        beginShares()
        let before = sharesBefore.total
        // On a device besides the main one no op is refused, so no backup is needed.
        let isWhole = atomic && ops.count > 1 && screen == nil
        var outcome = isWhole ? applyAll(ops) : applyEach(ops)
        outcome.work = work &- before
        return outcome
    }

    /// Lays out what is pending, as the next cycle would: nobody asked for it, so that no strict
    /// device can refuse it either.
    public func layOutPending() {
        letsDevicesDecide = false
        defer { letsDevicesDecide = true }
        _ = apply([.layoutIfNeeded(id: "root")])
    }

    private func applyAll(_ ops: [Op]) -> BatchOutcome {
        if let refusal = refusalOfNames(ops) { return BatchOutcome(refusals: [refusal]) }
        let backup = restoresRefused ? backup() : nil
        let brokenBefore = Set(brokenConstraintIDs)
        let strictlyBroken = strictDevices.broken
        var outcome = BatchOutcome()
        isAtomic = true
        laidOut = []
        let diagnosticsBefore = diagnostics.count
        for (index, op) in ops.enumerated() {
            progress?.begin(op, at: index)
            do throws(Refusal) {
                try applyWithinLimit(op, into: &outcome)
            } catch {
                outcome.refusals = [error.at(index)]
                break
            }
        }
        isAtomic = false
        if outcome.refusals.isEmpty {
            window.restoreBrokenConstraints()
            if !repeatsEarlierRules,
                let conflict = newConflict(brokenBefore, since: diagnosticsBefore)
            {
                let error = LayoutError.unsatisfiable(conflict: conflict)
                outcome.refusals = [Refusal(error, opIndex: ops.count - 1)]
            } else if !isReplaying, let refusal = refusalOfStrictDevices(since: strictlyBroken) {
                outcome.refusals = [refusal.at(ops.count - 1)]
            }
        }
        guard !isExhausted else {
            laidOut = nil
            return BatchOutcome(refusals: outcome.refusals)
        }
        guard outcome.refusals.isEmpty else {
            diagnostics.removeSubrange(diagnosticsBefore...)
            laidOut = nil
            guard let backup else {
                isHalfChanged = true
                return BatchOutcome(refusals: outcome.refusals)
            }
            restore(backup)
            return BatchOutcome(refusals: outcome.refusals, wasRebuilt: true)
        }
        outcome.laidOut = takeLaidOut()
        return outcome
    }

    /// Looks for mistakes in names before any of the ops is applied. A replay has none.
    private func refusalOfNames(_ ops: [Op]) -> Refusal? {
        guard screen == nil else { return nil }
        meter &+= Price.named * UInt64(ops.count)
        return isReplaying || !looksUpNames ? nil : refusalOfNames(in: ops)
    }

    private func applyEach(_ ops: [Op]) -> BatchOutcome {
        var outcome = BatchOutcome()
        laidOut = []
        for (index, op) in ops.enumerated() {
            progress?.begin(op, at: index)
            let backup = backup(before: op)
            do throws(Refusal) {
                try applyWithinLimit(op, into: &outcome)
            } catch {
                outcome.refusals.append(error.at(index))
                takeBackGuides(backup, &outcome)
                // The scene will be discarded, so the rest is skipped.
                if isSpoiled { break }
            }
        }
        outcome.laidOut = takeLaidOut()
        return outcome
    }

    /// The members of a conflict that the batch caused and did not resolve.
    private func newConflict(_ before: Set<String>, since count: Int) -> [String]? {
        guard let broken = brokenConstraintIDs.first(where: { !before.contains($0) }) else {
            return nil
        }
        for case .brokeConstraint(broken, let conflict) in diagnostics[count...] {
            return conflict
        }
        return [broken]
    }

    private func takeLaidOut() -> [NamedRect] {
        defer { laidOut = nil }
        // The frame at the end is reported, so once per view is enough.
        var told: Set<String> = []
        return (laidOut ?? []).compactMap { id in
            guard told.insert(id).inserted else { return nil }
            guard let number = nodeIDs[id], let node = nodes[number] else { return nil }
            return NamedRect(id: id, rect: shownFrame(of: node.view))
        }
    }

    // MARK: One op

    private func applyWithinLimit(
        _ op: Op, into outcome: inout BatchOutcome
    ) throws(Refusal) {
        try limitOp { () throws(Refusal) in try apply(op, into: &outcome) }
    }

    func apply(_ op: Op, into outcome: inout BatchOutcome) throws(Refusal) {
        // The limit is checked once, after the op.
        countIn(op.price(in: self))
        if let refusal = refusalOfAccess?(op, self) { throw refusal }
        guard recordsEdits else { return try performAffordably(op, into: &outcome) }
        let before = editsBefore(op)
        let count = constraints.entries.count
        try performAffordably(op, into: &outcome)
        outcome.edits += before
        outcome.edits += editsAfter(op, constraintsBefore: count)
    }

    /// Performs an op, and refuses it if it was stopped by the limit, whatever its own result.
    private func performAffordably(
        _ op: Op, into outcome: inout BatchOutcome
    ) throws(Refusal) {
        do throws(Refusal) {
            try askingStrictDevices(op, into: &outcome) { (outcome) throws(Refusal) in
                try perform(op, into: &outcome)
            }
        } catch {
            try endShare()
            throw error
        }
        try endShare()
    }

    private func perform(_ op: Op, into outcome: inout BatchOutcome) throws(Refusal) {
        switch op {
        case .setScene:
            throw Refusal(code: .badOp, message: "setScene replaces a room and stands alone")
        case .addView(let spec): try addView(spec)
        case .removeView(let id): outcome.removedConstraints += try removeView(id)
        case .moveView(let id, let parent, let index):
            outcome.removedConstraints += try moveView(id, parent: parent, index: index)
        case .setView(let id, let properties): try setView(id, properties)
        case .resetView(let id, let keys): try resetView(id, keys)
        case .addGuide(let spec):
            try add(spec)
        case .addConstraint(let spec, let set):
            if let set { _ = try self.set(set) }
            try add(spec, index: freeConstraintIndex, set: set, breaks: false)
        case .removeConstraint(let id): try removeConstraint(id)
        case .setConstraint(let id, let constant, let priority, let multiplier, let active):
            try setConstraint(
                id,
                .init(
                    constant: constant, priority: priority, multiplier: multiplier, active: active))
        case .activateSet(let id, let auto): try activateSet(id, auto: auto)
        case .deactivateSet(let id): try set(id).deactivate()
        case .setViewport(let patch): setViewport(patch)
        case .setContentOffset(let id, let offset): try setContentOffset(id, offset)
        case .setNeedsUpdateConstraints(let id): try node(id).view.setNeedsUpdateConstraints()
        case .updateConstraintsIfNeeded(let id): try node(id).view.updateConstraintsIfNeeded()
        case .setNeedsLayout(let id): try node(id).view.setNeedsLayout()
        case .layoutIfNeeded(let id): try node(id).view.layoutIfNeeded()
        case .setNeedsDisplay(let id, let rect):
            let view = try node(id).view
            if let rect {
                view.setNeedsDisplay(rect)
            } else {
                view.setNeedsDisplay()
            }
        case .sizeToFit(let id):
            let node = try node(id)
            node.view.sizeToFit()
            if node.properties.frame != nil {
                // Limited to what an export can express, since rebuilding from an export would
                // otherwise change it.
                if node.view.layoutFrame != node.view.layoutFrame.writable {
                    node.view.frame = node.view.layoutFrame.writable
                }
                node.properties.frame = node.view.layoutFrame
            }
        case .animate(let animation): try animate(animation, into: &outcome)
        case .setNeedsUpdateProperties(let id): try node(id).view.setNeedsUpdateProperties()
        case .updatePropertiesIfNeeded(let id): try node(id).view.updatePropertiesIfNeeded()
        }
    }

    /// Applies ops within a view's call, as a scenario's hooks do.
    public func applyInHook(_ ops: [Op]) -> [Refusal] {
        var outcome = BatchOutcome()
        var refusals: [Refusal] = []
        for (index, op) in ops.enumerated() {
            do {
                try apply(op, into: &outcome)
            } catch {
                refusals.append(error.at(index))
            }
        }
        return refusals
    }

    private func animate(_ animation: Animation, into outcome: inout BatchOutcome) throws(Refusal) {
        if let refusal = refusalOfNames(animation.ops) { throw refusal }
        // A block is applied entirely or not at all, so that the journal can be replayed.
        let backup = isAtomic || !restoresRefused ? nil : backup()
        var inner = BatchOutcome()
        var refusal: Refusal?
        window.animate(
            duration: animation.duration, delay: animation.delay,
            curve: animation.curve, options: animation.flushesUpdates ? .flushUpdates : []
        ) {
            for op in animation.ops {
                do throws(Refusal) {
                    try apply(op, into: &inner)
                } catch {
                    refusal = error
                    return
                }
            }
        }
        if let refusal {
            if isExhausted { throw refusal }
            if let backup {
                restore(backup)
                outcome.wasRebuilt = true
            } else if !isAtomic {
                isHalfChanged = true
            }
            throw refusal
        }
        outcome.removedConstraints += inner.removedConstraints
        outcome.edits += inner.edits
    }

    private func setViewport(_ patch: ViewportPatch) {
        let old = shownViewport
        viewport.apply(patch)
        let viewport = shownViewport
        if viewport.width != old.width || viewport.height != old.height {
            window.viewportSize = Size(
                width: viewport.width, height: viewport.height)
        }
        window.screenTraits = viewport.traits
        window.screenSafeAreaInsets = viewport.safeArea
        window.keyboardHeight = viewport.keyboard
        applyRootMargins()
        if viewport.direction != old.direction {
            window.layoutDirection = viewport.direction
            for node in nodesInOrder where node.view is TextContentView {
                pending.markContent(node)
            }
        }
        if viewport.cell != old.cell {
            window.textMetrics = textMetrics
            for node in nodesInOrder {
                (node.view as? TextContentView)?.metrics = textMetrics
                (node.view as? ImageView)?.metrics = textMetrics
            }
        }
        if viewport.scale != old.scale || viewport.rounding != old.rounding {
            pending.isComplete = true
        }
        pending.markFrame(rootNode)
    }

    /// Gives `root` the margins that the viewport asks for.
    func applyRootMargins() {
        window.layoutMargins = shownViewport.margins.insets(width: shownViewport.width)
    }

    private func setContentOffset(_ id: String, _ offset: Point) throws(Refusal) {
        let node = try node(id)
        guard let scroll = node.view as? ScrollView else {
            throw Refusal(
                code: .badValue, message: "\"\(id)\" is no scroll view, so it has no content offset"
            )
        }
        scroll.contentOffset = offset
        node.properties.contentOffset = offset
        pending.markContent(node)
    }
}

extension Refusal {
    /// The same refusal with the index of an op.
    func at(_ index: Int) -> Refusal {
        var copy = self
        copy.opIndex = index
        return copy
    }
}
