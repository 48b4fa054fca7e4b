import SceneWire
import Testing

@testable import SceneServer

@Suite("Rooms that are replayed ahead of time")
struct ShadowTableTests {
    private static func records(_ sequences: ClosedRange<UInt64>, bytes: Int = 10)
        -> [JournalRecord]
    {
        sequences.map {
            JournalRecord(
                sequence: $0, epoch: 1, tick: $0, previous: 0, kind: .batch,
                payload: [UInt8](repeating: 0, count: bytes))
        }
    }

    /// A table that is changed in expectations, which take no value that they would have to change.
    private final class Table {
        var value = ShadowTable<String>()

        func add(_ name: String, _ records: [JournalRecord]) { value.add(name, records) }
        func next() -> ShadowTable<String>.Step? { value.takeNext() }
        func settle(_ step: ShadowTable<String>.Step, _ room: String?) { value.settle(step, room) }
        func take(_ name: String) -> ShadowTable<String>.Taken { value.take(name) }
        func forget(_ name: String) { value.forget(name) }
    }

    @Test("records are replayed in order, those that come meanwhile together")
    func order() throws {
        let table = Table()
        table.add("a", Self.records(1...2))
        table.add("b", Self.records(1...1))
        let first = try #require(table.next())
        #expect(first.name == "a" && first.room == nil && first.records.count == 2)
        table.add("a", Self.records(3...3))
        table.add("a", Self.records(4...5))
        table.settle(first, "A2")
        let second = try #require(table.next())
        #expect(second.name == "b")
        table.settle(second, "B1")
        let third = try #require(table.next())
        #expect(third.name == "a" && third.room == "A2")
        #expect(third.records.map(\.sequence) == [3, 4, 5])
        table.settle(third, "A5")
        #expect(table.next() == nil)
        #expect(table.take("a") == .ready("A5") && table.take("a") == .absent)
        #expect(table.take("b") == .ready("B1"))
    }

    @Test("a room is handed out once the records that are being replayed are part of it")
    func busy() throws {
        let table = Table()
        table.add("a", Self.records(1...1))
        #expect(table.take("a") == .coming)
        let step = try #require(table.next())
        #expect(table.take("a") == .coming)
        table.settle(step, "A1")
        #expect(table.take("a") == .ready("A1"))
        #expect(table.take("a") == .absent)
    }

    @Test("a room that was forgotten and begun again has nothing of before")
    func again() throws {
        let table = Table()
        table.add("a", Self.records(1...1))
        let old = try #require(table.next())
        table.forget("a")
        table.add("a", Self.records(5...6))
        table.settle(old, "A1")
        let step = try #require(table.next())
        #expect(step.room == nil && step.records.map(\.sequence) == [5, 6])
        table.settle(step, "A6")
        #expect(table.take("a") == .ready("A6"))
    }

    @Test("a room whose records wait can be taken as far as it has come")
    func waiting() throws {
        let table = Table()
        table.add("a", Self.records(1...1))
        table.settle(try #require(table.next()), "A1")
        table.add("a", Self.records(2...2))
        #expect(table.take("a") == .ready("A1"))
        #expect(table.next() == nil)
    }

    @Test("a room that cannot be replayed is dropped")
    func unreadable() throws {
        let table = Table()
        table.add("a", Self.records(1...1))
        table.settle(try #require(table.next()), nil)
        #expect(table.take("a") == .absent)
    }

    @Test(
        "rooms and their bytes have a maximum, beyond which nothing is kept; what is forgotten counts no more"
    )
    func maxima() throws {
        let table = Table()
        for number in 0..<ShadowTable<String>.roomMaximum {
            table.add("r\(number)", Self.records(1...1))
        }
        table.add("late", Self.records(1...1))
        var names: Set<String> = []
        while let step = table.next() {
            names.insert(step.name)
            table.settle(step, step.name)
        }
        #expect(names.count == ShadowTable<String>.roomMaximum && !names.contains("late"))
        // A room that grows beyond the bytes for all is given up, whole.
        table.add("r0", Self.records(2...2, bytes: ShadowTable<String>.bytesMaximum))
        #expect(table.take("r0") == .absent)
        table.add("late", Self.records(1...1))
        #expect(table.next()?.name == "late")
    }
}
