import ConstraintLanguage
import JSON
import LayoutValues
import SceneDocument

/// Makes ops from typed or pressed input.
struct EditOps {
    /// The known constraints; nil before the server's first answer.
    let document: ConstraintBook?
    /// The names available in rules.
    let names: Prompt.Names

    static func op(_ name: String, _ members: JSONMember...) -> JSONValue {
        .object([JSONMember("op", .string(name))] + members)
    }

    static func id(_ id: String) -> JSONMember { JSONMember("id", .string(id)) }

    /// The op that changes a constraint's constant.
    static func setConstant(_ id: String, _ constant: Double) -> JSONValue {
        op("setConstraint", self.id(id), JSONMember("constant", .number(constant)))
    }

    /// The ops for an answer to a prompt; empty if it is invalid or changes nothing.
    ///
    /// - Parameter freshID: An unused id for a new constraint.
    func ops(
        for purpose: Prompt.Purpose, _ text: String, freshID: @autoclosure () -> String
    ) -> [JSONValue] {
        switch purpose {
        case .find: return []
        case .rule(let id, let old, let isActive, let set):
            guard let new = try? Rule.parse(text) else { return [] }
            return ops(
                changing: id, from: try? Rule.parse(old), to: new, isActive: isActive, set: set)
        case .addConstraint:
            let rule = (try? Rule.parse(text))?.description ?? text
            return [
                Self.op("addConstraint", Self.id(freshID()), JSONMember("rule", .string(rule)))
            ]
        case .addView(let parent): return addView(text, parent: parent)
        case .reparent(let view):
            return [Self.op("moveView", Self.id(view), JSONMember("parent", .string(text)))]
        case .priority(let constraint):
            guard let value = Double(text) else { return [] }
            return setPriority(constraint, value)
        case .constant(let constraint):
            guard let value = Double(text) else { return [] }
            return [Self.setConstant(constraint, value)]
        case .viewport:
            guard let size = Prompt.viewport(text) else { return [] }
            return [
                Self.op(
                    "setViewport", JSONMember("width", .number(size.width)),
                    JSONMember("height", .number(size.height)))
            ]
        case .text(let view):
            return [Self.op("setView", Self.id(view), JSONMember("text", .string(text)))]
        case .op:
            guard let value = try? JSONReader.read(Array(text.utf8)) else { return [] }
            if let ops = value.array { return ops }
            return [value]
        }
    }

    private func addView(_ text: String, parent: String) -> [JSONValue] {
        guard let view = try? NewView(text, names) else { return [] }
        var members = [JSONMember("op", .string("addView")), Self.id(view.id)]
        if parent != "root" { members.append(JSONMember("parent", .string(parent))) }
        if view.kind != .view { members.append(JSONMember("kind", .string(view.kind.rawValue))) }
        if let text = view.text { members.append(JSONMember("text", .string(text))) }
        return [.object(members)]
    }

    private func setPriority(_ constraint: String, _ priority: Double) -> [JSONValue] {
        guard let known = document?[constraint], let old = known.parsed else {
            return [
                Self.op(
                    "setConstraint", Self.id(constraint), JSONMember("priority", .number(priority)))
            ]
        }
        var new = old
        new.priority = priority
        return ops(
            changing: constraint, from: old, to: new, isActive: known.isActive, set: known.set)
    }

    /// The fewest ops that change a rule into another one.
    private func ops(
        changing id: String, from old: Rule?, to new: Rule, isActive: Bool, set: String?
    ) -> [JSONValue] {
        if let old, old.first == new.first, old.relation == new.relation, old.second == new.second,
            (old.priority == 1000) == (new.priority == 1000)
        {
            var members: [JSONMember] = [Self.id(id)]
            if old.constant != new.constant {
                members.append(JSONMember("constant", .number(new.constant)))
            }
            if old.multiplier != new.multiplier {
                members.append(JSONMember("multiplier", .number(new.multiplier)))
            }
            if old.priority != new.priority {
                members.append(JSONMember("priority", .number(new.priority)))
            }
            guard members.count > 1 else { return [] }
            return [.object([JSONMember("op", .string("setConstraint"))] + members)]
        }
        var members = [Self.id(id), JSONMember("rule", .string(new.description))]
        if let set { members.insert(JSONMember("set", .string(set)), at: 0) }
        if !isActive { members.append(JSONMember("active", .bool(false))) }
        return [
            Self.op("removeConstraint", Self.id(id)),
            .object([JSONMember("op", .string("addConstraint"))] + members),
        ]
    }
}
