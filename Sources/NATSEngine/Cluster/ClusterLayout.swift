public import SceneCluster

/// Which subjects a cluster uses, and which stream keeps what is published to each. All begin with
/// a prefix, so that several clusters can share one engine.
public struct ClusterLayout: Hashable, Sendable {
    /// A stream of the cluster.
    public enum Stream: Hashable, Sendable, CaseIterable {
        /// The records of every third shard: the first, second or third.
        case firstJournal, secondJournal, thirdJournal
        /// Snapshots of rooms, in chunks, and the pointers to them.
        case snapshots
        /// Which snapshots there are, for seeking.
        case index
        /// The cluster's description and its nodes.
        case metadata
        /// The messages by which `scenesync doctor` tests the engine; exists while it runs.
        case selfTest

        /// The streams of records, in the order of their numbers.
        public static let journals: [Stream] = [.firstJournal, .secondJournal, .thirdJournal]
        /// The streams that a cluster consists of.
        public static let kept: [Stream] = journals + [.snapshots, .index, .metadata]

        /// The part of the name after the prefix.
        var suffix: String {
            switch self {
            case .firstJournal: "journal-0"
            case .secondJournal: "journal-1"
            case .thirdJournal: "journal-2"
            case .snapshots: "snapshots"
            case .index: "index"
            case .metadata: "metadata"
            case .selfTest: "doctor"
            }
        }

        /// The part of the subjects between the prefix and what follows.
        var middle: String {
            switch self {
            case .firstJournal: "j.0"
            case .secondJournal: "j.1"
            case .thirdJournal: "j.2"
            case .snapshots: "r"
            case .index: "i"
            case .metadata: "m"
            case .selfTest: "t"
            }
        }
    }

    /// The prefix of a cluster that was given none.
    public static let standardPrefix = "ss"
    private static let prefixMaximum = 32

    /// The first token of every subject.
    public let prefix: String

    /// Makes the layout of a cluster.
    ///
    /// - Throws: `NATSError.badPrefix`.
    public init(prefix: String = ClusterLayout.standardPrefix) throws(NATSError) {
        let isToken = prefix.utf8.allSatisfy { byte in
            UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte
                || UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte
                || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
                || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
        }
        guard isToken, 1...Self.prefixMaximum ~= prefix.utf8.count else {
            throw .badPrefix(prefix)
        }
        self.prefix = prefix
    }

    /// The name of a stream on the engine.
    public func name(of stream: Stream) -> String { "\(prefix)-\(stream.suffix)" }

    /// The subjects that a stream takes, as a pattern of NATS's.
    public func subjects(of stream: Stream) -> String { "\(prefix).\(stream.middle).>" }

    /// The subjects that nodes use.
    private var subjects: ClusterSubjects { ClusterSubjects(prefix: prefix) }

    /// The subject of a shard's records.
    public func records(of shard: ShardID) -> String { subjects.journal(of: shard) }

    /// The subject of the cluster's description.
    public var clusterDescription: String { "\(prefix).\(Stream.metadata.middle).cluster" }

    /// The subject of a node's registration.
    func node(_ number: NodeID) -> String { subjects.registration(of: number) }

    /// The subject of where clients reach a node.
    func address(of number: NodeID) -> String { subjects.address(of: number) }

    /// The subject on which the engine is tried.
    func selfTest(_ name: String) -> String { "\(prefix).\(Stream.selfTest.middle).\(name)" }

    /// The subject on which nodes tell that they live. Nothing keeps it.
    public var beats: String { subjects.beat }

    /// The name of the stream that keeps what is published to a subject; nil where none does.
    ///
    /// - Complexity: O(bytes of the subject).
    public func streamName(ofSubject subject: String) -> String? {
        Stream.allCases.first { subject.hasPrefix("\(prefix).\($0.middle).") }.map(name(of:))
    }
}
