package import SceneWire

/// A message of a node's journal to a room.
package enum RoomNotice: Sendable, Equatable {
    /// The room's records, from a snapshot on.
    case loaded([JournalRecord])
    /// The room's records cannot be read, and why.
    case unreadable(String)
    /// The room's former owner handed it over with a state of this hash, as the room's records,
    /// which come next, lead to it.
    case handedOver(UInt64)
    /// The room cannot be loaded here; why, and where it is, in a sentence.
    case elsewhere(String)
    /// All records up to a sequence are kept.
    case durable(through: UInt64)
    /// Nothing is kept at present, and whether pending records are kept is unknown.
    case stalled(String)
    /// Records are kept again.
    case resumed
    /// The room is about to be another process's, or stays here after all.
    case held(Bool)
    /// Another process serves the room, which ticks on here until `lost` follows.
    case moved(String)
    /// The room is another process's, or belongs to no process.
    case lost(String)
}

/// The answer to a request that its caller numbered.
package enum JournalAnswer: Sendable, Equatable {
    /// The node owned the shard after the request; a deletion is kept.
    case done
    /// The node does not own the shard, or lost it before the answer was known.
    case givenUp
    /// The records that lead to a tick of the past; `nil` if they cannot be read.
    case history([JournalRecord]?)
}

/// A request to the thread that replays rooms ahead of time.
package enum ShadowRequest: Sendable, Equatable {
    /// Replays records of a room: the first ones from a snapshot on, later ones in order.
    case follow(room: String, [JournalRecord])
    /// Drops a room.
    case forget(room: String)
}

/// A change that the node's journal kept, for the second copy.
package enum JournalCopy: Sendable, Equatable {
    case record(RoomRecord)
    case deletion(String)
}
