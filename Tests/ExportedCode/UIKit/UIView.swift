public import AutoLayout
public import Foundation

// As much of UIKit as exported code uses, with UIKit's own names and types, on our own engine: code
// that compiles against it has UIKit's shape, and what it builds can be laid out and compared. It
// knows nothing of scenes or documents.

/// A view; what does not bear on layout is kept and not used.
open class UIView {
    public let view: View
    public let layer = CALayer()
    public var backgroundColor: UIColor?
    public var alpha: CGFloat = 1
    public var clipsToBounds = false
    public var tintColor: UIColor?

    public init() {
        view = View()
        view.translatesAutoresizingMaskIntoConstraints = true
    }

    /// Stands for a view of the engine's.
    public init(_ view: View) { self.view = view }

    /// Takes a view that nobody else has.
    init(new view: View) {
        self.view = view
        view.translatesAutoresizingMaskIntoConstraints = true
    }

    public var transform: CGAffineTransform {
        get { CGAffineTransform(view.transform) }
        set { view.transform = newValue.affine }
    }

    public var isHidden: Bool {
        get { view.isHidden }
        set { view.isHidden = newValue }
    }

    public var frame: CGRect {
        get {
            let frame = view.frame
            return CGRect(x: frame.minX, y: frame.minY, width: frame.width, height: frame.height)
        }
        set {
            view.frame = Rect(
                x: Double(newValue.origin.x), y: Double(newValue.origin.y),
                width: Double(newValue.size.width), height: Double(newValue.size.height))
        }
    }

    public var translatesAutoresizingMaskIntoConstraints: Bool {
        get { view.translatesAutoresizingMaskIntoConstraints }
        set { view.translatesAutoresizingMaskIntoConstraints = newValue }
    }

    public var autoresizingMask: AutoresizingMask {
        get { view.autoresizingMask }
        set { view.autoresizingMask = newValue }
    }

    public var contentMode: ContentMode {
        get { view.contentMode }
        set { view.contentMode = newValue }
    }

    public var directionalLayoutMargins: NSDirectionalEdgeInsets {
        get { NSDirectionalEdgeInsets(view.layoutMargins) }
        set { view.layoutMargins = newValue.insets }
    }

    public func setContentHuggingPriority(
        _ priority: UILayoutPriority, for axis: NSLayoutConstraint.Axis
    ) {
        view.contentHuggingPriority[axis] = LayoutPriority(Double(priority.rawValue))
    }

    public func setContentCompressionResistancePriority(
        _ priority: UILayoutPriority, for axis: NSLayoutConstraint.Axis
    ) {
        view.contentCompressionResistancePriority[axis] = LayoutPriority(Double(priority.rawValue))
    }

    open func addSubview(_ other: UIView) { attempt { try view.addSubview(other.view) } }
    public func addLayoutGuide(_ guide: UILayoutGuide) { view.addLayoutGuide(guide.guide) }
    public var layoutMarginsGuide: UILayoutGuide { UILayoutGuide(view.layoutMarginsGuide) }
    public var safeAreaLayoutGuide: UILayoutGuide { UILayoutGuide(view.safeAreaLayoutGuide) }
}

/// Does what UIKit would raise an exception for if it failed.
func attempt<Result>(_ body: () throws -> Result) -> Result {
    do { return try body() } catch { fatalError("\(error)") }
}

extension PriorityByAxis {
    subscript(axis: NSLayoutConstraint.Axis) -> LayoutPriority {
        get { axis == .horizontal ? horizontal : vertical }
        set { if axis == .horizontal { horizontal = newValue } else { vertical = newValue } }
    }
}

public final class UILabel: UIView {
    private var label: Label { view as? Label ?? Label() }
    public var textColor: UIColor?
    public var font: UIFont?
    public var adjustsFontForContentSizeCategory = false
    public var adjustsFontSizeToFitWidth = false
    public var minimumScaleFactor: CGFloat = 0
    public var lineBreakMode = NSLineBreakMode.byTruncatingTail

    public override init() { super.init(new: Label()) }

    public var text: String? {
        get { label.text }
        set { label.text = newValue ?? "" }
    }

    public var numberOfLines: Int {
        get { label.numberOfLines }
        set { label.numberOfLines = newValue }
    }

    public var textAlignment: TextAlignment {
        get { label.textAlignment }
        set { label.textAlignment = newValue }
    }

    public var preferredMaxLayoutWidth: CGFloat {
        get { CGFloat(label.preferredMaxLayoutWidth) }
        set { label.preferredMaxLayoutWidth = Double(newValue) }
    }
}

public final class UIImageView: UIView {
    public var image: UIImage?

    public override init() { super.init(new: ImageView()) }
}

public final class UIStackView: UIView {
    private var stack: StackView { view as? StackView ?? StackView() }

    public override init() {
        let stack = StackView()
        stack.explicitArrangement = []
        super.init(new: stack)
    }

    public var axis: NSLayoutConstraint.Axis {
        get { stack.axis == .horizontal ? .horizontal : .vertical }
        set { stack.axis = newValue == .horizontal ? .horizontal : .vertical }
    }

    public var distribution: StackView.Distribution {
        get { stack.distribution }
        set { stack.distribution = newValue }
    }

    public var alignment: StackView.Alignment {
        get { stack.alignment }
        set { stack.alignment = newValue }
    }

    public var spacing: CGFloat {
        get { CGFloat(stack.spacing) }
        set { stack.spacing = Double(newValue) }
    }

    public func addArrangedSubview(_ other: UIView) {
        addSubview(other)
        stack.explicitArrangement?.append(other.view)
    }

    public func setCustomSpacing(_ spacing: CGFloat, after other: UIView) {
        stack.setCustomSpacing(Double(spacing), after: other.view)
    }
}

public final class UIScrollView: UIView {
    private var scroll: ScrollView { view as? ScrollView ?? ScrollView() }

    public override init() { super.init(new: ScrollView()) }

    public var contentLayoutGuide: UILayoutGuide { UILayoutGuide(scroll.contentLayoutGuide) }
    public var frameLayoutGuide: UILayoutGuide { UILayoutGuide(scroll.frameLayoutGuide) }

    public var contentOffset: CGPoint {
        get { CGPoint(x: scroll.contentOffset.x, y: scroll.contentOffset.y) }
        set { scroll.contentOffset = Point(x: Double(newValue.x), y: Double(newValue.y)) }
    }
}

public final class UILayoutGuide {
    public let guide: LayoutGuide

    public init() { guide = LayoutGuide() }
    init(_ guide: LayoutGuide) { self.guide = guide }
}
