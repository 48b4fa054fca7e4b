import Bytes
import SceneDocument

/// One entry of a room's journal: what has to be done again, in order, to bring the room back.
///
///     offset  size    meaning
///     0       1       version, 1
///     1       1       kind: 1 snapshot, 2 batch, 3 snapshot that repeats the scene
///     2       varint  sequence, one more than the record before it in the room
///     …       varint  epoch of the room when it was written
///     …       varint  tick of the cycle that took it in
///     …       8       checksum of the record before it, 0 for the first
///     …       varint  length of the payload, then the payload
///     end-8   8       checksum: FNV-1a (64 bits) of all bytes before it
///
/// Numbers of fixed size are little-endian. A record names its predecessor by checksum, so that a
/// gap, a fork or a flipped bit is found on reading, wherever records are kept.
public struct JournalRecord: Sendable, Equatable {
    /// What a record holds.
    public enum Kind: UInt8, Sendable {
        /// A whole scene, at which the live scene was rebuilt as well.
        case snapshot = 1
        /// Ops that were applied in one go, without those that were refused.
        case batch = 2
    }

    /// Its place in the room's journal, from 1.
    public var sequence: UInt64
    /// The room's epoch; it grows each time the room is brought back from its journal.
    public var epoch: UInt64
    /// The tick whose cycle took it in.
    public var tick: UInt64
    /// The checksum of the record before it; 0 for the first.
    public var previous: UInt64
    /// What it holds.
    public var kind: Kind
    /// Whether the records before it lead to the scene that it holds, so that a journal without it
    /// is complete; only of snapshots. Earlier versions did not record this.
    public var repeatsScene: Bool
    /// The scene or the ops, as JSON.
    public var payload: [UInt8]

    /// Makes a record.
    public init(
        sequence: UInt64, epoch: UInt64, tick: UInt64, previous: UInt64, kind: Kind,
        repeatsScene: Bool = false, payload: [UInt8]
    ) {
        self.sequence = sequence
        self.epoch = epoch
        self.tick = tick
        self.previous = previous
        self.kind = kind
        self.repeatsScene = repeatsScene
        self.payload = payload
    }

    /// Whether it is the next of its room's journal after another one.
    ///
    /// - Complexity: O(bytes of the other one), for its checksum.
    public func follows(_ before: JournalRecord) -> Bool {
        sequence == before.sequence &+ 1 && previous == before.checksum
    }

    /// How many bytes `encoded` gives.
    public var encodedByteCount: Int {
        18 + Varint.byteCount(sequence) + Varint.byteCount(epoch)
            + Varint.byteCount(tick) + Varint.byteCount(UInt64(payload.count))
            + payload.count
    }

    /// The record's bytes, checksum included.
    public func encoded() -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(encodedByteCount)
        append(to: &bytes)
        return bytes
    }

    /// The same behind other bytes.
    public func append(to bytes: inout [UInt8]) {
        let body = appendBody(to: &bytes)
        LittleEndian.append(FNV1a.hash(bytes[body]), to: &bytes)
    }

    /// The same with room for the checksum, which `seal` fills in for many records at once.
    ///
    /// - Returns: Where the bytes are that it is the checksum of.
    public func appendUnsealed(to bytes: inout [UInt8]) -> Range<Int> {
        let body = appendBody(to: &bytes)
        LittleEndian.append(UInt64(0), to: &bytes)
        return body
    }

    private func appendBody(to bytes: inout [UInt8]) -> Range<Int> {
        let start = bytes.count
        appendHead(to: &bytes)
        bytes += payload
        return start..<bytes.count
    }

    /// All that stands before the payload.
    private func appendHead(to bytes: inout [UInt8]) {
        bytes.append(Self.version)
        bytes.append(repeatsScene ? Self.repetition : kind.rawValue)
        Varint.append(sequence, to: &bytes)
        Varint.append(epoch, to: &bytes)
        Varint.append(tick, to: &bytes)
        LittleEndian.append(previous, to: &bytes)
        Varint.append(UInt64(payload.count), to: &bytes)
    }

    /// The checksum by which the next record names this one.
    ///
    /// - Complexity: O(bytes).
    public var checksum: UInt64 {
        var head: [UInt8] = []
        head.reserveCapacity(64)
        appendHead(to: &head)
        var hash = FNV1a(FNV1a.hash(head))
        hash.add(payload)
        return hash.value
    }

    /// Reads a record.
    ///
    /// - Throws: `DecodeError` for bytes that are cut short, flipped or of another version.
    public static func decode(_ bytes: [UInt8]) throws(DecodeError) -> JournalRecord {
        guard bytes.count > 8 else { throw .truncated(offset: bytes.count, neededBytes: 8) }
        let body = bytes.dropLast(8)
        guard FNV1a.hash(body) == LittleEndian.number(bytes[body.endIndex...]) else {
            throw .invalidValue(offset: body.endIndex)
        }
        var decoder = BinaryDecoder(Array(body), limits: .standard)
        guard try decoder.byte() == version else { throw .invalidValue(offset: 0) }
        let code = try decoder.byte()
        let repeatsScene = code == repetition
        guard let kind = repeatsScene ? .snapshot : Kind(rawValue: code) else {
            throw .invalidValue(offset: 1)
        }
        let sequence = try decoder.varint()
        let epoch = try decoder.varint()
        let tick = try decoder.varint()
        var previous: UInt64 = 0
        for shift in stride(from: UInt64(0), to: 64, by: 8) {
            previous |= UInt64(try decoder.byte()) << shift
        }
        let length = try decoder.varint()
        guard length == UInt64(decoder.remaining) else {
            throw .invalidValue(offset: decoder.offset)
        }
        return JournalRecord(
            sequence: sequence, epoch: epoch, tick: tick, previous: previous, kind: kind,
            repeatsScene: repeatsScene, payload: Array(body[decoder.offset...]))
    }

    private static let version: UInt8 = 1
    /// The kind of a snapshot that repeats the scene, in bytes.
    private static let repetition: UInt8 = 3
}
