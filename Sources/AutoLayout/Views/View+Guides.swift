/// The layout guides of a view, its own and the built-in ones.
extension View {
    /// Adds a guide, in whose terms constraints can then speak.
    public func addLayoutGuide(_ guide: LayoutGuide) {
        guide.owningView?.removeLayoutGuide(guide)
        guide.owningView = self
        // In place: a list that is taken out and put back is copied for each guide.
        writeExtras().layoutGuides.append(guide)
        if guide.hasVariables { engine?.join(guide) }
    }

    /// Removes a guide and the constraints that speak of it.
    public func removeLayoutGuide(_ guide: LayoutGuide) {
        guard guide.owningView === self else { return }
        removeLayoutGuides([guide])
    }

    /// Removes some of the view's guides and the constraints that speak of them, going through its
    /// list once.
    func removeLayoutGuides(_ guides: [LayoutGuide]) {
        guard !guides.isEmpty else { return }
        for guide in guides {
            LayoutConstraint.deactivate(guide.attachedConstraints)
            engine?.leave(guide)
            guide.owningView = nil
        }
        layoutGuides.removeAll { $0.owningView == nil }
    }

    /// The guide inset by `layoutMargins`.
    public var layoutMarginsGuide: LayoutGuide {
        if let marginsGuide { return marginsGuide }
        let guide = LayoutGuide(kind: .margins, identifier: identifier + ".margins")
        guide.owningView = self
        marginsGuide = guide
        return guide
    }

    /// The guide inset by `safeAreaInsets`.
    public var safeAreaLayoutGuide: LayoutGuide {
        if let safeAreaGuide { return safeAreaGuide }
        let guide = LayoutGuide(kind: .safeArea, identifier: identifier + ".safeArea")
        guide.owningView = self
        safeAreaGuide = guide
        return guide
    }

    /// False where `ownedGuides` is known to be empty.
    var mayOwnGuides: Bool { extras != nil || self is ScrollView }

    /// All guides whose place depends on this view, built-in ones included.
    var ownedGuides: [LayoutGuide] {
        guard mayOwnGuides else { return [] }
        var guides = layoutGuides
        if let marginsGuide { guides.append(marginsGuide) }
        if let safeAreaGuide { guides.append(safeAreaGuide) }
        if let readable = extras?.readableGuide { guides.append(readable) }
        if let keyboard = extras?.keyboardGuide { guides.append(keyboard) }
        if let scroll = self as? ScrollView {
            guides += [scroll.contentLayoutGuide, scroll.frameLayoutGuide]
        }
        return guides
    }
}
