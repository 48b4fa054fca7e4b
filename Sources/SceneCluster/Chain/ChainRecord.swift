/// One record of a shard's journal. Each names its predecessor by checksum, so that only one chain
/// of the written records is the shard's history, even if the engine accepted others.
public struct ChainRecord: Equatable, Sendable {
    /// Records of one room's journal, or a part of them, that a group commits.
    public struct Entry: Equatable, Sendable {
        /// The longest name of a room in bytes of UTF-8.
        public static let roomBytesMaximum = 256

        /// The room.
        public var room: String
        /// The content of its journal; opaque here.
        public var bytes: [UInt8]

        /// Makes an entry.
        public init(room: String, bytes: [UInt8]) {
            self.room = room
            self.bytes = bytes
        }

        /// How many bytes it takes in a group.
        public var encodedByteCount: Int { 2 + room.utf8.count + 4 + bytes.count }
    }

    /// The last state of a room before a hand-over, for the new owner to compare with its own.
    public struct StateHash: Equatable, Sendable {
        /// The room.
        public var room: String
        /// The hash of its state.
        public var hash: UInt64

        /// Makes a pair.
        public init(room: String, hash: UInt64) {
            self.room = room
            self.hash = hash
        }
    }

    /// A record's content.
    public enum Content: Equatable, Sendable {
        /// The entries of one group commit. One without entries commits nothing; reading it back
        /// proves that its author still owns the shard.
        case group([Entry])
        /// The author owns the shard from here on: it is both claim and fence.
        case seal
        /// The author gives the shard to another node, which owns it from here on in the next
        /// epoch.
        case handOver(to: NodeLife, states: [StateHash])
    }

    /// The largest number of entries in a group, and of hashes in a hand-over.
    public static let entryMaximum = 65_536

    /// Cluster and shard.
    public var scope: RecordScope
    /// The epoch: each seal and each hand-over begins a new one. A hand-over has that of the node
    /// that gives.
    public var epoch: UInt64
    /// The author.
    public var author: NodeLife
    /// Its place in the chain, from 1.
    public var number: UInt64
    /// The checksum of the record before it; `none` for the first.
    public var previous: RecordChecksum
    /// Its content.
    public var content: Content

    /// Makes a record.
    public init(
        scope: RecordScope, epoch: UInt64, author: NodeLife, number: UInt64,
        previous: RecordChecksum, content: Content
    ) {
        self.scope = scope
        self.epoch = epoch
        self.author = author
        self.number = number
        self.previous = previous
        self.content = content
    }

    /// The record's bytes with its checksum at the end. Equal records have equal bytes.
    ///
    /// - Throws: `RecordError` for a record that `decode` would refuse: a name, a count or the
    ///   whole is too large.
    /// - Complexity: O(bytes).
    public func encoded() throws(RecordError) -> [UInt8] { try sealed().bytes }

    /// The record's bytes, and the checksum at their end.
    func sealed() throws(RecordError) -> (bytes: [UInt8], checksum: RecordChecksum) {
        var writer = RecordWriter()
        RecordHeader(
            kind: kind, scope: scope, epoch: epoch, author: author, number: number,
            previous: previous
        ).write(to: &writer)
        switch content {
        case .seal: break
        case .group(let entries):
            try Self.write(count: entries.count, to: &writer)
            for entry in entries {
                try Self.write(room: entry.room, to: &writer)
                try writer.block(entry.bytes)
            }
        case .handOver(let receiver, let states):
            writer.number(receiver.node.rawValue)
            writer.number(receiver.life)
            try Self.write(count: states.count, to: &writer)
            for state in states {
                try Self.write(room: state.room, to: &writer)
                writer.number(state.hash)
            }
        }
        return try writer.sealed()
    }

    private static func write(
        count: Int, to writer: inout RecordWriter
    ) throws(RecordError) {
        guard count <= entryMaximum else {
            throw .tooMany(count: count, maximum: entryMaximum)
        }
        writer.number(UInt32(count))
    }

    static func write(room: String, to writer: inout RecordWriter) throws(RecordError) {
        let bytes = room.utf8.count
        guard bytes <= Entry.roomBytesMaximum else {
            throw .nameTooLong(bytes: bytes, maximum: Entry.roomBytesMaximum)
        }
        try writer.text(room)
    }

    private var kind: RecordHeader.Kind {
        switch content {
        case .group: .group
        case .seal: .seal
        case .handOver: .handOver
        }
    }

    /// Reads a record of a shard's journal.
    ///
    /// - Returns: The record and its checksum.
    /// - Throws: `RecordError` for bytes that are no record of this shard, or are cut short,
    ///   damaged or of another version.
    /// - Complexity: O(bytes).
    public static func decode(
        _ bytes: [UInt8], scope: RecordScope
    ) throws(RecordError) -> (record: ChainRecord, checksum: RecordChecksum) {
        var (header, reader, checksum) = try RecordHeader.open(bytes, scope: scope)
        let content: Content
        switch header.kind {
        case .seal: content = .seal
        case .group: content = .group(try entries(&reader))
        case .handOver:
            let receiver = NodeLife(
                node: NodeID(try reader.number(UInt16.self)), life: try reader.number(UInt64.self))
            content = .handOver(to: receiver, states: try states(&reader))
        case .snapshotPointer: throw .unknownKind(header.kind.rawValue)
        }
        try reader.finish()
        return (
            ChainRecord(
                scope: scope, epoch: header.epoch, author: header.author, number: header.number,
                previous: header.previous, content: content), checksum
        )
    }

    private static func count(
        _ reader: inout RecordReader, bytesEach: Int
    ) throws(RecordError) -> Int {
        let start = reader.offset
        let count = try reader.count(bytesEach: bytesEach)
        guard count <= entryMaximum else {
            throw .invalidValue(offset: start, expected: "a count of at most \(entryMaximum)")
        }
        return count
    }

    private static func entries(_ reader: inout RecordReader) throws(RecordError) -> [Entry] {
        var entries: [Entry] = []
        for _ in 0..<(try count(&reader, bytesEach: 6)) {
            entries.append(Entry(room: try room(&reader), bytes: try reader.block()))
        }
        return entries
    }

    private static func states(_ reader: inout RecordReader) throws(RecordError) -> [StateHash] {
        var states: [StateHash] = []
        for _ in 0..<(try count(&reader, bytesEach: 10)) {
            states.append(
                StateHash(room: try room(&reader), hash: try reader.number(UInt64.self)))
        }
        return states
    }

    static func room(_ reader: inout RecordReader) throws(RecordError) -> String {
        let start = reader.offset
        let room = try reader.text()
        guard room.utf8.count <= Entry.roomBytesMaximum else {
            throw .invalidValue(
                offset: start, expected: "a name of at most \(Entry.roomBytesMaximum) bytes")
        }
        return room
    }
}
