import SceneCluster
import Synchronization

/// Collects what became of a request at several nodes. Safe from any thread.
final class Replies: Sendable {
    private struct State {
        var missing: Int
        var all: [(node: NodeID, outcome: NodeOutcome)] = []
    }

    private let state: Mutex<State>
    private let done: @Sendable ([(node: NodeID, outcome: NodeOutcome)]) -> Void

    /// - Parameter done: Called once, when so many nodes have answered or are gone; in the order of
    ///   the nodes.
    init(
        _ count: Int,
        _ done: @escaping @Sendable ([(node: NodeID, outcome: NodeOutcome)]) -> Void
    ) {
        state = Mutex(State(missing: count))
        self.done = done
    }

    /// Adds what became of the request at a node; `nil` for a node that is gone.
    func add(_ node: NodeID, _ outcome: NodeOutcome?) {
        let all = state.withLock { state -> [(node: NodeID, outcome: NodeOutcome)]? in
            if let outcome { state.all.append((node, outcome)) }
            state.missing -= 1
            return state.missing == 0 ? state.all : nil
        }
        if let all { done(all.sorted { $0.node < $1.node }) }
    }
}
