import Foundation
import SQLite
import SceneWire
import Testing

@testable import SceneStore

/// A journal of the rooms `a` and `b` with one record of one room in each group: a snapshot of
/// each, then batches of `a`, and a last one of `b`.
private struct DamagedJournal {
    let directory = TemporaryDirectory()
    private(set) var a: [JournalRecord] = []
    private(set) var b: [JournalRecord] = []

    /// - Parameters:
    ///   - snapshots: The records of `a`, from 1, that are snapshots.
    ///   - repetitions: Those of them that repeat the scene.
    ///   - isIndexed: Whether the database has the index of all groups.
    init(
        batches: Int, snapshots: Set<Int> = [1], repetitions: Set<Int> = [],
        isIndexed: Bool
    ) throws {
        let store = try SQLiteStore(directory: directory.path)
        var (first, second) = (Chain(room: "a"), Chain(room: "b"))
        var time: Int64 = 0
        func append(_ entry: RoomRecord) throws -> JournalRecord {
            time += 1
            try store.append([entry], time: time)
            return entry.record
        }
        b.append(try append(second.next(.snapshot)))
        for number in 1...batches {
            let kind: JournalRecord.Kind = snapshots.contains(number) ? .snapshot : .batch
            a.append(
                try append(first.next(kind, repeatsScene: repetitions.contains(number))))
        }
        b.append(try append(second.next()))
        if isIndexed { try store.writeIndex() }
        store.finish()
    }

    /// The group of a record of `a`, by its sequence. `b` has the first.
    func group(of sequence: Int) -> Int64 { Int64(sequence + 1) }

    func change(_ sql: String) throws {
        try Connection(path: directory.path + "/journal.sqlite", access: .writing).execute(sql)
    }

    /// Turns over bits in the middle of a group's record.
    ///
    /// - Parameter place: The byte; near the end unless given.
    func flip(_ group: Int64, at place: Int? = nil) throws {
        let database = try Connection(path: directory.path + "/journal.sqlite", access: .writing)
        var data = try #require(
            try database.first("SELECT data FROM groups WHERE id = ?", .integer(group))?.blob)
        data[place ?? data.count - 20] ^= 0x10
        try database.run(
            "UPDATE groups SET data = ? WHERE id = ?", .blob(data), .integer(group))
    }

    func open(isReadOnly: Bool = false) throws -> SQLiteStore {
        try SQLiteStore(directory: directory.path, isReadOnly: isReadOnly)
    }

    func groups() throws -> [[UInt8]] {
        try Connection(path: directory.path + "/journal.sqlite", access: .reading)
            .column("SELECT data FROM groups ORDER BY id").compactMap(\.blob)
    }
}

@Suite("Damage of a room")
struct RoomDamageTests {
    private func damage(_ store: SQLiteStore, _ room: String = "a") throws -> RoomDamage? {
        do throws(StoreError) {
            _ = try store.records(of: room)
            return nil
        } catch {
            guard case .damaged(let damage) = error else { throw error }
            return damage
        }
    }

    @Test(
        "a record in the middle that is damaged or gone keeps the room from opening, and changes no byte",
        arguments: [true, false], ["flip", "delete"])
    func middle(isIndexed: Bool, kind: String) throws {
        let journal = try DamagedJournal(batches: 10, isIndexed: isIndexed)
        let group = journal.group(of: 4)
        if kind == "flip" {
            try journal.flip(group)
        } else {
            try journal.change("DELETE FROM groups WHERE id = \(group)")
        }
        let before = try journal.groups()
        for _ in 0..<2 {
            let store = try journal.open()
            #expect(try damage(store)?.sequence == 4)
            #expect(try store.records(of: "b") == journal.b)
            #expect(try store.verify().isEmpty == false)
            #expect(try store.damagedRooms().map(\.room) == ["a"])
            _ = try store.compact(before: 1000)
            #expect(try journal.groups().count == before.count)
            store.finish()
        }
        let reader = try journal.open(isReadOnly: true)
        // The past before the damage can be shown; record n is of tick 10 n.
        #expect(
            try reader.records(of: "a", from: 20, beyondByBytes: .max)
                == Array(journal.a.prefix(3)))
        #expect(throws: StoreError.self) {
            try reader.records(of: "a", from: 40, beyondByBytes: .max)
        }
    }

    @Test(
        "the journal's last record is cut if it is torn, once, and the room goes on",
        arguments: [true, false])
    func tail(isIndexed: Bool) throws {
        let journal = try DamagedJournal(batches: 3, isIndexed: isIndexed)
        try journal.flip(5)
        do {
            let store = try journal.open()
            #expect(store.damage.isEmpty == isIndexed)
            #expect(try store.records(of: "a") == journal.a)
            var chain = Chain(room: "c")
            try store.append([chain.next(.snapshot)], time: 9)
            store.finish()
        }
        // It is not the last group any more, and still known as torn.
        let store = try journal.open()
        #expect(try store.records(of: "b") == Array(journal.b.prefix(1)))
        let next = JournalRecord(
            sequence: 2, epoch: 2, tick: 99, previous: journal.b[0].checksum, kind: .batch,
            payload: [1])
        try store.append([RoomRecord(room: "b", record: next)], time: 10)
        #expect(try store.records(of: "b") == [journal.b[0], next])
    }

    @Test(
        "what could be read of a torn group when it was found is damaged, not torn, if it is lost later"
    )
    func tornThenDamaged() throws {
        let journal = try DamagedJournal(batches: 3, isIndexed: true)
        var second = Chain(continuing: journal.b, of: "b")
        var first = Chain(continuing: journal.a, of: "a")
        let kept = first.next(bytes: 100)
        do {
            let store = try journal.open()
            try store.append(
                [
                    RoomRecord(room: "a", record: kept.record),
                    RoomRecord(room: "b", record: second.next(bytes: 100).record),
                ], time: 8)
            try store.writeIndex()
            store.finish()
        }
        // The group is torn in the record of `b`, after that of `a`.
        try journal.flip(6)
        do {
            let store = try journal.open()
            #expect(try store.records(of: "a") == journal.a + [kept.record])
            #expect(try store.records(of: "b") == journal.b)
            var third = Chain(room: "c")
            try store.append([third.next(.snapshot)], time: 9)
            store.finish()
        }
        #expect(try damage(try journal.open()) == nil)
        try journal.flip(6, at: 60)
        #expect(try damage(try journal.open())?.sequence == kept.record.sequence)
        #expect(try damage(try journal.open(), "b") == nil)
    }

    @Test(
        "the last record of a room, with later groups behind it, was acknowledged: the room does not open without it",
        arguments: [true, false])
    func lastOfRoom(isIndexed: Bool) throws {
        let journal = try DamagedJournal(batches: 3, isIndexed: isIndexed)
        try journal.flip(journal.group(of: 3))
        do {
            let store = try journal.open()
            #expect(try damage(store)?.sequence == 3)
            // Its group is indexed now, and not read when the journal is opened again.
            try store.writeIndex()
        }
        let store = try journal.open()
        #expect(try damage(store)?.sequence == 3)
        try store.delete("a")
        #expect(try store.records(of: "a").isEmpty)
        #expect(try store.damagedRooms().isEmpty)
    }

    @Test("a record is missed that is lost behind a readable one of the same commit")
    func sameGroup() throws {
        let directory = TemporaryDirectory()
        var (a, b) = (Chain(room: "a"), Chain(room: "b"))
        do {
            let store = try SQLiteStore(directory: directory.path)
            try store.append([a.next(.snapshot)], time: 1)
            try store.append([a.next(), a.next()], time: 2)
            try store.append([b.next(.snapshot)], time: 3)
            store.finish()
        }
        let database = try Connection(path: directory.path + "/journal.sqlite", access: .writing)
        var data = try #require(
            try database.first("SELECT data FROM groups WHERE id = 2")?.blob)
        data[data.count - 20] ^= 0x10
        try database.run("UPDATE groups SET data = ? WHERE id = 2", .blob(data))
        let store = try SQLiteStore(directory: directory.path)
        #expect(try damage(store)?.sequence == 3)
        #expect(try store.records(of: "b").count == 1)
    }

    @Test("where the torn tail is a snapshot, readers and writers go back to the one before it")
    func tornSnapshot() throws {
        let directory = TemporaryDirectory()
        var chain = Chain(room: "a")
        let kept = [chain.next(.snapshot), chain.next()]
        do {
            let store = try SQLiteStore(directory: directory.path)
            for entry in kept { try store.append([entry], time: 1) }
            try store.append([chain.next(.snapshot)], time: 2)
            // The index names it, so that it is looked for.
            try store.writeIndex()
            store.finish()
        }
        let database = try Connection(path: directory.path + "/journal.sqlite", access: .writing)
        var data = try #require(
            try database.first("SELECT data FROM groups WHERE id = 3")?.blob)
        data[data.count - 20] ^= 0x10
        try database.run("UPDATE groups SET data = ? WHERE id = 3", .blob(data))
        for isReadOnly in [true, false, true] {
            let store = try SQLiteStore(directory: directory.path, isReadOnly: isReadOnly)
            #expect(try store.records(of: "a") == kept.map(\.record))
        }
    }

    @Test("a room whose only group is damaged is not a new room")
    func onlyGroup() throws {
        let journal = try DamagedJournal(batches: 1, isIndexed: false)
        try journal.change("UPDATE groups SET data = x'00' WHERE id = \(journal.group(of: 1))")
        let store = try journal.open()
        #expect(try store.rooms() == ["a", "b"])
        #expect(try damage(store)?.sequence == 1)
    }

    @Test("a room that lost its snapshot, with all before it, does not open")
    func head() throws {
        let journal = try DamagedJournal(batches: 5, isIndexed: false)
        try journal.change("DELETE FROM groups WHERE id = \(journal.group(of: 1))")
        let store = try journal.open()
        #expect(try damage(store)?.sequence == 2)
        #expect(try store.pieces(of: "a").map { $0.records.count } == [4])
    }

    @Test(
        "a compaction keeps what leads to a damaged snapshot, which may have changed the scene",
        arguments: [true, false])
    func damagedSnapshot(repeatsScene: Bool) throws {
        let journal = try DamagedJournal(
            batches: 9, snapshots: [1, 6], repetitions: repeatsScene ? [6] : [], isIndexed: true)
        try journal.flip(journal.group(of: 6))
        let store = try journal.open()
        _ = try store.compact(before: 1000)
        let pieces = try store.pieces(of: "a")
        #expect(pieces.map { $0.records.map(\.sequence) } == [[1, 2, 3, 4, 5], [7, 8, 9]])
        #expect(pieces.map(\.lostSnapshot) == [nil, repeatsScene ? 6 : nil])
    }

    @Test(
        "the remains of a room tell whether more than a snapshot may be lost at their end",
        arguments: [true, false])
    func lostEnd(isIndexed: Bool) throws {
        let whole = try DamagedJournal(batches: 3, isIndexed: isIndexed)
        #expect(try whole.open().pieces(of: "a").map(\.lacksEnd) == [false])
        let journal = try DamagedJournal(batches: 3, isIndexed: isIndexed)
        try journal.flip(journal.group(of: 3))
        #expect(try journal.open().pieces(of: "a").map(\.lacksEnd) == [true])
        for repetitions in [[], [3]] as [Set<Int>] {
            let last = try DamagedJournal(
                batches: 3, snapshots: [1, 3], repetitions: repetitions, isIndexed: isIndexed)
            try last.flip(last.group(of: 3))
            // Only an index knows that it was a snapshot, and whether it repeated the scene.
            let isRepetition = isIndexed && !repetitions.isEmpty
            #expect(try last.open().pieces(of: "a").map(\.lacksEnd) == [!isRepetition])
        }
    }

    @Test("damage of a record that a repair dropped harms none of its group behind it")
    func damageBefore() throws {
        let directory = TemporaryDirectory()
        var chain = Chain(room: "a")
        let group = [chain.next(.snapshot, bytes: 100), chain.next(.snapshot), chain.next()]
        do {
            let store = try SQLiteStore(directory: directory.path)
            try store.append(group, time: 1)
            try store.append([chain.next()], time: 2)
            store.finish()
        }
        let database = try Connection(
            path: directory.path + "/journal.sqlite", access: .writing)
        var data = try #require(try database.first("SELECT data FROM groups")?.blob)
        data[60] ^= 0x10
        try database.run("UPDATE groups SET data = ? WHERE id = 1", .blob(data))
        let store = try SQLiteStore(directory: directory.path)
        let pieces = try store.pieces(of: "a")
        #expect(pieces.map { $0.records.map(\.sequence) } == [[2, 3, 4]])
        try store.restore("a", to: pieces[0], then: [], time: 3)
        #expect(try store.records(of: "a", from: 0) == pieces[0].records)
        #expect(try store.damagedRooms().isEmpty)
        try store.removeDamagedGroups()
        #expect(try store.records(of: "a", from: 0) == pieces[0].records)
        #expect(try store.verify().isEmpty)
    }

    @Test(
        "a repair keeps one part and what follows it; the journal is whole then, and a copy has the rest"
    )
    func repair() throws {
        let journal = try DamagedJournal(batches: 9, snapshots: [1, 3], isIndexed: false)
        try journal.flip(journal.group(of: 6))
        let damaged = try Data(
            contentsOf: URL(fileURLWithPath: journal.directory.path + "/journal.sqlite"))
        let store = try journal.open()
        let copy = try store.copyJournal(into: "kept")
        #expect(try Data(contentsOf: URL(fileURLWithPath: copy + "/journal.sqlite")) == damaged)
        #expect(try store.damagedGroups() == [journal.group(of: 6)])
        try store.removeDamagedGroups()
        #expect(try store.damagedGroups() == [journal.group(of: 6)], "a damaged room may need it")
        let pieces = try store.pieces(of: "a")
        #expect(pieces.map { $0.records.map(\.sequence) } == [[1, 2, 3, 4, 5], [7, 8, 9]])
        let last = try #require(pieces[0].records.last)
        let next = JournalRecord(
            sequence: 6, epoch: 1, tick: 99, previous: last.checksum, kind: .snapshot, payload: [1])
        try store.restore("a", to: pieces[0], then: [next], time: 9)
        try store.removeDamagedGroups()
        for store in [store, try journal.open(isReadOnly: true)] {
            #expect(try store.records(of: "a", from: 0) == Array(journal.a.prefix(5)) + [next])
            #expect(try store.records(of: "b", from: 0) == journal.b)
            #expect(try store.verify().isEmpty)
        }
    }

    @Test("a room whose index is damaged is put together from its groups")
    func index() throws {
        let journal = try DamagedJournal(batches: 9, isIndexed: true)
        try journal.change("UPDATE segments SET data = x'ff' WHERE room = 2")
        let store = try journal.open()
        #expect(try damage(store)?.sequence == 1)
        let pieces = try store.pieces(of: "a")
        #expect(pieces.map(\.records) == [journal.a])
        try store.restore("a", to: pieces[0], then: [], time: 20)
        #expect(try store.records(of: "a") == journal.a)
        #expect(try store.verify().isEmpty)
    }

    @Test("the write-ahead log is short again once nothing is written, also after a long reader")
    func rest() throws {
        let directory = TemporaryDirectory()
        let store = try SQLiteStore(directory: directory.path)
        var chain = Chain(room: "a")
        try store.append([chain.next(.snapshot)], time: 1)
        func logBytes() -> Int {
            let path = directory.path + "/journal.sqlite-wal"
            return (try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int) ?? 0
        }
        do {
            let reader = try SQLiteStore(directory: directory.path, isReadOnly: true)
            for time in 2...30 {
                try store.append([chain.next(.batch, bytes: 1 << 19)], time: Int64(time))
            }
            #expect(logBytes() > 8 << 20)
            #expect(!store.rest())
            #expect(try reader.records(of: "a").count == 1)
        }
        // The work is done on another thread.
        while !store.rest() { usleep(1000) }
        #expect(logBytes() < 8 << 20)
        #expect(try store.records(of: "a").count == 30)
    }
}
