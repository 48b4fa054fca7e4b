import Bytes
import ConstraintLanguage
import SceneDocument

/// Writes changed, new and removed constraints of a scene.
struct ConstraintWriter {
    private let conversion: InterfaceConversion
    private let parents: [String: String]
    /// The ids that the file has, or will have.
    private var ids: Set<String>
    /// The ids of guides that the file gets.
    private var freshGuides: [String: String] = [:]
    private(set) var edits: ElementEdits

    private var file: InterfaceFile { conversion.scene.file }

    /// - Parameters:
    ///   - parents: The superview of each view.
    ///   - ids: The ids that the file has.
    init(
        _ conversion: InterfaceConversion, parents: [String: String], ids: Set<String>,
        edits: ElementEdits
    ) {
        self.conversion = conversion
        self.parents = parents
        self.ids = ids
        self.edits = edits
    }

    // MARK: Changes

    /// Writes what differs of a constraint.
    mutating func write(
        _ old: ConstraintSpec, _ new: ConstraintSpec, _ id: String
    ) throws(Unwritable) {
        let element = try element(of: id)
        guard case .rule(let before) = old.body, case .rule(let after) = new.body else {
            throw Unwritable("the file has single constraints, no visual formats")
        }
        var same = before
        (same.constant, same.multiplier, same.priority) = (
            after.constant, after.multiplier, after.priority
        )
        var spec = old
        (spec.id, spec.active, spec.body) = (new.id, new.active, new.body)
        spec.wasBareText = new.wasBareText
        guard spec == new else {
            throw Unwritable("identifiers and variations of a constraint are changed in Xcode")
        }
        guard after.second != nil || after.multiplier == 1 else {
            throw Unwritable("a constant of the file has no multiplier")
        }
        guard same == after else { return try rewrite(element, old, new) }
        if before.constant != after.constant {
            let isLeftOut = after.constant == 0 && after.second != nil
            set("constant", isLeftOut ? nil : XMLWriter.number(after.constant), of: element)
            set("symbolic", nil, of: element)
        }
        if before.multiplier != after.multiplier {
            set(
                "multiplier", after.multiplier == 1 ? nil : XMLWriter.number(after.multiplier),
                of: element)
        }
        if before.priority != after.priority {
            set(
                "priority", after.priority == 1000 ? nil : XMLWriter.number(after.priority),
                of: element)
        }
        if old.active != new.active {
            guard let fileID = element["id"], let owner = element.parent?.parent else {
                throw Unwritable("the constraint has no id in the file")
            }
            edits.setInstalled(new.active, fileID, list: "constraints", of: owner)
        }
    }

    /// Writes a constraint of other anchors in the place of one, with its id: outlets stay.
    private mutating func rewrite(
        _ element: XMLElement, _ old: ConstraintSpec, _ new: ConstraintSpec
    ) throws(Unwritable) {
        guard let fileID = element["id"], old.active, new.active, old.variations.isEmpty else {
            throw Unwritable("a constraint that is not always installed keeps its anchors")
        }
        ids.remove(fileID)
        edits.remove(element)
        try add(new, fileID)
        ids.insert(fileID)
    }

    private mutating func set(_ name: String, _ value: String?, of element: XMLElement) {
        let variation = element.children("variation").first {
            $0["key"] == "default" && $0[name] != nil
        }
        edits.set(name, value, of: variation ?? element)
    }

    private func element(of id: String) throws(Unwritable) -> XMLElement {
        guard let origin = conversion.constraints[id] else {
            throw Unwritable("\(id) holds the scene on its device and is not in the file")
        }
        return origin.element
    }

    /// Removes a constraint.
    mutating func remove(_ id: String) throws(Unwritable) {
        let element = try element(of: id)
        if let fileID = element["id"] {
            for other in file.tree.root.subtree where other != element {
                if other["destination"] == fileID {
                    let property = other["property"].map { " \"\($0)\"" } ?? ""
                    throw Unwritable(
                        "the outlet\(property) in line \(other.line) names the constraint; remove the outlet in Xcode first"
                    )
                }
                if other["reference"] == fileID { edits.remove(other) }
            }
        }
        edits.remove(element)
    }

    // MARK: New ones

    /// Adds a constraint.
    mutating func add(_ spec: ConstraintSpec, _ name: String) throws(Unwritable) {
        guard case .rule(let rule) = spec.body else {
            throw Unwritable("the file has single constraints, no visual formats: add rules")
        }
        guard !rule.scalesConstant else {
            throw Unwritable("the file has no constants that grow with the text size")
        }
        guard spec.variations.isEmpty else {
            throw Unwritable("variations of a constraint are made in Xcode")
        }
        let islands = [rule.first, rule.second].compactMap { $0.map { island(of: $0.item.id) } }
        guard Set(islands).count == 1 else {
            throw Unwritable("no constraint reaches into a cell or an embedded scene")
        }
        let owner = try owner(of: rule)
        guard let element = conversion.views[owner]?.element else {
            throw Unwritable("the constraint has no view in the file that could hold it")
        }
        var items: [ItemReference: String] = [:]
        for item in [rule.first.item, rule.second?.item].compactMap({ $0 }) {
            items[item] = try fileID(of: item)
            // Margins are attributes of their view.
            items[ItemReference(id: item.id)] = try fileID(of: ItemReference(id: item.id))
        }
        let id = freshID(name, rule)
        let exported = ExportedConstraint(
            id: id, rule: rule, owner: owner, isActive: spec.active,
            isPlaceholder: spec.placeholder)
        var attributes = exported.attributes(id: id) { items[$0] ?? $0.id }
        if let identifier = spec.identifier {
            try Unwritable.check(identifier)
            attributes.insert(("identifier", identifier), at: attributes.count - 1)
        }
        edits.add(
            NewElement("constraint", attributes), to: element, in: [NewElement("constraints")])
        if !spec.active { edits.setInstalled(false, id, list: "constraints", of: element) }
    }

    /// The view that holds a constraint in the file: the nearest one around both items.
    private func owner(of rule: Rule) throws(Unwritable) -> String {
        let first = path(of: rule.first.item.id)
        guard let second = rule.second else { return rule.first.item.id }
        let others = Set(path(of: second.item.id))
        guard let owner = first.first(where: others.contains) else {
            throw Unwritable("\(rule.first.item.id) and \(second.item.id) have no view in common")
        }
        return owner
    }

    private func path(of id: String) -> [String] {
        // The guides of controllers from before safe areas belong to the outermost view.
        var path = Self.controllerGuides[id] == nil ? [id] : [conversion.rootID]
        while let last = path.last, let parent = parents[last], parent != "root" {
            path.append(parent)
        }
        return path
    }

    /// The content of a cell, or the view of an embedded scene, that a view is in, or else the
    /// outermost view.
    private func island(of id: String) -> String {
        path(of: id).first { view in
            guard let element = conversion.views[view]?.element else { return false }
            let isCell = element.parent?.name.hasSuffix("Cell") == true
            return element["key"] == "contentView" && isCell || element["key"] == "view"
        } ?? conversion.rootID
    }

    private static let controllerGuides = ["topguide": "top", "bottomguide": "bottom"]

    /// The id of a view, or of a guide of it, which the file gets if it has none.
    private mutating func fileID(of item: ItemReference) throws(Unwritable) -> String {
        if let type = Self.controllerGuides[item.id], conversion.views[item.id] == nil {
            let guides = conversion.scene.root.parent?.child("layoutGuides")?.children ?? []
            guard let id = guides.first(where: { $0["type"] == type })?["id"] else {
                throw Unwritable("the file has no \(item.id)")
            }
            return id
        }
        guard let element = conversion.views[item.id]?.element, let id = element["id"] else {
            throw Unwritable("\"\(item.id)\" is not in the file, so that nothing there can name it")
        }
        if element.name.hasSuffix("Cell"), element.child(key: "contentView") != nil {
            throw Unwritable("constraints are made to the content of a cell, not to the cell")
        }
        guard let guide = item.guide, guide != .margins else { return id }
        guard let key = Self.guideKeys[guide],
            element.name == "scrollView" || guide != .content && guide != .viewport
        else { throw Unwritable("the file has no guide \(guide.rawValue) of \(item.id)") }
        let own = element.child("viewLayoutGuide", key: key)
        let place = "\(id) \(key)"
        if let id = own?["id"] ?? freshGuides[place] { return id }
        let fresh = freshID("", place)
        freshGuides[place] = fresh
        edits.add(NewElement("viewLayoutGuide", [("key", key), ("id", fresh)]), to: element)
        return fresh
    }

    static let guideKeys: [BuiltInGuide: String] = [
        .safeArea: "safeArea", .readable: "readableContent", .keyboard: "keyboard",
        .content: "contentLayoutGuide", .viewport: "frameLayoutGuide",
    ]

    /// An id for something new: its name where the file can have that, or one as Xcode makes them,
    /// the same each time the file is written.
    private mutating func freshID(_ name: String, _ what: some CustomStringConvertible) -> String {
        let isPlain =
            name.utf8.count <= 60 && name.first?.isLetter == true
            && name.utf8.allSatisfy {
                $0 == 45 || $0 == 95 || 48...57 ~= $0 || 65...90 ~= $0 || 97...122 ~= $0
            }
        if isPlain, ids.insert(name).inserted { return name }
        var count = 0
        while true {
            var hash = FNV1a.hash(Array("\(what) \(count)".utf8))
            var text = ""
            for index in 0..<8 {
                if index == 3 || index == 5 { text += "-" }
                text.append(Self.alphabet[Int(hash % UInt64(Self.alphabet.count))])
                hash /= UInt64(Self.alphabet.count)
            }
            if ids.insert(text).inserted { return text }
            count += 1
        }
    }

    private static let alphabet = Array(
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789")
}
