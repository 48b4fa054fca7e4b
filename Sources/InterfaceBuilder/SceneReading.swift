import ConstraintLanguage
import LayoutValues

/// A note of a conversion: what was read in another way than it was meant, or left out.
public struct ConversionNote: Hashable, Sendable {
    /// The line of the element.
    public var line: Int
    /// A sentence.
    public var text: String
}

/// Reads the views and constraints of one scene, as far as they are for the canvas's device or
/// vary.
struct SceneReading {
    let scene: InterfaceScene
    /// Whether variations are resolved for the canvas; otherwise they are kept.
    let isResolved: Bool
    /// Whether lists have their cells, and containers the scenes that are embedded in them.
    let hasContents: Bool
    private(set) var items: [SceneItem] = []
    private(set) var ties: [SceneTie] = []
    private(set) var notes: [ConversionNote] = []
    /// Constraints that name something outside of the scene: the element, and the id.
    private(set) var dangling: [(element: XMLElement, id: String)] = []
    /// Whether the file uses the guides of controllers from before iOS 11.
    private(set) var usesControllerGuides = false

    private var byID: [String: Int] = [:]
    private var guides: [String: (item: TieItem, guide: BuiltInGuide?)] = [:]
    private var installations: [String: Installation] = [:]
    private var leftOut: Set<String> = []
    /// Cells and embedded views that the scene has already.
    private var shownContents: Set<XMLElement> = []
    private var nameCounts: [String: Int] = [:]
    private var names: Set<String> = ["root", "topguide", "bottomguide"]

    var file: InterfaceFile { scene.file }

    init(_ scene: InterfaceScene, isResolved: Bool, hasContents: Bool = false) {
        self.scene = scene
        self.isResolved = isResolved
        self.hasContents = hasContents
        readViews()
        readGuides()
        readTies()
    }

    mutating func note(_ element: XMLElement, _ text: String) {
        let note = ConversionNote(line: element.line, text: text)
        if !notes.contains(note) { notes.append(note) }
    }

    // MARK: Views

    private mutating func readViews() {
        var stack: [(content: Content, parent: Int?)] = [(Content(scene.root), nil)]
        while let (content, parent) = stack.popLast() {
            let element = content.element
            readMasks(of: element)
            let installation = element["id"].flatMap { installations[$0] } ?? Installation()
            if parent != nil, isResolved, !installation.holds(on: file.device) {
                for inner in element.subtree { if let id = inner["id"] { leftOut.insert(id) } }
                continue
            }
            let index = items.count
            add(content, parent: parent, installation)
            for child in Self.children(of: element).reversed() {
                stack.append((Content(child), index))
            }
            guard hasContents else { continue }
            for child in contents(of: element).reversed() { stack.append((child, index)) }
        }
        if let owner = scene.root.parent, scene.root["key"] == "contentView", let id = owner["id"] {
            byID[id] = 0
        }
    }

    /// A view of the scene, or a title that a section's element tells.
    private struct Content {
        var element: XMLElement
        var title: SectionTitle?

        init(_ element: XMLElement, title: SectionTitle? = nil) {
            (self.element, self.title) = (element, title)
        }
    }

    private mutating func add(_ content: Content, parent: Int?, _ installation: Installation) {
        let element = content.element
        let frame = InterfaceFile.frame(of: element) ?? .zero
        let (attributes, variations) = resolved(element)
        var item = SceneItem(
            element: element, parent: parent, name: name(for: element), frame: frame,
            insets: SceneItem.alignmentInsets(element, frame), attributes: attributes,
            variations: variations)
        item.installation = installation
        if let parent {
            let list = items[parent]
            item.isInList =
                list.isInList || list.kind == "tableView" || list.kind == "collectionView"
            item.sectionTitle = content.title
            if !isResolved { noteRow(&item, parent) }
        }
        if content.title == nil, let id = element["id"] { byID[id] = items.count }
        if element["key"] == "contentView", let cell = element.parent, let id = cell["id"],
            cell.name.hasSuffix("Cell")
        {
            // Constraints name the cell where they mean its content.
            byID[id] = items.count
        }
        items.append(item)
    }

    /// Marks what `TableRows` places: on the canvas stored frames do.
    private mutating func noteRow(_ item: inout SceneItem, _ parent: Int) {
        let holder = items[parent]
        if holder.kind == "tableView", item.sectionTitle != nil || item.isRow {
            item.isPlacedByTable = true
            items[parent].hasRows = true
        } else if holder.isPlacedByTable, item.element.parent == holder.element,
            item.fillsSuperview
        {
            item.isPlacedByTable = true
        }
    }

    /// The rows of a table and the titles of its sections, from top to bottom.
    private static func rows(of table: XMLElement) -> [Content] {
        var found = table.children.filter { $0["key"] == "tableHeaderView" }.map { Content($0) }
        found += table.children("prototypes").flatMap(\.children).map { Content($0) }
        for section in table.children("sections").flatMap({ $0.children("tableViewSection") }) {
            func title(_ key: SectionTitle.Key) -> [Content] {
                guard let text = ElementText.value(section, key.rawValue), !text.isEmpty else {
                    return []
                }
                return [Content(section, title: SectionTitle(key: key, text: text))]
            }
            found += title(.header)
            found += section.children("cells").flatMap(\.children).map { Content($0) }
            found += title(.footer)
        }
        return found
            + table.children.filter { $0["key"] == "tableFooterView" }.map { Content($0) }
    }

    /// The rows of a table, the cells of a collection, the content of a cell, and the view of the
    /// scene that is embedded in a container; each once.
    private mutating func contents(of element: XMLElement) -> [Content] {
        var found: [XMLElement] = []
        switch element.name {
        case "tableView":
            return Self.rows(of: element).filter { row in
                row.title != nil
                    || InterfaceFile.isView(row.element)
                        && shownContents.insert(row.element).inserted
            }
        case "collectionView":
            found = element.children("cells").flatMap(\.children)
            found += element.children.filter { $0.name == "collectionReusableView" }
        case "containerView":
            guard let id = element["id"], let target = file.origins.embedded[id],
                let controller = file.elements[file.origins.shown(by: target)],
                let view = controller.child(key: "view"), view != scene.root
            else { return [] }
            for guide in controller.children("layoutGuides").flatMap(\.children) {
                if let id = guide["id"] { leftOut.insert(id) }
            }
            found = [view]
        default:
            guard element.name.hasSuffix("Cell") else { return [] }
            found = element.children.filter { $0["key"] == "contentView" }
        }
        return found.filter { InterfaceFile.isView($0) && shownContents.insert($0).inserted }
            .map { Content($0) }
    }

    /// The views that a view holds and lays out; cells lay themselves out.
    static func children(of element: XMLElement) -> [XMLElement] {
        var found = element.children("subviews").flatMap(\.children)
            .filter { !InterfaceFile.notViews.contains($0.name) }
        if element.name == "visualEffectView" {
            found += element.children.filter { $0["key"] == "contentView" }
        }
        return found
    }

    /// The attributes on the canvas, and the variations that are left.
    private func resolved(
        _ element: XMLElement
    ) -> ([String: String], [(key: VariationKey, element: XMLElement)]) {
        var attributes: [String: String] = [:]
        for attribute in element.attributes { attributes[attribute.name] = attribute.value }
        var variations: [(key: VariationKey, element: XMLElement)] = []
        for variation in element.children("variation") {
            guard let key = variation["key"].flatMap(VariationKey.init) else { continue }
            if key.specificity == 0 || isResolved, file.device.satisfies(key) {
                variations.append((key, variation))
            } else if !isResolved {
                variations.append((key, variation))
            }
        }
        variations.sort { $0.key.specificity < $1.key.specificity }
        for (key, variation) in variations where isResolved || key.specificity == 0 {
            for attribute in variation.attributes where attribute.name != "key" {
                attributes[attribute.name] = attribute.value
            }
        }
        return (attributes, isResolved ? [] : variations.filter { $0.key.specificity > 0 })
    }

    /// Reads which views and constraints inside of an element are there under which size classes.
    private mutating func readMasks(of element: XMLElement) {
        let variations = element.children("variation").compactMap { variation in
            variation["key"].flatMap(VariationKey.init).map { (key: $0, element: variation) }
        }.sorted { $0.key.specificity < $1.key.specificity }
        for (key, variation) in variations {
            for change in variation.children("mask").flatMap(\.children) {
                guard let id = change["reference"] else { continue }
                let isInstalled = change.name == "include"
                if key.specificity == 0 {
                    installations[id, default: Installation()].base = isInstalled
                } else {
                    installations[id, default: Installation()].changes.append((key, isInstalled))
                }
            }
        }
    }

    /// The name of an element in the document: its id, with what names cannot have replaced.
    private mutating func name(for element: XMLElement) -> String {
        var name = ""
        for byte in (element["id"] ?? "view\(items.count)").utf8.prefix(60) {
            let scalar = Unicode.Scalar(byte)
            let isLetter = scalar.properties.isAlphabetic && byte < 128 || byte == 95
            let isOther = byte == 45 || 48...57 ~= byte
            if name.isEmpty, !isLetter { name = "_" }
            name.unicodeScalars.append(isLetter || isOther ? scalar : "_")
        }
        if name.isEmpty { name = "view\(items.count)" }
        var unique = name
        // Continues where the last equal name ended: a hostile file has the same id everywhere.
        while !names.insert(unique).inserted {
            nameCounts[name, default: 1] += 1
            unique = "\(name)_\(nameCounts[name, default: 2])"
        }
        return unique
    }

    // MARK: Guides

    /// The guides that Xcode writes, and others by the names that they have in UIKit.
    private static let guideKinds: [String: BuiltInGuide] = [
        "safeArea": .safeArea, "keyboard": .keyboard, "contentLayoutGuide": .content,
        "frameLayoutGuide": .viewport, "layoutMargins": .margins, "readableContent": .readable,
        "safeAreaLayoutGuide": .safeArea, "keyboardLayoutGuide": .keyboard,
        "layoutMarginsGuide": .margins, "readableContentGuide": .readable,
    ]

    private mutating func readGuides() {
        for (index, item) in items.enumerated() {
            for guide in item.element.children("viewLayoutGuide") {
                guard let id = guide["id"] else { continue }
                guard let key = guide["key"], let kind = Self.guideKinds[key] else {
                    note(
                        guide,
                        "the guide \"\(guide["key"] ?? "")\" is not known; constraints to it are left out"
                    )
                    leftOut.insert(id)
                    continue
                }
                guides[id] = (.view(index), kind)
            }
            // Interface Builder has no guides of the author's own. Those of its rulers, in
            // `userGuides`, place nothing in the app; another program may have given them ids.
            for list in item.element.children
            where list.name == "userGuides" || list.name == "layoutGuides" {
                for guide in list.children {
                    guard let id = guide["id"] else { continue }
                    note(
                        guide,
                        "<\(guide.name.prefix(40))> is no guide that UIKit reads from a file; it is left out, and constraints to it"
                    )
                    leftOut.insert(id)
                }
            }
        }
        for guide in scene.root.parent?.child("layoutGuides")?.children ?? [] {
            guard let id = guide["id"], let type = guide["type"] else { continue }
            guides[id] = (type == "top" ? .topGuide : .bottomGuide, nil)
        }
    }

    // MARK: Constraints

    private mutating func readTies() {
        var elements: [(owner: Int, element: XMLElement)] = []
        for (index, item) in items.enumerated() {
            for constraint in item.element.children("constraints").flatMap(\.children) {
                elements.append((index, constraint))
            }
        }
        if let owner = scene.root.parent, scene.root["key"] == "contentView" {
            readMasks(of: owner)
            for constraint in owner.children("constraints").flatMap(\.children) {
                elements.append((0, constraint))
            }
        }
        for (owner, element) in elements where element.name == "constraint" {
            let installation = element["id"].flatMap { installations[$0] } ?? Installation()
            if isResolved, !installation.holds(on: file.device) { continue }
            guard var tie = tie(element, owner: owner) else { continue }
            tie.installation = installation
            ties.append(tie)
        }
    }

    private mutating func item(_ id: String?, owner: Int) -> (item: TieItem, guide: BuiltInGuide?)?
    {
        guard let id else { return (.view(owner), nil) }
        if let index = byID[id] { return (.view(index), nil) }
        if let guide = guides[id] {
            if guide.item.view == nil { usesControllerGuides = true }
            return guide
        }
        return nil
    }

    private mutating func anchor(
        _ id: String?, _ attribute: String?, owner: Int, _ element: XMLElement
    ) -> TieAnchor? {
        guard let (item, guide) = item(id, owner: owner) else {
            if let id, !leftOut.contains(id) { dangling.append((element, id)) }
            return nil
        }
        guard let attribute, let found = LayoutAttribute.ofFile(attribute) else {
            note(
                element,
                "the attribute \"\(attribute ?? "")\" is not known; the constraint is left out")
            return nil
        }
        return TieAnchor(item: item, guide: found.guide ?? guide, attribute: found.attribute)
    }

    private mutating func tie(_ element: XMLElement, owner: Int) -> SceneTie? {
        let (attributes, variations) = resolved(element)
        guard
            let first = anchor(
                attributes["firstItem"], attributes["firstAttribute"], owner: owner, element)
        else { return nil }
        var second: TieAnchor?
        if attributes["secondAttribute"] != nil {
            second = anchor(
                attributes["secondItem"], attributes["secondAttribute"], owner: owner, element)
            guard second != nil else { return nil }
        }
        var constant = attributes["constant"].flatMap(XMLElement.number)
        if constant == nil, attributes["symbolic"] == "YES" {
            note(element, "a standard gap without a constant is 8")
            constant = 8
        }
        let relation: LayoutRelation =
            switch attributes["relation"] {
            case "greaterThanOrEqual": .greaterThanOrEqual
            case "lessThanOrEqual": .lessThanOrEqual
            default: .equal
            }
        var tie = SceneTie(
            element, first: first, relation: relation, second: second,
            multiplier: Self.multiplier(attributes["multiplier"]), constant: constant ?? 0,
            priority: min(max(attributes["priority"].flatMap(XMLElement.number) ?? 1000, 1), 1000),
            isPlaceholder: attributes["placeholder"] == "YES")
        tie.variations = variations
        return tie
    }

    /// A multiplier: a number, or a ratio such as `16:9`.
    static func multiplier(_ text: String?) -> Double {
        guard let text else { return 1 }
        for sign: Character in [":", "/"] where text.contains(sign) {
            let parts = text.split(separator: sign, maxSplits: 1).map {
                XMLElement.number(String($0))
            }
            guard parts.count == 2, let above = parts[0], let below = parts[1], below != 0 else {
                return 1
            }
            let ratio = above / below
            return ratio.magnitude <= 1e6 ? ratio : 1
        }
        return XMLElement.number(text) ?? 1
    }
}
