import SeededRandom
import Testing

@testable import Cassowary

/// Hashing is seeded anew in every process, so an answer that depends on the order of a set shows
/// here.
@Suite("The same in every process")
struct DeterminismTests {
    private static let views = 60
    private static let changes = 300

    /// Prints the bits of every position and length, first as built, then after some changes.
    private static func printAnswers(treeSize: Int) throws {
        var layout = try NestedLayout(count: views, fan: 5, treeSize: treeSize)
        _ = layout.solver.solve()
        printBits(of: layout)
        var generator = SplitMix64(seed: 42)
        for _ in 0..<changes { try layout.change(&generator) }
        _ = layout.solver.solve()
        printBits(of: layout)
    }

    private static func printBits(of layout: borrowing NestedLayout) {
        for (position, length) in zip(layout.positions, layout.lengths) {
            print(
                layout.solver.value(of: position).bitPattern,
                layout.solver.value(of: length).bitPattern)
        }
    }

    private func expectOneAnswer(_ outputs: [[UInt8]?]) throws {
        let answers = Set(outputs)
        #expect(answers.count == 1)
        let answer = String(decoding: try #require(outputs.first ?? nil), as: UTF8.self)
        #expect(answer.split(separator: "\n").count == 2 * Self.views)
    }

    @Test("several processes solve one tree to the same bits")
    func tree() async throws {
        var outputs: [[UInt8]?] = []
        for _ in 0..<4 {
            let result = await #expect(
                processExitsWith: .success, observing: [\.standardOutputContent]
            ) { try DeterminismTests.printAnswers(treeSize: .max) }
            outputs.append(result?.standardOutputContent)
        }
        try expectOneAnswer(outputs)
    }

    @Test("several processes solve separate trees to the same bits")
    func separateTrees() async throws {
        var outputs: [[UInt8]?] = []
        for _ in 0..<4 {
            let result = await #expect(
                processExitsWith: .success, observing: [\.standardOutputContent]
            ) { try DeterminismTests.printAnswers(treeSize: 20) }
            outputs.append(result?.standardOutputContent)
        }
        try expectOneAnswer(outputs)
    }
}
