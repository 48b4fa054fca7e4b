/// A view whose subviews lie in a content area that can be larger than the view and is shown from an offset.
///
/// As in UIKit, a constraint between the scroll view's edges and something inside it means the content's edges;
/// one on its width, height or centres means the view itself.
public final class ScrollView: View {
    override class var isBuiltIn: Bool { true }

    /// The content: at the origin, as large as constraints make it.
    public let contentLayoutGuide: LayoutGuide
    /// The part of the content that shows.
    public let frameLayoutGuide: LayoutGuide

    /// The point of the content that is shown at the top left corner. Setting another scrolls: the view is laid out.
    public var contentOffset = Point.zero {
        didSet {
            guard contentOffset != oldValue else { return }
            rederiveConstraints(of: frameLayoutGuide)
            markNeedsLayout()
            engine?.frameObserver?(self)
        }
    }

    /// Makes a scroll view at offset zero.
    public override init(identifier: String = "") {
        contentLayoutGuide = LayoutGuide(kind: .content, identifier: identifier + ".content")
        frameLayoutGuide = LayoutGuide(kind: .viewport, identifier: identifier + ".viewport")
        super.init(identifier: identifier)
        contentLayoutGuide.owningView = self
        frameLayoutGuide.owningView = self
    }

    /// The extent of the content as the engine has it, in points.
    public var contentSize: Size { contentLayoutGuide.layoutFrame.size }

    public override var bounds: Rect { Rect(origin: contentOffset, size: frame.size) }
}
