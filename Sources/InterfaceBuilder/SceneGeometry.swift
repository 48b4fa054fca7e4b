import ConstraintLanguage
import LayoutValues

/// The stored frames of a scene, in the root's coordinates, and which views they alone place.
struct SceneGeometry {
    let items: [SceneItem]
    /// Origins of the views' frames.
    private let origins: [Point]
    /// Views that their frame and autoresizing mask place.
    let isByFrame: [Bool]
    /// Views that no constraint speaks of.
    let isLoose: [Bool]
    /// Whether a view is in the content of a scroll view.
    let isInScroll: [Bool]

    init(_ items: [SceneItem], _ ties: [SceneTie]) {
        self.items = items
        var origins: [Point] = []
        var inScroll: [Bool] = []
        for item in items {
            guard let parent = item.parent else {
                origins.append(.zero)
                inScroll.append(false)
                continue
            }
            origins.append(
                Point(
                    x: origins[parent].x + item.frame.minX, y: origins[parent].y + item.frame.minY))
            inScroll.append(inScroll[parent] || items[parent].kind == "scrollView")
        }
        self.origins = origins
        isInScroll = inScroll
        var isNamed = [Bool](repeating: false, count: items.count)
        for tie in ties {
            if let index = tie.first.item.view { isNamed[index] = true }
            if let index = tie.second?.item.view { isNamed[index] = true }
        }
        isLoose = items.indices.map { index in
            guard let parent = items[index].parent else { return false }
            return !isNamed[index] && items[parent].kind != "stackView"
        }
        isByFrame = items.indices.map { [isLoose] index in
            let item = items[index]
            guard let parent = item.parent, items[parent].kind != "stackView",
                !item.isPlacedByTable
            else { return false }
            return item.isYes("fixedFrame")
                || item.attributes["translatesAutoresizingMaskIntoConstraints"] != "NO"
                || isLoose[index]
        }
    }

    var size: Size { items[0].frame.size }

    /// What constraints speak of, in the root's coordinates.
    func place(_ index: Int) -> Rect {
        let item = items[index]
        let origin = origins[index]
        return Rect(
            x: origin.x + item.insets.leading, y: origin.y + item.insets.top,
            width: item.aligned.width, height: item.aligned.height)
    }

    /// Where an edge lies; `nil` for what frames do not tell.
    func edge(_ anchor: TieAnchor) -> Double? {
        guard let index = anchor.item.view, anchor.guide == nil else { return nil }
        let place = place(index)
        return switch anchor.attribute {
        case .left, .leading: place.minX
        case .right, .trailing: place.maxX
        case .centerX: place.minX + place.width / 2
        case .top: place.minY
        case .bottom: place.maxY
        case .centerY: place.minY + place.height / 2
        case .width, .height, .firstBaseline, .lastBaseline: nil
        }
    }
}
