import SceneCluster

/// The entries of a shard that wait to be kept, in order, of which one commit at a time is under
/// way.
struct WaitingEntries {
    /// The action once an entry is in the journal.
    enum Completion {
        /// Nothing yet: it is a part of a record.
        case none
        /// The room's records up to a sequence are kept.
        case record(UInt64)
        /// The proof that the request of that number asks for.
        case proof(UInt64)
        /// The deletion that the request of that number asks for.
        case deletion(UInt64)
        /// Word of a snapshot.
        case snapshot(SnapshotPointer)
    }

    /// An entry that waits; one without bytes asks for proof alone.
    struct Item {
        var room: String
        var bytes: [UInt8]?
        var completion: Completion
        /// Whether the same commit is to take the next item too.
        var joinsNext = false
    }

    /// What a commit holds at most, in bytes; half of what the owner takes.
    private static let commitBytesMaximum = 256 << 10
    private static let commitCountMaximum = 4096

    private var items: ArraySlice<Item> = []
    /// The bytes of all that wait.
    private(set) var byteCount = 0
    /// The commit under way: its number, how many items it is of, and when it began.
    private var flight: (number: UInt64, count: Int, begun: MonotonicInstant)?

    /// Whether nothing waits.
    var isEmpty: Bool { items.isEmpty }
    /// The rooms of which something waits.
    var rooms: Set<String> { Set(items.map(\.room)) }
    /// Whether word of a snapshot waits.
    var hasSnapshot: Bool {
        items.contains { if case .snapshot = $0.completion { true } else { false } }
    }

    mutating func add(_ item: Item) {
        items.append(item)
        byteCount += item.bytes?.count ?? 0
    }

    /// Begins a commit of what has waited longest. Items that belong together are divided only
    /// where a commit has no room for all of them.
    ///
    /// - Returns: Its entries, of which a proof has none; `nil` if a commit is under way, or
    ///   nothing waits.
    mutating func nextCommit(
        _ number: UInt64, at now: MonotonicInstant
    ) -> [ChainRecord.Entry]? {
        guard flight == nil, !items.isEmpty else { return nil }
        var (bytes, count, whole) = (0, 0, 0)
        for item in items.prefix(Self.commitCountMaximum) {
            let size = item.bytes?.count ?? 0
            guard count == 0 || bytes + size <= Self.commitBytesMaximum else { break }
            bytes += size
            count += 1
            if !item.joinsNext { whole = count }
        }
        if whole > 0 { count = whole }
        let entries = items.prefix(count).compactMap { item in
            item.bytes.map { ChainRecord.Entry(room: item.room, bytes: $0) }
        }
        flight = (number, count, now)
        return entries
    }

    /// Removes what a commit has brought into the journal.
    ///
    /// - Returns: It, and when the commit began; `nil` for a commit that is not under way.
    mutating func taken(through number: UInt64) -> (kept: [Item], begun: MonotonicInstant)? {
        guard let flight, flight.number <= number else { return nil }
        self.flight = nil
        let kept = Array(items.prefix(flight.count))
        items.removeFirst(flight.count)
        if items.isEmpty { items = [] }
        byteCount -= kept.reduce(0) { $0 + ($1.bytes?.count ?? 0) }
        return (kept, flight.begun)
    }

    /// A commit was not taken; its items wait for the next one.
    mutating func notTaken(_ number: UInt64) {
        if flight?.number == number { flight = nil }
    }

    /// Removes all.
    mutating func removeAll() -> ArraySlice<Item> {
        defer { self = WaitingEntries() }
        return items
    }
}
