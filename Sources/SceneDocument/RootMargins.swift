import JSON
public import LayoutValues

/// The margins of the whole area. JSON: insets, `"view"` or `"controller"`.
public enum RootMargins: Sendable, Hashable {
    /// Those that any view has: 8 points at each edge.
    case view
    /// Those of the view of a view controller in UIKit: none above and below, and at the sides 16
    /// points, or 20 where the area is at least 414 points wide. Apple,
    /// `UIViewController.systemMinimumLayoutMargins`; the widths are those at which it changes
    /// between phones.
    case controller
    /// These, in points.
    case insets(EdgeInsets)

    /// The margins in an area, in points.
    ///
    /// - Parameter width: The area's width, in points.
    public func insets(width: Double) -> EdgeInsets {
        switch self {
        case .view: return EdgeInsets(top: 8, leading: 8, bottom: 8, trailing: 8)
        case .controller:
            let side: Double = width < 414 ? 16 : 20
            return EdgeInsets(top: 0, leading: side, bottom: 0, trailing: side)
        case .insets(let insets): return insets
        }
    }
}

extension RootMargins {
    init(_ node: JSONCursor) throws(DocumentError) {
        if case .string = node.value.kind {
            switch try node.text() {
            case "view": self = .view
            case "controller": self = .controller
            case let other:
                throw node.error(
                    .badValue, "unknown margins \"\(other.prefix(80))\"",
                    expected: "[top, leading, bottom, trailing], \"view\" or \"controller\"")
            }
            return
        }
        self = .insets(try node.insets())
    }

    var json: JSONValue {
        switch self {
        case .view: .string("view")
        case .controller: .string("controller")
        case .insets(let insets):
            .numbers(insets.top, insets.leading, insets.bottom, insets.trailing)
        }
    }
}
