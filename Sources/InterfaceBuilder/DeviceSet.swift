public import LayoutValues
public import SceneDocument

/// The devices that a scene is laid out for besides its canvas: a name, sizes and what the hardware
/// covers, in points. Apple, Human Interface Guidelines, "Layout"; safe areas as UIKit reports
/// them.
public struct StandardDevice: Sendable, Hashable {
    /// The name, usable in a document.
    public var id: String
    /// The size upright; of a third of an iPad, that of the window.
    public var size: Size
    var scale: Double
    var idiom: UserInterfaceIdiom
    var safeArea: EdgeInsets
    /// Size and safe area on the side; `nil` for windows that exist in one shape only.
    var landscape: (size: Size, safeArea: EdgeInsets)?
    /// The horizontal class on the side, where that is not the phone's.
    var isRegularOnItsSide: Bool

    /// Whether both are the same device.
    public static func == (left: Self, right: Self) -> Bool { left.id == right.id }
    /// Hashes the name.
    public func hash(into hasher: inout Hasher) { hasher.combine(id) }

    private init(
        _ id: String, _ width: Double, _ height: Double, scale: Double = 3,
        idiom: UserInterfaceIdiom = .phone, top: Double, bottom: Double, side: Double? = nil,
        isRegularOnItsSide: Bool = false
    ) {
        self.id = id
        size = Size(width: width, height: height)
        self.scale = scale
        self.idiom = idiom
        safeArea = EdgeInsets(top: top, leading: 0, bottom: bottom, trailing: 0)
        self.isRegularOnItsSide = isRegularOnItsSide
        if let side {
            landscape = (
                Size(width: height, height: width),
                EdgeInsets(
                    top: idiom == .pad ? top : 0, leading: side,
                    bottom: idiom == .pad ? bottom : side > 0 ? 21 : 0, trailing: side)
            )
        }
    }

    /// The devices of a lint run, the smallest first.
    public static let all: [StandardDevice] = [
        StandardDevice("iPhone-SE", 375, 667, scale: 2, top: 20, bottom: 0, side: 0),
        StandardDevice("iPhone-13-mini", 375, 812, top: 50, bottom: 34, side: 50),
        StandardDevice("iPhone-15", 393, 852, top: 59, bottom: 34, side: 59),
        StandardDevice(
            "iPhone-15-Pro-Max", 430, 932, top: 59, bottom: 34, side: 59, isRegularOnItsSide: true),
        StandardDevice("iPad", 820, 1180, scale: 2, idiom: .pad, top: 24, bottom: 20, side: 0),
        StandardDevice("iPad-third", 320, 820, scale: 2, idiom: .pad, top: 24, bottom: 20),
        StandardDevice("iPad-half", 585, 820, scale: 2, idiom: .pad, top: 24, bottom: 20),
        StandardDevice("iPad-two-thirds", 850, 820, scale: 2, idiom: .pad, top: 24, bottom: 20),
    ]

    /// Whether the device can lie on its side.
    public var turns: Bool { landscape != nil }

    /// The device as documents have it.
    ///
    /// - Parameters:
    ///   - bars: The heights of a navigation bar and a tab bar of the scene.
    public func spec(
        isLandscape: Bool = false, bars: BarHeights = BarHeights(), size given: Size? = nil
    ) -> DeviceSpec {
        var patch = ViewportPatch()
        let shape = isLandscape ? landscape : nil
        let size = given ?? shape?.size ?? self.size
        patch.width = size.width
        patch.height = size.height
        patch.scale = scale
        patch.idiom = idiom
        var safe = shape?.safeArea ?? safeArea
        let isLow = isLandscape && idiom == .phone
        if bars.hasNavigationBar { safe.top += isLow ? 32 : idiom == .pad ? 50 : 44 }
        if bars.hasTabBar { safe.bottom += isLow ? 32 : idiom == .pad ? 50 : 49 }
        patch.safeArea = given == nil ? safe : .zero
        if shape != nil, isRegularOnItsSide {
            patch.horizontalSizeClass = .regular
            patch.verticalSizeClass = .compact
        }
        return DeviceSpec(id: isLandscape ? id + "-landscape" : id, viewport: patch)
    }
}

/// The bars that a scene has around it.
public struct BarHeights: Sendable, Hashable {
    /// Whether a navigation bar is at the top.
    public var hasNavigationBar = false
    /// Whether a tab bar is at the bottom.
    public var hasTabBar = false

    /// Creates a scene without bars.
    public init() {}
}
