import SceneModel
import SceneProtocol

/// How much memory a ledger takes, by estimates that are the same in every replay.
extension UndoLedger {
    /// About how many bytes all steps take.
    ///
    /// - Complexity: O(people · steps).
    var byteCount: Int { people.values.reduce(0) { $0 + $1.bytes } }

    /// Forgets old steps, after one person's were changed, until all fit.
    ///
    /// - Complexity: O(people · steps) where there is too much, else O(people).
    mutating func keepWithinBytes(_ author: String) {
        guard byteMaximum < .max else { return }
        while let person = people[author], person.bytes > byteMaximum / 4,
            forgetOldest(of: author)
        {}
        while byteCount > byteMaximum {
            // No dictionary decides whose.
            let most = people.max { ($0.value.bytes, $1.key) < ($1.value.bytes, $0.key) }
            guard let most, forgetOldest(of: most.key) else { return }
        }
    }
}

extension UndoLedger.Person {
    /// About how many bytes it takes.
    fileprivate var bytes: Int {
        undo.reduce(0) { $0 + $1.bytes } + redo.reduce(0) { $0 + $1.bytes }
    }
}

extension UndoLedger.Part {
    /// About how many bytes a part with these ops takes.
    static func bytes(of inverse: [Op]) -> Int {
        var bytes = 200
        // By index: ops are large, and nothing of one has to be copied to be asked.
        for index in inverse.indices { bytes += inverse[index].bytes }
        return bytes
    }
}

extension Op {
    /// About how many bytes it takes: its text and its lists.
    fileprivate var bytes: Int {
        switch self {
        case .addView(let spec): 600 + spec.properties.byteEstimate
        case .setView(_, let properties): 600 + properties.byteEstimate
        case .animate(let animation): 100 + animation.ops.reduce(0) { $0 + $1.bytes }
        case .setScene, .removeView, .moveView, .resetView, .addGuide, .addConstraint,
            .removeConstraint, .setConstraint, .activateSet, .deactivateSet, .setViewport,
            .setContentOffset, .setNeedsUpdateConstraints, .updateConstraintsIfNeeded,
            .setNeedsLayout, .layoutIfNeeded, .setNeedsDisplay, .sizeToFit,
            .setNeedsUpdateProperties, .updatePropertiesIfNeeded:
            200
        }
    }
}
