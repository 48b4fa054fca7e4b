public import LayoutValues
public import SceneDocument

/// A shadow as renderers draw it.
public struct LookShadow: Hashable, Sendable {
    /// Its colour, with the shadow's opacity.
    public var color: Color?
    /// How far it lies right of and below the view, in points.
    public var offset = Point.zero
    /// How far it is blurred: the standard deviation, in points.
    public var radius = 0.0

    /// Makes a shadow that does not show.
    public init() {}
}

/// A colour of a gradient, and where it stands.
public struct LookStop: Hashable, Sendable {
    /// 0...1 of the way from the start to the end.
    public var location: Double
    /// The colour.
    public var color: Color?

    /// Makes a stop.
    public init(location: Double, color: Color?) {
        self.location = location
        self.color = color
    }
}

/// A linear gradient over a view's area.
public struct LookGradient: Hashable, Sendable {
    /// In shares of the view's width and height.
    public var start = Point.zero
    /// In shares of the view's width and height.
    public var end = Point.zero
    /// In the order of their locations.
    public var stops: [LookStop] = []

    /// Makes a gradient without colours.
    public init() {}
}

/// How a view and all in it are turned, scaled and moved about the view's centre: scaled first,
/// then turned, then moved.
public struct LookTransform: Hashable, Sendable {
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

/// A picture, by the hash of its file.
public struct LookImage: Hashable, Sendable {
    /// The SHA-256 of the file: 64 hexadecimal digits in lower case.
    public var hash = ""
    /// In pixels, as it is shown.
    public var width: UInt32 = 0
    /// In pixels, as it is shown.
    public var height: UInt32 = 0
    /// Pixels of the picture in a point.
    public var scale = 1.0
    /// How it is placed in the view.
    public var mode = ContentMode.scaleToFill

    /// Makes an image of no file.
    public init() {}

    /// Where the picture is drawn in a view, in points from the view's top left corner. Apple,
    /// `UIView.ContentMode`.
    public func frame(in size: Size) -> Rect {
        guard width > 0, height > 0, scale > 0 else { return .zero }
        let own = Size(width: Double(width) / scale, height: Double(height) / scale)
        var drawn = own
        let (across, down) = (size.width / own.width, size.height / own.height)
        switch mode {
        case .scaleToFill, .redraw: drawn = size
        case .scaleAspectFit, .scaleAspectFill:
            let factor = mode == .scaleAspectFit ? min(across, down) : max(across, down)
            drawn = Size(width: own.width * factor, height: own.height * factor)
        case .center, .top, .bottom, .left, .right, .topLeft, .topRight, .bottomLeft, .bottomRight:
            break
        }
        let (wide, high) = (size.width - drawn.width, size.height - drawn.height)
        let x =
            switch mode {
            case .left, .topLeft, .bottomLeft: 0.0
            case .right, .topRight, .bottomRight: wide
            case .scaleToFill, .redraw, .scaleAspectFit, .scaleAspectFill, .center, .top, .bottom:
                wide / 2
            }
        let y =
            switch mode {
            case .top, .topLeft, .topRight: 0.0
            case .bottom, .bottomLeft, .bottomRight: high
            case .scaleToFill, .redraw, .scaleAspectFit, .scaleAspectFill, .center, .left, .right:
                high / 2
            }
        return Rect(x: x, y: y, width: drawn.width, height: drawn.height)
    }
}

/// A symbol, by its name, in the look's tint.
public struct LookSymbol: Hashable, Sendable {
    /// As `UIImage(systemName:)` takes it; a renderer without it draws nothing.
    public var name = ""
    /// The side of its square, in points.
    public var side = 0.0
    /// How it is placed in the view. It keeps its proportions, with `scaleToFill` too.
    public var mode = ContentMode.scaleToFill

    /// Makes a symbol without a name.
    public init() {}

    /// The square in a view, in points from the view's top left corner.
    public func frame(in size: Size) -> Rect {
        var image = LookImage()
        (image.width, image.height) = (1, 1)
        image.scale = side > 0 ? 1 / side : 1
        image.mode = mode == .scaleToFill || mode == .redraw ? .scaleAspectFit : mode
        return image.frame(in: size)
    }
}

/// What a renderer draws of a view that has more than a colour and a line around it. It is no part
/// of the state hash.
public struct ViewLook: Hashable, Sendable {
    /// In points; a renderer takes no more than half of the shorter side.
    public var cornerRadius = 0.0
    /// The corners that are round.
    public var maskedCorners = CornerMask.all
    /// The line within the edges, in points.
    public var borderWidth = 0.0
    /// The colour of that line.
    public var borderColor: Color?
    /// The colour of a control's accents and of a symbol; nil for the renderer's.
    public var tint: Color?
    /// What the area casts.
    public var shadow: LookShadow?
    /// What is drawn over the background.
    public var gradient: LookGradient?
    /// What is done to the view and all in it when it is drawn; its frame is that without it.
    public var transform: LookTransform?
    /// The picture that is drawn over the background.
    public var image: LookImage?
    /// The symbol that is drawn over the background; `ViewSymbols` brings it.
    public var symbol: LookSymbol?
    /// The values that are drawn over the background; `ViewCharts` brings them.
    public var chart: LookChart?

    /// Makes a look that adds nothing.
    public init() {}
}

extension LookShadow: WireValue {
    mutating func code<Coder: FieldCoder>(_ coder: inout Coder) throws(Coder.Failure) {
        try coder.color("color", &color)
        try coder.point("offset", &offset)
        try coder.f64("radius", &radius)
    }
}

extension LookStop: WireValue {
    init() { self.init(location: 0, color: nil) }

    mutating func code<Coder: FieldCoder>(_ coder: inout Coder) throws(Coder.Failure) {
        try coder.f64("location", &location)
        try coder.color("color", &color)
    }
}

extension LookGradient: WireValue {
    private static let stopMaximum = 16

    mutating func code<Coder: FieldCoder>(_ coder: inout Coder) throws(Coder.Failure) {
        try coder.point("start", &start)
        try coder.point("end", &end)
        try coder.list("stops", &stops, maximum: Self.stopMaximum)
    }
}

extension LookTransform: WireValue {
    mutating func code<Coder: FieldCoder>(_ coder: inout Coder) throws(Coder.Failure) {
        try coder.f64("rotation", &rotation)
        try coder.point("scale", &scale)
        try coder.point("translation", &translation)
    }
}

extension LookImage: WireValue {
    mutating func code<Coder: FieldCoder>(_ coder: inout Coder) throws(Coder.Failure) {
        try coder.text("hash", &hash, maximum: FaceSpec.hashBytes)
        try coder.u32("width", &width)
        try coder.u32("height", &height)
        try coder.f64("scale", &scale)
        try coder.choice("mode", &mode)
    }
}

extension LookSymbol: WireValue {
    mutating func code<Coder: FieldCoder>(_ coder: inout Coder) throws(Coder.Failure) {
        try coder.text("name", &name, maximum: SymbolName.byteMaximum)
        try coder.f64("side", &side)
        try coder.choice("mode", &mode)
    }
}

extension ViewLook: WireValue {
    // Without the symbol and the chart: an older reader would not find the end of the look.
    mutating func code<Coder: FieldCoder>(_ coder: inout Coder) throws(Coder.Failure) {
        try coder.f64("cornerRadius", &cornerRadius)
        var corners = UInt32(maskedCorners.rawValue)
        try coder.u32("maskedCorners", &corners)
        guard let mask = UInt8(exactly: corners), mask <= CornerMask.all.rawValue else {
            return try coder.invalid("maskedCorners", "at most 15")
        }
        maskedCorners = CornerMask(rawValue: mask)
        try coder.f64("borderWidth", &borderWidth)
        try coder.color("borderColor", &borderColor)
        try coder.color("tint", &tint)
        try coder.optional("shadow", &shadow)
        try coder.optional("gradient", &gradient)
        try coder.optional("transform", &transform)
        try coder.optional("image", &image)
    }
}

extension FieldCoder {
    fileprivate mutating func point(_ name: String, _ value: inout Point) throws(Failure) {
        var values = [value.x, value.y]
        try doubles(name, &values)
        value = Point(x: values[0], y: values[1])
    }
}
