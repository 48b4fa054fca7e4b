import Foundation
import SceneStore
import SceneWire

/// Records of a thousand rooms for one group after another; 100 to 2,000 bytes, as batches are.
struct StoreRecords {
    static let rooms = 1000

    private var sequence: UInt64 = 0
    private var checksums = [UInt64](repeating: 0, count: rooms)
    private let names = (0..<rooms).map { "room\($0)" }
    private let payload = (0..<2048).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    private var state: UInt64 = 7

    mutating func group() -> [RoomRecord] {
        sequence += 1
        return (0..<Self.rooms).map { room in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            // Most batches are short: a drag, a text.
            let bytes = 100 + Int(state >> 33 & 1023) * Int(state >> 50 & 1023) / 550
            let record = JournalRecord(
                sequence: sequence, epoch: 1, tick: sequence, previous: checksums[room],
                kind: sequence == 1 ? .snapshot : .batch, payload: Array(payload[0..<bytes]))
            checksums[room] = record.checksum
            return RoomRecord(room: names[room], record: record)
        }
    }
}

/// A file that records are written to one after another, and that is synced once a group: the least
/// that keeps them.
final class BareFile {
    private let descriptor: Int32

    init(_ directory: String) throws {
        try FileManager.default.createDirectory(
            atPath: directory, withIntermediateDirectories: true)
        descriptor = open(directory + "/floor", O_CREAT | O_WRONLY | O_APPEND, 0o600)
        guard descriptor >= 0 else { throw StoreError.writeFailed("cannot open a file") }
    }

    deinit { close(descriptor) }

    func append(_ group: [RoomRecord]) throws {
        var bytes: [UInt8] = []
        for entry in group { bytes += entry.record.encoded() }
        guard write(descriptor, bytes, bytes.count) == bytes.count, fdatasync(descriptor) == 0
        else { throw StoreError.writeFailed("cannot write") }
    }
}
