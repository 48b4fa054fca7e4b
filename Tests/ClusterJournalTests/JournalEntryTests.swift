import SceneCluster
import SceneWire
import SeededRandom
import Testing

@testable import ClusterJournal

@Suite("Entries of a cluster's journal")
struct JournalEntryTests {
    private static func record(_ bytes: Int, random: Bool) -> JournalRecord {
        var generator = SplitMix64(seed: 5)
        return JournalRecord(
            sequence: 3, epoch: 1, tick: 9, previous: 77, kind: .batch,
            payload: (0..<bytes).map { _ in random ? UInt8(generator.below(256)) : 0x20 })
    }

    @Test("a short record is one entry, a long one is deflated, and parts come together again")
    func parts() throws {
        let short = Self.record(100, random: true)
        #expect(try #require(JournalEntry.entries(of: short)) == [[1] + short.encoded()])
        // A hundred kilobytes of one letter are one part, 600 of noise three.
        for (record, count) in [
            (Self.record(100_000, random: false), 1), (Self.record(600_000, random: true), 3),
        ] {
            let entries = try #require(JournalEntry.entries(of: record))
            #expect(entries.count == count)
            #expect(entries.allSatisfy { $0.count <= JournalEntry.partBytes + 9 })
            var tail = RoomTail()
            for entry in entries {
                #expect(tail.records.isEmpty)
                tail.take(try JournalEntry(entry), at: 1)
            }
            #expect(tail.records == [record])
            #expect(!tail.isPartial)
            #expect(tail.damage == nil)
        }
    }

    @Test("a record whose last parts never came is passed over; a part that follows none is damage")
    func interrupted() throws {
        let entries = try #require(JournalEntry.entries(of: Self.record(600_000, random: true)))
        let short = Self.record(10, random: false)
        var tail = RoomTail()
        tail.take(try JournalEntry(entries[0]), at: 1)
        tail.take(.record(short), at: 2)
        tail.take(try JournalEntry(entries[0]), at: 3)
        #expect(tail.isPartial)
        for entry in entries { tail.take(try JournalEntry(entry), at: 4) }
        #expect(tail.records.count == 2)
        #expect(tail.damage == nil)
        tail.take(try JournalEntry(entries[1]), at: 5)
        #expect(
            tail.damage == "part 1 of a record follows part 0, expected the next")
    }

    @Test("bytes that are no entry are told, and never trap", arguments: 0..<20)
    func wrong(seed: UInt64) {
        #expect(throws: JournalEntryError.self) { try JournalEntry([]) }
        #expect(throws: JournalEntryError.self) { try JournalEntry([9, 1, 2]) }
        #expect(throws: JournalEntryError.self) { try JournalEntry([3, 0]) }
        var random = SplitMix64(seed: seed)
        let pool = [
            [1] + Self.record(50, random: true).encoded(),
            JournalEntry.entries(of: Self.record(70_000, random: false))?.first ?? [],
        ]
        for _ in 0..<200 {
            var bytes = random.pick(pool)
            for _ in 0...random.below(3) {
                bytes[random.below(bytes.count)] = UInt8(random.below(256))
            }
            if random.chance(1, of: 4) { bytes.removeLast(random.below(bytes.count)) }
            var tail = RoomTail()
            if let entry = try? JournalEntry(bytes) { tail.take(entry, at: 1) }
            #expect(tail.records.count <= 1)
        }
    }

    @Test("a room's snapshot holds its records; cuts and changes are told", arguments: 0..<10)
    func snapshots(seed: UInt64) throws {
        let records = [Self.record(40, random: true), Self.record(3000, random: false)]
        let bytes = try #require(RoomSnapshot.bytes(of: records))
        #expect(try RoomSnapshot.records(in: bytes) == records)
        for count in 0..<bytes.count {
            #expect(throws: JournalEntryError.self) {
                try RoomSnapshot.records(in: Array(bytes[..<count]))
            }
        }
        var random = SplitMix64(seed: seed)
        for _ in 0..<100 {
            var changed = bytes
            changed[random.below(changed.count)] ^= UInt8(1 + random.below(255))
            if let found = try? RoomSnapshot.records(in: changed) { #expect(found == records) }
        }
    }
}
