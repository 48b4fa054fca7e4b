import Bytes
import ConstraintLanguage
import JSON
import LayoutValues
import SceneWire

/// Edits the scene. Every change is an op, and is shown as the op that it sends.
extension ViewerState {
    /// The names available in rules.
    var names: Prompt.Names {
        Prompt.Names(
            views: scene?.mirror.records.map(\.id) ?? [],
            guides: inspected.document?.guides ?? [])
    }

    // MARK: Keys

    /// Handles an editing key; returns false for other keys.
    mutating func pressEditing(_ key: Key, now: Double) -> Bool {
        switch key {
        case .character("u"): step(isUndo: true, now: now)
        case .character("U"), .control("r"): step(isUndo: false, now: now)
        case .character(":"): open(.op, #"{"op":"","#, now: now)
        case .character("c"):
            open(.addConstraint, selection.map { $0 + "." } ?? "", now: now)
        case .character("a"): open(.addView(parent: selection ?? "root"), "", now: now)
        case .character("w"):
            let size = scene?.welcome.viewport
            open(
                .viewport,
                viewportText ?? size.map { "\(number($0.width))x\(number($0.height))" } ?? "",
                now: now)
        case .character("m"), .character("e"), .character("x"), .delete, .character("H"):
            guard let selection else {
                say("select a view first: click it, or Tab", .warning, now)
                return true
            }
            change(selection, key, now: now)
        default: return false
        }
        return true
    }

    /// The scene's present size in points.
    private var viewportText: String? {
        guard let scene, let root = scene.mirror.root.flatMap({ scene.mirror.view($0) }) else {
            return nil
        }
        let unit = scene.metrics.unitsPerPoint
        return
            "\(number(Double(root.frame.width) / unit))x\(number(Double(root.frame.height) / unit))"
    }

    private func number(_ value: Double) -> String { NumberText.of(value) }

    private mutating func change(_ view: String, _ key: Key, now: Double) {
        guard view != "root" else {
            return say("the root stays as it is; w changes its size", .warning, now)
        }
        let record = scene?.mirror.view(id: view)
        switch key {
        case .character("m"): open(.reparent(id: view), "", now: now)
        case .character("e"):
            let text = record?.content.lines.map(\.text).joined(separator: " ") ?? ""
            open(.text(id: view), text, now: now)
        case .character("H"):
            let isHidden = record?.content.hidden ?? false
            send(
                [EditOps.op("setView", EditOps.id(view), JSONMember("hidden", .bool(!isHidden)))],
                now: now)
        default: send([EditOps.op("removeView", EditOps.id(view))], now: now)
        }
    }

    private mutating func open(_ purpose: Prompt.Purpose, _ text: String, now: Double) {
        guard isEditor else {
            return say(
                "you came in as a viewer: start with --edit to change things", .warning, now)
        }
        prompt = Prompt(purpose, text, names: names)
    }

    private mutating func step(isUndo: Bool, now: Double) {
        guard isEditor, has(Capability.undo) else {
            return say("there is nothing here that could be taken back", .warning, now)
        }
        log.add(isUndo ? "undo" : "redo", undoGroup: 0, now: now)
        ask(isUndo ? .undo : .redo)
    }

    // MARK: Constraints

    /// - Returns: Whether the key has a meaning for a constraint.
    mutating func act(onConstraint id: String, _ key: Key, now: Double) -> Bool {
        let known = inspected.document?[id]
        switch key {
        case .enter:
            guard let known else {
                say("this constraint's rule is not known", .warning, now)
                return true
            }
            open(
                .rule(id: id, old: known.rule, isActive: known.isActive, set: known.set),
                known.rule, now: now)
        case .character(" "):
            send(
                [
                    EditOps.op(
                        "setConstraint", EditOps.id(id),
                        JSONMember("active", .bool(!(known?.isActive ?? true))))
                ], now: now)
        case .character("p"):
            open(.priority(id: id), known?.parsed.map { number($0.priority) } ?? "", now: now)
        case .character("="):
            open(.constant(id: id), known?.parsed.map { number($0.constant) } ?? "", now: now)
        case .character("+"), .character("-"):
            guard let rule = known?.parsed else { return false }
            let step = key == .character("+") ? 8.0 : -8.0
            send([EditOps.setConstant(id, rule.constant + step)], now: now)
        case .character("x"), .delete:
            send([EditOps.op("removeConstraint", EditOps.id(id))], now: now)
        default: return false
        }
        return true
    }

    mutating func act(onSet id: String, _ key: Key, now: Double) -> Bool {
        switch key {
        case .enter, .character(" "): send([EditOps.op("activateSet", EditOps.id(id))], now: now)
        case .character("x"): send([EditOps.op("deactivateSet", EditOps.id(id))], now: now)
        case .character("A"):
            send(
                [EditOps.op("activateSet", EditOps.id(id), JSONMember("auto", .bool(true)))],
                now: now)
        default: return false
        }
        return true
    }

    // MARK: The prompt

    mutating func pressPrompt(_ key: Key, now: Double) -> Action {
        guard var prompt else { return .none }
        switch key {
        case .escape: self.prompt = nil
        case .enter: submit(prompt, now: now)
        default:
            guard prompt.press(key, names: names) else { return .none }
            self.prompt = prompt
            if prompt.purpose == .find { preview(prompt.editor.text) }
        }
        return .redraw
    }

    private mutating func submit(_ prompt: Prompt, now: Double) {
        let text = prompt.editor.text
        if prompt.purpose == .find {
            searched = text
            self.prompt = nil
            preview(text)
            return
        }
        // A fault is shown where it is; the answer stays to be put right.
        guard prompt.fault == nil, !text.isEmpty || isText(prompt.purpose) else { return }
        let ops = EditOps(document: inspected.document, names: names).ops(
            for: prompt.purpose, text, freshID: freshConstraintID)
        self.prompt = nil
        guard !ops.isEmpty else { return }
        send(ops, now: now)
    }

    private func isText(_ purpose: Prompt.Purpose) -> Bool {
        if case .text = purpose { return true }
        return false
    }

    /// An unused constraint id: that of the selected view, and a number.
    private var freshConstraintID: String {
        let taken = Set(inspected.document?.constraints.map(\.id) ?? [])
        let base = String((selection ?? "rule").prefix(48))
        // Another member may take the same one; the refusal says so.
        var number = log.entries.count + 1
        while taken.contains("\(base)-\(number)") { number += 1 }
        return "\(base)-\(number)"
    }
}
