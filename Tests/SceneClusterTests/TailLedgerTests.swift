import SceneCluster
import SeededRandom
import Testing

@Suite("The tail of a shard's journal")
struct TailLedgerTests {
    private typealias Harness = OwnerHarness

    /// The bytes that a group of one entry takes: header, count, entry, checksum.
    private static func recordBytes(_ bytes: Int) -> Int { 58 + 4 + 2 + 1 + 4 + bytes + 16 }

    private static func commit(
        _ harness: inout Harness, _ number: UInt64, _ room: String, _ bytes: Int
    ) {
        harness.send(.heardSelf)
        harness.send(
            .commit(number: number, [.init(room: room, bytes: .init(repeating: 1, count: bytes))]))
        let group = harness.published
        harness.answer(.kept(sequence: 10 + number))
        harness.answer([(10 + number, group)])
    }

    private static func wanted(_ harness: inout Harness) -> [String] {
        harness.news().compactMap {
            if case .snapshotWanted(let room) = $0 { room } else { nil }
        }
    }

    @Test("beyond 4 MiB the oldest room is named, once, and then the next one")
    func oldest() {
        var harness = Harness.serving()
        // Nine groups of 500,000 bytes are more than 4 MiB, eight are less.
        for number in 1...UInt64(8) {
            Self.commit(&harness, number, number == 2 ? "b" : "a", 500_000)
        }
        #expect(Self.wanted(&harness).isEmpty)
        #expect(harness.owner.tailBytes == 8 * Self.recordBytes(500_000))
        Self.commit(&harness, 9, "b", 500_000)
        #expect(Self.wanted(&harness) == ["a"])
        Self.commit(&harness, 10, "b", 1)
        #expect(Self.wanted(&harness).isEmpty)
        // The seal is record 1, so that commit 8 is record 9. Room b's first one is record 3.
        harness.send(.snapshotStored(room: "a", number: 9))
        #expect(harness.owner.tailBytes == 8 * Self.recordBytes(500_000) + Self.recordBytes(1))
        #expect(Self.wanted(&harness).isEmpty)
        Self.commit(&harness, 11, "a", 500_000)
        #expect(Self.wanted(&harness) == ["b"])
        harness.send(.snapshotStored(room: "b", number: 11))
        #expect(harness.owner.tailBytes <= 4096 + Self.recordBytes(500_000))
        harness.send(.snapshotStored(room: "a", number: 12))
        #expect(harness.owner.tailBytes == 0)
    }

    @Test(
        "it is never less than what no snapshot covers, and nothing once all is covered",
        arguments: 0..<50)
    func model(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var harness = Harness.serving()
        var records: [(number: UInt64, room: String, bytes: Int)] = []
        var covered: [String: UInt64] = [:]
        for number in 1...UInt64(60) {
            let room = random.pick(["a", "b", "c"])
            let bytes = random.below(3000)
            Self.commit(&harness, number, room, bytes)
            records.append((number + 1, room, Self.recordBytes(bytes)))
            if random.chance(1, of: 4) {
                let room = random.pick(["a", "b", "c"])
                let place = UInt64(2 + random.below(Int(number)))
                covered[room] = max(covered[room] ?? 0, place)
                harness.send(.snapshotStored(room: room, number: place))
            }
            // A room's tail begins at the latest after its snapshot, whatever record of it comes
            // next.
            let first = records.first { $0.number > covered[$0.room] ?? 0 }?.number
            let needed = records.filter { $0.number >= first ?? .max }.reduce(0) { $0 + $1.bytes }
            #expect(harness.owner.tailBytes >= needed)
        }
        for room in ["a", "b", "c"] { harness.send(.snapshotStored(room: room, number: 61)) }
        #expect(harness.owner.tailBytes == 0)
    }
}
