/// A view with ready content, which is never drawn by the passes: renderers show it themselves.
public final class ImageView: View {
    override var isBuiltIn: Bool { true }

    /// The size of the picture in points, which is the view's content size; `nil` without one.
    /// Apple, `UIImage.size`.
    public var imageSize: Size? {
        didSet { if imageSize != oldValue { invalidateIntrinsicContentSize() } }
    }

    /// The picture's size.
    public override var intrinsicContentSize: Size { imageSize ?? super.intrinsicContentSize }

    /// The picture's size; without one the view's own.
    public override func sizeThatFits(_ size: Size) -> Size {
        imageSize ?? super.sizeThatFits(size)
    }

    /// Makes an image view; its size comes from its picture, constraints or
    /// `intrinsicContentSizeOverride`.
    public override init(identifier: String = "") {
        super.init(identifier: identifier)
    }
}
