import SceneStore
import SceneWire
import Testing

@testable import SceneServer

@Suite("The second copy of a cluster's journals")
struct SecondCopyTests {
    private static func record(
        _ sequence: UInt64, after last: JournalRecord? = nil,
        kind: JournalRecord.Kind = .batch, text: String = "x"
    ) -> JournalRecord {
        JournalRecord(
            sequence: sequence, epoch: 1, tick: sequence, previous: last?.checksum ?? 0, kind: kind,
            payload: Array(text.utf8))
    }

    private static func entries(_ records: [JournalRecord]) -> [RoomRecord] {
        records.map { RoomRecord(room: "r", record: $0) }
    }

    private static func chain(_ count: UInt64) -> [JournalRecord] {
        var records = [record(1, kind: .snapshot)]
        for sequence in 2...count { records.append(record(sequence, after: records.last)) }
        return records
    }

    @Test("records that follow one another are written once")
    func follows() throws {
        let store = MemoryStore()
        let writer = SecondCopyWriter(store)
        let records = Self.chain(4)
        #expect(try writer.write(Self.entries(Array(records[..<2])), time: 1) == 2)
        #expect(try writer.write(Self.entries(Array(records[1...])), time: 1) == 2)
        #expect(try store.records(of: "r") == records)
    }

    @Test("after a gap a room goes on with the next snapshot, also in a later process")
    func gap() throws {
        let store = MemoryStore()
        let records = Self.chain(6)
        #expect(try SecondCopyWriter(store).write(Self.entries([records[0]]), time: 1) == 1)
        let writer = SecondCopyWriter(store)
        #expect(try writer.write(Self.entries([records[2], records[3]]), time: 1) == 0)
        let scene = Self.record(7, after: records[5], kind: .snapshot)
        let next = Self.record(8, after: scene)
        #expect(try writer.write(Self.entries([records[5], scene, next]), time: 1) == 2)
        #expect(try store.records(of: "r") == [scene, next])
    }

    @Test("another history of a room takes the place of what is there")
    func fork() throws {
        let store = MemoryStore()
        #expect(try SecondCopyWriter(store).write(Self.entries(Self.chain(5)), time: 1) == 5)
        let scene = Self.record(3, kind: .snapshot, text: "another")
        let next = Self.record(4, after: scene)
        #expect(try SecondCopyWriter(store).write(Self.entries([scene, next]), time: 1) == 2)
        #expect(try store.records(of: "r") == [scene, next])
    }

    @Test(
        "a disk that fails loses records and nothing else: the room goes on with its next snapshot")
    func failing() throws {
        let store = MemoryStore()
        let writer = SecondCopyWriter(store)
        let records = Self.chain(3)
        #expect(try writer.write(Self.entries([records[0]]), time: 1) == 1)
        store.failure = .writeFailed("full")
        #expect(throws: StoreError.writeFailed("full")) {
            try writer.write(Self.entries([records[1]]), time: 1)
        }
        writer.forget(Self.entries([records[1]]))
        store.failure = nil
        #expect(try writer.write(Self.entries([records[2]]), time: 1) == 0)
        let scene = Self.record(4, after: records[2], kind: .snapshot)
        #expect(try writer.write(Self.entries([scene]), time: 1) == 1)
        #expect(try store.records(of: "r") == [scene])
    }
}
