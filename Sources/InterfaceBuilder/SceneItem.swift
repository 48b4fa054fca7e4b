import ConstraintLanguage
import LayoutValues
import SceneDocument

/// A view of a scene while it is read.
struct SceneItem {
    let element: XMLElement
    /// The index of the superview; `nil` for the root.
    let parent: Int?
    /// The name in the document.
    let name: String
    /// The frame that Xcode stored, in the superview.
    let frame: Rect
    /// The part of the frame that constraints speak of.
    let insets: EdgeInsets
    /// The attributes with those of the variations that hold on the canvas.
    let attributes: [String: String]
    /// The other variations, the weaker first.
    let variations: [(key: VariationKey, element: XMLElement)]
    /// The variations in which the view is there, if it is not always; the canvas's state first.
    var installation = Installation()
    /// Whether it is in a list, which scrolls: the safe area does not reach into it.
    var isInList = false
    /// The title of a section that it is; `nil` for a view of the file.
    var sectionTitle: SectionTitle?
    /// Whether it is a row, a title or a row's content that `TableRows` places.
    var isPlacedByTable = false
    /// Whether it is a table whose rows `TableRows` places.
    var hasRows = false

    func isYes(_ name: String) -> Bool { attributes[name] == "YES" }
    func number(_ name: String) -> Double? { attributes[name].flatMap(XMLElement.number) }

    var kind: String { element.name }

    /// Whether it is the content of a cell or of a container, which is always as large.
    var fillsSuperview: Bool {
        guard parent != nil else { return false }
        let isContent =
            element["key"] == "contentView" && element.parent?.name != "visualEffectView"
        return isContent || element["key"] == "view"
    }

    /// Whether it is a row of a table, as wide as the table.
    var isRow: Bool {
        element.name.hasPrefix("tableViewCell") || element["key"] == "tableHeaderView"
            || element["key"] == "tableFooterView"
    }

    /// Whether Xcode has laid the view out. Xcode 8 and later save none before that.
    var hasFrame: Bool { element.child("rect", key: "frame") != nil }

    /// The name of an image view's image.
    var image: String? { attributes["image"] ?? element.child(key: "image")?["image"] }

    /// Whether an image is a symbol of the system.
    var isSymbol: Bool {
        (attributes["catalog"] ?? element.child(key: "image")?["catalog"]) == "system"
    }

    /// The symbol of an image view or a button, where the set that ships with the program has it.
    var symbol: SymbolName? {
        let holders: [XMLElement] =
            switch kind {
            case "imageView": [element] + element.children.filter { $0["key"] == "image" }
            case "button":
                element.children.filter { $0.name == "state" && $0["key"] == "normal" }
                    + element.children("buttonConfiguration")
            default: []
            }
        for holder in holders where holder["catalog"] == "system" {
            if let name = holder["image"].flatMap(SymbolName.init) { return name }
        }
        return nil
    }

    /// The stored frame of what constraints speak of.
    var aligned: Rect {
        Rect(
            x: frame.minX + insets.leading, y: frame.minY + insets.top,
            width: frame.width - insets.leading - insets.trailing,
            height: frame.height - insets.top - insets.bottom)
    }

    /// What alignment rectangles leave out of the frames of controls.
    static func alignmentInsets(_ element: XMLElement, _ frame: Rect) -> EdgeInsets {
        switch element.name {
        case "switch": EdgeInsets(top: 0, leading: 0, bottom: 0, trailing: 2)
        // Since iOS 26 a slider has none.
        case "slider" where frame.height != 34:
            EdgeInsets(top: 0, leading: 2, bottom: 1, trailing: 2)
        case "segmentedControl": EdgeInsets(top: 0, leading: 0, bottom: 1, trailing: 0)
        default: .zero
        }
    }
}

/// Whether something is installed: always but for some size classes.
struct Installation {
    /// Whether it is without any size class.
    var base = true
    /// What is different for size classes, the weaker first.
    var changes: [(key: VariationKey, isInstalled: Bool)] = []

    /// Whether it is on a canvas.
    func holds(on device: CanvasDevice) -> Bool {
        var result = base
        for change in changes where device.satisfies(change.key) { result = change.isInstalled }
        return result
    }
}

/// What a constraint speaks of.
enum TieItem: Hashable {
    case view(Int)
    /// The guide at the top that controllers had before there were safe areas.
    case topGuide
    case bottomGuide

    var view: Int? { if case .view(let index) = self { index } else { nil } }
}

struct TieAnchor: Hashable {
    var item: TieItem
    var guide: BuiltInGuide?
    var attribute: LayoutAttribute
}

/// A constraint of a scene while it is read.
struct SceneTie {
    let element: XMLElement
    var first: TieAnchor
    var relation: LayoutRelation
    var second: TieAnchor?
    var multiplier: Double
    var constant: Double
    var priority: Double
    var isPlaceholder: Bool
    var installation = Installation()
    var variations: [(key: VariationKey, element: XMLElement)] = []

    /// Whether it says where two edges are, and nothing else.
    var isPlainEquality: Bool { relation == .equal && multiplier == 1 && second != nil }

    init(
        _ element: XMLElement, first: TieAnchor, relation: LayoutRelation, second: TieAnchor?,
        multiplier: Double, constant: Double, priority: Double, isPlaceholder: Bool
    ) {
        self.element = element
        self.first = first
        self.relation = relation
        self.second = second
        self.multiplier = multiplier
        self.constant = constant
        self.priority = priority
        self.isPlaceholder = isPlaceholder
    }
}

extension LayoutAttribute {
    /// An attribute of a file, with the guide that it may name.
    static func ofFile(_ name: String) -> (guide: BuiltInGuide?, attribute: LayoutAttribute)? {
        if name == "baseline" { return (nil, .lastBaseline) }
        if let attribute = LayoutAttribute(rawValue: name) { return (nil, attribute) }
        let margins: [String: LayoutAttribute] = [
            "leftMargin": .left, "rightMargin": .right, "topMargin": .top, "bottomMargin": .bottom,
            "leadingMargin": .leading, "trailingMargin": .trailing,
            "centerXWithinMargins": .centerX, "centerYWithinMargins": .centerY,
        ]
        return margins[name].map { (.margins, $0) }
    }

    var isBaseline: Bool { self == .firstBaseline || self == .lastBaseline }
}
