import SceneDocument
import Synchronization

/// The present work of a room: written by the room's thread, read by others, such as a watchdog
/// that names an op that takes too long.
public final class WorkProgress: Sendable {
    private struct State {
        var member: UInt64 = 0
        var sequence: UInt64 = 0
        var op: (place: Int, name: Op.Name)?
        var isLaidOut = false
        var isActive = false
    }

    private let state = Mutex(State())

    /// Makes a value without work.
    public init() {}

    /// Registers that a member's message is being decided.
    ///
    /// - Parameters:
    ///   - sequence: The client's number of the message.
    ///   - member: The number of its connection.
    public func begin(message sequence: UInt64, of member: UInt64) {
        state.withLock {
            $0 = State(member: member, sequence: sequence, isActive: true)
        }
    }

    /// Registers that an op is being performed.
    ///
    /// - Parameter place: Its index among the parsed ops of the message.
    func begin(_ op: Op, at place: Int) {
        let name = op.name
        state.withLock { $0.op = (place, name) }
    }

    /// Registers that the decisions are being laid out.
    public func beginLayout() { state.withLock { $0 = State(isLaidOut: true, isActive: true) } }

    /// Registers the end of the work.
    public func end() { state.withLock { $0 = State() } }

    /// The end of the sentence "busy with a tick, "; `nil` without work.
    public var text: String? {
        let state = state.withLock { $0 }
        guard state.isActive else { return nil }
        guard !state.isLaidOut else { return "laying out the scene" }
        let message = "message \(state.sequence) of member \(state.member)"
        guard let op = state.op else { return "deciding \(message)" }
        return "performing op \(op.place) (\(op.name.rawValue)) of \(message)"
    }
}
