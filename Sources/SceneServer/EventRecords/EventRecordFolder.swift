import Glibc
import Logging
import RoomNames

/// The files of all rooms, and the number of lines that each room has lost. Belongs to the
/// recorder's thread.
final class EventRecordFolder {
    /// The maximum number of open files.
    private static let openMaximum = 64
    /// Bytes of one write.
    private static let chunkBytes = 64 << 10

    private struct OpenFile {
        var file: EventRecordFile
        var lastUse: UInt64
    }

    private let options: EventRecordOptions
    private let metrics: ServerMetrics
    private let logger: Logger
    private var files: [String: OpenFile] = [:]
    private var uses: UInt64 = 0
    /// The number of lines that each room lost since its last line.
    private var lost: [String: Int] = [:]
    /// Rooms whose last lines could not be written.
    private var failing: Set<String> = []

    init(_ options: EventRecordOptions, metrics: ServerMetrics, logger: Logger) {
        self.options = options
        self.metrics = metrics
        self.logger = logger
    }

    /// Whether some files do not yet record their lost lines.
    var owesLines: Bool { !lost.isEmpty }

    /// Closes all files, so that moved ones are created again.
    func closeAll() { files = [:] }

    /// Registers dropped lines of a room.
    func noteLost(_ count: Int, of room: String) {
        lost[room, default: 0] += count
        metrics.eventRecordsLost.add(count)
    }

    /// Writes lines of a room, preceded by the number of lost ones.
    func write(_ lines: [String], of room: String) {
        var chunk: [UInt8] = []
        var index = lines.startIndex
        guard writeLost(of: room) else { return noteLost(lines.count, of: room) }
        while index < lines.endIndex {
            let start = index
            chunk.removeAll(keepingCapacity: true)
            while index < lines.endIndex, chunk.isEmpty || chunk.count < Self.chunkBytes {
                chunk += lines[index].utf8
                index += 1
            }
            let written = append(chunk, of: room)
            metrics.eventRecords.add(written)
            guard written == index - start else {
                return noteLost(lines.endIndex - start - written, of: room)
            }
        }
    }

    /// Writes the numbers of lost lines that are missing in the files.
    func writeOwedLines() {
        for room in lost.keys.sorted() { _ = writeLost(of: room) }
    }

    private func writeLost(of room: String) -> Bool {
        guard let count = lost[room] else { return true }
        let line = EventRecordLine(lost: count, room: room, at: .now)
        guard append(Array(line.text.utf8), of: room) == 1 else { return false }
        // Opening the file may have closed another one.
        let left = (lost[room] ?? count) - count
        lost[room] = left > 0 ? left : nil
        return true
    }

    /// - Returns: The number of lines written.
    private func append(_ lines: [UInt8], of room: String) -> Int {
        do {
            let (byteCount, failure) = try file(of: room).append(lines)
            if let failure {
                // If a cut line cannot be removed now, the next opening of the file removes it.
                files[room] = nil
                note(failure, of: room)
            } else {
                noteSuccess(of: room)
            }
            return lines[..<byteCount].reduce(0) { $0 + ($1 == UInt8(ascii: "\n") ? 1 : 0) }
        } catch {
            note(error, of: room)
            return 0
        }
    }

    private func file(of room: String) throws(EventRecordError) -> EventRecordFile {
        uses += 1
        if let file = files[room]?.file {
            files[room]?.lastUse = uses
            return file
        }
        let path = "\(options.folder)/\(room).jsonl"
        // Names of rooms come from clients; the gateway admits only valid ones.
        guard RoomName.isValid(room) else { throw EventRecordError(path, "open", EINVAL) }
        if files.count >= Self.openMaximum,
            let oldest = files.min(by: { $0.value.lastUse < $1.value.lastUse })
        {
            files[oldest.key] = nil
        }
        let file = try EventRecordFile(
            path: path, bytesMaximum: options.fileBytesMaximum, keptFiles: options.keptFiles)
        files[room] = OpenFile(file: file, lastUse: uses)
        if file.hadCutLine { noteLost(1, of: room) }
        return file
    }

    // One message for all rooms, since they share one disk.

    private func note(_ failure: EventRecordError, of room: String) {
        let isFirst = failing.isEmpty
        failing.insert(room)
        guard isFirst else { return }
        logger.error(
            "events are not recorded: \(failure); lines are dropped and counted until the folder is writable"
        )
    }

    private func noteSuccess(of room: String) {
        guard failing.remove(room) != nil, failing.isEmpty else { return }
        logger.notice("events are recorded again")
    }
}
