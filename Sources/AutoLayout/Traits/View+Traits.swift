extension View {
    /// The traits in force, as of the last update. Apple, `UITraitEnvironment.traitCollection`.
    ///
    /// A change of overrides, here or above, shows after the next cycle's trait update, or
    /// `updateTraitsIfNeeded()`.
    ///
    /// - Complexity: O(depth).
    public var traitCollection: TraitCollection {
        TraitCollection(currentTraits, reads: engine?.cycle.traitReads(of: self))
    }

    /// Traits that the view sets for itself and all below it. Apple, `UIView.traitOverrides`.
    public var traitOverrides: TraitOverrides {
        get { extras?.traits?.overrides ?? TraitOverrides() }
        set {
            guard newValue != traitOverrides else { return }
            writeTraits().overrides = newValue
            markNeedsTraits()
        }
    }

    /// The smallest category that the view and all below it take. Apple,
    /// `minimumContentSizeCategory`.
    public var minimumContentSizeCategory: ContentSizeCategory? {
        get { extras?.traits?.minimumCategory }
        set {
            guard newValue != minimumContentSizeCategory else { return }
            writeTraits().minimumCategory = newValue
            markNeedsTraits()
        }
    }

    /// The largest category that the view and all below it take. Apple,
    /// `maximumContentSizeCategory`.
    public var maximumContentSizeCategory: ContentSizeCategory? {
        get { extras?.traits?.maximumCategory }
        set {
            guard newValue != maximumContentSizeCategory else { return }
            writeTraits().maximumCategory = newValue
            markNeedsTraits()
        }
    }

    /// Calls a handler when any of the traits changed for this view: once in an update, however
    /// many did. Apple, `UITraitChangeObservable`.
    ///
    /// The handler gets the view, which has the new traits, and the collection before. Views below
    /// still have theirs. Registering, and the first collection of a new view, call nothing.
    @discardableResult
    public func registerForTraitChanges(
        _ traits: [Trait], handler: @escaping (View, TraitCollection) -> Void
    ) -> TraitChangeRegistration {
        let registration = TraitChangeRegistration(TraitSet(traits), handler)
        writeTraits().registrations.append(registration)
        // On show it has had traits; otherwise its first update passes without a call.
        if let window, !window.marks.subtreeNeedsTraits {
            marks.hasHadTraits = true
        } else {
            markNeedsTraits()
        }
        return registration
    }

    /// Ends a registration; a view that goes ends its own.
    public func unregisterForTraitChanges(_ registration: TraitChangeRegistration) {
        extras?.traits?.registrations.removeAll { $0 === registration }
    }

    /// Brings the traits of the view and all below it up to date now, and calls handlers before it
    /// returns. Apple, `UIView.updateTraitsIfNeeded()`.
    public func updateTraitsIfNeeded() {
        hierarchyRoot.ensureEngine().cycle.updateTraitsIfNeeded(in: self)
    }

    /// The values in force.
    var currentTraits: TraitValues {
        var current: View? = self
        while let view = current {
            if let box = view.traitBox { return box.values }
            current = view.superview
        }
        return TraitValues()
    }

    func writeTraits() -> ViewTraits {
        let extras = writeExtras()
        if let traits = extras.traits { return traits }
        let made = ViewTraits()
        extras.traits = made
        return made
    }

    /// Notes that the view's traits may be others from now on.
    func markNeedsTraits() {
        marks.needsTraits = true
        raiseTraits()
    }

    func raiseTraits() {
        var current: View? = self
        while let view = current, !view.marks.subtreeNeedsTraits {
            view.marks.subtreeNeedsTraits = true
            current = view.superview
        }
    }

    /// Keeps the traits of a view that leaves its superview; it has them until it is shown
    /// elsewhere.
    func keepTraits() {
        let values = currentTraits
        guard !values.isEmpty else { return }
        traitBox = TraitBox(values)
        marks.needsTraits = true
        marks.subtreeNeedsTraits = true
    }

    /// What the view makes of the traits that it inherits.
    func traits(from inherited: TraitValues) -> TraitValues {
        guard let own = extras?.traits else { return inherited }
        var values = inherited
        values.merge(own.overrides.values)
        if let least = own.minimumCategory, values.contentSizeCategory < least {
            values.contentSizeCategory = least
        }
        if let most = own.maximumCategory, most < values.contentSizeCategory {
            values.contentSizeCategory = most
        }
        return values
    }
}
