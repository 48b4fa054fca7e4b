import InterfaceBuilder
import SceneDocument
import Synchronization

/// Decides which ops of a room that writes a file are performed. Safe from any thread.
final class EditingJudge: Sendable {
    private struct State {
        var writer: InterfaceWriteBack?
        /// Why nothing may be changed at present.
        var obstacle: String? = "the file is being read"
        /// What the program itself sends.
        var own: [Op] = []
        var changed: @Sendable () -> Void = {}
    }

    private let state = Mutex(State())

    /// - Parameter changed: Called before each op that may change the file, on the room's thread.
    func begin(changed: @escaping @Sendable () -> Void) {
        state.withLock { $0.changed = changed }
    }

    /// Lets ops of the program itself pass.
    func expect(_ ops: [Op]) { state.withLock { $0.own = ops } }

    /// Refuses what people change, with a reason.
    func stop(_ reason: String) { state.withLock { $0.obstacle = reason } }

    /// Lets people change what a file can say.
    func admit(_ writer: InterfaceWriteBack) {
        state.withLock { ($0.writer, $0.obstacle) = (writer, nil) }
    }

    /// Goes on with the same file.
    ///
    /// - Returns: Whether there was an obstacle.
    func proceed() -> Bool {
        state.withLock { state in
            guard state.writer != nil, state.obstacle != nil else { return false }
            state.obstacle = nil
            return true
        }
    }

    func refusal(of op: Op) -> Refusal? {
        let present = state.withLock { $0 }
        if present.own.contains(op) { return nil }
        if let obstacle = present.obstacle { return Refusal(code: .conflict, message: obstacle) }
        guard let writer = present.writer else { return nil }
        if let reason = writer.refusal(of: op) {
            return Refusal(code: .notEditable, message: reason)
        }
        present.changed()
        return nil
    }
}
