import SceneProtocol

/// The bytes of one group commit: for each record the room's name and the record, both with their lengths in front
/// (32 bits, little-endian).
enum CommitBlob {
    enum Failure: Error, Equatable {
        case truncated(offset: Int)
        case badName(offset: Int)
        case badRecord(offset: Int, DecodeError)
    }

    static func encode(_ group: [RoomRecord]) -> [UInt8] {
        var bytes: [UInt8] = []
        for entry in group {
            append(Array(entry.room.utf8), to: &bytes)
            append(entry.record.encoded(), to: &bytes)
        }
        return bytes
    }

    static func decode(_ bytes: [UInt8]) throws(Failure) -> [RoomRecord] {
        var group: [RoomRecord] = []
        var offset = 0
        while offset < bytes.count {
            let start = offset
            let name = try take(bytes, &offset)
            guard let room = String(validating: name, as: UTF8.self) else {
                throw .badName(offset: start)
            }
            let place = offset
            let data = try take(bytes, &offset)
            do {
                group.append(RoomRecord(room: room, record: try JournalRecord.decode(Array(data))))
            } catch {
                throw .badRecord(offset: place, error)
            }
        }
        return group
    }

    private static func append(_ part: [UInt8], to bytes: inout [UInt8]) {
        let count = UInt32(truncatingIfNeeded: part.count)
        for shift in [0, 8, 16, 24] as [UInt32] {
            bytes.append(UInt8(truncatingIfNeeded: count >> shift))
        }
        bytes += part
    }

    private static func take(
        _ bytes: [UInt8], _ offset: inout Int
    ) throws(Failure) -> ArraySlice<UInt8> {
        guard bytes.count - offset >= 4 else { throw .truncated(offset: offset) }
        var count = 0
        for index in 0..<4 { count |= Int(bytes[offset + index]) << (8 * index) }
        guard bytes.count - offset - 4 >= count else { throw .truncated(offset: offset) }
        let part = bytes[(offset + 4)..<(offset + 4 + count)]
        offset += 4 + count
        return part
    }
}

/// What one commit holds of one room.
struct RoomRange: Equatable {
    var room: String
    var first: UInt64
    var last: UInt64
    /// The last snapshot among its records.
    var snapshot: UInt64?

    /// One range for each room of a group, in order of appearance.
    static func ranges(of group: [RoomRecord]) -> [RoomRange] {
        var ranges: [RoomRange] = []
        var places: [String: Int] = [:]
        for entry in group {
            let sequence = entry.record.sequence
            let snapshot = entry.record.kind == .snapshot ? sequence : nil
            if let place = places[entry.room] {
                ranges[place].last = sequence
                ranges[place].snapshot = snapshot ?? ranges[place].snapshot
            } else {
                places[entry.room] = ranges.count
                ranges.append(
                    RoomRange(
                        room: entry.room, first: sequence, last: sequence, snapshot: snapshot))
            }
        }
        return ranges
    }
}
