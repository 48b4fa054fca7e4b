import LayoutValues
import SceneDocument

/// A view of a file that nothing else in the file lays out: a controller's view, a view of a xib, a
/// cell's content, a table's header.
public struct InterfaceScene: Sendable {
    /// The kind of a scene, which decides what its size follows on other devices.
    public enum Kind: String, Sendable {
        /// A controller's view: as large as the device.
        case controller
        /// A cell's content: as wide as its list, as high as its content.
        case cell
        /// Another view: of the width that it has, or the device's if it has the canvas's.
        case view
    }

    /// The file.
    public let file: InterfaceFile
    /// The view.
    public let root: XMLElement

    /// Whether it is a controller's, a cell's or another view.
    public var kind: Kind {
        if root["key"] == "view", controller != nil { return .controller }
        return root.name.contains("Cell") || root.parent?.name.contains("Cell") == true
            || root.name.contains("eusable") ? .cell : .view
    }

    /// The controller whose view this is.
    public var controller: XMLElement? {
        guard let parent = root.parent, parent.name.hasSuffix("ontroller") else { return nil }
        return parent
    }

    /// The element by which authors know the scene: its controller, its cell, or the view.
    public var subject: XMLElement {
        controller ?? (kind == .cell && root["key"] == "contentView" ? root.parent : nil) ?? root
    }

    /// The id: that of the controller, the cell or the view.
    public var id: String { subject["id"] ?? root["id"] ?? "line-\(root.line)" }

    /// Everything that the scene can be asked for by.
    var names: [String] {
        [
            subject["id"], root["id"], subject["storyboardIdentifier"], subject["reuseIdentifier"],
            subject["userLabel"], subject["customClass"],
        ].compactMap { $0 }
    }

    /// The name for people.
    public var title: String {
        if let name = subject["userLabel"] ?? subject["storyboardIdentifier"] ?? subject["title"] {
            return name
        }
        if let name = subject["reuseIdentifier"] { return "cell \(name)" }
        return subject["customClass"] ?? file.authorName(subject)
    }

    /// The bars that stand around the scene on a device.
    public var bars: BarHeights {
        var bars = BarHeights()
        guard kind == .controller, let controller, let id = controller["id"] else { return bars }
        let simulated = controller.child(key: "simulatedTopBarMetrics")?.name
        bars.hasNavigationBar =
            file.origins.isInNavigation(id) || controller.child("navigationItem") != nil
            || simulated == "simulatedNavigationBarMetrics"
        bars.hasTabBar =
            file.origins.isInTabs(id)
            || controller.child(key: "simulatedBottomBarMetrics")?.name
                == "simulatedTabBarMetrics"
        if controller.isYes("hidesBottomBarWhenPushed") { bars.hasTabBar = false }
        return bars
    }

    /// Whether the scene is as wide as the device: a controller's view, a cell of a table, and any
    /// other view of the canvas's width.
    var followsWidth: Bool {
        let width = InterfaceFile.frame(of: root)?.width ?? 0
        return kind == .controller || root.name.hasPrefix("tableView") || width >= 320
    }

    /// A device of the set as the scene sees it: only controllers have its safe area and bars.
    func device(_ device: StandardDevice, isLandscape: Bool, bars: BarHeights) -> DeviceSpec {
        guard kind == .controller else {
            let size =
                isLandscape
                ? Size(width: device.size.height, height: device.size.width) : device.size
            return device.spec(isLandscape: isLandscape, size: size)
        }
        return device.spec(isLandscape: isLandscape, bars: bars)
    }
}
