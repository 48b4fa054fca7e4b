/// The header of messages between nodes, which the engine does not keep: four letters that say what
/// they are, a version, and the cluster.
struct MessageHeader {
    private let letters: [UInt8]
    private let version: UInt8

    /// - Parameter letters: Four letters of ASCII.
    init(_ letters: String, version: UInt8 = 1) {
        self.letters = Array(letters.utf8)
        self.version = version
    }

    /// Begins a message.
    func writer(cluster: ClusterID) -> RecordWriter {
        var writer = RecordWriter()
        writer.raw(letters)
        writer.number(version)
        writer.number(cluster.rawValue)
        return writer
    }

    /// Whether bytes begin with the letters.
    func matches(_ bytes: [UInt8]) -> Bool { bytes.starts(with: letters) }

    /// The first bytes of a message of another kind, for the error.
    func firstBytes(of bytes: [UInt8]) -> [UInt8] { Array(bytes.prefix(letters.count)) }

    /// Reads the header of a message that begins with the letters.
    ///
    /// - Returns: A reader of what follows.
    /// - Throws: `RecordError` for another version or cluster, and for bytes that end too soon.
    func reader(of bytes: [UInt8], cluster: ClusterID) throws(RecordError) -> RecordReader {
        var reader = RecordReader(bytes, in: letters.count..<bytes.count)
        let found = try reader.number(UInt8.self)
        guard found == version else { throw .otherVersion(found: found, expected: version) }
        let other = ClusterID(try reader.number(UInt64.self))
        guard other == cluster else { throw .otherCluster(found: other, expected: cluster) }
        return reader
    }
}
