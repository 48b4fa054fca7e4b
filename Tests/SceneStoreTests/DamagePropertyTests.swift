import Foundation
import SQLite
import SceneTestSupport
import SceneWire
import SeededRandom
import Testing

@testable import SceneStore

@Suite("Damaged journals")
struct DamagePropertyTests {
    /// A journal without the constraints of its columns, so that any cell can hold anything.
    private func lax(_ directory: TemporaryDirectory) throws -> String {
        let store = try SQLiteStore(directory: directory.path)
        var chains = (0..<3).map { Chain(room: "room\($0)") }
        for index in 0..<300 {
            var group: [RoomRecord] = []
            for room in chains.indices where index % (room + 1) == 0 {
                group.append(chains[room].next(index % 60 == 0 ? .snapshot : .batch))
            }
            try store.append(group, time: Int64(index))
        }
        store.finish()
        let lax = directory.path + "/lax"
        try FileManager.default.createDirectory(atPath: lax, withIntermediateDirectories: true)
        let database = try Connection(path: lax + "/journal.sqlite", access: .writing)
        try database.execute(
            """
            PRAGMA page_size = 16384;
            ATTACH '\(directory.path)/journal.sqlite' AS whole;
            CREATE TABLE groups (id INTEGER PRIMARY KEY, time, data);
            CREATE INDEX groupsByTime ON groups (time);
            CREATE TABLE rooms (id INTEGER PRIMARY KEY AUTOINCREMENT, name);
            CREATE TABLE segments (room, first, data);
            CREATE TABLE state (key PRIMARY KEY, value);
            INSERT INTO groups SELECT * FROM whole.groups;
            INSERT INTO rooms SELECT * FROM whole.rooms;
            INSERT INTO segments SELECT * FROM whole.segments;
            INSERT INTO state SELECT * FROM whole.state;
            PRAGMA user_version = 2;
            """)
        return lax
    }

    private static let values = [
        "NULL", "'text'", "CAST(x'ff80fe' AS TEXT)", "x''", "x'00'", "x'02ffffffffffffffffffff'",
        "x'ffffffffffffffffff7f0101'", "-1", "0", "1", "1.5", "9223372036854775807",
        "-9223372036854775808", "zeroblob(70000)", "randomblob(300)",
    ]

    private func corrupt(_ database: Connection, _ random: inout SplitMix64) throws {
        let (table, column) = random.pick([
            ("groups", "id"), ("groups", "time"), ("groups", "data"), ("groups", "data"),
            ("rooms", "id"), ("rooms", "name"), ("segments", "room"), ("segments", "first"),
            ("segments", "data"), ("segments", "data"), ("state", "key"), ("state", "value"),
        ])
        let offset = random.below(40)
        let place = "SELECT rowid FROM \(table) ORDER BY rowid LIMIT 1 OFFSET \(offset)"
        let row = "rowid = (\(place))"
        let target = table == "state" || table == "segments" ? "rowid >= 0" : row
        switch random.below(4) {
        case 0 where column == "data":
            // One byte of a blob is another one.
            guard
                let cell = try database.rows(
                    "SELECT rowid, data FROM \(table) LIMIT 1 OFFSET ?",
                    .integer(Int64(random.below(3)))
                ).first, var data = cell[1].blob, !data.isEmpty
            else { return }
            data[random.below(data.count)] = UInt8(random.below(256))
            try database.run(
                "UPDATE \(table) SET data = ? WHERE rowid = ?", .blob(data), cell[0])
        case 1: try database.execute("DELETE FROM \(table) WHERE \(target)")
        default:
            let value = random.pick(Self.values)
            // Some columns cannot hold some values.
            try? database.execute(
                "UPDATE OR IGNORE \(table) SET \(column) = \(value) WHERE \(target)")
        }
    }

    /// Does all that a program does with a journal; nothing but a `StoreError` may come of it.
    private func use(_ directory: String, isReadOnly: Bool) throws(StoreError) {
        let store = try SQLiteStore(directory: directory, isReadOnly: isReadOnly)
        func attempt(_ body: () throws(StoreError) -> Void) {
            do throws(StoreError) { try body() } catch { #expect(!error.description.isEmpty) }
        }
        attempt { () throws(StoreError) in _ = try store.rooms() }
        attempt { () throws(StoreError) in _ = try store.verify() }
        for room in ["room0", "room1", "room2", "none"] {
            for tick in [nil, 0, 900] as [UInt64?] {
                attempt { () throws(StoreError) in _ = try store.records(of: room, from: tick) }
            }
        }
        guard !isReadOnly else { return }
        var chain = Chain(room: "new")
        for _ in 0..<2 {
            let entry = chain.next(.snapshot)
            attempt { () throws(StoreError) in try store.append([entry], time: 1000) }
        }
        attempt { () throws(StoreError) in try store.truncate("room1", after: 20) }
        attempt { () throws(StoreError) in _ = try store.compact(before: 200) }
        attempt { () throws(StoreError) in try store.delete("room2") }
        attempt { () throws(StoreError) in try store.probe() }
        attempt { () throws(StoreError) in _ = try store.verify() }
        store.finish()
    }

    @Test("whatever a cell or a byte holds, reading and writing go on or are refused")
    func corruptions() throws {
        let directory = TemporaryDirectory()
        let source = try lax(directory) + "/journal.sqlite"
        let whole = try Data(contentsOf: URL(fileURLWithPath: source))
        let copy = directory.path + "/copy"
        for seed in 0..<100 * Soak.factor {
            var random = SplitMix64(seed: UInt64(seed))
            try? FileManager.default.removeItem(atPath: copy)
            try FileManager.default.createDirectory(
                atPath: copy, withIntermediateDirectories: true)
            let path = copy + "/journal.sqlite"
            var bytes = whole
            if seed % 4 == 3 {
                for _ in 0...random.below(3) {
                    bytes[random.below(bytes.count)] = UInt8(random.below(256))
                }
                try bytes.write(to: URL(fileURLWithPath: path))
            } else {
                try bytes.write(to: URL(fileURLWithPath: path))
                let database = try Connection(path: path, access: .writing)
                try database.transaction(.writing) {
                    for _ in 0...random.below(2) { try corrupt(database, &random) }
                }
            }
            for isReadOnly in [true, false, false] {
                do throws(StoreError) {
                    try use(copy, isReadOnly: isReadOnly)
                } catch {
                    #expect(!error.description.isEmpty, "seed \(seed)")
                }
            }
        }
    }

    private func changed(
        _ directory: TemporaryDirectory, _ sql: String
    ) throws -> SQLiteStore {
        let lax = try lax(directory)
        try Connection(path: lax + "/journal.sqlite", access: .writing).execute(sql)
        return try SQLiteStore(directory: lax)
    }

    @Test("a room whose index is damaged is set aside; the others come up and are compacted")
    func oneRoom() throws {
        let directory = TemporaryDirectory()
        let store = try changed(
            directory, "UPDATE segments SET data = x'ff' WHERE room = 2")
        #expect(try store.rooms() == ["room0", "room1", "room2"])
        #expect(
            throws: StoreError.damaged(
                RoomDamage(
                    room: "room1", sequence: 1,
                    fault: "cannot be found: the room's index is damaged"))
        ) { try store.records(of: "room1") }
        #expect(try store.records(of: "room0", from: 0).count == 300)
        #expect(try store.records(of: "room2", from: 0).count == 100)
        #expect(try store.verify().contains { $0.hasPrefix("room room1: ") })
        #expect(try store.compact(before: 250) > 0)
        #expect(try store.records(of: "room2", from: 0).count < 100)
    }

    @Test("a room without a name is passed over, and told of")
    func namelessRoom() throws {
        let directory = TemporaryDirectory()
        let store = try changed(directory, "UPDATE rooms SET name = NULL WHERE id = 1")
        #expect(try store.rooms() == ["room1", "room2"])
        #expect(store.damage == ["the name of room 1 is damaged"])
    }

    @Test(
        "without the last group that the index covers, it is worked out, and nothing is lost",
        arguments: [
            "UPDATE state SET value = NULL", "UPDATE state SET value = 'text'",
            "UPDATE state SET value = 9223372036854775807", "DELETE FROM state",
        ])
    func lostState(sql: String) throws {
        let directory = TemporaryDirectory()
        let store = try changed(directory, sql)
        #expect(store.damage.count == 1)
        let lax = directory.path + "/lax"
        for store in [store, try SQLiteStore(directory: lax, isReadOnly: true)] {
            #expect(try store.records(of: "room0", from: 0).count == 300)
            #expect(try store.records(of: "room2", from: 0).count == 100)
        }
        var chain = Chain(room: "new")
        try store.append([chain.next(.snapshot)], time: 400)
        try store.writeIndex()
        let again = try SQLiteStore(directory: lax, isReadOnly: true)
        #expect(again.damage.isEmpty)
        #expect(try again.records(of: "new").count == 1)
        #expect(try again.records(of: "room0", from: 0).count == 300)
    }

    @Test("a group with the largest of all numbers is passed over, and records can be written")
    func largestGroup() throws {
        let directory = TemporaryDirectory()
        let store = try changed(
            directory, "UPDATE groups SET id = 9223372036854775807 WHERE id = 300")
        #expect(store.damage == ["1 groups have numbers out of range"])
        var chain = Chain(room: "new")
        try store.append([chain.next(.snapshot)], time: 400)
        #expect(try store.records(of: "new").count == 1)
        #expect(try store.records(of: "room0", from: 0).count == 299)
    }
}
