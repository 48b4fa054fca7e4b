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
    func color(_ element: XMLElement, _ key: String) -> Color? {
        element.child("color", key: key).flatMap(color)
    }

    private func color(_ element: XMLElement) -> Color? {
        if let name = element["name"] ?? element["systemColor"] {
            if let color = named[name] { return color }
        }
        if let name = element["systemColor"] ?? element["cocoaTouchSystemColor"],
            let color = Self.system[name].flatMap({ Color($0) })
        {
            return color
        }
        return Self.components(of: element)
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

    /// The system's colours in light appearance, for files that do not note them. Apple, Human
    /// Interface Guidelines, "Color".
    private static let system: [String: String] = [
        "systemBackgroundColor": "#ffffff", "secondarySystemBackgroundColor": "#f2f2f7",
        "tertiarySystemBackgroundColor": "#ffffff", "systemGroupedBackgroundColor": "#f2f2f7",
        "labelColor": "#000000", "secondaryLabelColor": "#3c3c4399", "darkTextColor": "#000000",
        "lightTextColor": "#ffffff99", "tertiaryLabelColor": "#3c3c434d",
        "separatorColor": "#3c3c434a", "systemBlueColor": "#007aff", "systemRedColor": "#ff3b30",
        "systemGreenColor": "#34c759", "systemOrangeColor": "#ff9500",
        "systemYellowColor": "#ffcc00", "systemGrayColor": "#8e8e93",
        "groupTableViewBackgroundColor": "#f2f2f7", "scrollViewTexturedBackgroundColor": "#6f7179",
        "linkColor": "#007aff",
    ]
}
