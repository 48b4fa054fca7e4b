/// Commits that wait for the engine, in order: those of the group under way first. A commit stays
/// whole, so that it is in the journal either whole or not at all.
struct CommitQueue: Sendable {
    private struct Waiting {
        var number: UInt64
        var entries: [ChainRecord.Entry]
        var byteCount: Int
    }

    private var waiting: [Waiting] = []
    /// Where the first one that still waits is in `waiting`.
    private var first = 0
    private(set) var byteCount = 0

    var count: Int { waiting.count - first }
    var isEmpty: Bool { count == 0 }

    /// Takes a commit.
    ///
    /// - Returns: Why it is not taken; nil if it is.
    /// - Complexity: O(entries).
    mutating func append(_ entries: [ChainRecord.Entry], number: UInt64) -> CommitRefusal? {
        let name = entries.reduce(0) { max($0, $1.room.utf8.count) }
        guard name <= ChainRecord.Entry.roomBytesMaximum else {
            return .nameTooLong(bytes: name, maximum: ChainRecord.Entry.roomBytesMaximum)
        }
        // Each entry takes at least six bytes, so a group that fits holds fewer than `entryMaximum`
        // bytes allow.
        let bytes = entries.reduce(0) { $0 + $1.encodedByteCount }
        guard bytes <= OwnerLimits.groupBytesMaximum, entries.count <= ChainRecord.entryMaximum
        else {
            return .tooLarge(bytes: bytes, maximum: OwnerLimits.groupBytesMaximum)
        }
        guard byteCount + bytes <= OwnerLimits.queueBytesMaximum,
            count < OwnerLimits.queueCommitMaximum
        else {
            return .queueFull(
                waitingBytes: byteCount, maximum: OwnerLimits.queueBytesMaximum)
        }
        waiting.append(Waiting(number: number, entries: entries, byteCount: bytes))
        byteCount += bytes
        return nil
    }

    /// The entries of the first commits that fit into one group, and the number of the last of
    /// these; nil where nothing waits. They wait on until `remove`.
    ///
    /// - Complexity: O(entries).
    func group() -> (entries: [ChainRecord.Entry], through: UInt64)? {
        guard first < waiting.count else { return nil }
        var entries: [ChainRecord.Entry] = []
        var bytes = 0
        var through: UInt64 = 0
        for commit in waiting[first...] {
            guard bytes + commit.byteCount <= OwnerLimits.groupBytesMaximum,
                entries.count + commit.entries.count <= ChainRecord.entryMaximum
            else { break }
            entries += commit.entries
            bytes += commit.byteCount
            through = commit.number
        }
        return (entries, through)
    }

    /// Removes the commits up to a number.
    ///
    /// - Complexity: Amortised O(commits removed).
    mutating func remove(through number: UInt64) {
        while first < waiting.count, waiting[first].number <= number {
            byteCount -= waiting[first].byteCount
            waiting[first].entries = []
            first += 1
        }
        if first * 2 >= waiting.count {
            waiting.removeFirst(first)
            first = 0
        }
    }

    mutating func removeAll() { self = CommitQueue() }
}
