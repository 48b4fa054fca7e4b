/// An invisible rectangle that constraints can speak of, in the coordinates of the view that owns it.
///
/// - Source: Apple, `UILayoutGuide`.
public final class LayoutGuide: LayoutItem {
    /// What decides where the guide is.
    enum Kind {
        /// Its constraints.
        case free
        /// The owner's bounds, inset by its margins.
        case margins
        /// The owner's bounds, inset by its safe area.
        case safeArea
        /// A scroll view's content: at the origin, its size from constraints.
        case content
        /// The part of a scroll view's content that shows.
        case viewport
    }

    let kind: Kind
    /// The view in whose coordinates the guide lies; `nil` once it was removed.
    public internal(set) weak var owningView: View?

    /// Makes a guide; it takes part once a view owns it (`View.addLayoutGuide`).
    public override init(identifier: String = "") {
        kind = .free
        super.init(identifier: identifier)
    }

    init(kind: Kind, identifier: String) {
        self.kind = kind
        super.init(identifier: identifier)
    }

    /// Whether the guide has unknowns of its own; the others follow from their owner's.
    var hasVariables: Bool { kind == .free || kind == .content }

    /// The guide's rectangle as the engine has it now, in its owner's coordinates.
    public var layoutFrame: Rect {
        guard let engine = owningView?.engine else { return .zero }
        guard let owner = owningView else { return .zero }
        switch kind {
        case .free: return engine.solvedFrame(of: self)
        case .content:
            return Rect(origin: .zero, size: engine.solvedFrame(of: self).size)
        case .margins, .safeArea:
            let size = engine.solvedFrame(of: owner).size
            let insets = self.insets
            let left = owner.effectiveLayoutDirection == .leftToRight
            return Rect(
                x: left ? insets.leading : insets.trailing, y: insets.top,
                width: size.width - insets.leading - insets.trailing,
                height: size.height - insets.top - insets.bottom)
        case .viewport:
            return Rect(
                origin: (owner as? ScrollView)?.contentOffset ?? .zero,
                size: engine.solvedFrame(of: owner).size)
        }
    }

    override var coordinateSpace: View? { owningView }
    override var hostView: View? { owningView }

    private var insets: EdgeInsets {
        guard let owner = owningView else { return .zero }
        return kind == .margins ? owner.layoutMargins : owner.safeAreaInsets
    }

    override func leftEdge() -> LinearExpression {
        switch kind {
        case .free: return super.leftEdge()
        case .content: return LinearExpression()
        case .viewport:
            return LinearExpression(
                constant: (owningView as? ScrollView)?.contentOffset.x ?? 0)
        case .margins, .safeArea:
            let isLeft = owningView?.effectiveLayoutDirection != .rightToLeft
            return LinearExpression(constant: isLeft ? insets.leading : insets.trailing)
        }
    }

    override func topEdge() -> LinearExpression {
        switch kind {
        case .free: return super.topEdge()
        case .content: return LinearExpression()
        case .viewport:
            return LinearExpression(
                constant: (owningView as? ScrollView)?.contentOffset.y ?? 0)
        case .margins, .safeArea: return LinearExpression(constant: insets.top)
        }
    }

    override func widthExtent() -> LinearExpression {
        if hasVariables { return super.widthExtent() }
        let owner = owningView?.widthExtent() ?? LinearExpression()
        guard kind != .viewport else { return owner }
        return owner.adding(.init(constant: -insets.leading - insets.trailing))
    }

    override func heightExtent() -> LinearExpression {
        if hasVariables { return super.heightExtent() }
        let owner = owningView?.heightExtent() ?? LinearExpression()
        guard kind != .viewport else { return owner }
        return owner.adding(.init(constant: -insets.top - insets.bottom))
    }
}
