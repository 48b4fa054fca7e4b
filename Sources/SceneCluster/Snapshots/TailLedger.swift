/// Counts the bytes of a shard's tail: the part of the journal that a new owner has to read, from
/// the oldest record of a room that is in no snapshot on. Where it grows too long, the oldest room
/// is to be given a snapshot.
struct TailLedger: Equatable, Sendable {
    /// The records from a number on, up to the next span's.
    private struct Span: Equatable {
        var first: UInt64
        var byteCount: Int
    }

    /// The numbers of the first and the last record of a room that no snapshot covers.
    private struct Uncovered: Equatable {
        var first: UInt64
        var last: UInt64
    }

    /// Records are counted together up to `spanBytes`, so that the ledger stays small.
    private static let spanBytes = 4096
    /// How many bytes a record has beside its entries: header, count and checksum.
    private static let recordOverhead =
        RecordHeader.byteCount + 4 + RecordChecksum.byteCount

    private var spans: [Span] = []
    private var rooms: [String: Uncovered] = [:]
    /// The room that was asked for, until its snapshot is there.
    private var wanted: String?
    private(set) var byteCount = 0

    /// Notes a record of the chain.
    ///
    /// - Complexity: O(entries).
    mutating func note(_ record: ChainRecord) {
        guard case .group(let entries) = record.content, !entries.isEmpty else { return }
        let bytes = entries.reduce(Self.recordOverhead) { $0 + $1.encodedByteCount }
        if let last = spans.indices.last, spans[last].byteCount < Self.spanBytes {
            spans[last].byteCount += bytes
        } else {
            spans.append(Span(first: record.number, byteCount: bytes))
        }
        byteCount += bytes
        // Entries of no room need not be read again: the snapshot directory has them.
        for entry in entries where !entry.room.isEmpty {
            rooms[entry.room, default: Uncovered(first: record.number, last: 0)].last =
                record.number
        }
    }

    /// A room's snapshot stands at a record: nothing of the room up to it has to be read again.
    ///
    /// - Complexity: O(rooms).
    mutating func cover(_ room: String, through number: UInt64) {
        if wanted == room { wanted = nil }
        guard let uncovered = rooms[room], uncovered.first <= number else { return }
        rooms[room] =
            uncovered.last <= number
            ? nil : Uncovered(first: number &+ 1, last: uncovered.last)
        let oldest = rooms.values.reduce(UInt64.max) { min($0, $1.first) }
        // A span goes once the next one begins at or before the oldest record that is needed.
        let gone = spans.indices.prefix { index in
            index + 1 < spans.count ? spans[index + 1].first <= oldest : rooms.isEmpty
        }
        byteCount -= spans[gone].reduce(0) { $0 + $1.byteCount }
        spans.removeSubrange(gone)
    }

    /// The number of the oldest record that no snapshot covers; nil where there is none.
    ///
    /// - Complexity: O(rooms).
    var oldest: UInt64? { rooms.values.map(\.first).min() }

    /// The room whose snapshot would shorten a tail that is too long; nil where the tail is short,
    /// or the last room that was named still has none.
    ///
    /// - Complexity: O(rooms) where one is named.
    mutating func nextWanted() -> String? {
        guard byteCount > OwnerLimits.tailBytesMaximum, wanted == nil else { return nil }
        wanted = rooms.min { ($0.value.first, $0.key) < ($1.value.first, $1.key) }?.key
        return wanted
    }
}
