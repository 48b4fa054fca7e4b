/// How serious a finding is. Notes do not fail a run.
public enum LintLevel: String, CaseIterable, Sendable, Comparable {
    /// The rule is not checked.
    case off
    /// Shown on request.
    case note
    /// Fails a run.
    case warning
    /// Fails a run.
    case error

    private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
    /// Compares by seriousness.
    public static func < (left: Self, right: Self) -> Bool { left.rank < right.rank }
}

/// A rule, by the name that people use in configurations and in `docs/lint.md`.
public enum LintRule: String, CaseIterable, Sendable {
    /// The file cannot be read.
    case unreadable
    /// Required constraints contradict one another.
    case contradiction
    /// Another place or size would do as well.
    case ambiguity
    /// Stored frames differ from those that the constraints give.
    case misplaced
    /// Views cover one another on some device.
    case overlap
    /// Text has less room than it needs.
    case truncated
    /// A view reaches out of the screen.
    case outside
    /// A view with content has no size.
    case zeroSize = "zero-size"
    /// A control is smaller than a finger.
    case touchTarget = "touch-target"
    /// Two constraints say the same.
    case duplicate
    /// A size exists in Xcode's canvas alone.
    case canvasSize = "canvas-size"
    /// Something names an object that does not exist.
    case deadItem = "dead-item"
    /// A label's height does not follow its text.
    case fixedHeightLabel = "fixed-height-label"

    /// The level without a configuration.
    public var standardLevel: LintLevel {
        switch self {
        case .unreadable, .contradiction, .deadItem: .error
        case .ambiguity, .misplaced, .overlap, .truncated, .outside, .zeroSize, .duplicate,
            .canvasSize:
            .warning
        case .touchTarget, .fixedHeightLabel: .note
        }
    }

    /// One sentence, for reports that list rules.
    public var summary: String {
        switch self {
        case .unreadable: "The file can be read."
        case .contradiction: "Required constraints do not contradict one another."
        case .ambiguity: "Constraints settle the place and size of every view."
        case .misplaced: "Stored frames are those that the constraints give."
        case .overlap: "Texts and controls do not cover one another on any device."
        case .truncated: "Texts have the room that they need."
        case .outside: "Views lie within the screen."
        case .zeroSize: "Views with content have a size."
        case .touchTarget: "Controls are at least 44 points wide and high."
        case .duplicate: "No two constraints say the same."
        case .canvasSize: "Sizes do not exist in Xcode's canvas alone."
        case .deadItem: "Constraints and outlets name objects that exist."
        case .fixedHeightLabel: "The heights of labels follow their texts."
        }
    }
}
