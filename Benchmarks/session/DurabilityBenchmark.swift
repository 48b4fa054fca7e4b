import Foundation
import Measuring
import SceneStore
import SceneWire

/// A thousand rooms with a batch each at a tick, 60 ticks a second: when they are on the disk,
/// through the store and in a bare file that is synced once a group.
///
/// The two take turns of a second: a disk may hold syncs up for some seconds and not at all in
/// those after them, so that ten seconds of one after ten of the other said which of them had the
/// worse seconds.
enum DurabilityBenchmark {
    /// A little more than is asked for: a store that just keeps up with 60 could not be told from
    /// one that does not.
    private static let ticksPerSecond = 62
    /// Even, so that each goes first as often as the other.
    private static let turns = 10

    /// - Returns: Batches a second of the clock through the store, milliseconds until half and 99
    ///   of 100 were on the disk, and the share of one processor; the milliseconds of the bare
    ///   file.
    static func measure(_ directory: String) throws -> [Double] {
        var records = StoreRecords()
        let store = try SQLiteStore(directory: directory)
        let file = try BareFile(directory)
        let first = records.group()
        try store.append(first, time: 0)
        try file.append(first)
        var through = Pace(ticksPerSecond: ticksPerSecond)
        var bare = Pace(ticksPerSecond: ticksPerSecond)
        for turn in 0..<turns {
            // Made before, so that the figures are the store's.
            let groups = (0..<ticksPerSecond).map { _ in records.group() }
            if turn.isMultiple(of: 2) { try bare.run(groups) { try file.append($0) } }
            try through.run(groups) { try store.append($0, time: Int64(turn)) }
            // The bare file's turn has the disk for itself: what the store moves meanwhile would
            // slow it down.
            store.finish()
            if !turn.isMultiple(of: 2) { try bare.run(groups) { try file.append($0) } }
        }
        return [
            Double(StoreRecords.rooms) * through.groupsPerSecond, through.milliseconds(within: 0.5),
            through.milliseconds(within: 0.99), through.processorShare,
            bare.milliseconds(within: 0.5),
            bare.milliseconds(within: 0.99),
        ]
    }
}

/// Groups that are due one after another at a fixed rate, and how late each is on the disk.
private struct Pace {
    let ticksPerSecond: Int
    private var latencies: [Double] = []
    private var wall = 0.0
    private var processor = 0.0

    init(ticksPerSecond: Int) { self.ticksPerSecond = ticksPerSecond }

    mutating func run(_ groups: [[RoomRecord]], _ append: ([RoomRecord]) throws -> Void) throws {
        let start = wallTime()
        let processorStart = processorTime()
        for (index, group) in groups.enumerated() {
            let due = start + Double(index) / Double(ticksPerSecond)
            let now = wallTime()
            if now < due { usleep(UInt32((due - now) * 1e6)) }
            try append(group)
            latencies.append(wallTime() - due)
        }
        processor += processorTime() - processorStart
        // A second where they kept up, more where they fell behind.
        wall += max(wallTime() - start, Double(groups.count) / Double(ticksPerSecond))
    }

    /// Groups for each second of the clock.
    var groupsPerSecond: Double { Double(latencies.count) / wall }

    var processorShare: Double { processor / wall }

    /// The time within which a part of the groups was on the disk.
    func milliseconds(within part: Double) -> Double {
        latencies.sorted()[Int(Double(latencies.count) * part)] * 1000
    }
}
