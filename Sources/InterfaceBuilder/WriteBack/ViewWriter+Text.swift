import LayoutValues
import SceneDocument

/// Texts, fonts and colours.
extension ViewWriter {
    mutating func writeText(_ text: String) throws(Unwritable) {
        switch element.name {
        case "label", "textView":
            try refuseAttributed(element, "attributedText")
            try write("text", text, in: element)
        case "button":
            if let configuration = element.child("buttonConfiguration") {
                try refuseAttributed(configuration, "attributedTitle")
                if ElementText.value(configuration, "title") != nil {
                    return try write("title", text, in: configuration)
                }
            }
            guard let state = element.child("state", key: "normal") else {
                try Unwritable.check(text)
                return edits.add(
                    NewElement("state", [("key", "normal"), ("title", text)]), to: element)
            }
            try refuseAttributed(state, "attributedTitle")
            try write("title", text, in: state)
        default: throw Unwritable("a \(element.name) of the file has no text")
        }
    }

    private func refuseAttributed(_ element: XMLElement, _ key: String) throws(Unwritable) {
        guard element.child("attributedString", key: key) == nil else {
            throw Unwritable("the text has attributes of its own; change it in Xcode")
        }
    }

    /// Writes a text where the element has it: an attribute, or an element of its own.
    mutating func write(
        _ key: String, _ text: String?, in element: XMLElement
    ) throws(Unwritable) {
        if let text { try Unwritable.check(text) }
        let own = element.children.first {
            ($0.name == "string" || $0.name == "mutableString") && $0["key"] == key
        }
        guard element[key] == nil, let own else { return edits.set(key, text, of: element) }
        if let text { edits.setText(text, of: own) } else { edits.remove(own) }
    }

    mutating func writeAlignment(
        _ alignment: TextAlignment?, _ key: ViewKey
    ) throws(Unwritable) {
        try require(kind.showsText, key)
        let name =
            element["textAlignment"] == nil && kind == .button ? "titleAlignment" : "textAlignment"
        set(name, alignment?.rawValue)
    }

    mutating func writeLineBreakMode(_ mode: LineBreakMode?) throws(Unwritable) {
        try require(element.name == "label", .lineBreakMode)
        let name =
            switch mode ?? .byTruncatingTail {
            case .byWordWrapping: "wordWrap"
            case .byCharWrapping: "characterWrap"
            case .byClipping: "clip"
            case .byTruncatingHead: "headTruncation"
            case .byTruncatingMiddle: "middleTruncation"
            case .byTruncatingTail: "tailTruncation"
            }
        set("lineBreakMode", name)
    }

    mutating func writeScaleFactor(_ new: ViewProperties) throws(Unwritable) {
        try require(element.name == "label", .minimumScaleFactor)
        let factor = new.rare.minimumScaleFactor
        if Self.hasLeastFontSize(element), let least = element.number("minimumFontSize"),
            let factor, let size = new.rare.fontSize ?? new.rare.textStyle?.pointSize(.large),
            (factor * size - least).magnitude < 1e-6
        {
            // It follows from the smallest size, which stays.
            return
        }
        if let factor, factor <= 0 || factor >= 1 {
            throw Unwritable("the smallest scale of a font in the file is above 0 and below 1")
        }
        set("minimumScaleFactor", factor.map(XMLWriter.number))
        set("adjustsFontSizeToFit", factor == nil ? "NO" : "YES")
        set("minimumFontSize", nil)
    }

    // MARK: Fonts

    mutating func writeFont(_ new: ViewProperties) throws(Unwritable) {
        try require(kind.showsText, .fontSize)
        let font = new.rare
        guard font.textStyle == nil || font.fontSize == nil else {
            throw Unwritable("a font of the file has a style or a size, not both")
        }
        let holder = element.child("buttonConfiguration") ?? element
        guard let description = holder.child("fontDescription") else {
            var attributes = [("key", "fontDescription")]
            if let style = font.textStyle {
                attributes.append(("style", ElementFont.name(of: style)))
            } else if let size = font.fontSize {
                attributes.append(("type", "system"))
                if let weight = font.fontWeight, weight != .regular {
                    attributes.append(("weight", weight.rawValue))
                }
                attributes.append(("pointSize", XMLWriter.number(size)))
            } else {
                throw Unwritable("a font needs a style or a size")
            }
            return edits.add(NewElement("fontDescription", attributes), to: holder)
        }
        if let style = font.textStyle {
            guard font.fontWeight == nil else {
                throw Unwritable("a font with a style has the weight of its style")
            }
            for name in ["type", "pointSize", "weight", "name", "family"] {
                edits.set(name, nil, of: description)
            }
            return edits.set("style", ElementFont.name(of: style), of: description)
        }
        guard let size = font.fontSize else { throw Unwritable("a font needs a style or a size") }
        let before = ElementFont(element, standardSize: 17)
        if font.fontWeight != before.weight {
            guard description["name"] == nil else {
                throw Unwritable(
                    "\(description["name"] ?? "the font") has its weight in its name; choose another in Xcode"
                )
            }
            let weight = font.fontWeight == .regular ? nil : font.fontWeight
            edits.set("type", "system", of: description)
            edits.set("weight", weight?.rawValue, of: description)
        } else if description["style"] != nil {
            edits.set("type", "system", of: description)
        }
        edits.set("style", nil, of: description)
        edits.set("pointSize", XMLWriter.number(size), of: description)
    }

    // MARK: Colours

    mutating func writeForeground(_ color: DynamicColor?) throws(Unwritable) {
        switch element.name {
        case "label", "textView", "textField": try writeColor("textColor", color, in: element)
        case "button":
            guard let state = element.child("state", key: "normal") else {
                throw Unwritable("the button has no title that could have a colour")
            }
            try writeColor("titleColor", color, in: state)
        default: throw Unwritable("a \(element.name) of the file has no text to colour")
        }
    }

    mutating func writeColor(
        _ key: String, _ color: DynamicColor?, in holder: XMLElement
    ) throws(Unwritable) {
        guard color != .system(.tint) else {
            throw Unwritable("the file cannot say that a colour is the tint")
        }
        let own = holder.child("color", key: key)
        guard let color else {
            if let own { edits.remove(own) }
            return
        }
        let new = NewElement("color", ColorTable.attributes(key, color))
        if let own { edits.replace(own, with: new) } else { edits.add(new, to: holder) }
    }
}
