extension LookProperties {
    /// Visits the property of a key of the look; other keys have none here.
    mutating func visit<Visitor: ViewPropertyVisitor>(
        _ key: ViewKey, besides other: LookProperties, _ visitor: inout Visitor
    ) throws(Visitor.Failure) {
        switch key {
        case .cornerRadius:
            try visitor.visit(
                key, &cornerRadius, other.cornerRadius, .number(0...Limits.numberMaximum))
        case .maskedCorners: try visitor.visit(key, &maskedCorners, other.maskedCorners, .corners)
        case .borderWidth:
            try visitor.visit(
                key, &borderWidth, other.borderWidth, .number(0...Limits.numberMaximum))
        case .borderColor: try visitor.visit(key, &borderColor, other.borderColor, .color)
        case .shadow: try visitor.visit(key, &shadow, other.shadow, .shadow)
        case .gradient: try visitor.visit(key, &gradient, other.gradient, .gradient)
        case .tint: try visitor.visit(key, &tint, other.tint, .color)
        case .transform: try visitor.visit(key, &transform, other.transform, .transform)
        case .image: try visitor.visit(key, &image, other.image, .image)
        case .symbol: try visitor.visit(key, &symbol, other.symbol, .symbol)
        case .chart: try visitor.visit(key, &chart, other.chart, .chart)
        case .kind, .text, .lines, .align, .preferredWidth, .background, .foreground, .border,
            .opacity, .hidden, .clips, .contentMode, .collapses, .intrinsic, .hugging, .compression,
            .baseline, .margins, .safeArea, .frame, .frameIn, .autoresizing, .axis, .distribution,
            .alignment, .spacing, .customSpacing, .arranged, .contentOffset,
            .layoutMarginsRelativeArrangement, .dynamicType, .traits, .variations,
            .insetsLayoutMarginsFromSafeArea, .preservesSuperviewLayoutMargins,
            .keyboardUsesBottomSafeArea, .minimumContentSizeCategory, .maximumContentSizeCategory,
            .installed, .alignmentInsets, .contentInset, .contentInsetAdjustmentBehavior,
            .layoutMarginsFollowReadableWidth, .baselineRelativeArrangement, .textStyle, .fontSize,
            .fontWeight, .lineBreakMode, .minimumScaleFactor, .events, .enabled, .focusable,
            .selected, .continuous, .scrolls, .label, .role, .hint, .value, .minimum, .maximum,
            .step, .placeholder, .segments:
            break
        }
    }
}
