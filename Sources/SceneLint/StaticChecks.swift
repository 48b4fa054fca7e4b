import ConstraintLanguage
import InterfaceBuilder
import LayoutValues
import SceneDocument

/// Checks what a scene says, without laying it out.
struct StaticChecks {
    let scene: LintScene

    func run(into findings: inout SceneFindings) {
        noteDuplicates(&findings)
        noteDeadItems(&findings)
        noteFixedHeights(&findings)
    }

    // MARK: Duplicates

    private func noteDuplicates(_ findings: inout SceneFindings) {
        guard findings.checks(.duplicate) else { return }
        let document = scene.languages.first?.document ?? scene.canvas
        var first: [Rule: String] = [:]
        for (index, spec) in document.constraints.enumerated() {
            guard case .rule(let rule) = spec.body, spec.active, !spec.placeholder,
                spec.variations.isEmpty
            else { continue }
            let id = spec.resolvedID(index: index)
            guard let item = scene.constraints[id] else { continue }
            let normal = Self.normalised(rule)
            guard let earlier = first[normal] else {
                first[normal] = id
                continue
            }
            let original = scene.constraint(earlier)
            let fix = scene.conversion.flatMap { removal(item, in: $0.scene.file) }
            findings.add(
                .duplicate, [item],
                "\(item.name) says what line \(original.line) says already; remove one", fix: fix)
        }
    }

    /// A constraint in one of the two directions that say the same.
    private static func normalised(_ rule: Rule) -> Rule {
        guard let second = rule.second, rule.multiplier == 1, !rule.scalesConstant,
            second.description < rule.first.description
        else { return rule }
        var result = rule
        result.first = second
        result.second = rule.first
        result.constant = rule.constant == 0 ? 0 : -rule.constant
        switch rule.relation {
        case .equal: break
        case .lessThanOrEqual: result.relation = .greaterThanOrEqual
        case .greaterThanOrEqual: result.relation = .lessThanOrEqual
        }
        return result
    }

    /// A constraint that an outlet or a variation names stays: code may change it.
    private func removal(_ item: LintScene.Item, in file: InterfaceFile) -> LintFix? {
        guard let id = item.element?["id"], !file.isReferenced(id) else { return nil }
        return FrameFix.removal(item, in: file)
    }

    // MARK: Dead items

    private func noteDeadItems(_ findings: inout SceneFindings) {
        guard findings.checks(.deadItem), let conversion = scene.conversion else { return }
        let file = conversion.scene.file
        for (element, id) in conversion.dangling where !file.exists(id) {
            let item = LintScene.Item(
                name: element["id"] ?? "", line: element.line, id: element["id"] ?? id)
            findings.add(
                .deadItem, [item], "the constraint names \(id), which is not in the file; remove it"
            )
        }
    }

    // MARK: Labels

    private func noteFixedHeights(_ findings: inout SceneFindings) {
        guard findings.checks(.fixedHeightLabel) else { return }
        let document = scene.languages.first?.document ?? scene.canvas
        let labels = Set(
            document.views.filter {
                $0.properties.kind == .label && $0.properties.lines != 1
                    && $0.properties.text?.isEmpty == false
            }.map(\.id))
        let scaled = Set(
            document.views.filter {
                $0.properties.kind == .label && $0.properties.dynamicType != false
            }.map(\.id))
        for (index, spec) in document.constraints.enumerated() {
            guard case .rule(let rule) = spec.body, rule.second == nil,
                rule.first.attribute == .height, rule.first.item.guide == nil,
                rule.relation != .greaterThanOrEqual, rule.priority == 1000, spec.active,
                labels.contains(rule.first.item.id) || scaled.contains(rule.first.item.id)
            else { continue }
            let label = scene.view(rule.first.item.id)
            let item = scene.constraint(spec.resolvedID(index: index))
            let limit = rule.relation == .equal ? "" : "at most "
            findings.add(
                .fixedHeightLabel, [item, label],
                "\(label.name) is \(limit)\(short(rule.constant)) high in any language and text size; use >=, or no height"
            )
        }
    }
}
