import LayoutValues
import SceneDocument
import SceneModel

/// The frames of a laid-out scene in the root's coordinates, and which views can be seen.
struct ScreenGeometry {
    struct View {
        var id: String
        var frame: Rect
        var properties: ViewProperties
        var parent: Int?
        /// The scroll view or clipping view around it; `nil` for none.
        var scroll: Int?
        var isHidden: Bool
    }

    private(set) var views: [View] = []
    private(set) var size = Size.zero
    private var indices: [String: Int] = [:]

    init(_ document: SceneDocument, frames: [String: Rect]) {
        if let root = frames["root"] { size = root.size }
        var children: [String: [ViewSpec]] = [:]
        for view in document.views { children[view.parent, default: []].append(view) }
        var stack: [(spec: ViewSpec, parent: Int?)] =
            (children["root"] ?? []).reversed().map { ($0, nil) }
        while let (spec, parent) = stack.popLast() {
            guard let frame = frames[spec.id] else { continue }
            let properties = spec.properties
            let outer = parent.map { views[$0] }
            var view = View(
                id: spec.id, frame: frame, properties: properties, parent: parent,
                scroll: outer?.scroll,
                isHidden: outer?.isHidden == true || properties.hidden == true
                    || properties.opacity == 0)
            view.frame.origin.x += outer?.frame.minX ?? 0
            view.frame.origin.y += outer?.frame.minY ?? 0
            if let parent, outer?.properties.kind == .scroll { view.scroll = parent }
            indices[spec.id] = views.count
            for child in (children[spec.id] ?? []).reversed() { stack.append((child, views.count)) }
            views.append(view)
        }
    }

    subscript(id: String) -> View? { indices[id].map { views[$0] } }

    /// The views that show texts or are used by people, and are not hidden.
    var contents: [Int] {
        views.indices.filter { index in
            let view = views[index]
            guard !view.isHidden else { return false }
            switch view.properties.kind ?? .view {
            case .label: return view.properties.text?.isEmpty == false
            case .button, .switch, .slider, .textField, .segmented: return true
            case .view, .stack, .scroll, .flow, .image, .progress: return false
            }
        }
    }

    /// How far two rectangles reach into one another, in points.
    static func overlap(_ a: Rect, _ b: Rect) -> Double {
        min(
            min(a.maxX, b.maxX) - max(a.minX, b.minX), min(a.maxY, b.maxY) - max(a.minY, b.minY))
    }
}
