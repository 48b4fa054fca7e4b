/// Taking part in a layout, and leaving it.
extension LayoutConstraint {
    /// Puts the constraint in force, or keeps it waiting until its items share a hierarchy in an
    /// engine.
    ///
    /// - Throws: `LayoutError.unsatisfiable`, naming the conflict; the constraint stays inactive
    ///   then.
    public func activate() throws(LayoutError) {
        guard !isActive, first != nil else { return }
        attach()
        guard let engine = sharedEngine() else { return }
        try enter(engine)
    }

    func enter(_ engine: LayoutEngine) throws(LayoutError) {
        do {
            try engine.add(self)
        } catch {
            detach()
            throw error
        }
    }

    /// Puts the constraint in force whatever it contradicts; the newest of a conflict, perhaps this
    /// one, is given up and reported as broken.
    public func activateBreaking() {
        guard !isActive, firstItem != nil else { return }
        attach()
        sharedEngine()?.addBreaking(self)
    }

    /// Takes the constraint out of force.
    public func deactivate() {
        guard isActive else { return }
        engine?.remove(self)
        detach()
    }

    /// Deactivates all.
    ///
    /// - Complexity: O(*n*) besides the solver's part, also where all speak of one view: its list
    ///   is gone through once.
    public static func deactivate(_ constraints: [LayoutConstraint]) {
        guard constraints.count > 1 else {
            constraints.first?.deactivate()
            return
        }
        var items: [ObjectIdentifier: LayoutItem] = [:]
        for constraint in constraints where constraint.isActive {
            constraint.engine?.remove(constraint)
            constraint.forgetState()
            for item in [constraint.firstItem, constraint.secondItem] {
                if let item { items[ObjectIdentifier(item)] = item }
            }
        }
        for item in items.values {
            Lent(item.hostView?.engine)?.use {
                $0.charge(LayoutEngine.Price.steps(item.attachedCount))
            }
            item.detachInactive()
        }
    }

    /// The engine in which both items take part, if it exists.
    var engine: LayoutEngine? {
        if let engine = knownEngine { return engine }
        guard let engine = firstItem?.hostView?.engine else { return nil }
        guard hasSecondItem else { return engine }
        return secondItem?.hostView?.engine === engine ? engine : nil
    }

    /// The same, made on the spot for a hierarchy that no window shows yet.
    func sharedEngine() -> LayoutEngine? {
        if let engine = knownEngine { return engine }
        guard let host = firstItem?.hostView else { return nil }
        if hasSecondItem {
            // An engine belongs to one hierarchy.
            if let engine = host.engine, secondItem?.hostView?.engine === engine { return engine }
            guard let other = secondItem?.hostView, other.hierarchyRoot === host.hierarchyRoot
            else { return nil }
        }
        return host.hierarchyRoot.ensureEngine()
    }

    /// The engine of two plain views, if both are in one already; found without counting
    /// references.
    private var knownEngine: LayoutEngine? { lendKnownEngine { $0 } }

    /// Lends that engine.
    ///
    /// - Returns: `nil` if it is not known so.
    @inline(__always)
    private func lendKnownEngine<Result>(_ body: (LayoutEngine) -> Result) -> Result? {
        first?.use { first -> Result? in
            guard first.isPlainView, let lent = Lent(first.viewUnchecked.engine) else {
                return nil
            }
            return lent.use { engine in
                if hasSecondItem {
                    let isShared = second?.use {
                        $0.isPlainView && $0.viewUnchecked.engine === engine
                    }
                    guard isShared == true else { return nil }
                }
                return body(engine)
            }
        }
    }

    /// Lends the engine in which both items take part, if it exists, for a call that takes no view
    /// out of it.
    func lendEngine(_ body: (LayoutEngine) throws(LayoutError) -> Void) throws(LayoutError) {
        var failure: LayoutError?
        func run(_ engine: LayoutEngine) {
            do throws(LayoutError) { try body(engine) } catch { failure = error }
        }
        if lendKnownEngine(run) == nil, let engine { run(engine) }
        if let failure { throw failure }
    }

    func attach() {
        isActive = true
        firstHandle.attach(self)
        // Lent: references to it are not counted.
        Lent<LayoutItemHandle>(secondHandle)?.use { if $0 !== firstHandle { $0.attach(self) } }
    }

    func detach() {
        forgetState()
        leave(firstHandle)
        if let secondHandle { leave(secondHandle) }
    }

    private func forgetState() {
        isActive = false
        isBroken = false
        isSuspended = false
    }

    /// Leaves an item's list, which has the constraint once at most.
    private func leave(_ handle: LayoutItemHandle) {
        let count = handle.constraints.count
        guard handle.constraints.remove(self) else { return }
        engine?.charge(UInt64(count))
    }
}
