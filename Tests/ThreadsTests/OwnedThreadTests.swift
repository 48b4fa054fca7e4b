import Foundation
import Synchronization
import Testing
import Threads

@Suite("Threads that know who runs on them", .timeLimit(.minutes(5)))
struct OwnedThreadTests {
    @Test("only the body runs on the thread")
    func current() {
        let thread = OwnedThread(name: "owner")
        let observed = Mutex<[Bool]>([])
        #expect(!thread.isCurrent)
        thread.start { observed.withLock { $0 = [thread.isCurrent, thread.isOwner] } }
        thread.join()
        #expect(observed.withLock { $0 } == [true, true])
        #expect(!thread.isCurrent)
    }

    @Test("state belongs to the code that sets it up until the thread starts, and never again")
    func ownership() {
        let thread = OwnedThread(name: "owner")
        let begun = DispatchSemaphore(value: 0)
        let mayEnd = DispatchSemaphore(value: 0)
        #expect(thread.isOwner)
        thread.start {
            begun.signal()
            mayEnd.wait()
        }
        #expect(!thread.isOwner)
        begun.wait()
        #expect(!thread.isOwner)
        mayEnd.signal()
        thread.join()
        #expect(!thread.isOwner)
    }

    @Test("two threads are told apart")
    func others() {
        let (first, second) = (OwnedThread(name: "first"), OwnedThread(name: "second"))
        let mayEnd = DispatchSemaphore(value: 0)
        let observed = Mutex(true)
        first.start { mayEnd.wait() }
        second.start { observed.withLock { $0 = first.isOwner } }
        second.join()
        #expect(!observed.withLock { $0 })
        mayEnd.signal()
        first.join()
    }

    @Test("joining returns when the body has, however many threads join, and at once afterwards")
    func join() {
        let thread = OwnedThread(name: "joined")
        let mayEnd = DispatchSemaphore(value: 0)
        let order = Mutex<[String]>([])
        thread.start { @Sendable in
            mayEnd.wait()
            order.withLock { $0.append("end") }
        }
        let waiting = (0..<3).map { OwnedThread(name: "waits \($0)") }
        for other in waiting {
            other.start { @Sendable in
                thread.join()
                order.withLock { $0.append("joined") }
            }
        }
        mayEnd.signal()
        for other in waiting { other.join() }
        thread.join()
        #expect(order.withLock { $0 } == ["end", "joined", "joined", "joined"])
    }

    @Test(
        "the thread has its name, as far as Linux keeps it",
        arguments: ["a name", "0123456789abcdefgh"])
    func name(name: String) {
        let thread = OwnedThread(name: name)
        let observed = Mutex("")
        thread.start {
            let file = try? String(contentsOfFile: "/proc/thread-self/comm", encoding: .utf8)
            observed.withLock { $0 = file ?? "" }
        }
        thread.join()
        #expect(observed.withLock { $0 } == name.prefix(15) + "\n")
    }

    @Test("a value that is not Sendable can be given to the thread")
    func handOver() {
        final class Count { var value = 0 }
        let result = Mutex(0)
        let thread = OwnedThread(name: "count")
        let count = Count()
        count.value = 41
        thread.start {
            count.value += 1
            result.withLock { $0 = count.value }
        }
        thread.join()
        #expect(result.withLock { $0 } == 42)
    }

    @Test("touching a thread's state from another one traps in debug builds")
    func trespass() async {
        await #expect(processExitsWith: .failure) {
            let thread = OwnedThread(name: "owner")
            thread.start {}
            thread.join()
            thread.assertIsOwner()
        }
    }

    @Test("touching it on the thread and before the start does not")
    func noTrespass() async {
        await #expect(processExitsWith: .exitCode(7)) {
            let thread = OwnedThread(name: "owner")
            thread.assertIsOwner()
            thread.start { thread.assertIsOwner() }
            thread.join()
            exit(7)
        }
    }

    @Test("a thread starts once and does not wait for itself")
    func misuse() async {
        await #expect(processExitsWith: .failure) {
            let thread = OwnedThread(name: "twice")
            thread.start {}
            thread.start {}
        }
        await #expect(processExitsWith: .failure) {
            let thread = OwnedThread(name: "itself")
            thread.start { thread.join() }
            thread.join()
        }
    }
}
