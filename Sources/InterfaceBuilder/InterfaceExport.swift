import ConstraintLanguage
public import LayoutValues
public import SceneDocument

/// A document as a `.xib` file that Xcode opens. The ids of views and constraints are the
/// document's names, so that a second export differs by what was changed alone.
public struct InterfaceExport {
    /// The file.
    public let text: String
    /// What the file cannot say, in sentences.
    public let notes: [String]

    /// Exports a document.
    ///
    /// - Parameters:
    ///   - frames: The frames of all views in their superviews, which the file stores.
    ///   - activeSets: The sets in force; the constraints of others are left out.
    public init(
        _ document: SceneDocument, frames: [String: Rect], activeSets: Set<String> = []
    ) {
        var builder = ExportBuilder(document, frames, activeSets)
        builder.write()
        text = builder.xml.text
        notes = builder.notes
    }
}

private struct ExportBuilder {
    private(set) var xml = XMLWriter()
    private(set) var notes: [String] = []
    private let document: SceneDocument
    private let frames: [String: Rect]
    private var children: [String: [ViewSpec]] = [:]
    private var parents: [String: String] = [:]
    private var constraints: [String: [ExportedConstraint]] = [:]
    private var guides: [String: [GuideSpec]] = [:]
    /// The view at the top of the file: `root`, or the only view in it that fills it.
    private var top = "root"
    private var usedGuides: Set<ItemReference> = []

    private let activeSets: Set<String>

    init(_ document: SceneDocument, _ frames: [String: Rect], _ activeSets: Set<String>) {
        self.activeSets = activeSets
        self.document = document
        self.frames = frames
        for view in document.views {
            children[view.parent, default: []].append(view)
            parents[view.id] = view.parent
        }
        for guide in document.guides {
            guides[guide.parent, default: []].append(guide)
            parents[guide.id] = guide.parent
        }
    }

    mutating func write() {
        sortConstraints()
        xml.start(
            "document",
            [
                ("type", "com.apple.InterfaceBuilder3.CocoaTouch.XIB"), ("version", "3.0"),
                ("toolsVersion", "21507"), ("targetRuntime", "iOS.CocoaTouch"),
                ("propertyAccessControl", "none"), ("useAutolayout", "YES"),
                ("useTraitCollections", "YES"), ("useSafeAreas", "YES"), ("colorMatched", "YES"),
            ])
        xml.element("device", device)
        xml.start("dependencies")
        xml.element("deployment", [("identifier", "iOS")])
        xml.element(
            "plugIn",
            [("identifier", "com.apple.InterfaceBuilder.IBCocoaTouchPlugin"), ("version", "21505")])
        xml.element(
            "capability", [("name", "Safe area layout guides"), ("minToolsVersion", "9.0")])
        xml.element(
            "capability",
            [("name", "documents saved in the Xcode 8 format"), ("minToolsVersion", "8.0")])
        xml.end()
        xml.start("objects")
        xml.element(
            "placeholder",
            [
                ("placeholderIdentifier", "IBFilesOwner"), ("id", "-1"),
                ("userLabel", "File's Owner"),
            ])
        xml.element(
            "placeholder",
            [
                ("placeholderIdentifier", "IBFirstResponder"), ("id", "-2"),
                ("customClass", "UIResponder"),
            ])
        writeViews()
        xml.end()
        xml.end()
    }

    /// The device of Xcode's canvas whose pixels the document has.
    private var device: [(String, String)] {
        let isPad = document.viewport.idiom == .pad
        let scale = document.viewport.scale
        let name = isPad ? "ipad9_7" : scale >= 3 ? "retina6_12" : "retina6_1"
        return [("id", name), ("orientation", "portrait"), ("appearance", "light")]
    }

    // MARK: Views

    private mutating func writeViews() {
        var stack: [Step] = [.view(top)]
        while let step = stack.popLast() {
            switch step {
            case .end: xml.end()
            case .rest(let id): writeRest(id)
            case .view(let id):
                let spec = document.views.first { $0.id == id }
                let view = ExportedView(
                    id: id, spec: spec, frame: frame(of: id), isTop: id == top,
                    parentKind: parents[id].flatMap(kind))
                notes += view.notes
                view.start(&xml)
                stack += [.end, .rest(id)]
                let inside = (children[id] ?? []).map { Step.view($0.id) }
                let spacers = (guides[id] ?? []).map { Step.view($0.id) }
                guard !inside.isEmpty || !spacers.isEmpty else { continue }
                if !spacers.isEmpty {
                    notes.append(
                        "\(id): its guides are hidden views in the file, which has no guides")
                }
                xml.start("subviews")
                stack += [.end] + (inside + spacers).reversed()
            }
        }
    }

    private enum Step {
        case view(String)
        case rest(String)
        case end
    }

    private func kind(_ id: String) -> ViewKind? {
        document.views.first { $0.id == id }?.properties.kind
    }

    private func frame(of id: String) -> Rect {
        if id == top {
            return Rect(
                x: 0, y: 0, width: document.viewport.width, height: document.viewport.height)
        }
        return frames[id] ?? .zero
    }

    /// What follows a view's subviews: its guides, colours, constraints.
    private mutating func writeRest(_ id: String) {
        let names: [(BuiltInGuide, String)] = [
            (.safeArea, "safeArea"), (.readable, "readableContent"), (.keyboard, "keyboard"),
            (.content, "contentLayoutGuide"), (.viewport, "frameLayoutGuide"),
        ]
        for (guide, key) in names
        where usedGuides.contains(ItemReference(id: id, guide: guide))
            || id == top && guide == .safeArea
        {
            xml.element("viewLayoutGuide", [("key", key), ("id", Self.guideID(id, guide))])
        }
        let properties = document.views.first { $0.id == id }?.properties
        if let color = properties?.background { writeColor("backgroundColor", color) }
        if properties?.kind == .label, let color = properties?.foreground {
            writeColor("textColor", color)
        }
        if let list = constraints[id], !list.isEmpty {
            xml.start("constraints")
            for constraint in list {
                xml.element(
                    "constraint",
                    constraint.attributes(
                        id: ExportedConstraint.fileID(constraint.id), ExportedConstraint.fileID))
            }
            xml.end()
        }
    }

    private mutating func writeColor(_ key: String, _ color: DynamicColor) {
        xml.element("color", ColorTable.attributes(key, color))
    }

    static func guideID(_ id: String, _ guide: BuiltInGuide) -> String {
        "\(ExportedView.fileID(id))-\(guide.rawValue)"
    }

    // MARK: Constraints

    private mutating func sortConstraints() {
        var rules: [(id: String, rule: Rule, spec: ConstraintSpec)] = []
        func note(_ specs: [ConstraintSpec], _ set: String?) {
            for (index, spec) in specs.enumerated() {
                let id = spec.resolvedID(index: index, set: set)
                switch spec.body {
                case .rule(let rule): rules.append((id, rule, spec))
                case .visualFormat(let format, let options):
                    let superview = format.viewNames.first.flatMap { parents[$0] } ?? "root"
                    let parts = (try? format.rules(superview: superview, options: options)) ?? []
                    for (k, rule) in parts.enumerated() {
                        rules.append((ConstraintSpec.ruleID(id, k), rule, spec))
                    }
                }
            }
        }
        note(document.constraints, nil)
        for set in document.sets {
            let isActive = activeSets.contains(set.id)
            if isActive { note(set.constraints, set.id) }
            notes.append(
                "the set \(set.id) is switched by a condition; its constraints are "
                    + (isActive ? "in the file without it" : "not in the file"))
        }
        let pins = fillingPins(rules.map(\.rule))
        for (id, rule, spec) in rules {
            if top != "root", pins.contains(rule) { continue }
            if rule.scalesConstant {
                notes.append(
                    "\(id): its constant grows with the text size; the file has the plain number")
            }
            if !spec.variations.isEmpty {
                notes.append("\(id): its variations are not in the file")
            }
            let owner = owner(of: rule)
            for anchor in [rule.first, rule.second] {
                if let item = anchor?.item, item.guide != nil { usedGuides.insert(item) }
            }
            constraints[owner, default: []].append(
                ExportedConstraint(
                    id: id, rule: rule, owner: owner, isActive: spec.active,
                    isPlaceholder: spec.placeholder))
        }
    }

    /// The constraints that make the only view of the root fill it; `top` is that view then.
    private mutating func fillingPins(_ rules: [Rule]) -> Set<Rule> {
        guard let only = children["root"], only.count == 1, guides["root"] == nil else { return [] }
        var pins: Set<Rule> = []
        var edges: Set<LayoutAttribute> = []
        for rule in rules
        where [rule.first, rule.second].contains(where: { $0?.item.id == "root" }) {
            guard let second = rule.second, second.item.id == "root", second.item.guide == nil,
                rule.first.item == ItemReference(id: only[0].id),
                rule.first.attribute == second.attribute, rule.multiplier == 1,
                rule.constant == 0, rule.relation == .equal, rule.priority == 1000
            else { return [] }
            pins.insert(rule)
            edges.insert(rule.first.attribute)
        }
        guard edges == [.leading, .trailing, .top, .bottom] else { return [] }
        top = only[0].id
        return pins
    }

    /// The view that holds a constraint in the file: the nearest one around both items.
    private func owner(of rule: Rule) -> String {
        func path(_ id: String) -> [String] {
            var path = [id]
            while let parent = parents[path[path.count - 1]], path.count <= document.views.count + 1
            {
                path.append(parent)
            }
            return path
        }
        let first = path(rule.first.item.id)
        guard let second = rule.second else { return first.first ?? top }
        let others = Set(path(second.item.id))
        return first.first(where: others.contains) ?? top
    }
}
