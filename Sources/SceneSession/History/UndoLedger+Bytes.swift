import SceneDocument
import SceneModel

/// The memory of a ledger, by estimates that are equal in every replay.
extension UndoLedger {
    /// The approximate memory of all steps in bytes.
    ///
    /// - Complexity: O(people · steps).
    var byteCount: Int { people.values.reduce(0) { $0 + $1.bytes } }

    /// Drops old steps until the rest fits, after one person's steps changed.
    ///
    /// - Complexity: O(people · steps).
    mutating func keepWithinBytes(_ author: String) {
        guard byteMaximum < .max else { return }
        while people[author]?.bytes ?? 0 > byteMaximum / 4, forgetOldest(of: author) {}
        while byteCount > byteMaximum {
            // The order of a dictionary is not deterministic, so names decide.
            let most = people.max { ($0.value.bytes, $1.key) < ($1.value.bytes, $0.key) }?.key
            guard let most, forgetOldest(of: most) else { return }
        }
    }
}

extension UndoLedger.Person {
    /// The approximate memory in bytes.
    fileprivate var bytes: Int {
        undo.reduce(0) { $0 + $1.bytes } + redo.reduce(0) { $0 + $1.bytes }
    }
}

extension UndoLedger.Part {
    /// The approximate memory of a part with these ops, in bytes.
    static func bytes(of inverse: [Op]) -> Int { 200 + OpFootprint(of: inverse).byteCount }
}
