public import LayoutValues

/// The device that a file was edited for: the canvas of its stored frames.
public struct CanvasDevice: Sendable, Hashable {
    /// The bars of a device by its kind.
    enum Bars { case homeButton, notch, pad }

    /// The name in the file, such as `retina6_1`; empty for a file that names none.
    public var name: String
    /// Whether the canvas lies on its side.
    public var isLandscape: Bool
    /// Pixels per point; 0 for a file that names no device.
    public var scale: Double
    /// The classes that variations of the file are resolved with; unspecified for a file that names
    /// no device, which is "any".
    public var horizontalSizeClass: SizeClass
    /// The vertical one.
    public var verticalSizeClass: SizeClass
    var bars: Bars

    init(_ element: XMLElement?) {
        let name = (element?["id"] ?? "").lowercased()
        self.name = name
        isLandscape = element?["orientation"] == "landscape"
        let isPad = name.contains("ipad") || name == "appletv"
        bars =
            isPad ? .pad : Self.withHomeButton.contains(name) ? .homeButton : .notch
        guard !name.isEmpty else {
            scale = 0
            horizontalSizeClass = .unspecified
            verticalSizeClass = .unspecified
            return
        }
        scale = name == "appletv" ? 1 : isPad || Self.withTwoPixels.contains(name) ? 2 : 3
        horizontalSizeClass = isPad ? .regular : .compact
        verticalSizeClass = isPad || !isLandscape ? .regular : .compact
    }

    private static let withHomeButton: Set<String> = [
        "retina3_5", "retina4_0", "retina4_7", "retina5_5", "",
    ]
    private static let withTwoPixels: Set<String> = [
        "retina3_5", "retina4_0", "retina4_7", "retina6_1", "watch38",
    ]

    /// The heights at the top and the bottom that bars may cover, the likeliest first.
    var barChoices: (top: [Double], bottom: [Double]) {
        switch bars {
        case .homeButton: ([20, 64, 0, 116, 44, 74], [0, 49, 44, 93])
        case .notch:
            (
                [44, 88, 0, 140, 48, 92, 144, 47, 91, 143, 59, 103, 155, 62, 106, 54, 100, 116],
                [34, 83, 0, 78]
            )
        case .pad: ([20, 64, 0, 70, 24, 74, 116, 122, 76, 126], [0, 20, 49, 50, 65, 69, 70])
        }
    }

    /// Whether the hardware and the bars of such a device may cover this length at an edge. What
    /// stored frames tell besides is that they are not those of the constraints any more.
    func canCover(_ value: Double, at edge: CanvasEdge) -> Bool {
        Self.isNear(value, covers(at: edge))
    }

    /// Whether the margin of a controller's view, of a cell or of another view may lie there.
    func canBeMargin(_ value: Double, at edge: CanvasEdge) -> Bool {
        covers(at: edge).contains { cover in
            Self.isNear(value - cover, [0, 8, 11, 15, 16, 20])
        }
    }

    private func covers(at edge: CanvasEdge) -> [Double] {
        switch edge {
        case .top: barChoices.top
        case .bottom: barChoices.bottom
        case .leading, .trailing: [0, 44, 47, 48, 50, 59, 62]
        }
    }

    private static func isNear(_ value: Double, _ choices: [Double]) -> Bool {
        choices.contains { (value - $0).magnitude <= 0.5 }
    }

    /// Whether a variation's key, such as `heightClass=compact-widthClass=regular`, holds here.
    func satisfies(_ key: VariationKey) -> Bool {
        (key.width == nil || key.width == horizontalSizeClass)
            && (key.height == nil || key.height == verticalSizeClass)
    }
}

/// The size classes that a variation of a file is for.
struct VariationKey: Hashable, Sendable {
    var width: SizeClass?
    var height: SizeClass?

    /// Reads a key; `nil` for one of another kind, such as the deprecated appearance.
    init?(_ text: String) {
        guard text != "default" else { return }
        for clause in text.split(separator: "-") {
            let parts = clause.split(separator: "=", maxSplits: 1).map(String.init)
            guard parts.count == 2, let value = SizeClass(rawValue: parts[1]) else { return nil }
            switch parts[0] {
            case "widthClass": width = value
            case "heightClass": height = value
            default: return nil
            }
        }
    }

    var specificity: Int { (width == nil ? 0 : 1) + (height == nil ? 0 : 1) }
}
