import Logging
import SceneDocument
import SceneModel
import SceneWire
import Synchronization
import Testing

@testable import SceneServer

@Suite("The watchdog")
struct WatchdogTests {
    private static let second: UInt64 = 1_000_000_000

    /// A machine's uptime that stands still until it is set.
    private final class Clock: Sendable {
        private let nanoseconds = Mutex<UInt64>(100 * WatchdogTests.second)

        var now: UInt64 { nanoseconds.withLock { $0 } }

        func advance(seconds: Double) {
            nanoseconds.withLock { $0 += UInt64(seconds * 1e9) }
        }
    }

    /// Keeps the lines of a log.
    private final class Lines: Sendable {
        private let lines = Mutex<[String]>([])

        func append(_ line: String) { lines.withLock { $0.append(line) } }

        /// The lines since the last call.
        func take() -> [String] {
            lines.withLock { lines in
                defer { lines = [] }
                return lines
            }
        }
    }

    private struct Handler: LogHandler {
        let lines: Lines
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.notice

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) { lines.append("\(event.level): \(event.message)") }
    }

    private let clock = Clock()
    private let lines = Lines()
    private let metrics = ServerMetrics()
    private let status = ServerStatus()
    private let home: Activity
    private let slow: Activity
    private let store: Activity
    private let watchdog: Watchdog

    init() {
        let now: @Sendable () -> UInt64 = { [clock] in clock.now }
        home = Activity(.home, name: "scene thread 1", clock: now)
        slow = Activity(.slow, name: "the slow lane", clock: now)
        store = Activity(.store, name: "the store", clock: now)
        let logger = Logger(label: "test") { [lines] _ in Handler(lines: lines) }
        watchdog = Watchdog(
            [home, slow, store], status: status, metrics: metrics, logger: logger)
    }

    private func metric(_ name: String, _ role: Activity.Role) -> String? {
        let start = "scenesync_\(name){thread=\"\(role.rawValue)\"} "
        return metrics.longSteps.text.split(separator: "\n")
            .first { $0.hasPrefix(start) }.map { String($0.dropFirst(start.count)) }
    }

    @Test("it names thread, room and what, once for a step, and how long the step took at its end")
    func names() {
        home.begin("a member's ops", in: "demo")
        clock.advance(seconds: 1)
        watchdog.look()
        #expect(lines.take() == [])
        clock.advance(seconds: 0.5)
        watchdog.look()
        let late = "scene thread 1 has been busy for 1.5 s with a member's ops in room demo"
        #expect(lines.take() == ["warning: \(late)"])
        clock.advance(seconds: 2)
        watchdog.look()
        #expect(lines.take() == [])
        clock.advance(seconds: 0.25)
        home.begin("a tick", in: "demo")
        clock.advance(seconds: 0.25)
        watchdog.look()
        let end = "scene thread 1 took 3.8 s for a member's ops in room demo"
        #expect(lines.take() == ["notice: \(end)"])
        #expect(metric("long_steps_total", .home) == "1")
        #expect(metric("longest_step_seconds", .home) == "0.25")
    }

    @Test("many short steps one after the other are no long one")
    func shortSteps() {
        for _ in 0..<10 {
            home.begin("a tick", in: "demo")
            clock.advance(seconds: 0.9)
            watchdog.look()
        }
        #expect(lines.take() == [])
        #expect(metric("long_steps_total", .home) == "0")
    }

    @Test("a thread that waits for mail is not busy")
    func rest() {
        home.begin("a tick", in: "demo")
        home.rest()
        clock.advance(seconds: 1000)
        watchdog.look()
        #expect(lines.take() == [])
        #expect(metric("longest_step_seconds", .home) == "0.0")
    }

    @Test("the slow lane may take ten seconds")
    func slowLane() {
        slow.begin("a tick", in: "large")
        clock.advance(seconds: 10)
        watchdog.look()
        #expect(lines.take() == [])
        clock.advance(seconds: 0.5)
        watchdog.look()
        #expect(
            lines.take()
                == ["warning: the slow lane has been busy for 10.5 s with a tick in room large"])
        #expect(metric("long_steps_total", .slow) == "1")
    }

    @Test("two threads that are held up at once are two warnings")
    func both() {
        home.begin("a tick", in: "demo")
        store.begin("a commit whose first records are", in: "demo")
        clock.advance(seconds: 2)
        watchdog.look()
        #expect(lines.take().count == 2)
        #expect(metric("long_steps_total", .home) == "1")
        #expect(metric("long_steps_total", .store) == "1")
    }

    @Test("no heartbeat while a home thread is at one step for too long; again after it")
    func heartbeat() {
        let beats = Mutex(0)
        watchdog.onHeartbeat(patience: 15 * Self.second) { beats.withLock { $0 += 1 } }
        home.begin("a tick", in: "demo")
        clock.advance(seconds: 15)
        watchdog.look()
        #expect(beats.withLock { $0 } == 1)
        clock.advance(seconds: 0.5)
        watchdog.look()
        #expect(beats.withLock { $0 } == 1)
        home.rest()
        watchdog.look()
        #expect(beats.withLock { $0 } == 2)
    }

    @Test("a store that hangs ends the heartbeat; slow lane and removal of old records do not")
    func heartbeatOfOthers() {
        let beats = Mutex(0)
        watchdog.onHeartbeat(patience: 15 * Self.second) { beats.withLock { $0 += 1 } }
        slow.begin("a tick", in: "large")
        store.begin("the removal of old records", isLongWork: true)
        clock.advance(seconds: 100)
        watchdog.look()
        #expect(beats.withLock { $0 } == 1)
        store.begin("a commit whose first records are", in: "demo")
        clock.advance(seconds: 16)
        watchdog.look()
        #expect(beats.withLock { $0 } == 1)
    }

    @Test(
        "a thread that others wait for and that hangs is no life; the slow lane may take its time")
    func life() {
        slow.begin("a tick", in: "large")
        home.begin("a tick", in: "demo")
        clock.advance(seconds: 30)
        watchdog.look()
        #expect(status.isAlive)
        clock.advance(seconds: 0.5)
        watchdog.look()
        #expect(!status.isAlive)
        home.rest()
        watchdog.look()
        #expect(status.isAlive)
    }

    @Test("it names the op that holds a thread, and its message")
    func op() throws {
        let model = try SceneModel(SceneDocument(viewport: Viewport(width: 100, height: 100)))
        model.progress = home.progress
        home.begin("a tick", in: "demo")
        home.progress.begin(message: 7, of: 12)
        #expect(home.progress.text == "deciding message 7 of member 12")
        _ = model.apply([.setNeedsLayout(id: "root"), .layoutIfNeeded(id: "root")])
        clock.advance(seconds: 2)
        watchdog.look()
        #expect(
            lines.take() == [
                "warning: scene thread 1 has been busy for 2.0 s with a tick in room demo, "
                    + "performing op 1 (layoutIfNeeded) of message 7 of member 12"
            ])
        home.progress.end()
        #expect(home.progress.text == nil)
    }

    @Test("a step that was not too long is not told of at its end")
    func quietEnd() {
        store.begin("the reading", in: "demo")
        clock.advance(seconds: 5)
        store.rest()
        watchdog.look()
        #expect(lines.take() == [])
    }
}
