import SceneDocument

/// Colours of a file: by components, by name, or of the system.
struct ColorTable: Sendable {
    private var named: [String: Color] = [:]

    init(_ root: XMLElement, catalog: [String: Color] = [:]) {
        for resources in root.children("resources") {
            for entry in resources.children {
                guard entry.name == "namedColor" || entry.name == "systemColor",
                    let name = entry["name"], let element = entry.child("color"),
                    let color = Self.components(of: element)
                else { continue }
                named[name] = color
            }
        }
        // The catalogue is newer than what Xcode noted in the file.
        named.merge(catalog) { _, fresh in fresh }
    }

    /// A colour under a key of an element; `nil` for none and for one that is not known.
    func color(_ element: XMLElement, _ key: String) -> DynamicColor? {
        element.child("color", key: key).flatMap(color)
    }

    private func color(_ element: XMLElement) -> DynamicColor? {
        let system = element["systemColor"] ?? element["cocoaTouchSystemColor"]
        if let system, let color = Self.dynamic(system) { return .system(color) }
        if let name = element["name"] ?? element["systemColor"], let color = named[name] {
            return .literal(color)
        }
        if let color = system.flatMap({ Self.fixed[$0] }).flatMap({ Color($0) }) {
            return .literal(color)
        }
        return Self.components(of: element).map { .literal($0) }
    }

    /// The colour that follows traits by the name that files have for it: `labelColor`.
    private static func dynamic(_ name: String) -> SystemColor? {
        let suffix = "Color"
        guard name.hasSuffix(suffix) else { return nil }
        return SystemColor(rawValue: String(name.dropLast(suffix.count)))
    }

    static func components(of element: XMLElement) -> Color? {
        func byte(_ value: Double) -> UInt8 { UInt8(min(max(value, 0), 1) * 255 + 0.5) }
        let alpha = byte(element.number("alpha") ?? 1)
        if let white = element.number("white") {
            return Color(r: byte(white), g: byte(white), b: byte(white), a: alpha)
        }
        guard let red = element.number("red"), let green = element.number("green"),
            let blue = element.number("blue")
        else { return nil }
        return Color(r: byte(red), g: byte(green), b: byte(blue), a: alpha)
    }

    /// The attributes of a colour under a key, as Xcode writes them.
    static func attributes(_ key: String, _ color: DynamicColor) -> [(String, String)] {
        if case .system(let system) = color, system != .tint {
            return [("key", key), ("systemColor", "\(system.rawValue)Color")]
        }
        let color = color.plain
        func part(_ byte: UInt8) -> String { XMLWriter.number(Double(byte) / 255) }
        return [
            ("key", key), ("red", part(color.r)), ("green", part(color.g)),
            ("blue", part(color.b)), ("alpha", part(color.a)), ("colorSpace", "custom"),
            ("customColorSpace", "sRGB"),
        ]
    }

    /// Colours of the system that are the same under all traits.
    private static let fixed: [String: String] = [
        "darkTextColor": "#000000", "lightTextColor": "#ffffff99",
        "groupTableViewBackgroundColor": "#f2f2f7", "scrollViewTexturedBackgroundColor": "#6f7179",
    ]
}
