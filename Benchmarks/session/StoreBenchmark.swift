import Foundation
import Measuring
import SceneProtocol
import SceneStore

/// A thousand rooms that write a batch each at a tick: through the store, and the same bytes to a bare file.
enum StoreBenchmark {
    private static let rooms = 1000
    private static let groups = 300

    /// Records of all rooms for one group after another; 100 to 2,000 bytes, as batches are.
    private struct Source {
        private var sequence: UInt64 = 0
        private var checksums = [UInt64](repeating: 0, count: rooms)
        private let names = (0..<rooms).map { "room\($0)" }
        private let payload = (0..<2000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        private var state: UInt64 = 7

        mutating func group() -> [RoomRecord] {
            sequence += 1
            return (0..<rooms).map { room in
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

    /// Batches for each second of processor time through the store, from records to the disk.
    static func groups(_ directory: String) throws -> [Double] {
        var source = Source()
        let store = try SQLiteStore(directory: directory)
        try store.append(source.group(), time: 0)
        var seconds = 0.0
        for index in 0..<groups {
            let group = source.group()
            let start = processorTime()
            try store.append(group, time: Int64(index))
            seconds += processorTime() - start
        }
        return [Double(rooms * groups) / seconds]
    }

    /// The same for the bytes of the records, put together and written to a file that is synced once a group.
    static func floor(_ directory: String) throws -> [Double] {
        var source = Source()
        let file = try BareFile(directory)
        var seconds = 0.0
        for _ in 0..<groups {
            let group = source.group()
            let start = processorTime()
            try file.append(group)
            seconds += processorTime() - start
        }
        return [Double(rooms * groups) / seconds]
    }

    /// One batch a room at each tick, 60 ticks a second, for ten seconds.
    ///
    /// - Returns: Batches a second of the clock, milliseconds until half and 99 of 100 were on the disk, and the share of
    ///   one processor.
    static func live(_ directory: String) throws -> [Double] {
        var source = Source()
        let store = try SQLiteStore(directory: directory)
        try store.append(source.group(), time: 0)
        return try paced(&source) { group, index in
            try store.append(group, time: Int64(index))
        }
    }

    /// The same to a bare file that is synced once a group.
    static func bareLive(_ directory: String) throws -> [Double] {
        var source = Source()
        let file = try BareFile(directory)
        try file.append(source.group())
        return try paced(&source) { group, _ in try file.append(group) }
    }

    private static func paced(
        _ source: inout Source, _ append: ([RoomRecord], Int) throws -> Void
    ) throws -> [Double] {
        // A little more than is asked for: a store that just keeps up with 60 could not be told from one that does not.
        let rate = 62.0
        let ticks = 620
        // Made before, so that the figures are the store's.
        let all = (0..<ticks).map { _ in source.group() }
        var latencies: [Double] = []
        let start = wallTime()
        let processor = processorTime()
        for (index, group) in all.enumerated() {
            let due = start + Double(index) / rate
            let now = wallTime()
            if now < due { usleep(UInt32((due - now) * 1e6)) }
            try append(group, index)
            latencies.append(wallTime() - due)
        }
        // Ten seconds when the store kept up, more when it fell behind.
        let wall = max(wallTime() - start, Double(ticks) / rate)
        latencies.sort()
        return [
            Double(rooms * ticks) / wall, latencies[ticks / 2] * 1000,
            latencies[ticks * 99 / 100] * 1000, (processorTime() - processor) / wall,
        ]
    }
}

/// A file that records are written to one after another, and that is synced once a group: the least that keeps them.
private final class BareFile {
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
