package import SceneCluster
package import SceneWire

/// What goes into a node's journal and what comes out.
extension JournalNode {
    /// A request of a room or of the server. The caller numbers requests that have an answer; no
    /// two of one process have the same number.
    package enum Request: Sendable {
        /// Keeps records of an open room.
        case append([RoomRecord])
        /// Answers once it is proved that the node owned the shard after this request.
        case prove(room: String, UInt64, needsRoom: Bool)
        /// Loads a room: from its last snapshot, or the last one at or before a tick.
        case load(room: String, from: UInt64?)
        /// Asks for the records that lead to a tick of a room's past.
        case history(room: String, UInt64, tick: UInt64)
        /// Deletes a room.
        case delete(room: String, UInt64)
        /// A room has been replayed ahead of time through this record; `nil` where it cannot be.
        case shadowed(room: String, through: UInt64?)
        /// A held room, and the hash of the state that its journal led to.
        case held(room: String, UInt64)
        /// Hands over all shards, because the process is about to end.
        case drain
    }

    /// An action that the node asks for; they come in order.
    package enum Output: Sendable {
        /// Asks the engine for something, under a number.
        case ask(UInt64, EngineRequest)
        /// Sends a beat to all nodes.
        case beat([UInt8])
        /// Tells all nodes this one's version.
        case tellVersion([UInt8])
        /// Tells a room something.
        case notify(RoomNotice, room: String)
        /// Answers the request of that number.
        case answer(UInt64, JournalAnswer)
        /// Adds to the second copy what the node has kept.
        case copy(JournalCopy)
        /// For the log.
        case note(Note, String)
        /// Asks the thread that replays rooms ahead of time.
        case shadow(ShadowRequest)
        /// An owner's commit took so long.
        case committed(Duration)
        /// The node owns a shard that no node had claimed for this time.
        case tookOver(Duration)
        /// All shards are handed over.
        case drained
    }

    /// The severity of a note.
    package enum Note: Sendable {
        case info, notice, warning, error
    }

    /// A shard that is to go to another node.
    struct Move {
        var receiver: NodeID
        /// Not before then: the receiver makes its rooms ready.
        var from: MonotonicInstant
        /// Until then its rooms' records are waited for.
        var until: MonotonicInstant
    }
}
