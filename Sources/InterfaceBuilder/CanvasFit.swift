import ConstraintLanguage
import LayoutValues

/// How many constraints about guides the stored frames break under a guess of the bars. A guess is
/// judged by the frames alone, without the solver.
struct CanvasFit {
    let geometry: SceneGeometry
    let ties: [SceneTie]
    let safeArea: EdgeInsets
    /// The margins of the root without what the safe area adds.
    let rootMargins: EdgeInsets
    let rootFollowsSafeArea: Bool
    /// The largest miss that pixels explain, in points.
    let slack: Double

    var misfit: Int {
        ties.count { tie in
            guard tie.priority == 1000, speaksOfGuides(tie), let left = value(tie.first, tie.second)
            else { return false }
            guard let second = tie.second else { return false }
            guard let right = value(second, tie.first) else { return false }
            let miss = left - (tie.multiplier * right + tie.constant)
            switch tie.relation {
            case .equal: return miss.magnitude > slack
            case .lessThanOrEqual: return miss > slack
            case .greaterThanOrEqual: return -miss > slack
            }
        }
    }

    private func speaksOfGuides(_ tie: SceneTie) -> Bool {
        // A multiplier of places acts in coordinates that this does not know.
        guard tie.multiplier == 1 || tie.first.attribute.isSize else { return false }
        return [tie.first, tie.second].contains { anchor in
            guard let anchor else { return false }
            return anchor.item.view == nil || anchor.guide == .safeArea || anchor.guide == .margins
        }
    }

    private func value(_ anchor: TieAnchor, _ other: TieAnchor?) -> Double? {
        let height = geometry.size.height
        switch anchor.item {
        case .topGuide: return edge(of: (0, safeArea.top), anchor.attribute)
        case .bottomGuide: return edge(of: (height - safeArea.bottom, height), anchor.attribute)
        case .view(let index):
            if anchor.guide == .content || anchor.guide == .readable || anchor.guide == .keyboard {
                return nil
            }
            if geometry.items[index].kind == "scrollView", !anchor.attribute.isSize,
                let inner = other?.item.view, inner != index
            {
                return nil
            }
            guard !anchor.attribute.isBaseline else { return nil }
            var place = geometry.place(index)
            if anchor.guide == .safeArea { place = place.inset(covered(index)) }
            if anchor.guide == .margins { place = place.inset(margins(index)) }
            return anchor.attribute.isHorizontal
                ? edge(of: (place.minX, place.maxX), anchor.attribute)
                : edge(of: (place.minY, place.maxY), anchor.attribute)
        }
    }

    private func edge(of span: (Double, Double), _ attribute: LayoutAttribute) -> Double? {
        switch attribute {
        case .left, .leading, .top: span.0
        case .right, .trailing, .bottom: span.1
        case .centerX, .centerY: (span.0 + span.1) / 2
        case .width, .height: span.1 - span.0
        case .firstBaseline, .lastBaseline: nil
        }
    }

    /// The safe area of a view, which is what of the screen's reaches into it.
    private func covered(_ index: Int) -> EdgeInsets {
        guard !geometry.isInScroll[index] else { return .zero }
        return reach(safeArea, into: index, from: 0)
    }

    private func reach(_ outer: EdgeInsets, into index: Int, from ancestor: Int) -> EdgeInsets {
        let (inside, around) = (geometry.place(index), geometry.place(ancestor))
        return EdgeInsets(
            top: max(0, outer.top - (inside.minY - around.minY)),
            leading: max(0, outer.leading - (inside.minX - around.minX)),
            bottom: max(0, outer.bottom - (around.maxY - inside.maxY)),
            trailing: max(0, outer.trailing - (around.maxX - inside.maxX)))
    }

    private func margins(_ index: Int) -> EdgeInsets {
        // Superviews come first, so this ends at the root.
        var path = [index]
        while let parent = geometry.items[path[path.count - 1]].parent,
            geometry.items[path[path.count - 1]].isYes("preservesSuperviewLayoutMargins")
        {
            path.append(parent)
        }
        var margins = own(path[path.count - 1])
        for (outer, inner) in zip(path.reversed(), path.reversed().dropFirst()) {
            margins = own(inner).enclosing(reach(margins, into: inner, from: outer))
        }
        return margins
    }

    private func own(_ index: Int) -> EdgeInsets {
        let item = geometry.items[index]
        if index == 0 { return rootFollowsSafeArea ? rootMargins + safeArea : rootMargins }
        let standard: Double = item.kind == "stackView" ? 0 : 8
        let margins =
            ElementInsets.margins(of: item.element)
            ?? EdgeInsets(top: standard, leading: standard, bottom: standard, trailing: standard)
        guard item.attributes["insetsLayoutMarginsFromSafeArea"] != "NO" else { return margins }
        return margins + covered(index)
    }
}

/// Insets of elements.
enum ElementInsets {
    static func margins(of element: XMLElement) -> EdgeInsets? {
        if let insets = element.child("edgeInsets", key: "layoutMargins") {
            return read(insets, "left", "right")
        }
        if let insets = element.child("directionalEdgeInsets", key: "directionalLayoutMargins") {
            return read(insets, "leading", "trailing")
        }
        return nil
    }

    static func read(_ element: XMLElement, _ leading: String, _ trailing: String) -> EdgeInsets {
        EdgeInsets(
            top: element.number("top") ?? 0, leading: element.number(leading) ?? 0,
            bottom: element.number("bottom") ?? 0, trailing: element.number(trailing) ?? 0)
    }
}

extension EdgeInsets {
    static func + (left: EdgeInsets, right: EdgeInsets) -> EdgeInsets {
        EdgeInsets(
            top: left.top + right.top, leading: left.leading + right.leading,
            bottom: left.bottom + right.bottom, trailing: left.trailing + right.trailing)
    }

    func enclosing(_ other: EdgeInsets) -> EdgeInsets {
        EdgeInsets(
            top: max(top, other.top), leading: max(leading, other.leading),
            bottom: max(bottom, other.bottom), trailing: max(trailing, other.trailing))
    }
}

extension Rect {
    func inset(_ insets: EdgeInsets) -> Rect {
        Rect(
            x: minX + insets.leading, y: minY + insets.top,
            width: width - insets.leading - insets.trailing,
            height: height - insets.top - insets.bottom)
    }
}
