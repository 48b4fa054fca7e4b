import SceneCluster
import Testing

@testable import ClusterJournal

@Suite("Entries that wait for a commit")
struct WaitingEntriesTests {
    private func item(_ byte: UInt8, bytes: Int, joinsNext: Bool = false) -> WaitingEntries.Item {
        .init(
            room: "r", bytes: Array(repeating: byte, count: bytes), completion: .none,
            joinsNext: joinsNext)
    }

    /// Makes all commits; the first byte of each entry in each.
    private func commits(_ waiting: inout WaitingEntries) -> [[UInt8]] {
        let now = MonotonicInstant(nanoseconds: 1)
        var made: [[UInt8]] = []
        var number: UInt64 = 0
        while let entries = waiting.nextCommit(number, at: now) {
            made.append(entries.compactMap(\.bytes.first))
            _ = waiting.taken(through: number)
            number += 1
        }
        return made
    }

    @Test("what belongs together waits for the next commit rather than be divided")
    func together() {
        var waiting = WaitingEntries()
        waiting.add(item(1, bytes: 200_000))
        waiting.add(item(2, bytes: 100_000, joinsNext: true))
        waiting.add(item(3, bytes: 100_000))
        waiting.add(item(4, bytes: 10))
        #expect(commits(&waiting) == [[1], [2, 3, 4]])
        #expect(waiting.isEmpty && waiting.byteCount == 0)
    }

    @Test("only what is larger than a commit is divided")
    func divided() {
        var waiting = WaitingEntries()
        waiting.add(item(1, bytes: 100_000))
        waiting.add(item(2, bytes: 100_000, joinsNext: true))
        waiting.add(item(3, bytes: 100_000, joinsNext: true))
        waiting.add(item(4, bytes: 100_000))
        waiting.add(item(5, bytes: 100_000))
        #expect(commits(&waiting) == [[1], [2, 3], [4, 5]])
    }
}
