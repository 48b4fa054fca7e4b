import ConstraintLanguage

/// The rectangle that constraints speak of, where it is not the frame.
extension View {
    /// How far the alignment rectangle lies within the frame, in points; zero by default, negative
    /// outside.
    ///
    /// Constraints and the content's size speak of the alignment rectangle, frames and renderers of
    /// the frame, so that shadows, badges and the room around a knob do not move what is aligned
    /// with the rest. Leading and trailing follow the direction, where UIKit's are left and right.
    /// Apple, `UIView.alignmentRectInsets`.
    public var alignmentInsets: EdgeInsets {
        get { extras?.alignmentInsets ?? .zero }
        set {
            guard newValue != alignmentInsets else { return }
            writeExtras().alignmentInsets = newValue
            isPlainView = !(self is ScrollView) && newValue == .zero
            rederiveConstraints()
            updateContentSizeConstraints()
        }
    }
}

extension LayoutItem {
    /// Whether text runs from the left in a view.
    var runsFromLeft: Bool { asView?.effectiveLayoutDirection != .rightToLeft }
}

extension EdgeInsets {
    /// How far an attribute of an inset rectangle lies from the same of the whole, in points.
    ///
    /// - Parameters:
    ///   - isLeftToRight: Whether leading is left in the view.
    ///   - mirrored: Whether x is measured from the right, where leading is.
    func offset(
        of attribute: LayoutAttribute, isLeftToRight: Bool, mirrored: Bool
    ) -> Double {
        let left = isLeftToRight ? leading : trailing
        let right = isLeftToRight ? trailing : leading
        // Measured from the right, leading is on the right.
        let (start, end) = mirrored ? (right, left) : (left, right)
        return switch attribute {
        case .leading: start
        case .trailing: -end
        case .left: mirrored ? -left : left
        case .right: mirrored ? right : -right
        case .centerX: (start - end) / 2
        case .width: -(left + right)
        case .top: top
        case .bottom: -bottom
        case .centerY: (top - bottom) / 2
        case .height: -(top + bottom)
        // Baselines are measured from the frame.
        case .firstBaseline, .lastBaseline: 0
        }
    }
}
