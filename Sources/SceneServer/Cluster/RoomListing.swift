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
        for told in elements(answer["rooms"]) {
            guard case .object(let facts) = told.kind, case .string(let name)? = told["room"]?.kind
            else { continue }
            var room = rooms[name] ?? Room()
            room.members += number(told["members"]) ?? 0
            if let tick = number(told["tick"]), tick > room.tick {
                (room.facts, room.tick, room.node) = (facts, tick, node)
            }
            rooms[name] = room
        }
        for told in elements(answer["putAside"]) {
            guard case .object(let facts) = told.kind else { continue }
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

    private func elements(_ value: JSONValue?) -> [JSONValue] {
        if case .array(let elements)? = value?.kind { elements } else { [] }
    }

    private func number(_ value: JSONValue?) -> Double? {
        if case .number(let number)? = value?.kind { number } else { nil }
    }
}
