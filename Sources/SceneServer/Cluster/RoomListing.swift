import JSON
import SceneCluster

/// The answers of a cluster's nodes to the question which rooms there are, put together.
///
/// A node tells the rooms in its memory, each with the members that are connected to it, and with
/// nothing but these the rooms that other nodes have in memory:
///
///     {"rooms": [{"room": "hall", "members": 2, "tick": 71, …}, {"room": "attic", "members": 1}],
///         "putAside": [{"room": …}]}
struct RoomListing {
    private struct Room {
        /// The members at all nodes.
        var members = 0.0
        /// What is told of it where it is in memory; empty while it is nowhere.
        var facts: [JSONMember] = []
        var tick = -1.0
        var node = NodeID(0)
    }

    private var rooms: [String: Room] = [:]
    private var putAside: [JSONValue] = []

    /// Adds a node's answer. While a room goes from one node to another, both may have it in
    /// memory: the later state counts.
    ///
    /// - Complexity: O(rooms of the answer).
    mutating func add(_ answer: JSONValue, of node: NodeID) {
        for told in answer["rooms"]?.array ?? [] {
            guard let facts = told.members, let name = told["room"]?.string
            else { continue }
            var room = rooms[name] ?? Room()
            room.members += told["members"]?.number ?? 0
            if let tick = told["tick"]?.number, tick > room.tick {
                (room.facts, room.tick, room.node) = (facts, tick, node)
            }
            rooms[name] = room
        }
        for told in answer["putAside"]?.array ?? [] {
            guard let facts = told.members else { continue }
            putAside.append(.object(facts + [JSONMember("node", .number(Double(node.rawValue)))]))
        }
    }

    /// The answer to the administrator, by the names of the rooms.
    var json: JSONValue {
        let listed = rooms.sorted { $0.key < $1.key }.map(\.value).filter { !$0.facts.isEmpty }
        return .object([
            JSONMember(
                "rooms",
                .array(
                    listed.map { room in
                        .object(
                            room.facts.map { fact in
                                fact.key == "members"
                                    ? JSONMember("members", .number(room.members)) : fact
                            } + [JSONMember("node", .number(Double(room.node.rawValue)))])
                    })),
            JSONMember("putAside", .array(putAside)),
        ])
    }
}
