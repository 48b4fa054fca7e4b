import Foundation
import Measuring
import SceneStore
import SceneWire

/// What a thousand rooms' batches cost of the processor: through the store, and as the same bytes
/// in a bare file.
enum StoreBenchmark {
    private static let groups = 300

    /// Batches for each second of processor time through the store, from records to the disk.
    static func groups(_ directory: String) throws -> [Double] {
        var records = StoreRecords()
        let store = try SQLiteStore(directory: directory)
        try store.append(records.group(), time: 0)
        return try perSecond(&records) { group, index in
            try store.append(group, time: Int64(index))
        }
    }

    /// The same for the bytes of the records, put together and written to a file that is synced
    /// once a group.
    static func floor(_ directory: String) throws -> [Double] {
        var records = StoreRecords()
        let file = try BareFile(directory)
        return try perSecond(&records) { group, _ in try file.append(group) }
    }

    private static func perSecond(
        _ records: inout StoreRecords, _ append: ([RoomRecord], Int) throws -> Void
    ) throws -> [Double] {
        var seconds = 0.0
        for index in 0..<groups {
            let group = records.group()
            let start = processorTime()
            try append(group, index)
            seconds += processorTime() - start
        }
        return [Double(StoreRecords.rooms * groups) / seconds]
    }
}
