public import LayoutValues

/// The font that a view asks for. Apple, `UIFont`.
public struct FontDescriptor: Hashable, Sendable {
    /// The role of the text, which gives size and weight where these are not given.
    public var textStyle: TextStyle?
    /// The size at the category `large`, in points; nil for the style's.
    public var pointSize: Double?
    /// How heavy the strokes are; nil for the style's.
    public var weight: FontWeight?

    /// Makes a descriptor.
    public init(
        textStyle: TextStyle? = nil, pointSize: Double? = nil, weight: FontWeight? = nil
    ) {
        self.textStyle = textStyle
        self.pointSize = pointSize
        self.weight = weight
    }

    /// The font at a size that people want.
    ///
    /// A style has the size of Apple's table. A size that is given is scaled as body text is, like
    /// `UIFontMetrics.default`, and rounded to 1/64 point.
    ///
    /// - Parameter defaults: The font of views that are given none.
    func font(_ category: ContentSizeCategory, defaults: FontDescriptor) -> Font {
        let own = textStyle == nil && pointSize == nil ? defaults : self
        let style = own.textStyle ?? .body
        let size =
            own.pointSize.map {
                $0 * TextStyle.body.pointSize(category) / TextStyle.body.pointSize(.large)
            } ?? style.pointSize(category)
        let sixtyFourths = Int(nearest: (size * Double(Font.subdivision) + 0.5).rounded(.down))
        return Font(
            weight: weight ?? textStyle?.weight ?? defaults.weight ?? .regular,
            size64: max(1, sixtyFourths))
    }
}

/// A size and weight of the faces that text is set in.
public struct Font: Hashable, Sendable {
    /// How heavy the strokes are.
    public var weight: FontWeight
    /// The em, in 1/64 point.
    public var size64: Int

    /// The parts of a point in which sizes are counted.
    public static let subdivision = 64
}
