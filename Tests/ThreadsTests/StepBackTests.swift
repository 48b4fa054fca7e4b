import Foundation
import Testing
import Threads

@Suite("Threads that step back", .timeLimit(.minutes(5)))
struct StepBackTests {
    /// How the kernel schedules a thread: fields 19 and 41 of /proc/self/task/TID/stat, proc(5).
    private struct Scheduling: Equatable {
        var nice: Int
        var policy: Int

        static let idle = Scheduling(nice: 0, policy: 5)
        static let ordinary = Scheduling(nice: 0, policy: 0)
        static let nice = Scheduling(nice: 10, policy: 0)

        init(nice: Int, policy: Int) { (self.nice, self.policy) = (nice, policy) }

        /// Of the thread with a name.
        init(of name: String) throws {
            let tasks = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")
            let lines = tasks.compactMap {
                try? String(contentsOfFile: "/proc/self/task/\($0)/stat", encoding: .utf8)
            }
            let line = try #require(lines.first { $0.contains("(\(name))") })
            // The second field is the name; what follows has no blanks of its own.
            let fields = line[line.lastIndex(of: ")")!...].split(separator: " ")
            nice = try #require(Int(fields[19 - 2]))
            policy = try #require(Int(fields[41 - 2]))
        }
    }

    /// A thread that steps back, and uses the processor when it is told to.
    private final class Lane: Sendable {
        let thread: OwnedThread
        private let wanted = DispatchSemaphore(value: 0)
        private let done = DispatchSemaphore(value: 0)

        init(_ name: String) {
            thread = OwnedThread(name: name, stepsBack: true)
            thread.start { [wanted, done] in
                done.signal()
                for _ in 0..<2 {
                    wanted.wait()
                    // Most of the time since the last observation.
                    let end = ContinuousClock.now + .milliseconds(200)
                    while ContinuousClock.now < end {}
                    done.signal()
                }
            }
            done.wait()
        }

        func work() {
            wanted.signal()
            done.wait()
        }
    }

    @Test("one without a share of the processors is scheduled like others, and steps back again")
    func share() throws {
        let lane = Lane("lane that waits")
        let name = "lane that waits"
        let first = try Scheduling(of: name)
        // Without the right to leave the idle class it has a nice value for good.
        let back = first == .nice ? Scheduling.nice : .idle
        let like = first == .nice ? Scheduling.nice : .ordinary
        #expect(first == back)
        lane.thread.keepShare(isBusy: true)
        #expect(try Scheduling(of: name) == back)
        lane.thread.keepShare(isBusy: true)
        #expect(try Scheduling(of: name) == like)
        lane.work()
        lane.thread.keepShare(isBusy: true)
        #expect(try Scheduling(of: name) == back)
        lane.thread.keepShare(isBusy: true)
        #expect(try Scheduling(of: name) == like)
        lane.thread.keepShare(isBusy: false)
        #expect(try Scheduling(of: name) == back)
        lane.work()
        lane.thread.join()
        lane.thread.keepShare(isBusy: true)
    }

    @Test("other threads are left as they are")
    func others() throws {
        let thread = OwnedThread(name: "ordinary lane")
        let mayEnd = DispatchSemaphore(value: 0)
        let begun = DispatchSemaphore(value: 0)
        thread.start {
            begun.signal()
            mayEnd.wait()
        }
        begun.wait()
        thread.keepShare(isBusy: true)
        thread.keepShare(isBusy: true)
        #expect(try Scheduling(of: "ordinary lane") == .ordinary)
        mayEnd.signal()
        thread.join()
    }
}
