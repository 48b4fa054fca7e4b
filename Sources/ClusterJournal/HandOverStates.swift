import SceneCluster

/// The hashes of rooms' states that go with a shard from owner to owner: what its rooms came to at
/// the owner that gives it, against which the receiver holds what it replayed.
struct HandOverStates {
    /// Whether the shard is held: its rooms decide nothing, because it is about to be handed over.
    private(set) var isHeld = false
    /// By room that is open here, the hash that it has told since the shard is held.
    private var told: [String: UInt64] = [:]
    /// By room, the hash in the hand-over with which the journal ends.
    private var given: [String: UInt64] = [:]

    /// What the record says of all rooms but some.
    ///
    /// - Parameter unsettled: Rooms of which something is not in the journal, which therefore leads
    ///   to another state than the one that they told.
    func forRecord(without unsettled: Set<String>) -> [ChainRecord.StateHash] {
        told.filter { !unsettled.contains($0.key) }.sorted { $0.key < $1.key }
            .map { ChainRecord.StateHash(room: $0.key, hash: $0.value) }
    }

    /// Whether all these rooms have told their states.
    ///
    /// - Complexity: O(rooms).
    func areTold(of rooms: some Sequence<String>) -> Bool { rooms.allSatisfy { told[$0] != nil } }

    /// A room is held, and tells its state.
    mutating func note(_ hash: UInt64, of room: String) { told[room] = hash }

    /// The shard is held, or is not any longer.
    mutating func hold(_ isHeld: Bool) {
        self.isHeld = isHeld
        told = [:]
    }

    /// The journal ends with this hand-over.
    mutating func begin(_ states: [ChainRecord.StateHash]) {
        given = Dictionary(states.map { ($0.room, $0.hash) }, uniquingKeysWith: { $1 })
    }

    /// The journal has a record of the room, or the room is opened: what the hand-over said counts
    /// no more.
    ///
    /// - Returns: What it said.
    @discardableResult
    mutating func end(of room: String) -> UInt64? {
        given.isEmpty ? nil : given.removeValue(forKey: room)
    }

    /// Nothing of the journal is known any longer.
    mutating func forget() { given = [:] }
}
