import Foundation
import Synchronization
import Testing

@testable import SceneServer

@Suite("A thread that repeats something", .timeLimit(.minutes(5)))
struct RepeatingThreadTests {
    @Test("it calls until it is stopped, and never again")
    func stops() {
        let count = Mutex(0)
        let thread = RepeatingThread(name: "repeats")
        thread.start(everyNanoseconds: 100_000) { count.withLock { $0 += 1 } }
        while count.withLock({ $0 }) < 3 { sched_yield() }
        thread.stop()
        let last = count.withLock { $0 }
        thread.stop()
        #expect(count.withLock { $0 } == last)
    }

    @Test("one that was never started can be stopped, and does not start then")
    func neverStarted() {
        let thread = RepeatingThread(name: "repeats")
        thread.stop()
        let count = Mutex(0)
        thread.start(everyNanoseconds: 1) { count.withLock { $0 += 1 } }
        thread.stop()
        #expect(count.withLock { $0 } == 0)
    }
}
