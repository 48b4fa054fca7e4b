import Cassowary

/// Frames set by hand, and how they follow the superview's size.
extension View {
    func setFrameByHand(_ rect: Rect) {
        let old = storedFrame
        guard rect != old || extras?.handFrame != nil else { return }
        storedFrame = rect
        if translatesFrame { solvedFrame = rect }
        superview?.noteUnplaced(self)
        forgetHandFrame()
        updateFrameConstraints()
        engine?.frameObserver?(self)
        guard old.size != rect.size else { return }
        markNeedsLayout()
        superview?.markNeedsLayout()
        sizeDidChange(from: old.size)
    }

    /// Has the next layout pass place the view where the last solve found it. The frame that was
    /// set by hand counts no more, and the solver may never have heard of it.
    func takeSolvedFrame() {
        guard let engine, variables != nil else { return }
        let found = engine.solvedFrame(of: self)
        guard found != solvedFrame else { return }
        solvedFrame = found
        superview?.noteUnplaced(self)
        superview?.markNeedsLayout()
    }

    /// The frame as it was set by hand, which the engine's answer leaves where the superview's size
    /// changes or the view collapses; and the superview's size to which what is flexible of it
    /// belongs, in points. No size: nothing is flexible, or the superview was not laid out yet.
    ///
    /// Setting both gives a view back what it was made of, whatever the superview's size is now.
    public var handFrame: (frame: Rect, superviewSize: Size?) {
        get { (extras?.handFrame ?? storedFrame, autoresizingReference) }
        set {
            setFrameByHand(newValue.frame)
            guard let size = newValue.superviewSize else { return }
            writeHandFrame(newValue.frame, size)
            updateFrameConstraints()
        }
    }

    /// Keeps the frame that was set by hand before the engine's takes its place.
    func keepHandFrame() {
        guard extras?.handFrame == nil else { return }
        writeHandFrame(storedFrame, autoresizingReference)
    }

    func forgetHandFrame() {
        guard extras != nil else { return }
        writeHandFrame(nil, nil)
    }

    /// Takes the frame as it is now for the one set by hand, when what makes it follow the
    /// superview is another from now on. Where the view is collapsed, its length is the one that it
    /// would have.
    func rebaseHandFrame() {
        guard let hand = extras?.handFrame else {
            forgetHandFrame()
            return
        }
        var frame = hand
        if let reference = autoresizingReference, let size = superview?.engineFrame.size {
            let shares = autoresizingShares(of: hand, in: reference)
            let wider = size.width - reference.width
            let higher = size.height - reference.height
            frame = Rect(
                x: hand.minX + shares.horizontal.start * wider,
                y: hand.minY + shares.vertical.start * higher,
                width: max(0, hand.width + shares.horizontal.length * wider),
                height: max(0, hand.height + shares.vertical.length * higher))
        }
        writeHandFrame(frame == storedFrame ? nil : frame, nil)
    }

    private func autoresizingShares(
        of frame: Rect, in reference: Size
    ) -> (horizontal: AutoresizingShare, vertical: AutoresizingShare) {
        let mask = autoresizingReference == nil ? [] : autoresizingMask
        let horizontal = AutoresizingShare(
            start: frame.minX, length: frame.width, total: reference.width,
            flexibleStart: mask.contains(.flexibleLeftMargin),
            flexibleLength: mask.contains(.flexibleWidth),
            flexibleEnd: mask.contains(.flexibleRightMargin))
        let vertical = AutoresizingShare(
            start: frame.minY, length: frame.height, total: reference.height,
            flexibleStart: mask.contains(.flexibleTopMargin),
            flexibleLength: mask.contains(.flexibleHeight),
            flexibleEnd: mask.contains(.flexibleBottomMargin))
        return (horizontal, vertical)
    }

    /// The superview's size to which the frame belongs. Before the superview was laid out for the
    /// first time it has none that could be relied on: what is flexible then waits for the end of
    /// the cycle that does it.
    private func measuredReference(_ engine: LayoutEngine) -> Size {
        if let autoresizingReference { return autoresizingReference }
        guard let superview, !autoresizingMask.isEmpty else { return .zero }
        guard superview.solvedFrame != nil else {
            engine.awaitReference(self)
            return .zero
        }
        let size = superview.engineFrame.size
        writeHandFrame(extras?.handFrame, size)
        return size
    }

    /// Turns the frame and the autoresizing mask into constraints, as UIKit does: what is flexible
    /// shares the change of the superview's size in proportion to its length when the frame was
    /// set.
    func updateFrameConstraints() {
        guard let engine, !holdLeftOut(in: engine) else { return }
        guard translatesFrame, let variables else {
            guard !systemConstraints.isEmpty else { return }
            for role in [SystemRole.frameX, .frameY, .frameWidth, .frameHeight] {
                clearSystemConstraint(role, in: engine)
            }
            return
        }
        let reference = measuredReference(engine)
        let frame = handFrame.frame
        let shares = autoresizingShares(of: frame, in: reference)
        func fix(
            _ role: SystemRole, _ variable: Variable, to value: Double, share: Double,
            of extent: Variable?, reference: Double
        ) {
            let axis: Axis? =
                role == .frameWidth ? .horizontal : role == .frameHeight ? .vertical : nil
            if let axis, isCollapsed(along: axis) {
                clearSystemConstraint(role, in: engine)
                return
            }
            var expression = SystemExpression(variable, minus: value - share * reference)
            if share != 0, let extent {
                expression.reference = extent
                expression.share = -share
            }
            // A length that gives stops at zero; were it required, the superview could not become
            // any smaller.
            let strength = axis != nil && share != 0 ? flexibleLengthStrength : .required
            setSystemConstraint(role, to: expression, .equal, strength, in: engine)
        }
        let extents = superview?.variables
        fix(
            .frameX, variables.x, to: frame.minX, share: shares.horizontal.start,
            of: extents?.width, reference: reference.width)
        fix(
            .frameWidth, variables.width, to: frame.width, share: shares.horizontal.length,
            of: extents?.width, reference: reference.width)
        fix(
            .frameY, variables.y, to: frame.minY, share: shares.vertical.start,
            of: extents?.height, reference: reference.height)
        fix(
            .frameHeight, variables.height, to: frame.height, share: shares.vertical.length,
            of: extents?.height, reference: reference.height)
    }

    /// How strongly a length follows the superview's: more than anything that may be given up, but
    /// it stops at zero. Of two, one in the other, the outer is the stronger: what only follows a
    /// view's size does not hold it open.
    private var flexibleLengthStrength: Strength {
        let depth = sequence(first: self, next: { $0.superview }).reduce(0) { count, _ in count + 1
        }
        return LayoutPriority(999 + 0.5 / Double(depth)).strength
    }
}

/// How a change of the superview's length is shared among the two margins and the length of a view.
struct AutoresizingShare {
    var start: Double
    var length: Double

    init(
        start: Double, length: Double, total: Double, flexibleStart: Bool, flexibleLength: Bool,
        flexibleEnd: Bool
    ) {
        let end = total - start - length
        let parts = [
            flexibleStart ? max(start, 0) : 0, flexibleLength ? max(length, 0) : 0,
            flexibleEnd ? max(end, 0) : 0,
        ]
        let sum = parts.reduce(0, +)
        if sum > 0 {
            self.start = parts[0] / sum
            self.length = parts[1] / sum
            return
        }
        // Nothing flexible has a length to go by: they share equally.
        let count = [flexibleStart, flexibleLength, flexibleEnd].filter { $0 }.count
        let share = count == 0 ? 0 : 1 / Double(count)
        self.start = flexibleStart ? share : 0
        self.length = flexibleLength ? share : 0
    }
}
