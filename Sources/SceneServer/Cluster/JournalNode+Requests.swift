import SceneCluster
import SceneSession
import SceneStore

/// What goes into a node's journal and what comes out.
extension JournalNode {
    /// What rooms and the server ask for.
    enum Request: Sendable {
        case append([RoomRecord])
        case prove(room: String, SceneMail)
        case load(room: String, from: UInt64?)
        case history(room: String, MemberID, tick: UInt64)
        case delete(room: String, @Sendable (_ failure: String?) -> Void)
        /// A room has been replayed ahead of time through this record; `nil` where it cannot be.
        case shadowed(room: String, through: UInt64?)
        /// A room is held, and what its journal led to has this hash.
        case held(room: String, UInt64)
        /// All shards are to be handed over, for the process is about to end.
        case drain
    }

    /// What is to be done, in order.
    enum Output {
        case ask(UInt64, EngineRequest)
        case beat([UInt8])
        /// Tells all nodes this one's version.
        case tellVersion([UInt8])
        case mail(SceneMail, room: String)
        case finish(@Sendable (_ failure: String?) -> Void, failure: String?)
        /// What the node has kept, for the second copy.
        case copy(ShardJournal.Copy)
        /// For the log.
        case note(Note, String)
        /// Has a room that the node may own within a moment replayed ahead of time.
        case shadow(ShadowThread.Request)
        /// An owner's commit took so long.
        case committed(Duration)
        /// The node owns a shard that nobody had claimed for so long.
        case tookOver(Duration)
        /// All shards are handed over.
        case drained
    }

    /// How much a note matters.
    enum Note {
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
