public import LayoutValues

/// The area that a scene is laid out in, and what the device that has it says of itself and of the
/// people at it.
public struct Viewport: Sendable, Equatable {
    /// In points, 0...100,000.
    public var width: Double
    /// In points, 0...100,000.
    public var height: Double
    /// Pixels per point, 0.1...16.
    public var scale: Double = 1
    /// Which way text runs.
    public var direction: LayoutDirection = .leftToRight
    /// What is done to frames before they are shown.
    public var rounding: Rounding = .pixel
    /// What happens to required constraints that conflict.
    public var unsatisfiable: UnsatisfiablePolicy = .refuse
    /// The cell of the grid that text is measured on, in points.
    public var cell = Size(width: 8, height: 16)
    /// What bars and rounded corners of the device cover, in points.
    public var safeArea = EdgeInsets.zero
    /// The height of the keyboard at the bottom of the device, in points; 0 while it is away.
    public var keyboard = 0.0
    /// The margins of `root`.
    public var margins = RootMargins.view
    /// How much room there is across; unspecified follows from size and idiom.
    public var horizontalSizeClass = SizeClass.unspecified
    /// How much room there is from top to bottom; unspecified follows from size and idiom.
    public var verticalSizeClass = SizeClass.unspecified
    /// How large people want text.
    public var contentSizeCategory = ContentSizeCategory.unspecified
    /// Light or dark colours.
    public var userInterfaceStyle = UserInterfaceStyle.unspecified
    /// What kind of device it is.
    public var idiom = UserInterfaceIdiom.unspecified
    /// How text is measured; unspecified is the grid.
    public var typography = Typography.unspecified
    /// How far colours stand apart.
    public var accessibilityContrast = AccessibilityContrast.unspecified

    /// Makes a viewport with defaults besides its size.
    public init(width: Double, height: Double) {
        self.width = width
        self.height = height
    }

    /// The viewport of a device: what it leaves out is as here. A size class that it leaves out
    /// follows from its own size and idiom if it gives one of these, and constraints that
    /// contradict one another give way there.
    public func adapted(to device: ViewportPatch) -> Viewport {
        var result = self
        if device.width != nil || device.height != nil || device.idiom != nil {
            result.horizontalSizeClass = .unspecified
            result.verticalSizeClass = .unspecified
        }
        // A terminal has cells, whatever the main device has.
        if device.idiom == .terminal { result.typography = .grid }
        result.apply(device)
        result.unsatisfiable = .break
        return result
    }

    /// The width from which on windows of tablets and desks are regular. Apple names none: windows
    /// of 639 points are compact and such of 678 regular.
    public static let regularWidth = 640.0

    /// The traits of the whole area.
    ///
    /// Size classes that are unspecified follow UIKit's: a phone is compact across, and regular
    /// from top to bottom where it stands upright; everything else is regular from top to bottom,
    /// and across from `regularWidth` on.
    public var traits: TraitValues {
        var traits = TraitValues()
        traits.displayScale = scale
        traits.layoutDirection = direction
        traits.contentSizeCategory = contentSizeCategory
        traits.userInterfaceStyle = userInterfaceStyle
        traits.idiom = idiom
        traits.typography = typography
        traits.accessibilityContrast = accessibilityContrast
        traits.windowClass = WindowClass(width: width)
        traits.horizontalSizeClass = horizontalSizeClass
        traits.verticalSizeClass = verticalSizeClass
        let isPhone = idiom == .phone || idiom == .watch
        if horizontalSizeClass == .unspecified {
            traits.horizontalSizeClass =
                isPhone || width < Self.regularWidth ? .compact : .regular
        }
        if verticalSizeClass == .unspecified {
            traits.verticalSizeClass = isPhone && height < width ? .compact : .regular
        }
        return traits
    }
}

/// A change of a viewport, or what a device has that the viewport has not; nil keeps what is.
public struct ViewportPatch: Sendable, Hashable {
    /// In points.
    public var width: Double?
    /// In points.
    public var height: Double?
    /// Pixels per point.
    public var scale: Double?
    /// Which way text runs.
    public var direction: LayoutDirection?
    /// What is done to frames before they are shown.
    public var rounding: Rounding?
    /// What happens to required constraints that conflict.
    public var unsatisfiable: UnsatisfiablePolicy?
    /// The cell of the grid that text is measured on.
    public var cell: Size?
    /// What bars and rounded corners of the device cover.
    public var safeArea: EdgeInsets?
    /// The height of the keyboard at the bottom of the device, in points.
    public var keyboard: Double?
    /// The margins of `root`.
    public var margins: RootMargins?
    /// How much room there is across.
    public var horizontalSizeClass: SizeClass?
    /// How much room there is from top to bottom.
    public var verticalSizeClass: SizeClass?
    /// How large people want text.
    public var contentSizeCategory: ContentSizeCategory?
    /// Light or dark colours.
    public var userInterfaceStyle: UserInterfaceStyle?
    /// What kind of device it is.
    public var idiom: UserInterfaceIdiom?
    /// How text is measured.
    public var typography: Typography?
    /// How far colours stand apart.
    public var accessibilityContrast: AccessibilityContrast?

    /// Makes a patch that changes nothing.
    public init() {}
}

/// A device of a document, by name.
public struct DeviceSpec: Sendable, Hashable {
    /// Its name.
    public var id: String
    /// What it has that the viewport has not.
    public var viewport: ViewportPatch
    /// Whether what contradicts required constraints there is refused, as on the main device.
    public var isStrict: Bool

    /// Makes a device.
    public init(id: String, viewport: ViewportPatch, isStrict: Bool = false) {
        self.id = id
        self.viewport = viewport
        self.isStrict = isStrict
    }
}
