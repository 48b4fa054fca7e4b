/// A node's announcement of its version, several times a second and beside its beats, whose
/// format earlier versions know.
///
///     offset  size  meaning
///     0       4     "SSCV"
///     4       1     version of this format, 1
///     5       8     cluster
///     13      2     node
///     15      8     the node's life
///     23      6     the program's version: three numbers (2 each)
///     29      …     what later versions add
///
/// Numbers are little-endian. An example is in `VersionNoticeTests`.
public struct VersionNotice: Equatable, Sendable {
    /// The sender.
    public var sender: NodeLife
    /// The version of its program.
    public var version: ReleaseVersion

    private static let header = MessageHeader("SSCV")

    /// Makes a notice.
    public init(sender: NodeLife, version: ReleaseVersion) {
        self.sender = sender
        self.version = version
    }

    /// The notice's bytes.
    public func encoded(cluster: ClusterID) -> [UInt8] {
        var writer = Self.header.writer(cluster: cluster)
        writer.number(sender.node.rawValue)
        writer.number(sender.life)
        for number in [version.major, version.minor, version.patch] { writer.number(number) }
        return writer.bytes
    }

    /// Reads a notice; what later versions add to one is passed over.
    ///
    /// - Throws: `VersionNoticeError` for bytes that are none, or one of another format or cluster.
    public static func decode(
        _ bytes: [UInt8], cluster: ClusterID
    ) throws(VersionNoticeError) -> VersionNotice {
        guard header.matches(bytes) else { throw .foreign }
        do throws(RecordError) {
            var reader = try header.reader(of: bytes, cluster: cluster)
            let sender = NodeLife(
                node: NodeID(try reader.number(UInt16.self)),
                life: try reader.number(UInt64.self))
            let version = ReleaseVersion(
                major: try reader.number(UInt16.self), minor: try reader.number(UInt16.self),
                patch: try reader.number(UInt16.self))
            return VersionNotice(sender: sender, version: version)
        } catch {
            throw .unreadable(error)
        }
    }
}

/// Why bytes are no notice of a node's version.
public enum VersionNoticeError: Error, Equatable, Sendable, CustomStringConvertible {
    /// They do not begin as a notice does.
    case foreign
    /// A notice of another format or cluster, or one that is cut short.
    case unreadable(RecordError)

    /// The fault, and what to do next.
    public var description: String {
        switch self {
        case .foreign:
            "a message on the subject of versions is none; find out what else publishes there"
        case .unreadable(let error):
            "what a node says of its version cannot be read: \(error); upgrade this node"
        }
    }
}
