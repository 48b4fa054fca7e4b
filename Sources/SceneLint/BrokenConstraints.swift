import AutoLayout
import ConstraintLanguage
import InterfaceBuilder
import LayoutValues
import SceneDocument
import SceneModel

/// Reports constraints that were given up because they contradict others, with the smallest set
/// that does.
struct BrokenConstraints {
    let scene: LintScene
    let frames: [String: Rect]
    let document: SceneDocument

    func report(_ model: SceneModel, into findings: inout SceneFindings, circumstance: String) {
        guard findings.checks(.contradiction) else { return }
        let broken = Set(model.brokenConstraintIDs)
        guard !broken.isEmpty else { return }
        for diagnostic in model.takeDiagnostics() {
            guard case .brokeConstraint(let id, let conflict) = diagnostic, broken.contains(id),
                !isWithinAPixel(id)
            else { continue }
            let names = ([id] + conflict.filter { $0 != id })
            // The height of a cell follows its content: the canvas's height contradicts nothing.
            if scene.isFlexible, names.contains(where: isPin) { continue }
            let items = names.filter { scene.constraints[$0] != nil }.map(scene.constraint)
            guard let first = items.first else { continue }
            let others = items.dropFirst().prefix(6).map { "\($0.name) (line \($0.line))" }
            var text = "\(first.name) contradicts "
            text += others.isEmpty ? "the sizes around it" : others.joined(separator: "; ")
            if items.count > 7 { text += "; \(items.count - 7) more" }
            findings.add(.contradiction, [first], text, circumstance: circumstance)
        }
    }

    private func isPin(_ id: String) -> Bool {
        guard let root = scene.conversion?.rootID else { return false }
        return ["leading", "top", "trailing", "bottom", "height", "width"].contains {
            id == "\(root)-\($0)"
        }
    }

    /// Whether frames miss what a constraint asks for by no more than rounding does: heights of
    /// cells in a file are whole points.
    private func isWithinAPixel(_ id: String) -> Bool {
        guard let spec = document.constraints.first(where: { $0.id == id }),
            case .rule(let rule) = spec.body, rule.second == nil, rule.first.attribute.isSize,
            rule.first.item.guide == nil, let frame = frames[rule.first.item.id]
        else { return false }
        let length = rule.first.attribute == .width ? frame.width : frame.height
        return (length - rule.constant).magnitude <= 1
    }
}

/// Says which constraint would settle a view.
struct AmbiguityHint {
    let text: String
    let isAboutSizes: Bool

    init(scene: LintScene, id: String, model: SceneModel) {
        let state = model.inspection(of: [id], includesDocument: false, tick: 0)?.views.first
        func speaks(_ influences: [SceneInspection.Influence], _ attributes: [String]) -> Bool {
            influences.contains { influence in
                influence.kind == "contentSize" && !attributes.contains("leading")
                    && !attributes.contains("top")
                    || attributes.contains { influence.rule.contains("\(id).\($0)") }
            }
        }
        let horizontal = state?.horizontal ?? []
        let vertical = state?.vertical ?? []
        let hasX = speaks(horizontal, ["leading", "trailing", "left", "right", "centerX"])
        let hasWidth = speaks(horizontal, ["width"])
        let hasY = speaks(vertical, ["top", "bottom", "centerY", "firstBaseline", "lastBaseline"])
        let hasHeight = speaks(vertical, ["height"])
        var missing: [String] = []
        if !hasX { missing.append("a constraint for its horizontal position") }
        if !hasY { missing.append("a constraint for its vertical position") }
        if hasX, !hasWidth { missing.append("a constraint for its width or its other side") }
        if hasY, !hasHeight { missing.append("a constraint for its height or its other edge") }
        isAboutSizes = hasX && hasY
        text =
            missing.isEmpty
            ? "views beside it share the room in more than one way; give one a higher hugging or compression priority"
            : "it needs " + missing.joined(separator: " and ")
    }
}
