import ClusterJournal
import SceneCluster
import Synchronization

/// Who serves which rooms, as this node knows it: written by the journal's thread, read by the
/// gateway. Safe from any thread.
final class ClusterView: Sendable {
    /// Where a room is.
    enum Place: Equatable {
        /// This node serves it, or may be about to.
        case here
        /// Another node serves it; its address is empty where it has none.
        case elsewhere(address: String)
    }

    private let map: ShardMap
    private let state = Mutex(ClusterState())

    init(_ map: ShardMap) { self.map = map }

    /// Replaces what is known.
    ///
    /// - Returns: Whether owners or nodes are others than before.
    func replace(_ new: ClusterState) -> Bool {
        state.withLock { state in
            defer { state = new }
            return new.concernsLinks(after: state)
        }
    }

    /// What is known.
    var present: ClusterState { state.withLock { $0 } }

    /// Where a room is. Complexity: O(bytes of the name).
    func place(of room: String) -> Place {
        let shard = map.shard(ofRoom: room)
        return state.withLock { state in
            guard state.shards.indices.contains(Int(shard.rawValue)),
                state.shards[Int(shard.rawValue)] == .standby
            else { return .here }
            return .elsewhere(address: state.owners[shard] ?? "")
        }
    }

    /// Whether members of a room are served over a link.
    func isRelayed(_ room: String) -> Bool {
        let shard = map.shard(ofRoom: room)
        return state.withLock { $0.isRelayed(shard) }
    }

    /// The process that owns a room; `nil` where none says so. Complexity: O(bytes of the name).
    func owner(of room: String) -> NodeLife? {
        let shard = map.shard(ofRoom: room)
        return state.withLock { $0.owningLives[shard] }
    }

    /// A sentence for clients that look for a room here; `nil` if it may be here.
    func directions(to room: String) -> String? {
        guard case .elsewhere(let address) = place(of: room) else { return nil }
        return Self.directions(to: room, at: address)
    }

    static func directions(to room: String, at address: String) -> String {
        address.isEmpty
            ? "another node serves room \(room); connect to another address"
            : "room \(room) is served at \(address)"
    }

    /// For each state, the number of shards in it.
    var counts: [(state: ShardState, count: Int)] {
        let shards = present.shards
        return ShardState.allCases.map { state in (state, shards.count { $0 == state }) }
    }
}
