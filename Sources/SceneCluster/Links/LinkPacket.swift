/// A message between two nodes over the engine, which keeps none of it: a frame of an
/// `OrderedLink`, or word that a link is not known.
///
///     offset  size  meaning
///     0       4     "SSCL"
///     4       1     version, 1
///     5       8     cluster
///     13      10    the sender: node (2), life (8)
///     23      10    the receiver, likewise
///     33      8     the link's number, which the edge drew: the node whose members watch the room
///     41      1     1 if the sender is the edge, otherwise 0
///     42      2     bytes of the room's name, then the name in UTF-8
///     …       8     the number of the next piece that the sender expects
///     …       1     0 for no more, 1 for a piece, 2 if the sender no longer knows the link
///     …       9     of a piece: its number (8), 1 if it is a message's last (1)
///     …       4     bytes of the piece, then these
///
/// Numbers are little-endian. An example is in `LinkPacketTests`.
public struct LinkPacket: Equatable, Sendable {
    /// A packet's content.
    public enum Content: Equatable, Sendable {
        case frame(OrderedLink.Frame)
        /// The link is not known, or is ended: nothing that was sent over it will be answered.
        case unknownLink
    }

    /// The sender.
    public var sender: NodeLife
    /// Whom it is for; a later life of the node takes no notice.
    public var receiver: NodeLife
    /// The link's number, unique for the edge's life.
    public var link: UInt64
    /// Whether the sender is the edge.
    public var isFromEdge: Bool
    /// The room that the link is for.
    public var room: String
    /// Its content.
    public var content: Content

    private static let header = MessageHeader("SSCL")

    /// Makes a packet.
    public init(
        from sender: NodeLife, to receiver: NodeLife, link: UInt64, isFromEdge: Bool, room: String,
        _ content: Content
    ) {
        self.sender = sender
        self.receiver = receiver
        self.link = link
        self.isFromEdge = isFromEdge
        self.room = room
        self.content = content
    }

    /// The packet's bytes.
    ///
    /// - Throws: `RecordError.nameTooLong` for a room's name that does not fit.
    /// - Complexity: O(bytes).
    public func encoded(cluster: ClusterID) throws(RecordError) -> [UInt8] {
        var writer = Self.header.writer(cluster: cluster)
        for life in [sender, receiver] {
            writer.number(life.node.rawValue)
            writer.number(life.life)
        }
        writer.number(link)
        writer.number(UInt8(isFromEdge ? 1 : 0))
        try writer.text(room)
        switch content {
        case .unknownLink:
            writer.number(UInt64(0))
            writer.number(UInt8(2))
        case .frame(let frame):
            writer.number(frame.acknowledged)
            switch frame.piece {
            case .none: writer.number(UInt8(0))
            case .data(let number, let isLast, let bytes):
                writer.number(UInt8(1))
                writer.number(number)
                writer.number(UInt8(isLast ? 1 : 0))
                try writer.block(bytes)
            }
        }
        return writer.bytes
    }

    /// Reads a packet.
    ///
    /// - Throws: `PacketError` for bytes that are none, or one of another version or cluster.
    /// - Complexity: O(bytes).
    public static func decode(
        _ bytes: [UInt8], cluster: ClusterID
    ) throws(PacketError) -> LinkPacket {
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

    private static func body(_ reader: inout RecordReader) throws(RecordError) -> LinkPacket {
        let sender = try life(&reader)
        let receiver = try life(&reader)
        let link = try reader.number(UInt64.self)
        let isFromEdge = try reader.flag()
        let room = try reader.text()
        let acknowledged = try reader.number(UInt64.self)
        let start = reader.offset
        let content: Content
        switch try reader.number(UInt8.self) {
        case 0: content = .frame(.init(acknowledged: acknowledged, piece: .none))
        case 1:
            let number = try reader.number(UInt64.self)
            let isLast = try reader.flag()
            content = .frame(
                .init(
                    acknowledged: acknowledged,
                    piece: .data(number: number, isLast: isLast, bytes: try reader.block())))
        case 2: content = .unknownLink
        default: throw .invalidValue(offset: start, expected: "0, 1 or 2")
        }
        try reader.finish()
        return LinkPacket(
            from: sender, to: receiver, link: link, isFromEdge: isFromEdge, room: room, content)
    }

    private static func life(_ reader: inout RecordReader) throws(RecordError) -> NodeLife {
        NodeLife(
            node: NodeID(try reader.number(UInt16.self)), life: try reader.number(UInt64.self))
    }
}

/// Why bytes are no packet of the cluster, or no message of a link.
public enum PacketError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The first four bytes are not those of a packet.
    case foreign(firstBytes: [UInt8])
    /// A packet of another version or cluster, or one that is cut short or damaged.
    case unreadable(RecordError)

    /// The fault, and what to do next.
    public var description: String {
        switch self {
        case .foreign(let first):
            "a message on a node's subject begins with the bytes \(first), expected \(Array("SSCL".utf8)); find out what else publishes there"
        case .unreadable(.otherVersion(let found, let expected)):
            "a packet has version \(found), expected \(expected); run one version of SceneSync on all nodes"
        case .unreadable(.otherCluster(let found, let expected)):
            "a packet belongs to cluster \(found.rawValue), expected \(expected.rawValue); give each cluster a prefix of its own"
        case .unreadable:
            "a packet is cut short or damaged; find out what else publishes on the nodes' subjects"
        }
    }
}
