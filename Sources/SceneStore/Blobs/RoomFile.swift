import Bytes
public import SceneWire

/// A room in one file, as `scenesync export` writes it: a record that has the scene, and the
/// pictures that the scene names.
///
///     offset  size    meaning
///     0       10      `SCENEROOM1`
///     10      varint  length of the record, then the record; likewise each picture
///     end-8   8       checksum of all bytes before it, little-endian
///
/// A room without pictures is the record alone, as earlier releases wrote all rooms.
public struct RoomFile: Sendable, Equatable {
    /// The scene as the first record of a journal.
    public var record: JournalRecord
    /// The files of pictures.
    public var pictures: [[UInt8]]

    /// Makes a file.
    public init(_ record: JournalRecord, pictures: [[UInt8]] = []) {
        self.record = record
        self.pictures = pictures
    }

    private static let magic = Array("SCENEROOM1".utf8)

    /// The file's bytes.
    public var bytes: [UInt8] {
        guard !pictures.isEmpty else { return record.encoded() }
        var bytes = Self.magic
        for part in [record.encoded()] + pictures {
            Varint.append(UInt64(part.count), to: &bytes)
            bytes += part
        }
        LittleEndian.append(FNV1a.hash(bytes[...]), to: &bytes)
        return bytes
    }

    /// Reads a file.
    ///
    /// - Throws: `DecodeError` for what `bytes` does not give.
    /// - Complexity: O(bytes).
    public init(_ bytes: [UInt8]) throws(DecodeError) {
        guard bytes.starts(with: Self.magic) else {
            self.init(try JournalRecord.decode(bytes))
            return
        }
        let body = bytes.dropLast(8)
        guard body.count >= Self.magic.count else {
            throw .truncated(offset: bytes.count, neededBytes: 8)
        }
        guard FNV1a.hash(body) == LittleEndian.number(bytes[body.endIndex...]) else {
            throw .invalidValue(offset: body.endIndex)
        }
        var parts: [[UInt8]] = []
        var offset = Self.magic.count
        while offset < body.endIndex {
            guard let length = Varint.take(body, &offset), length <= UInt64(body.endIndex - offset)
            else { throw .invalidValue(offset: offset) }
            let end = offset + Int(length)
            parts.append(Array(body[offset..<end]))
            offset = end
        }
        guard let first = parts.first else { throw .truncated(offset: offset, neededBytes: 1) }
        self.init(try JournalRecord.decode(first), pictures: Array(parts.dropFirst()))
    }
}
