/// A beat as bytes:
///
///     offset  size  meaning
///     0       4     "SSCB"
///     4       1     version, 1
///     5       8     cluster
///     13      2     node
///     15      8     the node's life
///     23      8     number
///     31      1     1 if the node drains, otherwise 0
///     32      2     bytes of the address where clients reach the node, then the address in UTF-8
///     …       4     number of claims
///     …       13    for each: shard (2), epoch (8), 1 if it is handed over (1), receiver or 0 (2)
///     …       2     bytes of the zone, then the zone in UTF-8; both are left out where the sender
///                   has none, as earlier versions do
///
/// Numbers are little-endian. An example is in `BeatTests`.
extension Beat {
    /// The largest number of claims: one for each shard that a cluster may have.
    public static let claimMaximum = ShardMap.countMaximum
    /// The longest address in bytes; a longer one is not sent.
    public static let addressBytesMaximum = 512
    /// The longest name of a zone in bytes; a longer one is not sent.
    public static let zoneBytesMaximum = 64

    private static let header = MessageHeader("SSCB")
    private static let claimBytes = 13

    /// The beat's bytes.
    ///
    /// - Complexity: O(claims).
    public func encoded(cluster: ClusterID) -> [UInt8] {
        var writer = Self.header.writer(cluster: cluster)
        writer.number(sender.node.rawValue)
        writer.number(sender.life)
        writer.number(number)
        writer.number(UInt8(isDraining ? 1 : 0))
        let address = Array(address.utf8)
        let sent = address.count <= Self.addressBytesMaximum ? address : []
        writer.number(UInt16(truncatingIfNeeded: sent.count))
        writer.raw(sent)
        writer.number(UInt32(truncatingIfNeeded: claims.count))
        for claim in claims {
            writer.number(claim.shard.rawValue)
            writer.number(claim.epoch)
            writer.number(UInt8(claim.receiver == nil ? 0 : 1))
            writer.number(claim.receiver?.rawValue ?? 0)
        }
        let zone = Array(zone.utf8)
        if 1...Self.zoneBytesMaximum ~= zone.count {
            writer.number(UInt16(truncatingIfNeeded: zone.count))
            writer.raw(zone)
        }
        return writer.bytes
    }

    /// Reads a beat.
    ///
    /// - Throws: `BeatError` for bytes that are none, or one of another version or cluster.
    /// - Complexity: O(claims).
    public static func decode(_ bytes: [UInt8], cluster: ClusterID) throws(BeatError) -> Beat {
        guard header.matches(bytes) else {
            throw .foreign(firstBytes: header.firstBytes(of: bytes))
        }
        do throws(RecordError) {
            var reader = try header.reader(of: bytes, cluster: cluster)
            return try body(&reader)
        } catch {
            throw .unreadable(error)
        }
    }

    private static func body(_ reader: inout RecordReader) throws(RecordError) -> Beat {
        let sender = NodeLife(
            node: NodeID(try reader.number(UInt16.self)), life: try reader.number(UInt64.self))
        let number = try reader.number(UInt64.self)
        let isDraining = try reader.flag()
        let addressStart = reader.offset
        let address = try reader.text()
        guard address.utf8.count <= addressBytesMaximum else {
            throw .invalidValue(
                offset: addressStart,
                expected: "an address of at most \(addressBytesMaximum) bytes")
        }
        let start = reader.offset
        let count = try reader.count(bytesEach: claimBytes)
        guard count <= claimMaximum else {
            throw .invalidValue(offset: start, expected: "at most \(claimMaximum) claims")
        }
        var claims: [Claim] = []
        for _ in 0..<count {
            let shard = ShardID(try reader.number(UInt16.self))
            let epoch = try reader.number(UInt64.self)
            let isHandedOver = try reader.flag()
            let receiver = NodeID(try reader.number(UInt16.self))
            claims.append(
                Claim(shard: shard, epoch: epoch, receiver: isHandedOver ? receiver : nil))
        }
        let zoneStart = reader.offset
        let zone = reader.remaining == 0 ? nil : try reader.text()
        guard zone.map({ 1...zoneBytesMaximum ~= $0.utf8.count }) ?? true else {
            throw .invalidValue(
                offset: zoneStart, expected: "a zone of 1 to \(zoneBytesMaximum) bytes")
        }
        try reader.finish()
        return Beat(
            sender: sender, number: number, claims: claims, isDraining: isDraining,
            address: address, zone: zone ?? "")
    }
}

/// Why bytes are no beat of the cluster.
public enum BeatError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The first four bytes are not those of a beat.
    case foreign(firstBytes: [UInt8])
    /// A beat of another version or cluster, or one that is cut short or damaged.
    case unreadable(RecordError)

    /// The fault, and what to do next.
    public var description: String {
        switch self {
        case .foreign(let first):
            "a message on the beats' subject begins with the bytes \(first), expected \(Array("SSCB".utf8)); find out what else publishes there"
        case .unreadable(.otherVersion(let found, let expected)):
            "a beat has version \(found), expected \(expected); run one version of SceneSync on all nodes"
        case .unreadable(.otherCluster(let found, let expected)):
            "a beat belongs to cluster \(found.rawValue), expected \(expected.rawValue); give each cluster a prefix of its own"
        case .unreadable:
            "a beat is cut short or damaged; find out what else publishes on the beats' subject"
        }
    }
}
