/// Why bytes are no record of the shard in whose journal they were found. Offsets count bytes from
/// the record's start.
public enum RecordError: Error, Equatable, Sendable {
    /// A field needs more bytes than are left.
    case truncated(offset: Int, neededBytes: Int, availableBytes: Int)
    /// The record is longer than any that a node writes.
    case tooLong(bytes: Int, maximum: Int)
    /// The first four bytes are not those of a record.
    case foreign(firstBytes: [UInt8])
    /// A record of another version of the format.
    case otherVersion(found: UInt8, expected: UInt8)
    /// The checksum does not fit the bytes.
    case damaged(found: RecordChecksum, expected: RecordChecksum)
    /// A record of another cluster.
    case otherCluster(found: ClusterID, expected: ClusterID)
    /// A record of another shard.
    case otherShard(found: ShardID, expected: ShardID)
    /// A kind that this version does not have in this place.
    case unknownKind(UInt8)
    /// A record to be written has a room's name that no reader takes.
    case nameTooLong(bytes: Int, maximum: Int)
    /// A record to be written has more entries or hashes than a reader takes.
    case tooMany(count: Int, maximum: Int)
    /// A field holds a value that means nothing.
    case invalidValue(offset: Int, expected: String)
}

extension RecordError: CustomStringConvertible {
    /// The fault, the expected value, and what to do next.
    public var description: String {
        switch self {
        case .truncated(let offset, let needed, let available):
            "it ends too early: at byte \(offset), \(needed) bytes are needed and \(available) left; restore the stream from a replica or a backup that has it whole"
        case .tooLong(let bytes, let maximum):
            "it has \(bytes) bytes, at most \(maximum) were expected; find out what else publishes on this subject and remove the record"
        case .foreign(let first):
            "it begins with the bytes \(first), expected \(RecordHeader.magic); find out what else publishes on this subject and remove the record"
        case .otherVersion(let found, let expected):
            "it has version \(found), expected \(expected); run the version of SceneSync that wrote it"
        case .damaged:
            "its checksum does not fit its bytes; restore the stream from a replica or a backup that has it whole"
        case .otherCluster(let found, let expected):
            "it belongs to cluster \(found.rawValue), expected \(expected.rawValue); give each cluster a prefix of its own"
        case .otherShard(let found, let expected):
            "it belongs to shard \(found.rawValue), expected \(expected.rawValue); restore the stream from a backup"
        case .unknownKind(let kind):
            "its kind is \(kind), which does not belong here; run the version of SceneSync that wrote it"
        case .nameTooLong(let bytes, let maximum):
            "a room's name has \(bytes) bytes, at most \(maximum) are allowed; shorten the name"
        case .tooMany(let count, let maximum):
            "it has \(count) entries, at most \(maximum) are allowed; divide it"
        case .invalidValue(let offset, let expected):
            "byte \(offset) is wrong, expected \(expected); restore the stream from a backup and report this as a defect"
        }
    }
}
