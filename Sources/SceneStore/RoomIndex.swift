import Bytes
import SceneWire

/// The location of a room's records: one entry for each group that has some of them.
struct RoomIndex: Equatable {
    struct Entry: Equatable {
        /// The group's number.
        var group: Int64
        /// The valid records of the room; others in the group are obsolete.
        var first: UInt64
        var last: UInt64
        /// The snapshots among them.
        var snapshots: [Snapshot] = []
    }

    /// The location of a snapshot.
    struct Snapshot: Equatable {
        var sequence: UInt64
        var tick: UInt64
        /// Whether the journal is complete without it: `JournalRecord.repeatsScene`.
        var repeatsScene: Bool

        /// `nil` for a record of another kind.
        init?(_ record: JournalRecord) {
            guard record.kind == .snapshot else { return nil }
            (sequence, tick) = (record.sequence, record.tick)
            repeatsScene = record.repeatsScene
        }

        /// Set in an encoded tick if the snapshot repeats the scene.
        private static let repetition: UInt64 = 1 << 63

        func append(to bytes: inout [UInt8]) {
            Varint.append(sequence, to: &bytes)
            Varint.append(repeatsScene ? tick | Self.repetition : tick, to: &bytes)
        }

        init(sequence: UInt64, encodedTick: UInt64) {
            self.sequence = sequence
            tick = encodedTick & ~Self.repetition
            repeatsScene = encodedTick & Self.repetition != 0
        }
    }

    var entries: [Entry] = []

    /// Whether another part can follow directly.
    func isFollowed(by part: RoomIndex) -> Bool {
        guard let last = entries.last, let first = part.entries.first else { return true }
        return last.last < first.first
    }

    /// Adds a record of a group; records come in the order of their sequences.
    ///
    /// - Parameter snapshot: The record's, if it is one.
    mutating func note(sequence: UInt64, snapshot: Snapshot?, group: Int64) {
        if entries.last?.group == group {
            entries[entries.count - 1].last = sequence
        } else {
            entries.append(Entry(group: group, first: sequence, last: sequence))
        }
        if let snapshot { entries[entries.count - 1].snapshots.append(snapshot) }
    }

    /// The snapshot from which records lead to a tick: the last at or before it, or else the
    /// oldest.
    func start(for tick: UInt64?) -> UInt64? {
        var oldest: UInt64?
        for entry in entries.reversed() {
            for snapshot in entry.snapshots.reversed() {
                if snapshot.tick <= tick ?? .max { return snapshot.sequence }
                oldest = snapshot.sequence
            }
        }
        return oldest
    }

    /// Removes the records after a sequence.
    mutating func truncate(after sequence: UInt64) {
        entries.removeAll { $0.first > sequence }
        for index in entries.indices where entries[index].last > sequence {
            entries[index].last = sequence
            entries[index].snapshots.removeAll { $0.sequence > sequence }
        }
    }

    /// Removes the records before a sequence.
    mutating func drop(before sequence: UInt64) {
        entries.removeAll { $0.last < sequence }
        for index in entries.indices where entries[index].first < sequence {
            entries[index].first = sequence
            entries[index].snapshots.removeAll { $0.sequence < sequence }
        }
    }

    // MARK: Encoding

    /// All entries, each as differences from the one before.
    func encoded() -> [UInt8] {
        var bytes: [UInt8] = []
        var group: Int64 = 0
        for entry in entries {
            Varint.append(UInt64(bitPattern: entry.group &- group), to: &bytes)
            group = entry.group
            Varint.append(entry.first, to: &bytes)
            Varint.append(entry.last &- entry.first, to: &bytes)
            Varint.append(UInt64(entry.snapshots.count), to: &bytes)
            for snapshot in entry.snapshots {
                snapshot.append(to: &bytes)
            }
        }
        return bytes
    }

    /// Decodes the result of `encoded`; `nil` for other bytes.
    init?(_ bytes: [UInt8]) {
        var offset = 0
        var group: Int64 = 0
        func take() -> UInt64? { Varint.take(bytes[...], &offset) }
        while offset < bytes.count {
            guard let step = take(), let first = take(), let length = take(), let count = take(),
                count <= UInt64(bytes.count)
            else { return nil }
            group &+= Int64(bitPattern: step)
            var entry = Entry(group: group, first: first, last: first &+ length)
            guard first > entries.last?.last ?? 0, entry.last >= first, entry.last < .max else {
                return nil
            }
            for _ in 0..<count {
                guard let sequence = take(), let tick = take() else { return nil }
                entry.snapshots.append(Snapshot(sequence: sequence, encodedTick: tick))
            }
            entries.append(entry)
        }
    }

    init() {}
}
