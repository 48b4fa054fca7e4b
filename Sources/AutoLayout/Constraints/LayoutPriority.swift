import Cassowary

extension LayoutPriority {
    /// The solver's level for this priority.
    var strength: Strength { rawValue >= 1000 ? .required : Strength(rawValue) }
}
