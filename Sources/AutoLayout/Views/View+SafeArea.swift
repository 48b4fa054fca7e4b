/// The part of a view that bars and rounded corners of the device do not cover, and margins that
/// follow it.
extension View {
    /// The insets of `safeAreaLayoutGuide`. Apple, `UIView.safeAreaInsets`.
    ///
    /// A view that was given none has what its window's screen covers of it: at each edge its
    /// superview's inset less the distance from the superview's edge, and none where that is
    /// negative. So a view that lies wholly inside has none. A scroll view keeps its own along the
    /// axes in which its content scrolls (`ScrollView.adjustedContentInset`). They follow frames,
    /// within the cycle that changes these. Setting them ends that for the view and all in it,
    /// which start from what was set.
    public var safeAreaInsets: EdgeInsets {
        get { extras?.ownSafeArea ?? extras?.coveredInsets ?? .zero }
        set {
            guard newValue != extras?.ownSafeArea, extras?.ownSafeArea != nil || newValue != .zero
            else { return }
            let old = safeAreaInsets
            writeExtras().ownSafeArea = newValue
            if newValue != old { safeAreaInsetsDidChange() }
            rederiveConstraints(of: safeAreaGuide)
            rederiveConstraints(of: extras?.keyboardGuide)
        }
    }

    /// Whether margins begin where the safe area ends; true by default. Apple,
    /// `UIView.insetsLayoutMarginsFromSafeArea`. Insets that were set by hand move no margins.
    public var insetsLayoutMarginsFromSafeArea: Bool {
        get { extras?.insetsMarginsFromSafeArea ?? true }
        set {
            guard newValue != insetsLayoutMarginsFromSafeArea else { return }
            writeExtras().insetsMarginsFromSafeArea = newValue
            rederiveConstraints(of: marginsGuide)
        }
    }

    /// Whether margins are at least as far in as the superview's are here: at each edge the
    /// superview's margin less the distance from the superview's edge, where that is more than the
    /// view's own. False by default. They follow frames, within the cycle that changes these.
    /// Apple, `UIView.preservesSuperviewLayoutMargins`.
    public var preservesSuperviewLayoutMargins: Bool {
        get { extras?.preservesSuperviewMargins ?? false }
        set {
            guard newValue != preservesSuperviewLayoutMargins else { return }
            writeExtras().preservesSuperviewMargins = newValue
            if newValue {
                engine?.followsSafeArea = true
                setNeedsLayout()
            } else {
                setPreserved(.zero)
            }
        }
    }

    /// The insets of `layoutMarginsGuide`: the margins, not less than the system's, inside the safe
    /// area, and not less than what is preserved of the superview's.
    var effectiveMargins: EdgeInsets {
        margins(inside: extras?.coveredInsets ?? .zero)
    }

    /// The margins that what lies in the view has to do with: those of a scroll view are around its
    /// content.
    var marginsOfContent: EdgeInsets {
        guard let scroll = self as? ScrollView else { return effectiveMargins }
        return margins(inside: scroll.contentSafeArea())
    }

    private func margins(inside covered: EdgeInsets) -> EdgeInsets {
        guard let extras else { return layoutMargins }
        var margins = layoutMargins.raised(to: extras.minimumMargins)
        if extras.ownSafeArea == nil, extras.insetsMarginsFromSafeArea {
            margins = EdgeInsets(
                top: margins.top + covered.top, leading: margins.leading + covered.leading,
                bottom: margins.bottom + covered.bottom,
                trailing: margins.trailing + covered.trailing)
        }
        margins = margins.raised(to: extras.preservedMargins)
        margins.leading += extras.readableExcess
        margins.trailing += extras.readableExcess
        return margins
    }

    /// Whether margins leave at most the width that is good to read, as that of
    /// `readableContentGuide`; false by default. They follow frames, within the cycle that changes
    /// these. Apple, the property of that name that Interface Builder shows as "Follow Readable
    /// Width".
    public var layoutMarginsFollowReadableWidth: Bool {
        get { extras?.followsReadableWidth ?? false }
        set {
            guard newValue != layoutMarginsFollowReadableWidth else { return }
            writeExtras().followsReadableWidth = newValue
            if newValue {
                engine?.followsSafeArea = true
                setNeedsLayout()
            } else {
                setReadableExcess(0)
            }
        }
    }

    /// Takes over how much wider each margin is than asked for; returns whether that is something
    /// else than before.
    @discardableResult
    fileprivate func setReadableExcess(_ excess: Double) -> Bool {
        guard excess != extras?.readableExcess ?? 0 else { return false }
        writeExtras().readableExcess = excess
        rederiveConstraints(of: marginsGuide)
        return true
    }

    /// How much wider each margin has to be, so that what they leave is good to read.
    fileprivate var neededReadableExcess: Double {
        let margins = effectiveMargins
        let present = 2 * (extras?.readableExcess ?? 0)
        let room = storedFrame.width - margins.leading - margins.trailing + present
        return max(0, room - readableWidth) / 2
    }

    /// Takes over what the superview's margins reach into the view; returns whether that is
    /// something else than before.
    @discardableResult
    fileprivate func setPreserved(_ insets: EdgeInsets) -> Bool {
        guard insets != extras?.preservedMargins ?? .zero else { return false }
        writeExtras().preservedMargins = insets
        rederiveConstraints(of: marginsGuide)
        return true
    }

    /// Takes over the least margins that the system wants.
    func setMinimumMargins(_ insets: EdgeInsets) {
        guard insets != extras?.minimumMargins ?? .zero else { return }
        writeExtras().minimumMargins = insets
        rederiveConstraints(of: marginsGuide)
    }

    /// Takes over what is covered of the view; returns whether that is something else than before.
    func setCovered(_ insets: EdgeInsets) -> Bool {
        guard insets != extras?.coveredInsets ?? .zero else { return false }
        writeExtras().coveredInsets = insets
        safeAreaInsetsDidChange()
        rederiveConstraints(of: safeAreaGuide)
        rederiveConstraints(of: marginsGuide)
        rederiveConstraints(of: extras?.keyboardGuide)
        return true
    }

    /// What is covered of a view by what covers its superview.
    fileprivate func coveredInsets(in superview: View) -> EdgeInsets {
        let outer = (superview as? ScrollView)?.contentSafeArea() ?? superview.safeAreaInsets
        return reach(of: outer, in: superview)
    }

    /// How far insets of the superview reach into the view.
    fileprivate func reach(of outer: EdgeInsets, in superview: View) -> EdgeInsets {
        guard outer != .zero else { return .zero }
        let size = (superview as? ScrollView)?.contentExtent ?? superview.storedFrame.size
        let isOuterLeft = superview.effectiveLayoutDirection == .leftToRight
        let frame = storedFrame
        let left = max(0, (isOuterLeft ? outer.leading : outer.trailing) - frame.minX)
        let right = max(
            0, (isOuterLeft ? outer.trailing : outer.leading) - (size.width - frame.maxX))
        let isLeft = effectiveLayoutDirection == .leftToRight
        return EdgeInsets(
            top: max(0, outer.top - frame.minY), leading: isLeft ? left : right,
            bottom: max(0, outer.bottom - (size.height - frame.maxY)),
            trailing: isLeft ? right : left)
    }
}

extension Window {
    /// What bars and rounded corners of the screen cover, from which the safe areas of all views
    /// come.
    public var screenSafeAreaInsets: EdgeInsets {
        get { extras?.coveredInsets ?? .zero }
        set {
            guard newValue != screenSafeAreaInsets else { return }
            ensureEngine().followsSafeArea = true
            if setCovered(newValue) { markNeedsLayout() }
        }
    }
}

extension UpdateCycle {
    /// Layouts in a cycle in which safe areas may follow frames, and frames safe areas.
    private static var safeAreaRoundMaximum: Int { 16 }

    /// Brings the safe areas of all views in line with their frames, after these were laid out;
    /// returns whether one changed, so that layout goes on.
    ///
    /// - Throws: `LayoutError.layoutFeedbackLoop` where a view is placed by its own inset and never
    ///   comes to rest.
    func followSafeAreas(_ scope: View, _ engine: LayoutEngine) throws(LayoutError) -> Bool {
        guard engine.followsSafeArea, scope === root else { return false }
        var changed: [View] = []
        var stack = Array(root.subviews.reversed())
        while let view = stack.popLast() {
            engine.charge(LayoutEngine.Price.step)
            if let superview = view.superview {
                var isOther = view.setCovered(view.coveredInsets(in: superview))
                isOther = view.setKeyboardReach(view.keyboardReach(in: superview)) || isOther
                if view.preservesSuperviewLayoutMargins {
                    let reach = view.reach(of: superview.marginsOfContent, in: superview)
                    isOther = view.setPreserved(reach) || isOther
                }
                if view.layoutMarginsFollowReadableWidth {
                    isOther = view.setReadableExcess(view.neededReadableExcess) || isOther
                }
                if let scroll = view as? ScrollView {
                    isOther = scroll.settleAdjustment(cycle: number) || isOther
                }
                if isOther { changed.append(view) }
            }
            stack.append(contentsOf: view.subviews.reversed())
        }
        guard !changed.isEmpty else { return false }
        safeAreaRounds += 1
        guard safeAreaRounds <= Self.safeAreaRoundMaximum else {
            throw .layoutFeedbackLoop(views: changed.map { $0.identifier }, markedBy: [])
        }
        return true
    }
}

extension EdgeInsets {
    /// At each edge the larger of the two.
    fileprivate func raised(to other: EdgeInsets) -> EdgeInsets {
        EdgeInsets(
            top: max(top, other.top), leading: max(leading, other.leading),
            bottom: max(bottom, other.bottom), trailing: max(trailing, other.trailing))
    }
}
