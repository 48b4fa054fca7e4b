/// An edge, a centre line, a baseline or an extent of an item, by UIKit's names.
public enum LayoutAttribute: String, CaseIterable, Sendable {
    /// The left edge, whatever the direction of text.
    case left
    /// The right edge, whatever the direction of text.
    case right
    /// The top edge.
    case top
    /// The bottom edge.
    case bottom
    /// The edge where text begins: left, or right where text runs from the right.
    case leading
    /// The edge where text ends.
    case trailing
    /// The horizontal extent.
    case width
    /// The vertical extent.
    case height
    /// The middle between left and right.
    case centerX
    /// The middle between top and bottom.
    case centerY
    /// The baseline of the topmost line of text.
    case firstBaseline
    /// The baseline of the bottommost line of text.
    case lastBaseline

    /// Whether the attribute is measured along x; true of `width` too.
    public var isHorizontal: Bool {
        switch self {
        case .left, .right, .leading, .trailing, .width, .centerX: true
        case .top, .bottom, .height, .centerY, .firstBaseline, .lastBaseline: false
        }
    }

    /// Whether the attribute is measured along y; true of `height` too.
    public var isVertical: Bool { !isHorizontal }

    /// The attribute of a word; nil for any other word. As `init(rawValue:)` does it, by a table.
    init?(word: String) {
        guard let attribute = Self.named[word] else { return nil }
        self = attribute
    }

    private static let named: [String: LayoutAttribute] = Dictionary(
        uniqueKeysWithValues: allCases.map { ($0.rawValue, $0) })

    /// Whether the attribute is an extent (`width`, `height`) and not a place.
    public var isSize: Bool { self == .width || self == .height }
}

/// How the two sides of a rule compare.
public enum LayoutRelation: String, CaseIterable, Sendable {
    /// Both sides are the same.
    case equal = "=="
    /// The left side is at most the right side.
    case lessThanOrEqual = "<="
    /// The left side is at least the right side.
    case greaterThanOrEqual = ">="
}

/// The guides that a view has without being given any.
public enum BuiltInGuide: String, CaseIterable, Sendable {
    /// The view less its margins.
    case margins
    /// The view less the insets that something else covers.
    case safeArea
    /// What a scroll view scrolls.
    case content
    /// The part of a scroll view that shows its content.
    case viewport
    /// The view less its margins, and no wider than is good to read.
    case readable
    /// The part of the view that an on-screen keyboard covers; while it is hidden, the part below
    /// the safe area.
    case keyboard
}

/// A view, a guide, or one of a view's built-in guides, by name: `sidebar`, `root.margins`.
public struct ItemReference: Hashable, Sendable, CustomStringConvertible {
    /// The name of the view or guide.
    public var id: String
    /// The built-in guide of the view `id`, or nil for the item itself.
    public var guide: BuiltInGuide?

    /// Makes a reference to an item, or to a built-in guide of it.
    public init(id: String, guide: BuiltInGuide? = nil) {
        self.id = id
        self.guide = guide
    }

    /// The reference as it stands in a rule.
    public var description: String {
        guard let guide else { return id }
        return "\(id).\(guide.rawValue)"
    }
}

/// An attribute of an item: `sidebar.width`, `root.margins.leading`.
public struct AnchorReference: Hashable, Sendable, CustomStringConvertible {
    /// The item.
    public var item: ItemReference
    /// Its attribute.
    public var attribute: LayoutAttribute

    /// Makes a reference to an attribute of an item.
    public init(item: ItemReference, attribute: LayoutAttribute) {
        self.item = item
        self.attribute = attribute
    }

    /// The anchor as it stands in a rule.
    public var description: String { "\(item).\(attribute.rawValue)" }
}
