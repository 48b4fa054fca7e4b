public import ConstraintLanguage

extension TraitCollection {
    /// Whether the traits are as a condition's clauses about traits ask, whatever their items;
    /// reads are noted.
    public func satisfies(_ condition: Condition) -> Bool {
        condition.clauses.allSatisfy { clause in
            switch clause.test {
            case .size: return true
            case .scale: note(.displayScale)
            case .trait(let trait, _, _): note(trait)
            }
            return clause.test.holds(for: values) ?? true
        }
    }
}

extension Condition.Test {
    /// Whether an item's extent, as the engine finds it, or the traits of the view that it lies in
    /// are as asked.
    func holds(for item: LayoutItem, _ engine: LayoutEngine) -> Bool {
        switch self {
        case .size(let dimension, let comparison, let value):
            let size = engine.solvedFrame(of: item).size
            return comparison.holds(dimension == .width ? size.width : size.height, value)
        case .trait, .scale:
            guard let view = item.hostView else { return false }
            return holds(for: view.currentTraits) ?? false
        }
    }

    /// Whether traits are as asked; `nil` where a size is.
    public func holds(for traits: TraitValues) -> Bool? {
        switch self {
        case .size: return nil
        case .scale(let comparison, let value):
            return comparison.holds(traits.displayScale, value)
        case .trait(let trait, let comparison, let word):
            guard comparison != .equal, comparison != .notEqual else {
                return comparison.holds(traits.word(for: trait) ?? "", word)
            }
            guard let rank = traits.rank(of: trait), let bound = trait.rank(of: word) else {
                return false
            }
            return comparison.holds(rank, bound)
        }
    }
}
