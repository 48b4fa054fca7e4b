import ConstraintLanguage
import LayoutValues
import SceneDocument

/// Turns the constraints of a scene into those of a document, with names of their own.
struct ConstraintAssembly {
    private(set) var constraints: [ConstraintSpec] = []
    private(set) var guides: [GuideSpec] = []
    private(set) var origins: [String: InterfaceConversion.Origin] = [:]
    private(set) var notes: [ConversionNote] = []
    private var constraintIDs: Set<String> = []
    private var idCounts: [String: Int] = [:]
    private let reading: SceneReading
    private let geometry: SceneGeometry
    private let isStored: Bool

    private var scene: InterfaceScene { reading.scene }
    private var rootID: String { reading.items[0].name }

    init(_ reading: SceneReading, _ geometry: SceneGeometry, isStored: Bool) {
        self.reading = reading
        self.geometry = geometry
        self.isStored = isStored
    }

    private mutating func add(_ rule: Rule, id: String, isPlaceholder: Bool = false) -> Int {
        var name = id
        while !constraintIDs.insert(name).inserted {
            idCounts[id, default: 1] += 1
            name = "\(id)_\(idCounts[id, default: 2])"
        }
        var spec = ConstraintSpec(id: name, body: .rule(rule))
        spec.placeholder = isPlaceholder
        constraints.append(spec)
        return constraints.count - 1
    }

    private static func anchor(
        _ id: String, _ attribute: LayoutAttribute, _ guide: BuiltInGuide? = nil
    ) -> AnchorReference {
        AnchorReference(item: ItemReference(id: id, guide: guide), attribute: attribute)
    }

    /// Holds the scene's view at the edges of the device, and makes the guides of controllers.
    mutating func addPins() {
        let id = rootID
        let isFlexible = scene.kind != .controller && !isStored
        var edges: [LayoutAttribute] = [.leading, .top]
        if !isFlexible || scene.followsWidth { edges.append(.trailing) }
        if !isFlexible { edges.append(.bottom) }
        for edge in edges {
            let rule = Rule(
                first: Self.anchor(id, edge), relation: .equal, second: Self.anchor("root", edge))
            _ = add(rule, id: "\(id)-\(edge.rawValue)")
        }
        if isFlexible {
            // As high as its content needs, as cells that size themselves are.
            let height = Rule(
                first: Self.anchor(id, .height), relation: .equal, constant: geometry.size.height,
                priority: 50)
            _ = add(height, id: "\(id)-height")
            if !scene.followsWidth {
                let width = Rule(
                    first: Self.anchor(id, .width), relation: .equal, constant: geometry.size.width)
                _ = add(width, id: "\(id)-width")
            }
        }
        guard reading.usesControllerGuides else { return }
        for (guide, outer, inner) in [
            ("topguide", LayoutAttribute.top, LayoutAttribute.bottom),
            ("bottomguide", .bottom, .top),
        ] {
            guides.append(GuideSpec(id: guide, parent: id))
            let rules = [
                Rule(
                    first: Self.anchor(guide, outer), relation: .equal,
                    second: Self.anchor(id, outer)),
                Rule(
                    first: Self.anchor(guide, inner), relation: .equal,
                    second: Self.anchor(id, outer, .safeArea)),
                Rule(
                    first: Self.anchor(guide, .leading), relation: .equal,
                    second: Self.anchor(id, .leading)),
                Rule(first: Self.anchor(guide, .width), relation: .equal, constant: 0),
            ]
            for (index, rule) in rules.enumerated() { _ = add(rule, id: "\(guide)-\(index)") }
        }
    }

    /// Places the rows of tables.
    mutating func addRows() {
        for (id, rule) in TableRows(reading).rules { _ = add(rule, id: id) }
    }

    mutating func addTies() {
        for tie in reading.ties {
            guard let first = reference(tie.first) else { continue }
            var rule = Rule(
                first: first, relation: tie.relation, multiplier: tie.multiplier,
                constant: tie.constant, priority: tie.priority)
            if let second = tie.second {
                guard let reference = reference(second), Self.canCompare(tie.first, second) else {
                    notes.append(
                        ConversionNote(
                            line: tie.element.line,
                            text: "the constraint compares a place with a length; it is left out"))
                    continue
                }
                rule.second = reference
            } else {
                rule.multiplier = 1
            }
            let id = Self.constraintName(tie.element["id"], line: tie.element.line)
            let index = add(rule, id: id, isPlaceholder: tie.isPlaceholder && !isStored)
            if let note = tie.element["identifier"] {
                constraints[index].identifier = ElementContent.cut(note, 65_536)
            }
            if !isStored {
                constraints[index].active = tie.installation.base
                constraints[index].variations = Array(
                    VariedAttributes.variations(of: tie).prefix(16))
            }
            let name = constraints[index].id ?? id
            origins[name] = .init(element: tie.element, name: text(of: tie))
        }
    }

    private func reference(_ anchor: TieAnchor) -> AnchorReference? {
        switch anchor.item {
        case .topGuide: return Self.anchor("topguide", anchor.attribute)
        case .bottomGuide: return Self.anchor("bottomguide", anchor.attribute)
        case .view(let index):
            let item = reading.items[index]
            // Only scroll views have these guides; a table's frame is its own.
            if anchor.guide == .content || anchor.guide == .viewport, item.kind != "scrollView" {
                return Self.anchor(item.name, anchor.attribute)
            }
            return Self.anchor(item.name, anchor.attribute, anchor.guide)
        }
    }

    private static func canCompare(_ first: TieAnchor, _ second: TieAnchor) -> Bool {
        let (a, b) = (first.attribute, second.attribute)
        return a.isSize == b.isSize && (a.isSize || a.isHorizontal == b.isHorizontal)
    }

    private static func constraintName(_ id: String?, line: Int) -> String {
        var name = ""
        for byte in (id ?? "line\(line)").utf8.prefix(150) {
            let isLetter = 65...90 ~= byte || 97...122 ~= byte || byte == 95
            let isOther = byte == 45 || 48...57 ~= byte
            if name.isEmpty, !isLetter { name = "_" }
            name.unicodeScalars.append(isLetter || isOther ? Unicode.Scalar(byte) : "_")
        }
        return name.isEmpty ? "line\(line)" : name
    }

    /// A constraint in the author's names: `"Title".leading == Container.leading + 8`.
    private func text(of tie: SceneTie) -> String {
        func text(_ anchor: TieAnchor) -> String {
            let item =
                switch anchor.item {
                case .topGuide: "Top Layout Guide"
                case .bottomGuide: "Bottom Layout Guide"
                case .view(0) where scene.root["userLabel"] == nil: "View"
                case .view(let index): scene.file.authorName(reading.items[index].element)
                }
            let guide = anchor.guide.map { ".\($0.rawValue)" } ?? ""
            return "\(item)\(guide).\(anchor.attribute.rawValue)"
        }
        let rule = Rule(
            first: Self.anchor("x", .width), relation: tie.relation,
            second: tie.second == nil ? nil : Self.anchor("x", .width), multiplier: tie.multiplier,
            constant: tie.constant, priority: tie.priority)
        // The rule's own text has the numbers; the names replace its two anchors.
        let parts = rule.description.dropFirst("x.width".count)
        guard let second = tie.second else { return text(tie.first) + parts }
        guard let place = parts.firstRange(of: "x.width") else { return text(tie.first) }
        return text(tie.first) + parts[..<place.lowerBound] + text(second)
            + parts[place.upperBound...]
    }
}
