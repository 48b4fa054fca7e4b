import SceneDocument
import SceneWire

/// Details of a view: its frame, the constraints that determine it, and its problems.
struct InspectorPanel {
    let mirror: SceneMirror
    let metrics: SceneMetrics
    let selection: String?
    /// The server's answer for the selected view; nil before it arrives.
    let facts: SceneInspection.ViewState?
    let document: ConstraintBook?
    let broken: [SceneInspection.BrokenConstraint]
    let diagnostics: Diagnostics
    /// Whether the server supports inspections.
    let canInspect: Bool

    var content: PanelContent {
        guard let selection, let view = mirror.view(id: selection) else {
            var lines = [
                PanelLine("nothing is selected", .faint), PanelLine("click a view, or Tab", .faint),
            ]
            lines += sceneLines
            return PanelContent(title: "inspector", lines: lines)
        }
        var lines = frameLines(view)
        lines += stateLines(view)
        if let facts {
            lines += holdLines("holds it along x", facts.horizontal)
            lines += holdLines("holds it along y", facts.vertical)
            lines += constraintLines(facts)
        } else {
            lines += [
                .empty,
                PanelLine(
                    canInspect
                        ? "asking what holds it …" : "this server does not say what holds a view",
                    .faint),
            ]
        }
        lines += sceneLines
        return PanelContent(title: "inspector", lines: lines)
    }

    private func frameLines(_ view: ViewRecord) -> [PanelLine] {
        let unit = metrics.unitsPerPoint
        func points(_ value: Int) -> String { NumberFormat.plain(Double(value) / unit) }
        let frame = view.frame
        var lines = [
            PanelLine([Span(view.id, .accent), Span("  \(view.content.kind.rawValue)", .faint)]),
            PanelLine([
                Span("frame  ", .faint),
                Span(
                    "\(points(Int(frame.x))), \(points(Int(frame.y)))   "
                        + "\(points(Int(frame.width))) × \(points(Int(frame.height)))"),
            ]),
        ]
        // In the root itself that would say the same twice.
        if view.parent != nil, view.parent != mirror.root,
            let absolute = mirror.absoluteFrame(view.number)
        {
            lines.append(
                PanelLine([
                    Span("from root  ", .faint),
                    Span("\(points(absolute.x)), \(points(absolute.y))"),
                ]))
        }
        if let parent = view.parent.flatMap({ mirror.view($0)?.id }) {
            lines.append(PanelLine([Span("in ", .faint), Span(parent)], item: .view(parent)))
        }
        let children = mirror.subviews(of: view.number).count
        if children > 0 {
            lines.append(
                PanelLine(children == 1 ? "1 subview" : "\(children) subviews", .faint))
        }
        if !view.content.lines.isEmpty {
            let text = view.content.lines.map(\.text).joined(separator: " ⏎ ")
            lines.append(PanelLine([Span("text  ", .faint), Span(text)]))
        }
        return lines
    }

    private func stateLines(_ view: ViewRecord) -> [PanelLine] {
        var lines: [PanelLine] = []
        let content = view.content
        var looks: [String] = []
        if content.hidden { looks.append("hidden") }
        if content.clips { looks.append("clips") }
        if content.opacity < 255 {
            looks.append("opacity \(NumberFormat.plain(Double(content.opacity) / 255))")
        }
        if content.border != .none { looks.append("\(content.border.rawValue) border") }
        if let color = content.background { looks.append("on \(color.text)") }
        if !looks.isEmpty { lines.append(PanelLine(looks.joined(separator: ", "), .faint)) }
        if let marks = facts?.marks, !marks.isEmpty {
            lines.append(PanelLine(marks.joined(separator: ", "), .warning))
        }
        if facts?.isAmbiguous ?? diagnostics.ambiguous.contains(view.id) {
            lines.append(PanelLine("ambiguous: its constraints leave its place open", .bad))
        }
        if diagnostics.feedbackLoop.contains(view.id) {
            lines.append(PanelLine("in a feedback loop", .bad))
        }
        return lines
    }

    private func holdLines(_ title: String, _ holds: [SceneInspection.Influence]) -> [PanelLine] {
        var lines: [PanelLine] = [.empty, .heading(title)]
        if holds.isEmpty { lines.append(PanelLine("nothing", .faint)) }
        for hold in holds {
            if let id = hold.id {
                lines.append(constraintLine(id, rule: hold.rule))
            } else {
                lines.append(
                    PanelLine([Span("  \(hold.kind)  ", .faint), Span(hold.rule)]))
            }
        }
        return lines
    }

    private func constraintLines(_ facts: SceneInspection.ViewState) -> [PanelLine] {
        let held = Set((facts.horizontal + facts.vertical).compactMap(\.id))
        let others = facts.constraints.filter { !held.contains($0) }
        guard !others.isEmpty else { return [] }
        return [.empty, .heading("other constraints that name it")]
            + others.map { id in
                constraintLine(
                    id, rule: document?[id]?.rule ?? "")
            }
    }

    private func constraintLine(_ id: String, rule: String) -> PanelLine {
        let known = document?[id]
        let isBroken = broken.contains { $0.id == id } || diagnostics.broken.contains(id)
        let mark =
            isBroken
            ? Span("✗ ", .bad)
            : known?.isActive == false ? Span("○ ", .faint) : Span("● ", .good)
        let set = known?.set.map { "  in \($0)" } ?? ""
        return PanelLine(
            [mark, Span(rule.isEmpty ? id : rule), Span("  \(id)\(set)", .faint)],
            item: .constraint(id))
    }

    /// The problems of the whole scene, and suggestions.
    private var sceneLines: [PanelLine] {
        var lines: [PanelLine] = []
        let given =
            broken.isEmpty
            ? diagnostics.broken.map { SceneInspection.BrokenConstraint(id: $0, conflicts: []) }
            : broken
        if !given.isEmpty {
            lines += [.empty, PanelLine("given up, since they contradict others", .bad)]
            for item in given {
                let rule = document?[item.id]?.rule ?? ""
                lines.append(constraintLine(item.id, rule: rule))
                for conflict in item.conflicts where conflict != item.id {
                    lines.append(
                        PanelLine(
                            [Span("    against ", .faint), Span(conflict, .warning)],
                            item: .constraint(conflict)))
                }
            }
            lines.append(PanelLine("space takes one out of force, p gives it a priority", .faint))
        }
        if !diagnostics.ambiguous.isEmpty {
            lines += [.empty, PanelLine("ambiguous", .warning)]
            for id in diagnostics.ambiguous.prefix(100) {
                lines.append(PanelLine("  \(id)", .plain, item: .view(id)))
            }
        }
        return lines
    }
}

/// The tree of views, and the constraint sets.
enum ScenePanels {
    /// A line for each view.
    static func tree(_ mirror: SceneMirror, selection: String?) -> PanelContent {
        let order = mirror.preorder()
        return PanelContent(title: "views (\(order.count))", count: order.count) { index in
            guard let view = mirror.view(order[index]) else { return .empty }
            var depth = 0
            var parent = view.parent
            while let number = parent, depth < 64 {
                depth += 1
                parent = mirror.view(number)?.parent
            }
            let isSelected = view.id == selection
            var spans = [
                Span(String(repeating: "  ", count: depth)),
                Span(view.id, isSelected ? .key : view.content.hidden ? .faint : .plain),
            ]
            if view.content.kind != .view {
                spans.append(Span("  \(view.content.kind.rawValue)", .faint))
            }
            if let text = view.content.lines.first?.text {
                spans.append(Span("  \(text)", .faint))
            }
            return PanelLine(spans, item: .view(view.id))
        }
    }

    /// The line of a view in the tree.
    static func treeLine(of id: String, in mirror: SceneMirror) -> Int? {
        mirror.number(id: id).flatMap { mirror.preorder().firstIndex(of: $0) }
    }

    static func sets(_ document: ConstraintBook?, canInspect: Bool) -> PanelContent {
        guard let document else {
            return PanelContent(
                title: "constraint sets",
                lines: [
                    PanelLine(
                        canInspect ? "asking …" : "this server does not tell its constraints",
                        .faint)
                ])
        }
        var lines = document.sets.map { set in
            PanelLine(
                [
                    Span(set.isActive ? "● " : "○ ", set.isActive ? .good : .faint),
                    Span(set.id, .accent),
                    Span(
                        set.count == 1 ? "  1 constraint" : "  \(set.count) constraints", .faint),
                    Span(set.isOverridden ? "  by hand" : "", .warning),
                    Span(set.condition.map { "  when \($0)" } ?? ""),
                ], item: .set(set.id))
        }
        if lines.isEmpty { lines = [PanelLine("the scene has none", .faint)] }
        lines += [
            .empty, PanelLine("Enter puts one in force, x out of force,", .faint),
            PanelLine("A leaves that to its condition", .faint),
        ]
        return PanelContent(title: "constraint sets", lines: lines)
    }
}
