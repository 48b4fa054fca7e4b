public import LayoutValues

/// A view with ready content, which is never drawn by the passes: renderers show it themselves.
public final class ImageView: View {
    override var isBuiltIn: Bool { true }

    /// The size of the picture in points, which is the view's content size; `nil` without one.
    /// Apple, `UIImage.size`.
    public var imageSize: Size? {
        didSet { if imageSize != oldValue { invalidateIntrinsicContentSize() } }
    }

    /// Whether a symbol is shown where there is no picture. Apple, `UIImage(systemName:)`.
    public var showsSymbol = false {
        didSet { if showsSymbol != oldValue { updateSymbol() } }
    }

    /// The font that the symbol is as large as, where text is measured in faces. Apple,
    /// `UIImage.SymbolConfiguration(textStyle:)`.
    public var font = FontDescriptor() {
        didSet { if font != oldValue { updateSymbol() } }
    }

    /// The grid whose cells the symbol takes where text is measured on it.
    public var metrics = TextMetrics.standard {
        didSet { if metrics != oldValue { updateSymbol() } }
    }

    /// Whether the symbol is as large as people want text.
    public var adjustsFontForContentSizeCategory = true {
        didSet { if adjustsFontForContentSizeCategory != oldValue { updateSymbol() } }
    }

    /// The extent of the symbol, in points; nil without one.
    public private(set) var symbol: SymbolExtent?

    /// The picture's size, or the symbol's.
    public override var intrinsicContentSize: Size {
        imageSize ?? symbol?.content ?? super.intrinsicContentSize
    }

    /// The picture's size, or the symbol's; without one the view's own.
    public override func sizeThatFits(_ size: Size) -> Size {
        imageSize ?? symbol?.content ?? super.sizeThatFits(size)
    }

    /// Makes an image view; its size comes from its picture or symbol, constraints or
    /// `intrinsicContentSizeOverride`.
    public override init(identifier: String = "") {
        super.init(identifier: identifier)
    }

    override func takeTextTraits() {
        super.takeTextTraits()
        updateSymbol()
    }

    private func updateSymbol() {
        let new = showsSymbol ? extent : nil
        guard new != symbol else { return }
        symbol = new
        if imageSize == nil { invalidateIntrinsicContentSize() }
        engine?.contentObserver?(self)
    }

    private var extent: SymbolExtent {
        let traits = currentTraits
        let category = adjustsFontForContentSizeCategory ? traits.contentSizeCategory : .large
        return traits.typography == .faces
            ? SymbolExtent(
                font: font.font(category, defaults: FontDescriptor()), scale: traits.displayScale)
            : SymbolExtent(cell: category.scaled(metrics.cell))
    }
}
