import SQLite
import SceneWire
import SeededRandom
import Testing

@testable import SceneStore

/// The index is written a part at a time, beside commits; whenever the process ends, nothing is
/// missing and nothing is there twice.
@Suite("The index that is written with commits")
struct IndexSweepTests {
    private static let rooms = 40

    /// A journal to which every room writes a record with each group.
    private struct Journal {
        let directory = TemporaryDirectory()
        /// One store, or none while it is opened again.
        private var stores: [SQLiteStore]
        var store: SQLiteStore { stores[0] }
        var chains = (0..<rooms).map { Chain(room: "room\($0)") }
        var records: [String: [JournalRecord]] = [:]
        private var groups: Int64 = 0
        var written: Int { Int(groups) }

        init() throws { stores = [try SQLiteStore(directory: directory.path)] }

        mutating func write(_ count: Int) throws {
            for _ in 0..<count {
                groups += 1
                let group = chains.indices.map {
                    chains[$0].next(groups % 50 == 1 ? .snapshot : .batch)
                }
                try store.append(group, time: groups)
                for entry in group { records[entry.room, default: []].append(entry.record) }
            }
        }

        /// As after a crash: nothing is told to the store that was.
        mutating func reopen() throws {
            stores = []
            stores = [try SQLiteStore(directory: directory.path)]
        }

        /// How many rooms have segments, and through which group all are indexed.
        func indexed() throws -> (rooms: Int, groups: Int) {
            let database = try Connection(
                path: directory.path + "/journal.sqlite", access: .reading)
            return (
                Int(try database.first("SELECT COUNT(DISTINCT room) FROM segments")?.integer ?? -1),
                Int(
                    try database.first("SELECT value FROM state WHERE key = 'indexed'")?.integer
                        ?? -1)
            )
        }

        func check(_ store: SQLiteStore) throws {
            for (room, records) in records.sorted(by: { $0.key < $1.key }) {
                #expect(try store.records(of: room, from: 0) == records)
            }
            #expect(store.damage.isEmpty)
        }
    }

    @Test("a few rooms with each commit, and no commit with all")
    func slices() throws {
        var journal = try Journal()
        // 192 groups come first, 32 commits sort them by room, and 20 write the segments of two
        // rooms each.
        try journal.write(192 + 32)
        #expect(try journal.indexed() == (0, 0))
        var most = 0
        for commit in 1...20 {
            let before = try journal.indexed().rooms
            try journal.write(1)
            let now = try journal.indexed()
            most = max(most, now.rooms - before)
            #expect(now.groups == (commit == 20 ? 192 : 0))
        }
        #expect(most == 2)
        #expect(try journal.indexed() == (Self.rooms, 192))
        try journal.check(journal.store)
        try journal.check(SQLiteStore(directory: journal.directory.path, isReadOnly: true))
    }

    @Test(
        "a process that ends at any point of it is followed by one that goes on",
        arguments: [0, 1])
    func crashes(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        var journal = try Journal()
        try journal.write(190)
        for _ in 0..<24 {
            try journal.write(1 + random.below(25))
            try journal.reopen()
            try journal.check(journal.store)
            // Processes that all end too soon to index anything leave no more than one of them can
            // read.
            let (indexed, written) = (try journal.indexed().groups, journal.written)
            #expect(written - indexed <= 192 + 64 + 25)
        }
        #expect(try journal.indexed().groups > 192)
        #expect(try journal.store.verify().isEmpty)
    }

    @Test("what needs the whole index has it, in the middle of a part")
    func whole() throws {
        for length in [200, 230, 235, 243] {
            var journal = try Journal()
            try journal.write(length)
            let first = try #require(journal.records["room3"])
            try journal.store.truncate("room3", after: 100)
            journal.records["room3"] = Array(first.prefix(100))
            #expect(try journal.indexed() == (Self.rooms, length))
            try journal.store.delete("room7")
            journal.records["room7"] = nil
            try journal.check(journal.store)
            try journal.reopen()
            try journal.check(journal.store)
            #expect(try journal.store.rooms().count == Self.rooms - 1)
            #expect(try journal.store.compact(before: 120) > 0)
            #expect(try journal.store.verify().isEmpty)
        }
    }
}
