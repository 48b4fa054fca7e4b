import ConstraintLanguage

/// Text is read best in lines that are not too long.
extension View {
    /// The characters in a line of the readable width. UIKit documents no formula; 84 cells of 8
    /// points are the 672 points that it takes on a screen of 1,024 at the size `large`.
    private static var readableColumns: Double { 84 }

    /// The guide for text: as wide as the margins allow, at most 84 characters of body text, in the
    /// middle between the margins. Apple, `UIView.readableContentGuide`.
    public var readableContentGuide: LayoutGuide {
        if let guide = extras?.readableGuide { return guide }
        let guide = LayoutGuide(kind: .readable, identifier: identifier + ".readable")
        guide.owningView = self
        writeExtras().readableGuide = guide
        engine?.join(guide)
        engine?.readableGuideCount += 1
        let margins = layoutMarginsGuide
        func constraint(
            _ attribute: LayoutAttribute, _ relation: LayoutRelation, _ other: LayoutGuide?,
            _ constant: Double = 0, priority: LayoutPriority = .required
        ) -> LayoutConstraint {
            LayoutConstraint(
                item: guide, attribute: attribute, relatedBy: relation, toItem: other,
                attribute: other == nil ? nil : attribute, constant: constant,
                priority: priority, identifier: "\(guide.identifier).\(attribute.rawValue)")
        }
        let limit = constraint(.width, .lessThanOrEqual, nil, readableWidth)
        writeExtras().readableLimit = limit
        // Just under required: the guide fills the margins whatever its content wishes, and gives
        // way at its limit.
        for made in [
            constraint(.top, .equal, margins), constraint(.bottom, .equal, margins),
            constraint(.centerX, .equal, margins), limit,
            constraint(.width, .lessThanOrEqual, margins),
            constraint(.width, .equal, margins, priority: LayoutPriority(999)),
        ] { made.activateBreaking() }
        return guide
    }

    /// The widest that lines of text should be here, in points.
    var readableWidth: Double { Self.readableColumns * bodyCell.width }

    /// The cell of body text here: that of the window's grid, in the size that people want.
    private var bodyCell: Size {
        let cell = (hierarchyRoot as? Window)?.textMetrics.cell ?? TextMetrics.standard.cell
        return currentTraits.contentSizeCategory.scaled(cell)
    }

    /// What constants that scale are multiplied by: how often 16 points, the standard line, go into
    /// a line of body text.
    var textScale: Double { bodyCell.height / TextMetrics.standard.cell.height }

    /// Has constants that scale follow the size of text.
    func rescaleConstants() {
        for item in [self as LayoutItem] + ownedGuides.map({ $0 as LayoutItem }) {
            for constraint in item.attachedConstraints
            where constraint.scalesConstant && constraint.firstItem === item {
                engine?.rederiveBreaking(constraint)
            }
        }
    }

    /// Has the guide follow the size of text.
    func updateReadableWidth() {
        guard let limit = extras?.readableLimit, limit.constant != readableWidth else { return }
        do {
            try limit.changeBreaking { (limit) throws(LayoutError) in
                try limit.setConstant(readableWidth)
            }
        } catch {
            engine?.cycle.report(error)
        }
    }
}
