import Dispatch
import Synchronization
import Testing
import Threads

@Suite("A lock with a condition", .timeLimit(.minutes(5)))
struct MonitorTests {
    @Test("a waiting thread sees what others changed")
    func handOff() {
        let monitor = Monitor<[Int]>([])
        let taken = Mutex<[Int]>([])
        let thread = OwnedThread(name: "taker")
        thread.start {
            for _ in 0..<1000 {
                let next = monitor.wait { list, _ in
                    list.isEmpty ? .wait : .finish(list.removeFirst())
                }
                taken.withLock { $0.append(next) }
            }
        }
        for number in 0..<1000 {
            monitor.withLock { $0.append(number) }
            monitor.wake()
        }
        thread.join()
        #expect(taken.withLock { $0 } == Array(0..<1000))
    }

    @Test("time passes only where nobody wakes the thread")
    func timeOut() {
        let monitor = Monitor(0)
        let begin = DispatchTime.now().uptimeNanoseconds
        let calls = monitor.wait { calls, hasTimedOut -> Monitor<Int>.Step<Int> in
            calls += 1
            return hasTimedOut ? .finish(calls) : .waitAtMost(nanoseconds: 20_000_000)
        }
        #expect(DispatchTime.now().uptimeNanoseconds - begin >= 19_000_000)
        #expect(calls >= 2)
    }

    @Test("all waiting threads can be woken at once")
    func wakeAll() {
        let monitor = Monitor(false)
        let threads = (0..<4).map { OwnedThread(name: "waits \($0)") }
        for thread in threads {
            thread.start { monitor.wait { isOpen, _ in isOpen ? .finish(()) : .wait } }
        }
        monitor.withLock { $0 = true }
        monitor.wakeAll()
        for thread in threads { thread.join() }
    }

    @Test("changes of many threads are not lost")
    func exclusion() {
        let monitor = Monitor(0)
        let threads = (0..<4).map { OwnedThread(name: "adds \($0)") }
        for thread in threads {
            thread.start { for _ in 0..<10_000 { monitor.withLock { $0 += 1 } } }
        }
        for thread in threads { thread.join() }
        #expect(monitor.withLock { $0 } == 40_000)
    }
}
