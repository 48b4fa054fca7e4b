/// A record of a shard's chain, and its place.
public struct LoadedRecord: Equatable, Sendable {
    /// The record.
    public var record: ChainRecord
    /// The chain's end after it.
    public var anchor: ChainAnchor

    /// Makes a pair.
    public init(record: ChainRecord, anchor: ChainAnchor) {
        self.record = record
        self.anchor = anchor
    }
}

/// Why a commit was not taken. Nothing of it is in the journal, and nothing of it will be.
public enum CommitRefusal: Equatable, Sendable {
    /// The node does not serve the shard.
    case notServing
    /// The shard is being handed over, or its node drains.
    case handing
    /// The engine has kept nothing for `OwnerLimits.stall`.
    case stalled
    /// Too much waits.
    case queueFull(waitingBytes: Int, maximum: Int)
    /// The commit does not fit into one group.
    case tooLarge(bytes: Int, maximum: Int)
    /// A room's name is too long.
    case nameTooLong(bytes: Int, maximum: Int)
}

extension CommitRefusal: CustomStringConvertible {
    /// The fault, and what to do next.
    public var description: String {
        switch self {
        case .notServing: "this node does not serve the shard; ask the node that does"
        case .handing: "the shard moves to another node; send it there"
        case .stalled:
            "the engine has kept nothing for \(OwnerLimits.stall.components.seconds) seconds; look at the engine's servers with `scenesync doctor --cluster`, and send it again later"
        case .queueFull(let waiting, let maximum):
            "\(waiting) bytes wait for the engine, at most \(maximum) may; send it again later"
        case .tooLarge(let bytes, let maximum):
            "it has \(bytes) bytes, at most \(maximum) fit into one record; divide it"
        case .nameTooLong(let bytes, let maximum):
            "the room's name has \(bytes) bytes, at most \(maximum) are allowed; shorten it"
        }
    }
}

/// Why an owner gave its shard up.
public enum Resignation: Equatable, Sendable {
    /// Another node owns the shard by the journal.
    case superseded(by: NodeLife, epoch: UInt64)
    /// The shard was handed to another node, which owns the epoch.
    case handedOver(to: NodeLife, epoch: UInt64)
    /// Everything was written before the node stops.
    case drained
    /// The journal went on so far without this node that records between are gone.
    case outrun
}

/// An effect of a shard's owner.
public enum OwnerEffect: Equatable, Sendable {
    /// Asks the engine; the reply comes back with the ticket.
    case request(EngineTicket, EngineRequest)
    /// The next records of the chain, which another node wrote, in order: the state of the rooms is
    /// what they lead to. At most `OwnerLimits.pageRecordMaximum`.
    case load([LoadedRecord])
    /// The node owns the shard from here on, in this epoch. Everything before was loaded.
    case serving(epoch: UInt64)
    /// All commits up to this number are in the journal, read back from it: they may be
    /// acknowledged.
    case committed(through: UInt64)
    /// A commit was not taken.
    case refused(commit: UInt64, CommitRefusal)
    /// The owner no longer hears its own beats, or hears of a later owner: what is committed waits.
    case suspect
    /// The owner is sure of itself again.
    case trusted
    /// Nothing has been kept for `OwnerLimits.stall`, for the reason that the engine gave last; new
    /// commits are refused and old ones wait.
    case stalled(String)
    /// The engine keeps commits again.
    case resumed
    /// The shard's tail is longer than `OwnerLimits.tailBytesMaximum`; a snapshot of this room, the
    /// oldest in it, is to be stored, and told by `ShardOwner.Event.snapshotStored`. One room is
    /// named at a time.
    case snapshotWanted(room: String)
    /// Records are missing between what was read and what is there. The place is wanted from which
    /// the journal is whole, which the shard's snapshot directory tells
    /// (`ShardOwner.Event.rebase`); what was loaded before counts no more.
    case floorWanted
    /// Another node owns the shard or is about to; this one stays a follower, and what it loaded
    /// stands.
    case yielded(to: NodeLife, epoch: UInt64)
    /// The node owns the shard no more. Commits beyond the number are not in the journal and never
    /// will be.
    case resigned(Resignation, keptThrough: UInt64)
    /// The journal cannot be followed. The shard stops; whether commits beyond the last one
    /// committed are kept is unknown.
    case lost(ChainError)
}
