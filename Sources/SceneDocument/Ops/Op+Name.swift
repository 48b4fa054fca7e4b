extension Op {
    /// The names of all ops, as the key `op` has them in JSON, in the order of the documentation.
    ///
    /// The list that everything else is held against: parsing and writing switch over it without a
    /// default, and the clients in other languages are tested against its cases.
    public enum Name: String, CaseIterable, Sendable {
        case setScene
        case addView
        case removeView
        case moveView
        case setView
        case resetView
        case addGuide
        case addConstraint
        case removeConstraint
        case setConstraint
        case activateSet
        case deactivateSet
        case setViewport
        case setContentOffset
        case setNeedsUpdateConstraints
        case updateConstraintsIfNeeded
        case setNeedsLayout
        case layoutIfNeeded
        case setNeedsDisplay
        case sizeToFit
        case animate
        case setNeedsUpdateProperties
        case updatePropertiesIfNeeded
    }

    /// The op's name.
    public var name: Name {
        switch self {
        case .setScene: .setScene
        case .addView: .addView
        case .removeView: .removeView
        case .moveView: .moveView
        case .setView: .setView
        case .resetView: .resetView
        case .addGuide: .addGuide
        case .addConstraint: .addConstraint
        case .removeConstraint: .removeConstraint
        case .setConstraint: .setConstraint
        case .activateSet: .activateSet
        case .deactivateSet: .deactivateSet
        case .setViewport: .setViewport
        case .setContentOffset: .setContentOffset
        case .setNeedsUpdateConstraints: .setNeedsUpdateConstraints
        case .updateConstraintsIfNeeded: .updateConstraintsIfNeeded
        case .setNeedsLayout: .setNeedsLayout
        case .layoutIfNeeded: .layoutIfNeeded
        case .setNeedsDisplay: .setNeedsDisplay
        case .sizeToFit: .sizeToFit
        case .animate: .animate
        case .setNeedsUpdateProperties: .setNeedsUpdateProperties
        case .updatePropertiesIfNeeded: .updatePropertiesIfNeeded
        }
    }
}
