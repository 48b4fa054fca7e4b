public import LayoutValues

/// The shadow of a view. Apple, `CALayer.shadowColor`, `shadowOffset`, `shadowRadius` and
/// `shadowOpacity`. JSON: `{"color": "#000000", "offset": [0, 2], "radius": 4, "opacity": 0.3}`.
public struct ShadowSpec: Hashable, Sendable {
    /// Black where it is not given.
    public var color = DynamicColor.literal(Color(r: 0, g: 0, b: 0))
    /// How far it lies right of and below the view, in points.
    public var offset = Point(x: 0, y: -3)
    /// How far it is blurred: the standard deviation, in points.
    public var radius = 3.0
    /// 0...1
    public var opacity = 1.0

    /// Makes a shadow with the defaults.
    public init() {}
}

/// A gradient over a view's area. Apple, `CAGradientLayer`. JSON: `{"colors": ["tint",
/// "#000000"]}`.
public struct GradientSpec: Hashable, Sendable {
    /// The colours that a gradient may have.
    static let countRange = 2...16

    /// From the start to the end.
    public var colors: [DynamicColor]
    /// Where each colour stands, 0...1, none before the one that it follows; nil for evenly.
    public var locations: [Double]?
    /// In shares of the view's width and height.
    public var startPoint = Point(x: 0.5, y: 0)
    /// In shares of the view's width and height.
    public var endPoint = Point(x: 0.5, y: 1)

    /// Makes a gradient from top to bottom.
    public init(colors: [DynamicColor]) { self.colors = colors }

    /// The place of a colour, 0...1.
    public func location(of index: Int) -> Double {
        locations?[index] ?? Double(index) / Double(max(1, colors.count - 1))
    }
}

/// A view scaled, then turned, then moved about its centre. JSON:
/// `{"rotation": 45, "scale": 2, "translation": [0, 8]}`.
public struct TransformSpec: Hashable, Sendable {
    /// In degrees, clockwise.
    public var rotation = 0.0
    /// The factors of width and height.
    public var scale = Point(x: 1, y: 1)
    /// In points.
    public var translation = Point.zero

    /// Makes a transform that moves nothing.
    public init() {}

    /// The map of the plane.
    public var affine: AffineTransform {
        AffineTransform(degrees: rotation, scale: scale, translation: translation)
    }
}

/// Properties of a view's look that few views have, kept apart so that the many others stay small.
/// None of them changes the layout.
public struct LookProperties: Sendable, Hashable {
    /// In points. Apple, `CALayer.cornerRadius`.
    public var cornerRadius: Double?
    /// The corners that are round; nil for all. Apple, `CALayer.maskedCorners`.
    public var maskedCorners: CornerMask?
    /// The line within the edges, in points. Apple, `CALayer.borderWidth`.
    public var borderWidth: Double?
    /// Black where it is not given. Apple, `CALayer.borderColor`.
    public var borderColor: DynamicColor?
    /// The shadow that the area casts.
    public var shadow: ShadowSpec?
    /// Drawn over the background.
    public var gradient: GradientSpec?
    /// What `tint` stands for in the view and all below it. Apple, `UIView.tintColor`.
    public var tint: DynamicColor?
    /// Turns, scales and moves the view and all in it about its centre. Apple, `UIView.transform`.
    public var transform: TransformSpec?
    /// The picture of an image view. Apple, `UIImageView.image`.
    public var image: ImageSpec?
    /// The symbol of an image view without a picture, and of a button without a title. Apple,
    /// `UIImage(systemName:)`.
    public var symbol: SymbolName?
    /// Values that are drawn over the background.
    public var chart: ChartSpec?

    /// Makes properties of which none is given.
    public init() {}

    /// Whether a colour follows traits; a symbol has the tint, which is a system colour, and so has
    /// a chart without a colour.
    var hasSystemColor: Bool {
        borderColor?.isSystem == true || shadow?.color.isSystem == true || tint?.isSystem == true
            || symbol != nil || chart.map { $0.color?.isSystem != false } == true
            || gradient?.colors.contains { $0.isSystem } == true
    }
}

extension ViewProperties {
    /// Whether a colour follows traits.
    public var hasSystemColor: Bool {
        background?.isSystem == true || foreground?.isSystem == true
            || hasLook && look.hasSystemColor
    }
}
