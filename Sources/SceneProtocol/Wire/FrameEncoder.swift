/// Turns changed frames into a frame body, and remembers selections as every receiver does.
///
/// Views with equal deltas form a group; a group whose selection is remembered cites its slot; views that change
/// alone become rows, of deltas or of new values, whichever is shorter. One encoder serves all receivers that are in
/// step. Its tables are kept from tick to tick, so a steady state takes memory only for what it returns.
public struct FrameEncoder: Sendable {
    /// What the receivers remember.
    public private(set) var ring = SelectionRing()
    private var table: [Int32] = []
    private var keys: [FrameDelta] = []
    private var members: [[UInt32]] = []
    /// For each change the index of its key; −1 for one that changes nothing.
    private var keyOfChange: [Int32] = []

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
        body(changes, usesRing: true, allowsAbsolute: true)
    }

    /// Encodes changes for one receiver that is not in step: nothing is cited and nothing stored.
    public mutating func encodeMerged(_ changes: [FrameChange]) -> FrameBody {
        body(changes, usesRing: false, allowsAbsolute: true)
    }

    /// Encodes the whole way of an animation, which has to be told in deltas.
    public mutating func encodeAnimation(_ changes: [FrameChange]) -> FrameBody {
        body(changes, usesRing: true, allowsAbsolute: false)
    }

    private mutating func body(
        _ changes: [FrameChange], usesRing: Bool, allowsAbsolute: Bool
    ) -> FrameBody {
        group(changes)
        var body = FrameBody()
        // By the number of deltas, else in the order of their first views: sections of equal layout.
        for count in 1...4 {
            for (index, key) in keys.enumerated() where key.mask.count == count {
                guard Self.isWorthAGroup(members[index].count, key) else { continue }
                let source = source(key.mask, index, usesRing: usesRing)
                body.groups.append(FrameBody.Group(source: source, deltas: key.deltas))
            }
        }
        addRows(changes, allowsAbsolute: allowsAbsolute, to: &body)
        return body
    }

    private mutating func source(
        _ mask: FieldMask, _ index: Int, usesRing: Bool
    ) -> FrameBody.Group.Source {
        guard usesRing else {
            return .new(Selection(mask: mask, numbers: members[index]), stores: false)
        }
        if let slot = ring.slot(mask: mask, numbers: members[index]) {
            return .cited(slot: UInt8(truncatingIfNeeded: slot))
        }
        let selection = Selection(mask: mask, numbers: members[index])
        ring.store(selection)
        return .new(selection, stores: true)
    }

    /// A pair of views as a group takes a head, two counts, the first number and a gap; as rows, a number each
    /// and the deltas twice.
    private static func isWorthAGroup(_ count: Int, _ key: FrameDelta) -> Bool {
        count > 2 || count == 2 && key.mask.count > 1
    }

    /// The views that no group took, in their order.
    private func addRows(
        _ changes: [FrameChange], allowsAbsolute: Bool, to body: inout FrameBody
    ) {
        var saved = 0
        var absoluteCount = 0
        for (place, change) in changes.enumerated() {
            guard let key = key(ofRow: place) else { continue }
            let mask = key.mask
            if allowsAbsolute {
                let difference = Self.bits(key.deltas) - Self.bits(change.new.values(mask))
                if difference > 0 {
                    saved += difference
                    absoluteCount += 1
                }
            }
            body.rows.append(
                FrameBody.Row(number: change.number.rawValue, mask: mask, deltas: key.deltas))
        }
        // A second section takes a count, two more parameters, and numbers that are further apart.
        guard saved > Self.sectionBits + 2 * absoluteCount else { return }
        body.rows.removeAll(keepingCapacity: true)
        for (place, change) in changes.enumerated() {
            guard let key = key(ofRow: place) else { continue }
            let mask = key.mask
            let values = change.new.values(mask)
            let row = FrameBody.Row(
                number: change.number.rawValue, mask: mask, deltas: key.deltas)
            if Self.bits(key.deltas) > Self.bits(values) {
                body.absoluteRows.append(
                    FrameBody.Row(number: row.number, mask: mask, deltas: values))
            } else {
                body.rows.append(row)
            }
        }
    }

    private static let sectionBits = 24

    private func key(ofRow place: Int) -> FrameDelta? {
        let index = Int(keyOfChange[place])
        guard index >= 0, !Self.isWorthAGroup(members[index].count, keys[index]) else {
            return nil
        }
        return keys[index]
    }

    /// How many bits numbers take, about.
    private static func bits(_ deltas: FieldDeltas) -> Int {
        deltas.reduce(0) {
            $0 + UInt32.bitWidth - BinaryEncoder.zigzag($1).leadingZeroBitCount
        }
    }

    /// Sorts the changes into `members` by delta, groups in the order of their first views. An open-addressing
    /// table with indices.
    private mutating func group(_ changes: [FrameChange]) {
        for index in keys.indices { members[index].removeAll(keepingCapacity: true) }
        keys.removeAll(keepingCapacity: true)
        keyOfChange.removeAll(keepingCapacity: true)
        var size = 16
        while size < changes.count * 2 { size *= 2 }
        table.removeAll(keepingCapacity: true)
        table.append(contentsOf: repeatElement(-1, count: size))
        let slotMask = size - 1
        var previous = -1
        for change in changes {
            let delta = FrameDelta(from: change.old, to: change.new)
            // Neighbours mostly move together.
            if previous < 0 || keys[previous] != delta {
                if delta.mask.isEmpty {
                    keyOfChange.append(-1)
                    continue
                }
                previous = index(of: delta, slotMask)
            }
            members[previous].append(change.number.rawValue)
            keyOfChange.append(Int32(truncatingIfNeeded: previous))
        }
    }

    private mutating func index(of delta: FrameDelta, _ slotMask: Int) -> Int {
        var slot = Int(truncatingIfNeeded: delta.hash) & slotMask
        while table[slot] >= 0 {
            if keys[Int(table[slot])] == delta { return Int(table[slot]) }
            slot = (slot + 1) & slotMask
        }
        table[slot] = Int32(truncatingIfNeeded: keys.count)
        keys.append(delta)
        if members.count < keys.count { members.append([]) }
        return keys.count - 1
    }
}
