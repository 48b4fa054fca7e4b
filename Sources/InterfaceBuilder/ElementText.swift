import SceneDocument

/// The texts of elements, which stand in attributes, in elements of their own, or in pieces.
enum ElementText {
    /// The text of a label, a button's title in its normal state, the text of a field.
    static func text(of element: XMLElement) -> String? {
        switch element.name {
        case "button":
            if let configuration = element.child("buttonConfiguration") {
                if let title = value(configuration, "title")
                    ?? attributed(configuration, "attributedTitle")
                {
                    return title
                }
            }
            let normal = element.child("state", key: "normal")
            return normal.flatMap { value($0, "title") ?? attributed($0, "attributedTitle") }
        default: return value(element, "text") ?? attributed(element, "attributedText")
        }
    }

    /// An attribute, or the element `<string key="…">` that stands for one with line ends.
    static func value(_ element: XMLElement, _ key: String) -> String? {
        if let value = element[key] { return value }
        return element.children.first {
            ($0.name == "string" || $0.name == "mutableString") && $0["key"] == key
        }.map(decoded)
    }

    private static func decoded(_ element: XMLElement) -> String { element.text }

    private static func attributed(_ element: XMLElement, _ key: String) -> String? {
        guard let text = element.child("attributedString", key: key) else { return nil }
        let pieces = text.children("fragment").map { value($0, "content") ?? "" }
        return pieces.isEmpty ? value(text, "content") : pieces.joined()
    }

    /// The titles of a segmented control.
    static func segments(of element: XMLElement) -> [String] {
        element.child("segments")?.children("segment").map { value($0, "title") ?? "" } ?? []
    }
}

/// A font of a file.
struct ElementFont: Hashable {
    var style: TextStyle?
    /// In points; `nil` where a style gives it.
    var size: Double?
    var weight: FontWeight?

    /// The font of an element; a variation's description stands before its own.
    init(_ element: XMLElement, standardSize: Double) {
        size = standardSize
        let description =
            element.child("fontDescription")
            ?? element.child("buttonConfiguration")?.child("fontDescription")
        guard let description else { return }
        if let name = description["style"], let style = Self.styles[name] {
            self.style = style
            size = nil
            return
        }
        if let points = description.number("pointSize"), points >= 1 { size = min(points, 512) }
        weight = Self.weight(of: description)
    }

    /// The size in points at the category `large`.
    var pointSize: Double { size ?? style?.pointSize(.large) ?? 17 }

    private static func weight(of description: XMLElement) -> FontWeight? {
        if let name = description["weight"], let weight = FontWeight(rawValue: name) {
            return weight
        }
        switch description["type"] {
        case "boldSystem": return .bold
        case "system", "italicSystem": return nil
        default: break
        }
        let name = (description["name"] ?? "").lowercased()
        // The longer words first: "semibold" ends in "bold".
        let words: [(String, FontWeight)] = [
            ("semibold", .semibold), ("demibold", .semibold), ("ultralight", .ultraLight),
            ("black", .black), ("heavy", .heavy), ("bold", .bold), ("medium", .medium),
            ("light", .light), ("thin", .thin),
        ]
        return words.first { name.contains($0.0) }?.1
    }

    /// A style as files name it.
    static func name(of style: TextStyle) -> String {
        styles.first { $0.value == style }?.key ?? "UICTFontTextStyleBody"
    }

    private static let styles: [String: TextStyle] = [
        "UICTFontTextStyleTitle0": .largeTitle, "UICTFontTextStyleTitle1": .title1,
        "UICTFontTextStyleTitle2": .title2, "UICTFontTextStyleTitle3": .title3,
        "UICTFontTextStyleHeadline": .headline, "UICTFontTextStyleBody": .body,
        "UICTFontTextStyleCallout": .callout, "UICTFontTextStyleSubhead": .subheadline,
        "UICTFontTextStyleFootnote": .footnote, "UICTFontTextStyleCaption1": .caption1,
        "UICTFontTextStyleCaption2": .caption2,
    ]
}
