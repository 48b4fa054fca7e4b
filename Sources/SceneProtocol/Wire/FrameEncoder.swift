/// Turns changed frames into a frame body, and remembers selections as every receiver does.
///
/// Views with equal deltas form a group; a group whose selection is remembered cites its slot; views that change
/// alone become rows. One encoder serves all receivers that are in step.
public struct FrameEncoder: Sendable {
    /// What the receivers remember.
    public private(set) var ring = SelectionRing()
    private var table: [Int32] = []
    private var keys: [FrameDelta] = []
    private var members: [[UInt32]] = []

    /// Makes an encoder whose receivers remember nothing.
    public init() {}

    /// Forgets all selections; goes with a snapshot to every receiver.
    public mutating func reset() {
        ring.clear()
    }

    /// Encodes the changes of one tick.
    ///
    /// - Parameter changes: Ascending by number, each number once. A change that changes nothing is left out.
    /// - Complexity: O(changes), besides 64 comparisons of hashes a group.
    public mutating func encode(_ changes: [FrameChange]) -> FrameBody {
        body(changes, usesRing: true)
    }

    /// Encodes changes for one receiver that is not in step: nothing is cited and nothing stored.
    public mutating func encodeMerged(_ changes: [FrameChange]) -> FrameBody {
        body(changes, usesRing: false)
    }

    private mutating func body(_ changes: [FrameChange], usesRing: Bool) -> FrameBody {
        group(changes)
        var body = FrameBody()
        var groups: [(key: FrameDelta, numbers: [UInt32])] = []
        for (index, key) in keys.enumerated() {
            let numbers = members[index]
            if Self.isWorthAGroup(numbers, key) {
                groups.append((key, numbers))
            } else {
                for number in numbers {
                    body.rows.append(
                        FrameBody.Row(number: number, mask: key.mask, deltas: key.deltas))
                }
            }
        }
        body.rows.sort { $0.number < $1.number }
        // By the number of deltas, else in the order of their first views: sections of equal layout.
        for count in 1...4 {
            for (key, numbers) in groups where key.mask.count == count {
                let selection = Selection(mask: key.mask, numbers: numbers)
                let source: FrameBody.Group.Source
                if !usesRing {
                    source = .new(selection, stores: false)
                } else if let slot = ring.slot(of: selection) {
                    source = .cited(slot: UInt8(truncatingIfNeeded: slot))
                } else {
                    ring.store(selection)
                    source = .new(selection, stores: true)
                }
                body.groups.append(FrameBody.Group(source: source, deltas: key.deltas))
            }
        }
        return body
    }

    /// A pair of views as a group takes a head, two counts, the first number and a gap; as rows, a number each
    /// and the deltas twice.
    private static func isWorthAGroup(_ numbers: [UInt32], _ key: FrameDelta) -> Bool {
        numbers.count > 2 || numbers.count == 2 && key.mask.count > 1
    }

    /// Sorts the changes into `members` by delta, groups in the order of their first views. An open-addressing
    /// table with indices, kept between calls, so a steady state allocates only what it returns.
    private mutating func group(_ changes: [FrameChange]) {
        keys.removeAll(keepingCapacity: true)
        for index in members.indices { members[index].removeAll(keepingCapacity: true) }
        var size = 16
        while size < changes.count * 2 { size *= 2 }
        table.removeAll(keepingCapacity: true)
        table.append(contentsOf: repeatElement(-1, count: size))
        let slotMask = size - 1
        var previous: (delta: FrameDelta, group: Int)?
        for change in changes {
            let delta = FrameDelta(from: change.old, to: change.new)
            if delta.mask.isEmpty { continue }
            // Neighbours mostly move together.
            if let previous, previous.delta == delta {
                members[previous.group].append(change.number.rawValue)
                continue
            }
            var slot = Int(truncatingIfNeeded: delta.hash) & slotMask
            while table[slot] >= 0, keys[Int(table[slot])] != delta {
                slot = (slot + 1) & slotMask
            }
            if table[slot] < 0 {
                table[slot] = Int32(truncatingIfNeeded: keys.count)
                keys.append(delta)
                if members.count < keys.count { members.append([]) }
            }
            let group = Int(table[slot])
            members[group].append(change.number.rawValue)
            previous = (delta, group)
        }
    }
}
