/// The rectangle that constraints speak of, where it is not the frame.
extension View {
    /// How far the alignment rectangle lies within the frame, in points; zero by default, negative outside.
    ///
    /// Constraints and the content's size speak of the alignment rectangle, frames and renderers of the frame, so that
    /// shadows, badges and the room around a knob do not move what is aligned with the rest. Leading and trailing follow
    /// the direction, where UIKit's are left and right. Apple, `UIView.alignmentRectInsets`.
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
