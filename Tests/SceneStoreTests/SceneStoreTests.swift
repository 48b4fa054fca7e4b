import Foundation
import SQLite
import SceneWire
import SeededRandom
import Testing

@testable import SceneStore

/// A directory that goes with the test.
final class TemporaryDirectory {
    let path: String

    init() {
        path = NSTemporaryDirectory() + "scenesync-store-" + UUID().uuidString
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }
}

/// A chain of records as a session writes them.
struct Chain {
    var room: String
    private var sequence: UInt64 = 0
    private var checksum: UInt64 = 0

    init(room: String) { self.room = room }

    /// Goes on after records that were written.
    init(continuing records: [JournalRecord], of room: String) {
        self.room = room
        sequence = records.last?.sequence ?? 0
        checksum = records.last?.checksum ?? 0
    }

    mutating func next(
        _ kind: JournalRecord.Kind = .batch, repeatsScene: Bool = false, bytes: Int = 10
    ) -> RoomRecord {
        sequence += 1
        let record = JournalRecord(
            sequence: sequence, epoch: 1, tick: sequence * 10, previous: checksum, kind: kind,
            repeatsScene: repeatsScene,
            payload: (0..<bytes).map { UInt8(truncatingIfNeeded: $0 &+ Int(sequence)) })
        checksum = record.checksum
        return RoomRecord(room: room, record: record)
    }
}

@Suite("Journals")
struct SceneStoreTests {
    static func stores(_ directory: TemporaryDirectory) throws -> [any SceneStore] {
        [MemoryStore(), try SQLiteStore(directory: directory.path)]
    }

    @Test("a renamed room keeps its records, and takes no name that another room has")
    func rename() throws {
        let directory = TemporaryDirectory()
        for store in try Self.stores(directory) {
            var (first, other) = (Chain(room: "first"), Chain(room: "other"))
            let records = [first.next(.snapshot), first.next(), first.next(.snapshot)]
            try store.append(records, time: 1)
            try store.append([other.next(.snapshot)], time: 1)
            #expect(try store.rename("first", to: "other") == .nameTaken)
            #expect(try store.rename("none", to: "new") == .noSuchRoom)
            #expect(try store.rename("first", to: "new") == .renamed)
            #expect(try store.records(of: "new", from: 0) == records.map(\.record))
            #expect(try store.records(of: "first").isEmpty)
            #expect(try store.rooms() == ["new", "other"])
            // The chain goes on under the new name, and the old name is free.
            first.room = "new"
            let more = first.next()
            try store.append([more], time: 2)
            #expect(try store.records(of: "new").last == more.record)
            var again = Chain(room: "first")
            try store.append([again.next(.snapshot)], time: 2)
            #expect(try store.records(of: "first").count == 1)
        }
        // As it is on the disk.
        let store = try SQLiteStore(directory: directory.path, isReadOnly: true)
        #expect(try store.rooms() == ["first", "new", "other"])
        #expect(try store.records(of: "new", from: 0).count == 4)
        #expect(store.damage.isEmpty)
    }

    @Test("what is appended is read back in order from the last snapshot on, room by room")
    func roundTrip() throws {
        let directory = TemporaryDirectory()
        for store in try Self.stores(directory) {
            var a = Chain(room: "a")
            var b = Chain(room: "b")
            try store.append([a.next(.snapshot), b.next(.snapshot), a.next()], time: 1)
            let snapshot = a.next(.snapshot, bytes: 100_000)
            let after = [a.next(), a.next(bytes: 0)]
            try store.append([snapshot] + after, time: 1)
            #expect(try store.records(of: "a") == ([snapshot] + after).map(\.record))
            #expect(try store.records(of: "b").count == 1)
            #expect(try store.records(of: "none").isEmpty)
            #expect(try store.rooms() == ["a", "b"])
            #expect(store.damage.isEmpty)
        }
    }

    @Test("compacting removes what comes before the last snapshot; deleting removes the room")
    func compact() throws {
        let directory = TemporaryDirectory()
        for store in try Self.stores(directory) {
            var a = Chain(room: "a")
            try store.append([a.next(.snapshot)], time: 1)
            try store.append([a.next()], time: 1)
            try store.append([a.next(.snapshot)], time: 1)
            try store.append([a.next()], time: 1)
            let before = try store.records(of: "a")
            #expect(try store.compact(before: 2) == 2)
            #expect(try store.records(of: "a") == before)
            #expect(try store.compact(before: 2) == 0)
            try store.delete("a")
            #expect(try store.rooms().isEmpty)
        }
    }

    @Test("what was written while the clock was wrong is as young as what was written before it")
    func wrongClock() throws {
        // The present is 1,000, and what is older than 100 goes: younger than 900 are the times up
        // to 1,100.
        for (times, removed): ([Int64], Int) in [
            ([950, 10, 20, 960], 0), ([950, 10, 20, 30], 0), ([10, 950, 20, 960], 0),
            ([10, 20, 950, 960], 1), ([1_050, 1_060, 1_070, 960], 0),
            ([5_000, 10, 5_000, 960], 2), ([800, 5_000, 810, 820], 3),
        ] {
            let directory = TemporaryDirectory()
            for store in try Self.stores(directory) {
                var a = Chain(room: "a")
                for time in times { try store.append([a.next(.snapshot)], time: time) }
                #expect(try store.compact(before: 900, now: 1_000) == removed, "\(times)")
            }
        }
    }

    @Test("a database that is opened again holds what was appended, and syncs in full")
    func reopen() throws {
        let directory = TemporaryDirectory()
        var a = Chain(room: "a")
        let group = [a.next(.snapshot), a.next()]
        try SQLiteStore(directory: directory.path).append(group, time: 1)
        let again = try SQLiteStore(directory: directory.path)
        #expect(try again.records(of: "a") == group.map(\.record))
        let more = a.next()
        try again.append([more], time: 1)
        #expect(try again.records(of: "a").count == 3)
        let reader = try SQLiteStore(directory: directory.path, isReadOnly: true)
        #expect(try reader.records(of: "a").count == 3)
        #expect(throws: StoreError.self) { try reader.append([more], time: 1) }
        try again.probe()
        #expect(try again.records(of: "a").count == 3)
    }

    @Test("a later version and a file that is no database are refused")
    func foreign() throws {
        let directory = TemporaryDirectory()
        _ = try SQLiteStore(directory: directory.path)
        let path = directory.path + "/journal.sqlite"
        try Connection(path: path, access: .writing).execute("PRAGMA user_version = 99")
        #expect(throws: StoreError.tooNew(version: 99, supported: 2)) {
            _ = try SQLiteStore(directory: directory.path)
        }
        let other = TemporaryDirectory()
        try FileManager.default.createDirectory(
            atPath: other.path, withIntermediateDirectories: true)
        try Data(repeating: 7, count: 4096).write(
            to: URL(fileURLWithPath: other.path + "/journal.sqlite"))
        #expect(throws: StoreError.self) { _ = try SQLiteStore(directory: other.path) }
        #expect(throws: StoreError.self) {
            _ = try SQLiteStore(directory: "/proc/nowhere/at-all")
        }
    }

    @Test(
        "a group has each record as it is encoded alone, however many there are and however long",
        arguments: [0, 1, 3, 4, 5, 64])
    func groups(count: Int) throws {
        var random = SplitMix64(seed: UInt64(count))
        let records = (0..<count).map { _ in
            JournalRecord(
                sequence: random.next() >> UInt64(random.below(64)),
                epoch: random.next() >> UInt64(random.below(64)), tick: UInt64(random.below(200)),
                previous: random.next(), kind: .batch,
                payload: (0..<random.below(700)).map { _ in UInt8(random.below(256)) })
        }
        let blob = GroupBlob.encode(records.map { (3, $0) })
        let read = GroupBlob(blob)
        #expect(read.isWhole && read.isFramed)
        #expect(read.entries.map { Array($0.bytes) } == records.map { $0.encoded() })
        #expect(records.map(\.encodedByteCount) == records.map { $0.encoded().count })
        #expect(try read.entries.map { try JournalRecord.decode(Array($0.bytes)) } == records)
    }

    @Test("a torn record, whatever its length, is an error and never a trap")
    func torn() throws {
        var a = Chain(room: "a")
        let bytes = a.next(.snapshot, bytes: 50).record.encoded()
        #expect(try JournalRecord.decode(bytes).encoded() == bytes)
        for length in 0..<bytes.count {
            #expect(throws: DecodeError.self) {
                _ = try JournalRecord.decode(Array(bytes.prefix(length)))
            }
        }
        for index in bytes.indices {
            var flipped = bytes
            flipped[index] ^= 0x01
            #expect(throws: DecodeError.self) { _ = try JournalRecord.decode(flipped) }
        }
        let group = [a.next(), a.next()]
        let blob = GroupBlob.encode(group.map { (7, $0.record) })
        let read = GroupBlob(blob)
        #expect(read.isWhole && read.isFramed)
        #expect(read.entries.map(\.room) == [7, 7])
        #expect(
            try read.entries.map { try JournalRecord.decode(Array($0.bytes)) }
                == group.map(\.record))
        for length in 0..<blob.count {
            #expect(!GroupBlob(Array(blob.prefix(length))).isWhole)
        }
        for index in blob.indices {
            var flipped = blob
            flipped[index] ^= 0x40
            #expect(!GroupBlob(flipped).isWhole)
        }
    }
}
