/// What a keyboard on the screen covers of views, apart from the safe area, which it does not
/// change.
extension View {
    /// The guide that keeps content above the keyboard: as wide as the view, from the keyboard's
    /// top edge down to the view's bottom edge. While no keyboard reaches into the view it begins
    /// where the safe area ends. Apple, `UIView.keyboardLayoutGuide`.
    ///
    /// It follows the view's frame within the cycle that changes this, and a keyboard that comes
    /// within an animation block moves what is held by the guide in that block's time. UIKit's
    /// guide can also follow a keyboard that floats (`followsUndockedKeyboard`); here a keyboard
    /// lies at the bottom of the screen or is away.
    public var keyboardLayoutGuide: LayoutGuide {
        if let guide = extras?.keyboardGuide { return guide }
        let guide = LayoutGuide(kind: .keyboard, identifier: identifier + ".keyboard")
        guide.owningView = self
        writeExtras().keyboardGuide = guide
        return guide
    }

    /// Whether `keyboardLayoutGuide` ends at the safe area while the keyboard is away, which is so
    /// by default; otherwise it ends at the view's bottom edge. Apple,
    /// `UIKeyboardLayoutGuide.usesBottomSafeArea`.
    public var keyboardUsesBottomSafeArea: Bool {
        get { extras?.keyboardUsesBottomSafeArea ?? true }
        set {
            guard newValue != keyboardUsesBottomSafeArea else { return }
            writeExtras().keyboardUsesBottomSafeArea = newValue
            rederiveConstraints(of: extras?.keyboardGuide)
        }
    }

    /// How far the keyboard's guide reaches up from the view's bottom edge, in points.
    var keyboardInset: Double {
        guard let extras else { return 0 }
        let area = extras.keyboardUsesBottomSafeArea ? safeAreaInsets.bottom : 0
        return max(extras.keyboardReach, area)
    }

    /// How far the keyboard reaches into the view, by how far it reaches into its superview.
    func keyboardReach(in superview: View) -> Double {
        guard let outer = superview.extras?.keyboardReach, outer > 0 else { return 0 }
        return max(0, outer - (superview.storedFrame.height - storedFrame.maxY))
    }

    /// Takes over how far the keyboard reaches into the view; returns whether that is something
    /// else than before.
    func setKeyboardReach(_ reach: Double) -> Bool {
        guard reach != extras?.keyboardReach ?? 0 else { return false }
        writeExtras().keyboardReach = reach
        rederiveConstraints(of: extras?.keyboardGuide)
        return true
    }
}

extension Window {
    /// The height of the keyboard at the bottom of the screen, in points; 0 while it is away.
    public var keyboardHeight: Double {
        get { extras?.keyboardReach ?? 0 }
        set {
            guard newValue != keyboardHeight else { return }
            ensureEngine().followsSafeArea = true
            if setKeyboardReach(newValue) { markNeedsLayout() }
        }
    }
}
