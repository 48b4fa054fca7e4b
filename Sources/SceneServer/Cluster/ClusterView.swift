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

    /// A shard, as this node sees it.
    enum ShardState: String, CaseIterable {
        /// This node owns it.
        case owner
        /// Another node says that it owns it.
        case standby
        /// No node says so.
        case vacant
        /// Its journal cannot be followed.
        case stopped
    }

    /// What is known at one moment.
    struct State: Sendable {
        var shards: [ShardState] = []
        /// The addresses of the owners of shards that other nodes serve.
        var owners: [ShardID: String] = [:]
        /// The processes that own shards, this one among them.
        var owningLives: [ShardID: NodeLife] = [:]
        /// The processes that are heard.
        var nodes: Set<NodeLife> = []
        /// The addresses of the other nodes.
        var others: [String] = []
        /// Whether another node was heard so lately that not this one is cut off where a third
        /// falls silent.
        var hearsOthers = false
        /// Whether a server of the engine has the connection.
        var isConnected = false
        /// This node's shards of which nothing is kept at present, with the reason.
        var stalls: [ShardID: String] = [:]

        /// Whether members can be admitted here, and what this node owns, in words.
        var readiness: (isReady: Bool, text: String) {
            guard isConnected else { return (false, "the cluster's engine is not reached") }
            let owned = shards.count { $0 == .owner }
            guard owned > 0 else { return (true, "standby") }
            // A node that keeps some of its shards still takes members for them, and for those of
            // others.
            if stalls.count == owned, let stall = stalls.min(by: { $0.key < $1.key }) {
                return (false, "the cluster's engine keeps nothing: \(stall.value)")
            }
            return (true, "owner of \(owned) of \(shards.count) shards")
        }
    }

    private let map: ShardMap
    private let state = Mutex(State())

    init(_ map: ShardMap) { self.map = map }

    /// Replaces what is known.
    ///
    /// - Returns: Whether owners or nodes are others than before.
    func replace(_ new: State) -> Bool {
        state.withLock { state in
            defer { state = new }
            return state.owningLives != new.owningLives || state.nodes != new.nodes
        }
    }

    /// What is known.
    var present: State { state.withLock { $0 } }

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

    /// Whether members of a room are served over a link: unless this node owns it, or its journal
    /// cannot be followed here. Where nobody owns it yet, the link waits for an owner.
    func isRelayed(_ room: String) -> Bool {
        let shard = map.shard(ofRoom: room)
        return state.withLock { state in
            guard state.shards.indices.contains(Int(shard.rawValue)) else { return true }
            return switch state.shards[Int(shard.rawValue)] {
            case .owner, .stopped: false
            case .standby, .vacant: true
            }
        }
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
