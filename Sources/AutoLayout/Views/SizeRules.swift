/// What is said of a view's sizes in yes or no, one bit each.
struct SizeRules: OptionSet {
    static let collapsesWidth = SizeRules(rawValue: 1)
    static let collapsesHeight = SizeRules(rawValue: 2)
    /// Whether a size overrides the content's.
    static let hasOverride = SizeRules(rawValue: 4)
    /// Whether the content's size counts for nothing, as of a hidden member of a stack view that it
    /// fills.
    static let ignoresContent = SizeRules(rawValue: 8)

    let rawValue: UInt8

    static func collapses(along axis: Axis) -> SizeRules {
        axis == .horizontal ? .collapsesWidth : .collapsesHeight
    }
}
