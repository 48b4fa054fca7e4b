import Essentials
import FoundationEssentials
import Glibc

/// The crashes during work in rooms, in a file beside the journal.
struct CrashLedger: Codable, Equatable {
    /// The crashes of one room.
    struct Entry: Codable, Equatable {
        /// The times in seconds since 1970, oldest first.
        var times: [Double] = []
        /// The cause of the last one.
        var cause = ""
    }

    /// The number of crashes within `seconds` that put a room aside.
    static let limit = 2
    /// A day: a room that crashes the server every few hours is at fault as much as one that does
    /// so at once.
    static let seconds: Double = 86_400
    /// The maximum number of times kept for a room.
    private static let timesMaximum = 8

    private(set) var rooms: [String: Entry] = [:]

    /// The rooms that crashes have put aside, with the reasons.
    var putAside: [String: String] {
        rooms.compactMapValues { entry in
            guard let last = entry.times.last,
                entry.times.count(where: { $0 > last - Self.seconds }) >= Self.limit
            else { return nil }
            return
                "the server crashed while working in it \(entry.times.count) times, last by \(entry.cause)"
        }
    }

    /// Registers the steps at which a process died.
    mutating func note(_ traces: [StepRecord.Trace], at time: Double) {
        for trace in traces {
            var entry = rooms[trace.room] ?? Entry()
            entry.times = Array((entry.times + [time]).suffix(Self.timesMaximum))
            entry.cause = trace.cause.description
            rooms[trace.room] = entry
        }
    }

    /// Forgets a room's crashes.
    mutating func forget(_ room: String) { rooms[room] = nil }

    // MARK: The file

    /// Reads a ledger; empty if there is no file.
    ///
    /// - Throws: `ServerError.store` for an invalid file.
    init(path: String) throws(ServerError) {
        guard let data = FileManager.default.contents(atPath: path) else { return }
        do {
            self = try JSONDecoder().decode(CrashLedger.self, from: data)
        } catch {
            throw .store("\(path) cannot be read: it is not a list of crashes")
        }
    }

    /// An empty ledger.
    init() {}

    /// Writes the ledger, whole or not at all.
    ///
    /// - Throws: `ServerError.store` when it cannot be written.
    func write(to path: String) throws(ServerError) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        do {
            try encoder.encode(self).write(to: URL(fileURLWithPath: path), options: .atomic)
            // Names of rooms are private.
            _ = chmod(path, 0o600)
        } catch {
            throw .store("\(path) cannot be written: \(FileFailure.reason(of: error))")
        }
    }
}
