import Foundation
import SQLite
import SceneWire
import Testing

@testable import SceneStore

@Suite("The journal in SQLite")
struct SQLiteStoreTests {
    /// Every record that a room was given, and a store that has them.
    private func filled(
        _ directory: TemporaryDirectory, groups: Int, rooms: Int = 3
    ) throws -> (store: SQLiteStore, records: [String: [JournalRecord]]) {
        let store = try SQLiteStore(directory: directory.path)
        var chains = (0..<rooms).map { Chain(room: "room\($0)") }
        var all: [String: [JournalRecord]] = [:]
        for index in 0..<groups {
            var group: [RoomRecord] = []
            for room in chains.indices where index % (room + 1) == 0 {
                let isSnapshot = all["room\(room)"] == nil || index % 100 == 0
                group.append(chains[room].next(isSnapshot ? .snapshot : .batch))
                if index % 7 == 0 { group.append(chains[room].next()) }
            }
            for entry in group { all[entry.room, default: []].append(entry.record) }
            try store.append(group, time: Int64(index))
        }
        return (store, all)
    }

    @Test("the journal's files are their owner's alone, in whatever directory they lie")
    func modes() throws {
        func modes(_ directory: TemporaryDirectory) throws -> [String: Int] {
            var modes: [String: Int] = [:]
            for name in try FileManager.default.contentsOfDirectory(atPath: directory.path) {
                let attributes = try FileManager.default.attributesOfItem(
                    atPath: directory.path + "/" + name)
                modes[name] = (attributes[.posixPermissions] as? NSNumber)?.intValue
            }
            return modes
        }
        let files = ["journal.sqlite", "journal.sqlite-wal", "journal.sqlite-shm", "lock"]
        let directory = TemporaryDirectory()
        try FileManager.default.createDirectory(
            atPath: directory.path, withIntermediateDirectories: true)
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o755], ofItemAtPath: directory.path)
        do {
            let (store, _) = try filled(directory, groups: 10)
            #expect(
                try modes(directory) == Dictionary(uniqueKeysWithValues: files.map { ($0, 0o600) }))
            #expect(try store.rooms().count == 3)
        }
        // What an earlier version left readable is closed.
        for name in try modes(directory).keys where name != "lock" {
            try FileManager.default.setAttributes(
                [.posixPermissions: 0o644], ofItemAtPath: directory.path + "/" + name)
        }
        let store = try SQLiteStore(directory: directory.path)
        #expect(try modes(directory).values.allSatisfy { $0 == 0o600 })
        #expect(try store.rooms().count == 3)
    }

    @Test("hundreds of groups are found again, before and after opening anew")
    func manyGroups() throws {
        let directory = TemporaryDirectory()
        let (store, all) = try filled(directory, groups: 700)
        for store in [store, try SQLiteStore(directory: directory.path, isReadOnly: true)] {
            for (room, records) in all.sorted(by: { $0.key < $1.key }) {
                #expect(try store.records(of: room, from: 0) == records)
                let start = try #require(records.lastIndex { $0.kind == .snapshot })
                #expect(try store.records(of: room) == Array(records[start...]))
            }
            #expect(try store.rooms() == ["room0", "room1", "room2"])
            #expect(store.damage.isEmpty)
            #expect(try store.verify().isEmpty)
        }
    }

    @Test("another connection reads the same, no further than it has to, and beside a writer")
    func reader() throws {
        let directory = TemporaryDirectory()
        let (store, all) = try filled(directory, groups: 300)
        let open = try #require(store.readerMaker)
        let records = try #require(all["room0"])
        #expect(try open().records(of: "room0", from: 0) == records)
        // Record n is of tick 10 n and has ten bytes; a group may bring two.
        let some = try open().records(of: "room0", from: 500, beyondByBytes: 100)
        #expect(some == Array(records.prefix(some.count)))
        #expect((60...61).contains(some.count))
        let reader = try open()
        var chain = Chain(room: "more")
        for _ in 0..<300 { try store.append([chain.next(.snapshot)], time: 400) }
        // What it knows of the last groups is in the segments by now.
        #expect(try reader.records(of: "room0", from: 0) == records)
        #expect(reader.damage.isEmpty)
        #expect(try open().records(of: "more", from: 0).count == 300)
    }

    @Test("a time leads to the last tick that was written by then, indexed or not")
    func times() throws {
        let directory = TemporaryDirectory()
        let store = try SQLiteStore(directory: directory.path)
        var chain = Chain(room: "a")
        var other = Chain(room: "b")
        // Written at 10, 20, … 50; the room has records in the first three groups.
        for (index, count) in [2, 1, 3, 0, 0].enumerated() {
            let time = Int64(index + 1) * 10
            let records = (0..<count).map { _ in chain.next(index == 0 ? .snapshot : .batch) }
            try store.append(records + [other.next(.snapshot)], time: time)
        }
        for isIndexed in [false, true] {
            if isIndexed { try store.writeIndex() }
            // A record's tick is ten times its sequence.
            let ticks = try [9, 10, 19, 20, 35, 99].map { try store.tick(of: "a", at: $0) }
            #expect(ticks == [nil, 20, 20, 30, 60, 60])
            #expect(try store.lastChange(of: "a") == 30)
            #expect(try store.lastChange(of: "b") == 50)
        }
        #expect(try store.tick(of: "c", at: 99) == nil)
        #expect(try store.lastChange(of: "c") == nil)
    }

    @Test("records that lead to a tick begin with the last snapshot at or before it")
    func fromTick() throws {
        let directory = TemporaryDirectory()
        let memory = MemoryStore()
        var chain = Chain(room: "a")
        let sqlite = try SQLiteStore(directory: directory.path)
        for index in 1...30 {
            let entry = chain.next(index % 10 == 1 ? .snapshot : .batch)
            for store in [memory, sqlite] as [any SceneStore] {
                try store.append([entry], time: 1)
            }
        }
        // Record n is of tick 10 n; snapshots are 1, 11 and 21.
        for (tick, first) in [(UInt64(0), UInt64(1)), (109, 1), (110, 11), (209, 11), (999, 21)] {
            #expect(try memory.records(of: "a", from: tick).first?.sequence == first)
            #expect(try sqlite.records(of: "a", from: tick).first?.sequence == first)
            #expect(try sqlite.records(of: "a", from: tick).last?.sequence == 30)
        }
    }

    @Test("compacting keeps what is younger and what the present is rebuilt from")
    func compaction() throws {
        let directory = TemporaryDirectory()
        let (store, all) = try filled(directory, groups: 700)
        let database = try Connection(path: directory.path + "/journal.sqlite", access: .reading)
        let size = try #require(
            try database.first("SELECT SUM(length(data)) FROM groups")?.integer)
        let removed = try store.compact(before: 450)
        var kept: [String: [JournalRecord]] = [:]
        for (room, records) in all {
            // The last snapshot before 450 is that of group 400, the last multiple of 100 of each
            // room.
            let start = try #require(
                records.lastIndex { $0.kind == .snapshot && $0.sequence <= floor(of: room) })
            kept[room] = Array(records[start...])
        }
        #expect(
            removed == all.values.reduce(0) { $0 + $1.count }
                - kept.values.reduce(0) { $0 + $1.count })
        for store in [store, try SQLiteStore(directory: directory.path, isReadOnly: true)] {
            for (room, records) in kept {
                #expect(try store.records(of: room, from: 0) == records)
            }
            #expect(try store.verify().isEmpty)
        }
        let left = try #require(
            try database.first("SELECT SUM(length(data)) FROM groups")?.integer)
        #expect(left < size * 3 / 4)
        #expect(try store.compact(before: 450) == 0)

        func floor(of room: String) -> UInt64 {
            // Room 2 is in every third group: 300 is its last multiple of 100 and 3 before 450.
            let last = room == "room2" ? 300 : 400
            let step = room == "room0" ? 1 : room == "room1" ? 2 : 3
            var sequence: UInt64 = 0
            for index in stride(from: 0, through: last, by: step) {
                sequence += 1
                if index == last { return sequence }
                if index % 7 == 0 { sequence += 1 }
            }
            return sequence
        }
    }

    @Test("what was cut stays cut, and the room goes on from there")
    func truncation() throws {
        let directory = TemporaryDirectory()
        let store = try SQLiteStore(directory: directory.path)
        var chain = Chain(room: "a")
        try store.append([chain.next(.snapshot), chain.next()], time: 1)
        let good = try store.records(of: "a")
        var fork = chain
        try store.append([chain.next(), chain.next()], time: 1)
        try store.truncate("a", after: 2)
        #expect(try store.records(of: "a") == good)
        let next = fork.next(.snapshot, bytes: 99)
        try store.append([next], time: 1)
        for store in [store, try SQLiteStore(directory: directory.path, isReadOnly: true)] {
            #expect(try store.records(of: "a", from: 0) == good + [next.record])
            #expect(try store.records(of: "a") == [next.record])
        }
        try store.delete("a")
        #expect(try SQLiteStore(directory: directory.path, isReadOnly: true).rooms().isEmpty)
        try store.append([fork.next(.snapshot)], time: 1)
        #expect(try store.records(of: "a", from: 0).count == 1)
    }

    @Test("flipped bytes anywhere in the last group are found; what is whole before them stays")
    func damage() throws {
        for offset in [0, 1, 3, 40, -1] {
            let directory = TemporaryDirectory()
            var a = Chain(room: "a")
            var b = Chain(room: "b")
            let first = [a.next(.snapshot), b.next(.snapshot)]
            try SQLiteStore(directory: directory.path).append(first, time: 1)
            try SQLiteStore(directory: directory.path).append([a.next(), b.next()], time: 2)
            let database = try Connection(
                path: directory.path + "/journal.sqlite", access: .writing)
            var data = try #require(
                try database.first("SELECT data FROM groups WHERE id = 2")?.blob)
            data[offset < 0 ? data.count + offset : offset] ^= 0x21
            try database.run("UPDATE groups SET data = ? WHERE id = 2", .blob(data))
            let reader = try SQLiteStore(directory: directory.path, isReadOnly: true)
            #expect(try reader.verify().isEmpty == false, "offset \(offset)")
            #expect(reader.damage.isEmpty == false, "offset \(offset)")
            let store = try SQLiteStore(directory: directory.path)
            let records = try store.records(of: "a")
            #expect(records.first == first[0].record)
            #expect(records.count <= 2)
        }
    }

    @Test(
        "columns that hold something else are damage; the journal opens and serves the other rooms",
        arguments: [
            "UPDATE groups SET data = NULL WHERE id = 2", "UPDATE groups SET data = 5 WHERE id = 2",
            "UPDATE rooms SET name = NULL WHERE id = 2",
            "UPDATE rooms SET name = x'FF' WHERE id = 2",
        ])
    func wrongColumns(_ change: String) throws {
        let directory = TemporaryDirectory()
        let path = directory.path + "/journal.sqlite"
        var (a, b) = (Chain(room: "a"), Chain(room: "b"))
        do {
            let store = try SQLiteStore(directory: directory.path)
            try store.append([a.next(.snapshot)], time: 1)
            try store.append([b.next(.snapshot)], time: 2)
        }
        try Connection(path: path, access: .writing).execute(
            """
            PRAGMA writable_schema = ON;
            UPDATE sqlite_master SET sql = replace(sql, ' NOT NULL', '');
            """)
        try Connection(path: path, access: .writing).execute(change)
        let store = try SQLiteStore(directory: directory.path)
        #expect(store.damage.count == 1)
        #expect(try store.records(of: "a").count == 1)
        if change.contains("groups") {
            // The room existed: opened without records, it would be written anew.
            #expect(throws: StoreError.self) { try store.records(of: "b") }
        } else {
            #expect(try store.records(of: "b").isEmpty)
        }
        _ = try store.verify()
        _ = try store.compact(before: 10)
        try store.append([a.next()], time: 3)
        let reader = try SQLiteStore(directory: directory.path, isReadOnly: true)
        #expect(try reader.records(of: "a").count == 2)
    }

    @Test("a journal of version 1 becomes one of version 2")
    func migration() throws {
        let directory = TemporaryDirectory()
        try FileManager.default.createDirectory(
            atPath: directory.path, withIntermediateDirectories: true)
        var chain = Chain(room: "old")
        let records = [chain.next(.snapshot).record, chain.next().record, chain.next().record]
        func part(_ bytes: [UInt8]) -> [UInt8] {
            (0..<4).map { UInt8(truncatingIfNeeded: bytes.count >> (8 * $0)) } + bytes
        }
        let database = try Connection(path: directory.path + "/journal.sqlite", access: .writing)
        try database.execute(
            """
            CREATE TABLE commits (id INTEGER PRIMARY KEY, data BLOB NOT NULL);
            CREATE TABLE ranges (
                room TEXT NOT NULL, first INTEGER NOT NULL, last INTEGER NOT NULL,
                snapshot INTEGER, commitID INTEGER NOT NULL REFERENCES commits(id),
                PRIMARY KEY (room, first)) WITHOUT ROWID;
            CREATE INDEX rangesByCommit ON ranges (commitID);
            PRAGMA user_version = 1;
            """)
        for (index, group) in [records[0...1], records[2...2]].enumerated() {
            let data = group.flatMap { part(Array("old".utf8)) + part($0.encoded()) }
            let number = Value.integer(Int64(index + 1))
            try database.run("INSERT INTO commits VALUES (?, ?)", number, .blob(data))
            try database.run(
                "INSERT INTO ranges VALUES ('old', ?, ?, 1, ?)",
                .integer(Int64(group.first?.sequence ?? 0)),
                .integer(Int64(group.last?.sequence ?? 0)), number)
        }
        let store = try SQLiteStore(directory: directory.path)
        #expect(try store.records(of: "old") == records)
        let next = chain.next()
        try store.append([next], time: 5)
        #expect(
            try SQLiteStore(directory: directory.path, isReadOnly: true).records(of: "old")
                == records + [next.record])
    }

    @Test("an index is read back as it was written")
    func index() throws {
        var index = RoomIndex()
        var chain = Chain(room: "a")
        for group in [3, 3, 9, 400, 401] as [Int64] {
            let record = chain.next(
                group >= 9 && group <= 400 ? .snapshot : .batch, repeatsScene: group == 400
            ).record
            index.note(
                sequence: record.sequence, snapshot: RoomIndex.Snapshot(record), group: group)
        }
        #expect(RoomIndex(index.encoded()) == index)
        #expect(index.start(for: nil) == 4)
        #expect(index.entries.flatMap(\.snapshots).map(\.repeatsScene) == [false, true])
        let bytes = index.encoded()
        for length in 1..<bytes.count {
            // Cut between two entries it is a shorter index, elsewhere none.
            let part = RoomIndex(Array(bytes.prefix(length)))
            #expect((part?.entries.count ?? 0) < index.entries.count)
        }
    }
}
