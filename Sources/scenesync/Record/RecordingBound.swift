import Annotations
import ArgumentParser
import FoundationEssentials
import SceneSession
import SceneStore
import SceneWire

/// Where a recording begins or ends.
enum RecordingBound: ExpressibleByArgument, Equatable {
    case tick(UInt64)
    case version(String)
    case beforeEnd(seconds: Double)
    /// Seconds since 1970.
    case time(Int64)

    private static let units: [Character: Double] = ["s": 1, "m": 60, "h": 3600]

    init?(argument text: String) {
        guard !text.isEmpty else { return nil }
        if let tick = UInt64(text) {
            self = .tick(tick)
        } else if text.hasPrefix("-"), let unit = text.last.flatMap({ Self.units[$0] }),
            let count = Double(text.dropFirst().dropLast()), count.isFinite, count >= 0
        {
            self = .beforeEnd(seconds: count * unit)
        } else if let date = try? Date(text, strategy: .iso8601) {
            self = .time(Int64(date.timeIntervalSince1970))
        } else {
            self = .version(text)
        }
    }

    var defaultValueDescription: String {
        switch self {
        case .tick(let tick): "\(tick)"
        case .version(let name): name
        case .beforeEnd(let seconds): "-\(Int(seconds))s"
        case .time(let time): "\(time)"
        }
    }
}

/// The ticks of a recording, and the records that lead through them.
struct RecordingRange {
    let ticks: ClosedRange<UInt64>
    let records: [JournalRecord]

    /// - Throws: `StoreError`, `JournalPlayer.Failure`, or the exit code; the reason of that is
    ///   reported.
    init(
        _ room: String, _ from: RecordingBound, _ to: RecordingBound, in store: SQLiteStore
    ) throws {
        let replay = try JournalReplay(try store.records(of: room))
        // Of the past no more than the first records.
        let first = try store.records(of: room, from: 0, beyondByBytes: 1).first?.tick ?? 0
        func tick(_ bound: RecordingBound) throws -> UInt64 {
            switch bound {
            case .tick(let tick): return tick
            case .beforeEnd(let seconds):
                let ticks = UInt64(min(seconds * Double(replay.tickRate), 9e15))
                return max(first, replay.tick - min(ticks, replay.tick))
            case .time(let time): return try store.tick(of: room, at: time) ?? 0
            case .version(let name):
                guard let version = replay.timeline.annotations.version(name) else {
                    throw RoomMoment.noVersion(name, of: room, replay)
                }
                return version.tick
            }
        }
        let (start, end) = (try tick(from), try tick(to))
        guard start >= first else {
            throw Output.failure(
                .badData, "room \(room): the journal begins at tick \(first), after --from",
                try: "records before it are not kept any more; give that tick or a later one")
        }
        guard start < end else {
            throw Output.failure(
                .usage, "room \(room): --from is tick \(start) and --to is tick \(end)",
                try: "let it end after its beginning")
        }
        ticks = start...end
        records = try Replay.records(of: room, through: start, in: store).filter { $0.tick <= end }
    }
}
