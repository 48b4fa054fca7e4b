import LayoutValues

/// An Interface Builder file of UIKit: a storyboard or a xib.
public struct InterfaceFile: Sendable {
    /// The path that the file was read from, for messages.
    public let path: String
    /// The bytes of the file.
    public let bytes: [UInt8]
    /// The elements.
    public let tree: XMLTree
    /// The device of the canvas.
    public let device: CanvasDevice
    /// Whether the file uses constraints.
    public let usesAutoLayout: Bool
    /// Whether the file's controllers have safe areas.
    public let usesSafeAreas: Bool
    /// The sizes of images in points, by name: what Xcode noted of the asset catalogue.
    let imageSizes: [String: Size]
    /// Outlets by the id of their destination.
    let outlets: [String: String]
    /// The elements with an id.
    let elements: [String: XMLElement]
    /// What segues say of the controllers.
    let origins: SegueMap

    /// Whether bytes look like such a file; its name need not.
    public static func accepts(_ bytes: [UInt8], path: String) -> Bool {
        let name = path.lowercased()
        if name.hasSuffix(".storyboard") || name.hasSuffix(".xib") { return true }
        let head = String(decoding: bytes.prefix(400), as: UTF8.self)
        return head.contains("<document") && head.contains("com.apple.InterfaceBuilder")
            || head.contains("<archive") && head.contains("com.apple.InterfaceBuilder")
    }

    /// Reads a file.
    ///
    /// - Throws: `InterfaceError` for anything that is no UIKit file of Xcode 5 or newer.
    /// - Complexity: O(bytes).
    public init(_ bytes: [UInt8], path: String) throws(InterfaceError) {
        tree = try XMLParsing.tree(of: bytes)
        self.path = path
        self.bytes = bytes
        let root = tree.root
        try Self.checkKind(root)
        device = CanvasDevice(root.child("device"))
        usesAutoLayout = root.isYes("useAutolayout")
        usesSafeAreas = root.isYes("useSafeAreas")
        var sizes: [String: Size] = [:]
        var outlets: [String: String] = [:]
        var elements: [String: XMLElement] = [:]
        for resources in root.children("resources") {
            for image in resources.children("image") {
                guard let name = image["name"], let width = image.number("width"),
                    let height = image.number("height")
                else { continue }
                sizes[name] = Size(width: width, height: height)
            }
        }
        for element in root.subtree {
            if let id = element["id"], elements[id] == nil { elements[id] = element }
            guard element.name == "outlet" || element.name == "outletCollection",
                let destination = element["destination"], let property = element["property"],
                !Self.plainOutlets.contains(property)
            else { continue }
            if outlets[destination] == nil { outlets[destination] = property }
        }
        imageSizes = sizes
        self.outlets = outlets
        self.elements = elements
        origins = SegueMap(root, elements)
    }

    /// Outlets that every such object has; they say nothing of the author's names.
    private static let plainOutlets: Set<String> = ["view", "delegate", "dataSource"]

    private static func checkKind(_ root: XMLElement) throws(InterfaceError) {
        guard root.name == "document" else {
            guard root.name != "archive" else {
                throw InterfaceError(
                    line: root.line, isOfAnotherKind: true,
                    "the file is in the format of Xcode 4; open it in Xcode once and save it")
            }
            throw InterfaceError(
                line: root.line,
                "the file is no Interface Builder file: its element is <\(root.name.prefix(40))>")
        }
        let type = root["type"] ?? ""
        guard type.hasPrefix("com.apple.InterfaceBuilder") else {
            throw InterfaceError(line: root.line, "the file is no Interface Builder file")
        }
        guard !type.contains(".Cocoa."), root["targetRuntime"]?.hasPrefix("MacOSX") != true else {
            throw InterfaceError(
                line: root.line, isOfAnotherKind: true,
                "the file is for AppKit; only UIKit's files can be laid out")
        }
        guard !type.contains("WatchKit"), root["targetRuntime"]?.contains("watch") != true else {
            throw InterfaceError(
                line: root.line, isOfAnotherKind: true,
                "the file is for WatchKit; only UIKit's files can be laid out")
        }
    }

    /// The scenes in the order of the file: every view that nothing else in the file lays out.
    public var scenes: [InterfaceScene] {
        tree.root.subtree.filter(isRoot).map { InterfaceScene(file: self, root: $0) }
    }

    /// The scene with which the file begins: that of the initial controller, or else the first one
    /// of a controller, or the first.
    public var initialScene: InterfaceScene? {
        let all = scenes
        let first = all.first { $0.kind == .controller } ?? all.first
        guard let id = tree.root["initialViewController"] else { return first }
        let target = origins.shown(by: id)
        return all.first { $0.controller?["id"] == target } ?? first
    }

    /// The scene with an id: that of its controller, its view or its cell, or an identifier that
    /// the author gave.
    public func scene(_ id: String) -> InterfaceScene? {
        scenes.first { $0.names.contains(id) }
    }

    private func isRoot(_ element: XMLElement) -> Bool {
        guard Self.isView(element), let parent = element.parent else { return false }
        guard parent.name != "subviews", parent.name != "variation" else { return false }
        // The bars of navigation and tab bar controllers are UIKit's own.
        guard !Self.bars.contains(element.name) || !parent.name.hasSuffix("ontroller") else {
            return false
        }
        if parent.name == "visualEffectView", element["key"] == "contentView" { return false }
        // Of a cell its content view is the scene.
        return !(element.name.contains("Cell") && element.child(key: "contentView") != nil)
    }

    private static let bars: Set<String> = ["navigationBar", "tabBar", "toolbar"]

    static let notViews: Set<String> = [
        "window", "rect", "tableViewSection", "navigationItem", "barButtonItem", "tabBarItem",
        "userGuides",
    ]

    static func isView(_ element: XMLElement) -> Bool {
        !notViews.contains(element.name) && frame(of: element) != nil
    }

    static func frame(of element: XMLElement) -> Rect? {
        guard let rect = element.child("rect", key: "frame") else { return nil }
        return Rect(
            x: rect.number("x") ?? 0, y: rect.number("y") ?? 0,
            width: max(0, rect.number("width") ?? 0), height: max(0, rect.number("height") ?? 0))
    }

    /// A name for people: what the author calls an element.
    public func authorName(_ element: XMLElement) -> String {
        if let label = element["userLabel"], !label.isEmpty { return label }
        if let id = element["id"], let outlet = outlets[id] { return outlet }
        if let text = ElementText.text(of: element), !text.isEmpty {
            let line = text.split(whereSeparator: \.isNewline).first.map(String.init) ?? text
            return "\"\(line.count > 40 ? line.prefix(39) + "…" : line[...])\""
        }
        if let name = element["customClass"] { return name }
        return element["id"].map { "\(element.name) \($0)" } ?? element.name
    }
}

/// Which controllers stand within navigation and tab bar controllers, and which one is shown first.
struct SegueMap: Sendable {
    private var inNavigation: Set<String> = []
    private var inTabs: Set<String> = []
    private var first: [String: String] = [:]
    /// Destinations of embed segues by the id of the container view.
    private(set) var embedded: [String: String] = [:]

    init(_ root: XMLElement, _ elements: [String: XMLElement]) {
        for segue in root.subtree where segue.name == "segue" {
            guard let destination = segue["destination"] else { continue }
            var holder = segue.parent
            while let element = holder, !element.name.hasSuffix("ontroller") {
                if segue["kind"] == "embed", let id = element["id"], embedded[id] == nil {
                    embedded[id] = destination
                }
                holder = element.parent
            }
            guard segue["kind"] == "relationship", let controller = holder,
                let id = controller["id"]
            else { continue }
            if controller.name == "navigationController" { inNavigation.insert(destination) }
            if controller.name == "tabBarController" { inTabs.insert(destination) }
            if first[id] == nil { first[id] = destination }
        }
    }

    func isInNavigation(_ id: String) -> Bool { inNavigation.contains(id) }

    /// Whether a controller, or the navigation controller around it, is one of several tabs.
    func isInTabs(_ id: String) -> Bool {
        inTabs.contains(id) || first.contains { $0.value == id && inTabs.contains($0.key) }
    }

    /// The controller that is on the screen when another one is shown.
    func shown(by id: String) -> String {
        var current = id
        var steps = 0
        while let next = first[current], steps < 16 {
            current = next
            steps += 1
        }
        return current
    }
}

extension InterfaceFile {
    /// Whether something in the file has an id.
    public func exists(_ id: String) -> Bool { elements[id] != nil }

    /// Whether an outlet or a variation names an object.
    public func isReferenced(_ id: String) -> Bool {
        tree.root.subtree.contains { $0["destination"] == id || $0["reference"] == id }
    }

    /// Outlets and actions that lead to nothing.
    public var deadOutlets: [XMLElement] {
        tree.root.subtree.filter { element in
            guard element.name == "outlet" || element.name == "outletCollection",
                let destination = element["destination"]
            else { return false }
            return elements[destination] == nil
        }
    }
}
