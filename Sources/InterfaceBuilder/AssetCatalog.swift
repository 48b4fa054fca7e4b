import JSON
public import LayoutValues
import SceneDocument

/// What asset catalogues say: colours by name.
public struct AssetCatalog: Sendable {
    private(set) var colors: [String: Color] = [:]
    private(set) var imageSizes: [String: Size] = [:]

    /// Creates an empty catalogue.
    public init() {}

    /// Whether nothing is known.
    public var isEmpty: Bool { colors.isEmpty && imageSizes.isEmpty }

    /// Adds the colour of a `.colorset`, from its `Contents.json`; the one for any appearance
    /// counts. What cannot be read is left out, and the colour in the file holds.
    public mutating func addColor(_ name: String, contents: [UInt8]) {
        guard let json = try? JSONReader.read(contents),
            let list = json["colors"]?.array
        else { return }
        let any = list.first { $0["appearances"] == nil } ?? list.first
        guard let parts = any?["color"]?["components"] else { return }
        func part(_ key: String) -> UInt8? {
            guard let text = parts[key]?.string else { return nil }
            if text.hasPrefix("0x") { return UInt8(text.dropFirst(2), radix: 16) }
            if text.contains("."), let value = Double(text) {
                return UInt8(min(max(value, 0), 1) * 255 + 0.5)
            }
            return UInt8(text)
        }
        let alpha = part("alpha") ?? 255
        if let white = part("white") {
            colors[name] = Color(r: white, g: white, b: white, a: alpha)
        } else if let red = part("red"), let green = part("green"), let blue = part("blue") {
            colors[name] = Color(r: red, g: green, b: blue, a: alpha)
        }
    }

    mutating func add(_ color: Color, _ name: String) { colors[name] = color }

    /// Adds the size of an image, in points.
    public mutating func addImage(_ name: String, size: Size) { imageSizes[name] = size }
}
