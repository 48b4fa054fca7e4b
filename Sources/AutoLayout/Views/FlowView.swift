import Cassowary

/// Places its subviews one after another, and starts a new row where the next one does not fit.
///
/// A custom layout that constraints cannot express, done in `layoutSubviews` as any other would be:
/// it reads the sizes that the engine found and only moves what is in its own subtree.
public final class FlowView: View {
    override var isBuiltIn: Bool { true }

    /// The gap between neighbours in a row and between rows, in points.
    public var spacing: Double = 0 {
        didSet { if spacing != oldValue { markNeedsLayout() } }
    }

    private var arrangedHeight: Double = 0
    private var naturalWidth: Double = 0

    /// As wide as all members in one row, as tall as the rows at the present width.
    public override var intrinsicContentSize: Size {
        Size(width: naturalWidth, height: arrangedHeight)
    }

    /// The size of the rows in which the members fit into a width; one row where the width is 0.
    ///
    /// - Complexity: O(members).
    public override func sizeThatFits(_ size: Size) -> Size {
        engine?.charge(LayoutEngine.Price.arranged * UInt64(subviews.count))
        let available = size.width > 0 ? size.width : .infinity
        var (x, y, rowHeight, widest) = (0.0, 0.0, 0.0, 0.0)
        for member in subviews where member.isInstalled && !member.isHidden {
            let length = member.solvedFrame?.size ?? member.storedFrame.size
            if x > 0, x + length.width > available + 1e-6 {
                (x, y, rowHeight) = (0, y + rowHeight + spacing, 0)
            }
            widest = max(widest, x + length.width)
            x += length.width + spacing
            rowHeight = max(rowHeight, length.height)
        }
        return Size(width: widest, height: y + rowHeight)
    }

    public override func layoutSubviews() {
        arrange()
        super.layoutSubviews()
    }

    /// Its size may come from nothing but its members, so they are arranged before it has one.
    override func placeSubviewsWhileEmpty() {
        arrange()
        super.placeSubviewsWhileEmpty()
    }

    public override func boundsSizeDidChange() {
        super.boundsSizeDidChange()
        markNeedsLayout()
    }

    public override func subviewsDidChange() {
        markNeedsLayout()
    }

    private func arrange() {
        guard let engine else { return }
        engine.charge(LayoutEngine.Price.arranged * UInt64(subviews.count))
        var x = 0.0
        var y = 0.0
        var rowHeight = 0.0
        var total = 0.0
        let isMirrored = effectiveLayoutDirection == .rightToLeft
        for member in subviews {
            guard let variables = member.variables, let size = member.solvedFrame?.size else {
                continue
            }
            guard member.isInstalled else {
                member.clearSystemConstraint(.flowX, in: engine)
                member.clearSystemConstraint(.flowY, in: engine)
                continue
            }
            if x > 0, !member.isHidden, x + size.width > frame.width + 1e-6 {
                x = 0
                y += rowHeight + spacing
                rowHeight = 0
            }
            let left = isMirrored ? frame.width - x - size.width : x
            // Just under required, so that a place that people demand wins.
            member.setSystemConstraint(
                .flowX, to: SystemExpression(variables.x, minus: left), .equal,
                LayoutPriority(999).strength, in: engine)
            member.setSystemConstraint(
                .flowY, to: SystemExpression(variables.y, minus: y), .equal,
                LayoutPriority(999).strength, in: engine)
            // A hidden member waits where the next one begins; left where it was, its place would
            // depend on the past.
            guard !member.isHidden else { continue }
            x += size.width + spacing
            rowHeight = max(rowHeight, size.height)
            total += size.width + spacing
        }
        let height = y + rowHeight
        let width = max(0, total - spacing)
        guard height != arrangedHeight || width != naturalWidth else { return }
        arrangedHeight = height
        naturalWidth = width
        updateContentSizeConstraints()
    }
}
