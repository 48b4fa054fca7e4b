/// An invisible rectangle that constraints can speak of, in the coordinates of the view that owns
/// it.
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
        /// The margins' guide, no wider than is good to read; constraints of its own hold it there.
        case readable
        /// The lower part of the owner, as far up as a keyboard reaches.
        case keyboard
    }

    let kind: Kind
    /// The view in whose coordinates the guide lies; `nil` once it was removed.
    public internal(set) var owningView: View? {
        get { owner?.item?.asView }
        set { owner = newValue?.handle }
    }
    private var owner: LayoutItemHandle?

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
    var hasVariables: Bool { kind == .free || kind == .content || kind == .readable }

    /// Whether the guide's extent along an axis follows from its owner's.
    func followsBounds(along axis: Axis) -> Bool {
        switch kind {
        case .margins, .safeArea, .readable, .viewport: true
        case .keyboard: axis == .horizontal
        case .free, .content: false
        }
    }

    /// The guide's rectangle as the engine has it now, in its owner's coordinates.
    public var layoutFrame: Rect {
        guard let engine = owningView?.engine else { return .zero }
        guard let owner = owningView else { return .zero }
        switch kind {
        case .free, .readable: return engine.solvedFrame(of: self)
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
        case .keyboard:
            let size = engine.solvedFrame(of: owner).size
            let height = owner.keyboardInset
            return Rect(x: 0, y: size.height - height, width: size.width, height: height)
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
        return kind == .margins ? owner.effectiveMargins : owner.safeAreaInsets
    }

    override func addLeftEdge(to sum: inout LinearExpression, times factor: Double) {
        switch kind {
        case .free, .readable: super.addLeftEdge(to: &sum, times: factor)
        case .content, .keyboard: break
        case .viewport: sum.constant += factor * ((owningView as? ScrollView)?.contentOffset.x ?? 0)
        case .margins, .safeArea:
            let isLeft = owningView?.effectiveLayoutDirection != .rightToLeft
            sum.constant += factor * (isLeft ? insets.leading : insets.trailing)
        }
    }

    override func addTopEdge(to sum: inout LinearExpression, times factor: Double) {
        switch kind {
        case .free, .readable: super.addTopEdge(to: &sum, times: factor)
        case .content: break
        case .viewport: sum.constant += factor * ((owningView as? ScrollView)?.contentOffset.y ?? 0)
        case .margins, .safeArea: sum.constant += factor * insets.top
        case .keyboard:
            owningView?.addHeight(to: &sum, times: factor)
            sum.constant -= factor * (owningView?.keyboardInset ?? 0)
        }
    }

    override func addWidth(to sum: inout LinearExpression, times factor: Double) {
        if hasVariables { return super.addWidth(to: &sum, times: factor) }
        owningView?.addWidth(to: &sum, times: factor)
        guard kind != .viewport, kind != .keyboard else { return }
        sum.constant -= factor * (insets.leading + insets.trailing)
    }

    override func addHeight(to sum: inout LinearExpression, times factor: Double) {
        if hasVariables { return super.addHeight(to: &sum, times: factor) }
        if kind == .keyboard {
            sum.constant += factor * (owningView?.keyboardInset ?? 0)
            return
        }
        owningView?.addHeight(to: &sum, times: factor)
        guard kind != .viewport else { return }
        sum.constant -= factor * (insets.top + insets.bottom)
    }
}
