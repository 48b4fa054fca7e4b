/// Where a record was found.
public struct RecordPlace: Hashable, Sendable, CustomStringConvertible {
    /// The subject.
    public var subject: String
    /// The sequence number in the stream.
    public var sequence: UInt64

    /// Makes a place.
    public init(subject: String, sequence: UInt64) {
        self.subject = subject
        self.sequence = sequence
    }

    /// Subject and number, as an operator asks the engine for them.
    public var description: String { "\(subject) at sequence \(sequence)" }
}

/// Why a shard's journal cannot be followed any further. The shard stops rather than forks.
public struct ChainError: Error, Equatable, Sendable {
    /// The fault at the place.
    public enum Reason: Equatable, Sendable {
        /// The bytes are no record of this shard.
        case record(RecordError)
        /// Records between the last one and this one are missing.
        case gap(found: UInt64, expected: UInt64)
        /// The record has the next number and names a predecessor that is not in the journal.
        case unknownPredecessor(found: RecordChecksum, expected: RecordChecksum)
        /// A seal or a group has an epoch that does not follow.
        case epochOutOfOrder(found: UInt64, expected: UInt64)
        /// A record of an epoch was written by a node that does not own it.
        case authorNotOwner(found: NodeLife, expected: NodeLife)
        /// The engine said that it keeps a record here, and does not.
        case forgotten
        /// The engine gave another record here before.
        case rewritten
        /// The engine gave a record here before, and now has none.
        case rewound
    }

    /// Where.
    public var place: RecordPlace
    /// The reason.
    public var reason: Reason

    /// Makes an error.
    public init(place: RecordPlace, reason: Reason) {
        self.place = place
        self.reason = reason
    }
}

extension ChainError: CustomStringConvertible {
    /// The fault, its place, the expected value, and what to do next.
    public var description: String {
        let restore = "restore the stream from a backup"
        return switch reason {
        case .record(let error): "\(place): not a record of this shard: \(error)"
        case .gap(let found, let expected):
            "\(place): record \(found) follows, expected \(expected); records are missing: \(restore)"
        case .unknownPredecessor:
            "\(place): the record's predecessor is not in the journal; records are missing or the journal forked: \(restore)"
        case .epochOutOfOrder(let found, let expected):
            "\(place): epoch \(found), expected \(expected); the journal forked: \(restore)"
        case .authorNotOwner(let found, let expected):
            "\(place): written by node \(found.node.rawValue), expected \(expected.node.rawValue), which owns the epoch; make sure that no two nodes share a number, then \(restore)"
        case .forgotten:
            "\(place): the engine acknowledged a record here and does not have it; make sure that it syncs before it acknowledges, then restart the node"
        case .rewritten:
            "\(place): the engine has another record here than before; it lost what it had acknowledged: \(restore), or restart all nodes to go on without"
        case .rewound:
            "\(place): the engine has no record here any more; it lost what it had acknowledged: \(restore), or restart all nodes to go on without"
        }
    }
}
