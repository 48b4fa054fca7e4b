import LayoutValues
import SceneDocument

/// The sizes of contents: stored, measured where the scene is laid out, or known of UIKit.
extension ElementContent {
    /// Elements whose content has a size of its own along both axes.
    private static let sized: Set<String> = [
        "label", "button", "switch", "stepper", "segmentedControl", "textField",
        "activityIndicatorView", "pageControl", "datePicker", "colorWell", "pickerView",
    ]
    /// … along the vertical axis.
    private static let tall: Set<String> = [
        "slider", "progressView", "searchBar", "navigationBar", "toolbar", "tabBar",
    ]
    /// Elements that a document measures in faces as UIKit does.
    private static let measured: Set<String> = [
        "label", "button", "switch", "segmentedControl", "textField", "slider", "progressView",
    ]

    /// The size of the content in points, −1 along an axis for none; `nil` to have it measured.
    func contentSize(_ item: SceneItem, _ kind: ViewKind, text: String?) -> Size? {
        let isStored = isStored && item.hasFrame
        let stored = item.hasFrame ? item.aligned.size : Self.standardSize(item.kind)
        var size = knownSize(item, kind, stored, text, isStored: isStored)
        if let width = item.attributes["placeholderIntrinsicWidth"] {
            size = Size(width: XMLElement.number(width) ?? -1, height: size?.height ?? -1)
        }
        if let height = item.attributes["placeholderIntrinsicHeight"] {
            size = Size(width: size?.width ?? -1, height: XMLElement.number(height) ?? -1)
        }
        if size == nil, kind != .view, kind != .stack, kind != .scroll,
            isStored || kind == .image && (item.symbol == nil || item.hasFrame)
                || item.kind == "textView"
        {
            return Size(width: -1, height: -1)
        }
        return size
    }

    private func knownSize(
        _ item: SceneItem, _ kind: ViewKind, _ stored: Size, _ text: String?, isStored: Bool
    ) -> Size? {
        // A symbol that Xcode has not laid out is as large as the document says.
        if item.kind == "imageView", item.symbol != nil, !item.hasFrame { return nil }
        if item.kind == "imageView", let image = item.image {
            if !item.isSymbol,
                let size = options.assets.imageSizes[image] ?? reading.file.imageSizes[image]
            {
                return size
            }
            return stored
        }
        if item.kind == "textView" {
            if options.sizedAsStored.contains(item.name) { return stored }
            return item.attributes["scrollEnabled"] == "NO" && isStored ? stored : nil
        }
        if !isStored, Self.measured.contains(item.kind) {
            return item.kind == "button" ? buttonSize(item, stored, text) : nil
        }
        if Self.sized.contains(item.kind) { return stored }
        if Self.tall.contains(item.kind) { return Size(width: -1, height: stored.height) }
        if options.sizedAsStored.contains(item.name) { return stored }
        guard isStored else { return nil }
        if let size = canvasSize(item) { return size.size }
        // A class of the author's own may draw itself in Xcode, and have a size.
        let isCustom =
            item.attributes["customClass"] != nil && item.element.child("subviews") == nil
        return isCustom && item.parent != nil && ["view", "control"].contains(item.kind)
            ? stored : nil
    }

    /// The sizes of UIKit's own controls, for views that Xcode has not laid out.
    private static func standardSize(_ kind: String) -> Size {
        switch kind {
        case "stepper": Size(width: 94, height: 32)
        case "activityIndicatorView": Size(width: 20, height: 20)
        case "pageControl": Size(width: 39, height: 37)
        case "datePicker", "pickerView": Size(width: 320, height: 216)
        case "colorWell": Size(width: 28, height: 28)
        case "searchBar": Size(width: -1, height: 56)
        case "navigationBar", "toolbar": Size(width: -1, height: 44)
        case "tabBar": Size(width: -1, height: 49)
        default: Size(width: -1, height: -1)
        }
    }

    /// The size that Xcode's canvas gives a view without content, which it has nowhere else.
    /// Apple, "Auto Layout Guide": such views are 240 × 128 in a stack.
    func canvasSize(_ item: SceneItem) -> (size: Size, text: String)? {
        guard let parent = item.parent, reading.items[parent].kind == "stackView",
            item.element.child("subviews") == nil, item.attributes["customClass"] == nil
        else { return nil }
        let isImage = item.kind == "imageView" && item.image == nil
        guard isImage || item.kind == "view" || item.kind == "containerView" else { return nil }
        let standard =
            [Size(width: 240, height: 128)] + (isImage ? [Size(width: 50, height: 50)] : [])
        for size in standard {
            let width = item.frame.width == size.width
            let height = item.frame.height == size.height
            guard width || height else { continue }
            let text = "\(width ? "\(Int(size.width)) wide" : "\(Int(size.height)) high")"
            return (
                Size(width: width ? size.width : -1, height: height ? size.height : -1),
                width && height ? "\(Int(size.width)) × \(Int(size.height))" : text
            )
        }
        return nil
    }

    /// A button without a configuration is its title and 12 points in height, at least 30 wide; its
    /// size does not follow the text size that people choose.
    private func buttonSize(_ item: SceneItem, _ stored: Size, _ text: String?) -> Size? {
        let element = item.element
        guard element.child("buttonConfiguration") == nil else { return nil }
        let state = element.child("state", key: "normal")
        guard state?["image"] == nil, state?["backgroundImage"] == nil, let text, !text.isEmpty,
            let measure = options.measureWidth
        else { return stored.width < 0 ? nil : stored }
        let font = ElementFont(element, standardSize: 15)
        let size = font.pointSize
        var width = 0.0
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        for line in lines {
            let weight = font.weight ?? font.style?.weight ?? .regular
            width = max(width, measure(String(line), size, weight))
        }
        var insets = EdgeInsets(top: 6, leading: 0, bottom: 6, trailing: 0)
        if let given = element.child("inset", key: "contentEdgeInsets") {
            insets = EdgeInsets(
                top: given.number("minY") ?? 0, leading: given.number("minX") ?? 0,
                bottom: given.number("maxY") ?? 0, trailing: given.number("maxX") ?? 0)
        }
        let height = (size * 1.2).rounded(.up) * Double(lines.count)
        return Size(
            width: max(30, width.rounded(.up) + insets.leading + insets.trailing),
            height: height + insets.top + insets.bottom)
    }
}
