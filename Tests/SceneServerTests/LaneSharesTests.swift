import Foundation
import Synchronization
import Testing

@testable import SceneServer

@Suite("The shares of slow lanes", .timeLimit(.minutes(5)))
struct LaneSharesTests {
    /// Shares that are looked after, and a signal for each look.
    private final class Looks: Sendable {
        let shares = LaneShares()
        private let looked = DispatchSemaphore(value: 0)
        let count = Atomic(0)

        init() {
            shares.start { [self] in
                count.add(1, ordering: .relaxed)
                looked.signal()
            }
        }

        func wait() { looked.wait() }
    }

    @Test("they are kept again and again while a lane works, and once more when all rest")
    func work() {
        let looks = Looks()
        let first = Activity(.slow, name: "first", shares: looks.shares)
        let second = Activity(.slow, name: "second", shares: looks.shares)
        first.begin("a step")
        for _ in 0..<3 { looks.wait() }
        second.begin("a step")
        // The next step of a lane is no rest.
        second.begin("another")
        first.rest()
        for _ in 0..<3 { looks.wait() }
        let whileBusy = looks.count.load(ordering: .relaxed)
        second.rest()
        while looks.count.load(ordering: .relaxed) == whileBusy { looks.wait() }
        looks.shares.stop()
    }

    @Test("they end without having begun")
    func neverStarted() { LaneShares().stop() }
}
