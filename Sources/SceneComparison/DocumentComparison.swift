import ConstraintLanguage
import JSON
import LayoutValues
import SceneDocument

/// The changes of views.
enum ViewComparison {
    static func changes(
        _ old: SceneDocument, _ new: SceneDocument, _ words: Words
    ) -> [SceneComparison.Change] {
        var before: [String: ViewSpec] = [:]
        for view in old.views { before[view.id] = view }
        let after = Set(new.views.map(\.id))
        var changes: [SceneComparison.Change] = []
        func add(_ kind: SceneComparison.Change.Kind, _ id: String, _ text: String) {
            changes.append(.init(kind: kind, subject: "view", id: id, text: text))
        }
        for view in new.views {
            let name = words.view(view.id)
            let kind = (view.properties.kind ?? .view).rawValue
            guard let earlier = before[view.id] else {
                add(.added, view.id, "new \(kind) \(name) in \(words.view(view.parent))")
                continue
            }
            if earlier.parent != view.parent {
                add(
                    .changed, view.id,
                    "\(name) is in \(words.view(view.parent)) now, before in \(words.view(earlier.parent))"
                )
            }
            for text in differences(earlier.properties, view.properties) {
                add(.changed, view.id, "\(name): \(text)")
            }
        }
        for view in old.views where !after.contains(view.id) {
            let kind = (view.properties.kind ?? .view).rawValue
            add(.removed, view.id, "removed \(kind) \(words.view(view.id))")
        }
        return changes
    }

    /// Each key that differs: `spacing 8 → 12`.
    private static func differences(_ old: ViewProperties, _ new: ViewProperties) -> [String] {
        guard old != new else { return [] }
        let before = members(old)
        let after = members(new)
        var result: [String] = []
        for key in ViewKey.allCases.map(\.rawValue) {
            guard before[key] != after[key], key != "frame", key != "frameIn" else { continue }
            // The size of a button's content follows from its title, which is said already.
            if key == "intrinsic", before["text"] != after["text"] { continue }
            result.append("\(key) \(text(before[key])) → \(text(after[key]))")
        }
        return result
    }

    private static func members(_ properties: ViewProperties) -> [String: JSONValue] {
        var document = SceneDocument(viewport: Viewport(width: 1, height: 1))
        document.views = [ViewSpec(id: "v", properties: properties)]
        guard let json = try? JSONReader.read(Array(document.json().utf8)),
            let views = json["views"]?.array, let view = views.first,
            let list = view.members
        else { return [:] }
        var result: [String: JSONValue] = [:]
        for member in list { result[member.key] = member.value }
        return result
    }

    private static func text(_ value: JSONValue?) -> String { value?.text() ?? "none" }
}

/// The changes of constraints.
enum ConstraintComparison {
    private struct Entry {
        var rule: Rule?
        var text: String
        var spec: ConstraintSpec
    }

    static func changes(
        _ old: SceneDocument, _ new: SceneDocument, _ words: Words
    ) -> [SceneComparison.Change] {
        let before = entries(old)
        let after = entries(new)
        let known = Dictionary(before, uniquingKeysWith: { first, _ in first })
        let kept = Set(after.map(\.0))
        var changes: [SceneComparison.Change] = []
        func add(_ kind: SceneComparison.Change.Kind, _ id: String, _ text: String) {
            changes.append(.init(kind: kind, subject: "constraint", id: id, text: text))
        }
        for (id, entry) in after {
            guard let earlier = known[id] else {
                add(.added, id, "new constraint \(words.constraint(id, entry.text))")
                continue
            }
            if let text = difference(earlier, entry, words) { add(.changed, id, text) }
        }
        for (id, entry) in before where !kept.contains(id) {
            add(
                .removed, id,
                "removed constraint \(entry.rule.map { say($0, words) } ?? entry.text)")
        }
        return changes
    }

    /// Constraints without names are known by what they say: their places in the list shift.
    private static func entries(_ document: SceneDocument) -> [(String, Entry)] {
        var result: [(String, Entry)] = []
        func add(_ specs: [ConstraintSpec], _ set: String?) {
            for spec in specs {
                let (rule, text): (Rule?, String) =
                    switch spec.body {
                    case .rule(let rule): (rule, rule.description)
                    case .visualFormat(let format, _): (nil, format.source)
                    }
                let id = spec.id ?? rule.map(place) ?? text
                let key = set.map { "\($0) \(id)" } ?? id
                result.append((key, Entry(rule: rule, text: text, spec: spec)))
            }
        }
        add(document.constraints, nil)
        for set in document.sets { add(set.constraints, set.id) }
        return result
    }

    private static func place(_ rule: Rule) -> String {
        "\(rule.first) \(rule.relation.rawValue) \(rule.second.map(\.description) ?? "")"
    }

    private static func difference(_ old: Entry, _ new: Entry, _ words: Words) -> String? {
        var parts: [String] = []
        if let a = old.rule, let b = new.rule {
            if place(a) != place(b) {
                return "\(say(a, words)) is \(say(b, words)) now"
            }
            func number(_ name: String, _ before: Double, _ after: Double) {
                guard before != after else { return }
                let arrow = "\(signed(before)) → \(signed(after))"
                parts.append(name.isEmpty ? arrow : "\(name) \(arrow)")
            }
            number("", a.constant, b.constant)
            number("multiplier", a.multiplier, b.multiplier)
            number("priority", a.priority, b.priority)
        } else if old.text != new.text {
            return "\(old.text) is \(new.text) now"
        }
        if old.spec.active != new.spec.active {
            parts.append(new.spec.active ? "is in force now" : "is out of force now")
        }
        if old.spec.placeholder != new.spec.placeholder {
            parts.append(new.spec.placeholder ? "is a placeholder now" : "is no placeholder now")
        }
        if old.spec.variations != new.spec.variations { parts.append("varies otherwise") }
        guard !parts.isEmpty else { return nil }
        var name = new.rule.map { subject($0, words) } ?? new.text
        if let priority = new.rule?.priority, priority != 1000 {
            name += " @\(FrameWords.length(priority))"
        }
        return "\(name): \(parts.joined(separator: ", "))"
    }

    private static func signed(_ value: Double) -> String {
        (value < 0 ? "−" : "") + FrameWords.length(value)
    }

    private static func subject(_ rule: Rule, _ words: Words) -> String {
        guard let second = rule.second else { return say(rule.first, words) }
        return "\(say(rule.first, words)) to \(say(second, words))"
    }

    private static func say(_ anchor: AnchorReference, _ words: Words) -> String {
        let guide = anchor.item.guide.map { ".\($0.rawValue)" } ?? ""
        return "\(words.view(anchor.item.id))\(guide).\(anchor.attribute.rawValue)"
    }

    private static func say(_ rule: Rule, _ words: Words) -> String {
        var text = "\(say(rule.first, words)) \(rule.relation.rawValue) "
        if let second = rule.second {
            if rule.multiplier != 1 { text += "\(FrameWords.length(rule.multiplier)) × " }
            text += say(second, words)
            if rule.constant != 0 {
                text += " \(rule.constant < 0 ? "−" : "+") \(FrameWords.length(rule.constant))"
            }
        } else {
            text += signed(rule.constant)
        }
        if rule.priority != 1000 { text += " @\(FrameWords.length(rule.priority))" }
        return text
    }
}
