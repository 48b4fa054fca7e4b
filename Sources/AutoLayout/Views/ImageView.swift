/// A view with ready content, which is never drawn by the passes: renderers show it themselves.
public final class ImageView: View {
    override var isBuiltIn: Bool { true }

    /// Makes an image view; its size comes from constraints or `intrinsicContentSizeOverride`.
    public override init(identifier: String = "") {
        super.init(identifier: identifier)
    }
}
