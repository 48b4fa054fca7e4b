public import ConstraintLanguage
import JSON

/// What is different in a constraint under some traits of the view that it speaks of first.
public struct ConstraintVariation: Sendable, Equatable {
    /// The traits, none of them of another item and none about a size.
    public var when: Condition
    /// The constant then; nil for the rule's.
    public var constant: Double?
    /// The priority then; nil for the rule's.
    public var priority: Double?
    /// Whether it is in force then; nil for what `active` says.
    public var active: Bool?

    /// Makes a variation.
    public init(
        when: Condition, constant: Double? = nil, priority: Double? = nil, active: Bool? = nil
    ) {
        self.when = when
        self.constant = constant
        self.priority = priority
        self.active = active
    }

    /// The variations that a constraint may have.
    static let maximum = 16

    /// What several that all apply come to, each key by itself; the stronger as among a view's
    /// variations.
    public static func merged(_ applying: [ConstraintVariation]) -> ConstraintVariation? {
        guard let first = applying.first else { return nil }
        let ranked = applying.enumerated().sorted { left, right in
            (left.element.when.traitRank, left.offset) < (
                right.element.when.traitRank, right.offset
            )
        }
        var result = ConstraintVariation(when: first.when)
        for (_, variation) in ranked {
            result.constant = variation.constant ?? result.constant
            result.priority = variation.priority ?? result.priority
            result.active = variation.active ?? result.active
        }
        return result
    }
}

extension ConstraintVariation {
    static func list(_ node: JSONCursor) throws(DocumentError) -> [ConstraintVariation] {
        let nodes = try node.list()
        guard nodes.count <= maximum else {
            throw node.error(
                .limit, "\(nodes.count) variations of a constraint, the most are \(maximum)")
        }
        var result: [ConstraintVariation] = []
        for node in nodes { result.append(try ConstraintVariation(node)) }
        return result
    }

    private init(_ node: JSONCursor) throws(DocumentError) {
        var fields = try node.object()
        when = try Variation.condition(try fields.require("when"))
        constant = try fields.take("constant")?
            .number(in: -Limits.numberMaximum...Limits.numberMaximum)
        priority = try fields.take("priority")?.number(in: 1...1000)
        active = try fields.take("active")?.bool()
        try fields.finish()
        guard constant != nil || priority != nil || active != nil else {
            throw node.error(
                .badOp, "nothing varies", expected: "\"constant\", \"priority\" or \"active\"")
        }
    }

    var json: JSONValue {
        var list = JSONMembers()
        list.add("when", when.description)
        list.add("constant", constant)
        list.add("priority", priority)
        list.add("active", active)
        return list.json
    }
}

extension Condition {
    /// How strong a variation with this condition is: the more traits it asks for, the stronger; of
    /// those that ask for equally many, one that asks for the width's class.
    var traitRank: Int {
        var names: Set<Trait> = []
        for clause in clauses {
            switch clause.test {
            case .trait(let name, _, _): names.insert(name)
            case .scale: names.insert(.displayScale)
            case .size: break
            }
        }
        return 2 * names.count + (names.contains(.horizontalSizeClass) ? 1 : 0)
    }
}
