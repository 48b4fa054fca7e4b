import ClusterJournal
import Dispatch
import SceneDocument
import SceneModel
import SceneSession
import SceneWire
import Testing

@testable import SceneServer

@Suite("The thread that replays rooms ahead of time", .timeLimit(.minutes(5)))
struct ShadowThreadTests {
    private func thread() -> ShadowThread {
        ShadowThread(
            options: SessionOptions(), workLimit: .max, activity: Activity(.history, name: "test"))
    }

    /// The first record of a room.
    private func records() throws -> [JournalRecord] {
        let document = SceneDocument(viewport: Viewport(width: 10, height: 10))
        let effects = SceneSession.create(
            room: "r", tickRate: 60, model: try SceneModel(document)
        ).effects
        return effects.compactMap { if case .append(let record) = $0 { record } else { nil } }
    }

    @Test("who asks for a room that is being replayed is called when it is ready")
    func coming() throws {
        let thread = thread()
        thread.post(.follow(room: "r", try records()))
        let isReady = DispatchSemaphore(value: 0)
        // Nothing is replayed before the thread runs.
        guard case .coming = thread.take("r", whenReady: { isReady.signal() }) else {
            Issue.record("the room is not coming")
            return
        }
        thread.start { _, _ in }
        defer { thread.stop() }
        isReady.wait()
        guard case .ready(let room) = thread.take("r", whenReady: {}) else {
            Issue.record("the room is not ready")
            return
        }
        #expect(room.last.sequence == 1)
        guard case .absent = thread.take("r", whenReady: {}) else {
            Issue.record("the room is handed out twice")
            return
        }
    }

    @Test("who waits for a room that is let go, or cannot be replayed, is called too")
    func notComing() throws {
        let thread = thread()
        let isCalled = DispatchSemaphore(value: 0)
        thread.post(.follow(room: "dropped", try records()))
        _ = thread.take("dropped", whenReady: { isCalled.signal() })
        thread.post(.forget(room: "dropped"))
        isCalled.wait()
        var broken = try records()
        broken[0].payload = [1, 2, 3]
        thread.post(.follow(room: "broken", broken))
        _ = thread.take("broken", whenReady: { isCalled.signal() })
        thread.start { _, _ in }
        defer { thread.stop() }
        isCalled.wait()
        guard case .absent = thread.take("broken", whenReady: {}) else {
            Issue.record("a broken room is there")
            return
        }
    }
}
