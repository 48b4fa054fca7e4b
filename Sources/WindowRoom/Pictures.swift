import AutoLayout
import ConstraintLanguage
import SceneClient

/// Takes pictures of a window, in which a view has one name for as long as it lives.
///
/// Used on the window's thread alone.
final class Pictures {
    /// What a program says of how a view looks, beyond what the view draws.
    typealias Style = (View, inout ViewProperties) -> Void

    private struct Name {
        weak var view: View?
        var id: String
    }

    /// What the names of drawn items have between the view's name and their number; no view of the
    /// program's keeps such a name.
    private static let drawn = "-drawn-"
    /// Bytes of a view's name, which leave room for that of an item.
    private static let nameByteMaximum = 48

    private let style: Style
    private var names: [ObjectIdentifier: Name] = [:]
    private var count = 0

    init(style: @escaping Style) { self.style = style }

    /// What the window shows now.
    ///
    /// - Complexity: O(views and their lines).
    func take(of window: Window) -> Picture {
        var picture = Picture()
        picture.size = window.frame.size
        picture.cell = window.textMetrics.cell
        rename(window)
        var waiting: [(view: View, parent: String)] = [(window, "")]
        while let (view, parent) = waiting.popLast() {
            let id = view === window ? "root" : names[ObjectIdentifier(view)]?.id ?? "root"
            if view !== window {
                picture.entries.append(
                    Picture.Entry(id: id, parent: parent, properties: properties(of: view)))
            }
            if !(view is TextContentView) { picture.entries += drawn(by: view, id) }
            waiting += view.subviews.reversed().map { ($0, id) }
        }
        return picture
    }

    // MARK: Names

    /// Gives each view of the window a name: its own where that can be one and no other view has
    /// it, otherwise a number.
    private func rename(_ window: Window) {
        var next: [ObjectIdentifier: Name] = [:]
        var taken: Set<String> = ["root"]
        var nameless: [View] = []
        for view in window.preorder where view !== window {
            let key = ObjectIdentifier(view)
            if let known = names[key], known.view === view {
                next[key] = known
                taken.insert(known.id)
            } else {
                nameless.append(view)
            }
        }
        for view in nameless {
            var id = view.identifier
            let isFree =
                Identifier.isValid(id) && id.utf8.count <= Self.nameByteMaximum
                && !id.contains(Self.drawn)
            if !isFree || !taken.insert(id).inserted {
                repeat {
                    count += 1
                    id = "view-\(count)"
                } while !taken.insert(id).inserted
            }
            next[ObjectIdentifier(view)] = Name(view: view, id: id)
        }
        names = next
    }

    // MARK: Looks

    private func properties(of view: View) -> ViewProperties {
        var properties = ViewProperties()
        properties.frame = view.frame
        if view.isHidden { properties.hidden = true }
        if let text = view as? TextContentView {
            properties.kind = .label
            properties.lines = 0
            properties.text = text.lines.map(\.text).joined(separator: "\n")
            if text.textAlignment != .natural { properties.align = text.textAlignment }
            // Its lines are broken already, at the size that people here want.
            properties.dynamicType = false
        } else if let scroll = view as? ScrollView {
            properties.kind = .scroll
            properties.contentOffset = scroll.contentOffset
        }
        style(view, &properties)
        return properties
    }

    /// What a view of a class of the program's own drew, as views behind its subviews.
    private func drawn(by view: View, _ id: String) -> [Picture.Entry] {
        view.displayList.enumerated().map { index, item in
            var properties = ViewProperties()
            switch item {
            case .text(let line):
                properties.kind = .label
                properties.text = line.text
                properties.dynamicType = false
                properties.frame = Rect(
                    x: line.origin.x, y: line.origin.y, width: line.width,
                    height: TextMetrics.standard.cell.height)
            case .fill(let rectangle, let color):
                properties.frame = rectangle
                properties.background = DynamicColor(color)
            }
            return Picture.Entry(
                id: id + Self.drawn + "\(index)", parent: id,
                properties: properties)
        }
    }
}
