import SceneWire
import Testing

@testable import SceneStore

@Suite("A journal in memory")
struct MemoryStoreTests {
    @Test(
        "rooms lose their past beyond its bytes, the largest first, and never what their scenes are made from"
    )
    func bounds() throws {
        let store = MemoryStore(byteMaximum: 100_000)
        var (large, small) = (Chain(room: "large"), Chain(room: "small"))
        try store.append([small.next(.snapshot), small.next(.snapshot)], time: 1)
        for _ in 0..<3 {
            try store.append([large.next(.snapshot, bytes: 20_000), large.next()], time: 1)
        }
        // Three times 20,000 and 10 bytes, twice 10, and 120 for each record.
        #expect(store.memoryByteCount == 60_030 + 20 + 8 * 120)
        let scene = try store.records(of: "large")
        #expect(scene.count == 2)
        let more = (0..<4).map { _ in large.next(bytes: 10_000) }
        try store.append(more, time: 1)
        #expect(try store.records(of: "large", from: 0) == scene + more.map(\.record))
        #expect(store.memoryByteCount == 60_030 + 20 + 8 * 120 - 40_020 - 4 * 120 + 4 * 10_120)
        #expect(try store.records(of: "small", from: 0).count == 2, "there was enough in the other")

        // What the present is made from stays, whatever it takes.
        try store.append([large.next(bytes: 200_000)], time: 1)
        #expect(try store.records(of: "large").count == scene.count + 5)
        #expect(try store.records(of: "small", from: 0).count == 1)
        try store.delete("large")
        try store.delete("small")
        #expect(store.memoryByteCount == 0)
    }
}
