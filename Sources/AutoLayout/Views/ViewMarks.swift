/// What is pending on a view, and whether anything is pending below it.
///
/// The `subtree` flags of a view cover the view itself; wherever one is set it is set on all
/// ancestors too, so a pass finds its work without visiting the rest of the hierarchy.
struct ViewMarks {
    /// The view that marked this one last, for reports of feedback loops.
    var markedBy: ObjectIdentifier?
    /// How often `layoutSubviews` was called in the cycle numbered `layoutCycle`.
    var layoutCount: Int32 = 0
    var layoutCycle: Int32 = 0

    var needsUpdateConstraints = true
    var needsLayout = true
    var needsDisplay = true

    var subtreeNeedsUpdateConstraints = true
    var subtreeNeedsLayout = true
    var subtreeNeedsDisplay = true
    /// Whether layout is pending below the view, so that a pass need not look at the subviews where
    /// it is not.
    var descendantNeedsLayout = false

    /// Set by the base implementations; how a pass finds out that an override forgot `super`.
    var reachedBaseImplementation = false

    /// Why `updateProperties` is pending, if it is.
    enum Properties: UInt8 {
        case none
        /// The view is new, and its class may have overridden it.
        case new
        case asked
    }

    /// Whether the class is a program's own, so that its passes may run any code. Asked of every
    /// view that is laid out, and a class is slow to ask.
    var isOwnClass = false
    /// Whether the class is `View` itself.
    var isPlainClass = false
    var properties = Properties.none
    var subtreeNeedsUpdateProperties = false
    /// Set by the base implementation of `updateProperties`.
    var reachedBaseProperties = false
    /// Whether the view's traits may be others than those that it has.
    var needsTraits = false
    var subtreeNeedsTraits = false
    /// Whether the view had traits on show, so that others are a change.
    var hasHadTraits = false

    /// Whether anything waits in the view's subtree, the view included.
    subscript(pending: PendingMark) -> Bool {
        get {
            switch pending {
            case .traits: subtreeNeedsTraits
            case .properties: subtreeNeedsUpdateProperties
            }
        }
        set {
            switch pending {
            case .traits: subtreeNeedsTraits = newValue
            case .properties: subtreeNeedsUpdateProperties = newValue
            }
        }
    }
}

/// The mark of what a pass from the top down serves.
enum PendingMark {
    case traits, properties
}

extension View {
    // MARK: Marks

    /// Whether `updateConstraints` is pending; true for a new view.
    public var needsUpdateConstraints: Bool { marks.needsUpdateConstraints }
    /// Whether `layoutSubviews` is pending; true for a new view.
    public var needsLayout: Bool { marks.needsLayout }
    /// Whether drawing is pending; true for a new view.
    public var needsDisplay: Bool { marks.needsDisplay }

    /// Asks for `updateConstraints` in the next update-constraints pass. Records and returns.
    public func setNeedsUpdateConstraints() {
        engine?.cycle.noteRequestForConstraints(on: self)
        marks.needsUpdateConstraints = true
        raiseUpdateConstraints()
    }

    /// Asks for `layoutSubviews` in the next layout pass. Records and returns.
    public func setNeedsLayout() {
        engine?.cycle.noteRequestForLayout(on: self)
        markNeedsLayout()
    }

    /// Asks for the whole view to be drawn in the next display pass. Records and returns.
    public func setNeedsDisplay() {
        dirtyRect = nil
        marks.needsDisplay = true
        raiseDisplay()
    }

    /// Asks for a part of the view, in its own coordinates, to be drawn in the next display pass.
    public func setNeedsDisplay(_ rect: Rect) {
        guard !rect.isEmpty else { return }
        if !marks.needsDisplay {
            dirtyRect = rect
        } else if let dirty = dirtyRect {
            dirtyRect = dirty.union(rect)
        }
        marks.needsDisplay = true
        raiseDisplay()
    }

    /// Runs what is pending of the update-constraints pass in the view's subtree, now.
    public func updateConstraintsIfNeeded() {
        hierarchyRoot.ensureEngine().cycle.updateConstraintsIfNeeded(in: self)
    }

    /// Runs what is pending of the update-constraints and layout passes in the view's subtree, now;
    /// traits and properties first.
    ///
    /// The view is the root of that layout, so it does not itself move; nothing is drawn. Inside an
    /// animation block, whatever moves is animated.
    public func layoutIfNeeded() {
        hierarchyRoot.ensureEngine().cycle.layoutIfNeeded(in: self)
    }

    /// Sets the view's size to the one that fits its content best. A stack arranges its members
    /// first.
    public func sizeToFit() {
        if self is StackView { updateConstraintsIfNeeded() }
        let size = sizeThatFits(storedFrame.size)
        frame = Rect(origin: storedFrame.origin, size: size)
    }

    /// The engine's own mark, which no rule about requests applies to.
    func markNeedsLayout() {
        // Marked before, and its ancestors told.
        guard !marks.needsLayout || !marks.subtreeNeedsLayout else { return }
        marks.needsLayout = true
        raiseLayout()
    }

    /// Notes here and on all ancestors that the update-constraints pass is pending.
    func raiseUpdateConstraints() {
        guard !marks.subtreeNeedsUpdateConstraints else { return }
        marks.subtreeNeedsUpdateConstraints = true
        var current = superviewReference
        while let view = current {
            current = view.useView { view in
                guard !view.marks.subtreeNeedsUpdateConstraints else { return nil }
                view.marks.subtreeNeedsUpdateConstraints = true
                return view.superviewReference
            }
        }
    }

    /// Notes here and on all ancestors that layout is pending.
    func raiseLayout() {
        marks.subtreeNeedsLayout = true
        var subview = LayoutItemReference(self)
        while let superview = subview.useView({ $0.superviewReference }) {
            let goesOn = superview.useView { view in
                guard !view.marks.descendantNeedsLayout else {
                    if view.pendingSubview != subview { view.pendingSubview = nil }
                    return false
                }
                view.pendingSubview = subview
                view.marks.descendantNeedsLayout = true
                view.marks.subtreeNeedsLayout = true
                return true
            }
            guard goesOn else { return }
            subview = superview
        }
    }

    /// Notes here and on all ancestors that drawing is pending.
    func raiseDisplay() {
        guard !marks.subtreeNeedsDisplay else { return }
        marks.subtreeNeedsDisplay = true
        var current = superviewReference
        while let view = current {
            current = view.useView { view in
                guard !view.marks.subtreeNeedsDisplay else { return nil }
                view.marks.subtreeNeedsDisplay = true
                return view.superviewReference
            }
        }
    }

    /// Sets on the ancestors what is pending here; after the view got a new superview.
    func raisePendingMarks() {
        guard let superviewReference else { return }
        let marks = marks
        superviewReference.useView { superview in
            if marks.subtreeNeedsUpdateConstraints { superview.raiseUpdateConstraints() }
            if marks.subtreeNeedsDisplay { superview.raiseDisplay() }
            if marks.subtreeNeedsUpdateProperties { superview.raiseUpdateProperties() }
            if marks.subtreeNeedsTraits { superview.raiseTraits() }
        }
        if marks.subtreeNeedsLayout { raiseLayout() }
    }
}
