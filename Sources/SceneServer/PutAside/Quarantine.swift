import FoundationEssentials
import Glibc
import Logging
import Synchronization

/// The rooms that are put aside: they cannot be joined, so that all others can be served. Safe from
/// any thread.
///
/// A room is put aside while the server runs if opening it takes too much work or its journal is
/// damaged, and until an administrator releases or deletes it if the server crashed in it twice
/// within a day.
final class Quarantine: Sendable {
    /// The reason why a room was put aside.
    enum Reason: Equatable, Sendable, CustomStringConvertible {
        case tooDear(String)
        case crashes(String)
        case damaged(String)

        /// Whether its journal must stay as it is until somebody decides.
        var keepsJournal: Bool {
            switch self {
            case .tooDear: false
            case .crashes, .damaged: true
            }
        }

        /// For people.
        var description: String {
            switch self {
            case .tooDear(let text), .crashes(let text): text
            case .damaged(let text):
                "its journal is damaged: \(text); the operator can restore it with scenesync repair"
            }
        }
    }

    private struct State {
        var reasons: [String: Reason] = [:]
        var ledger = CrashLedger()
    }

    private let state: Mutex<State>
    /// Held while the ledger is written.
    private let writing = Mutex(())
    /// The path of the ledger; `nil` if nothing is stored.
    private let path: String?
    private let logger: Logger

    /// A quarantine that stores nothing.
    init(logger: Logger) {
        state = Mutex(State())
        path = nil
        self.logger = logger
    }

    /// Reads the ledger of a data directory, and the steps at which the former process died. A file
    /// that cannot be read or written is logged: rooms are served without it.
    init(directory: String, logger: Logger) {
        let path = Self.ledgerPath(directory)
        var ledger = Self.ledger(path, logger)
        let traces = StepRecord.traces(at: Self.recordPath(directory))
        if !traces.isEmpty {
            ledger.note(traces, at: Date().timeIntervalSince1970)
            do throws(ServerError) { try ledger.write(to: path) } catch {
                logger.error("a crash of the former process will be forgotten: \(error)")
            }
        }
        for trace in traces {
            logger.error(
                "the former server process died while working in room \(trace.room), by \(trace.cause)"
            )
        }
        let reasons = ledger.putAside.mapValues { Reason.crashes($0) }
        for (room, reason) in reasons.sorted(by: { $0.key < $1.key }) {
            logger.error("room \(room) is put aside: \(reason)")
        }
        state = Mutex(State(reasons: reasons, ledger: ledger))
        self.path = path
        self.logger = logger
    }

    /// Reads the ledger. One that cannot be read is moved away and kept, and crashes are counted
    /// anew.
    private static func ledger(_ path: String, _ logger: Logger) -> CrashLedger {
        do throws(ServerError) {
            return try CrashLedger(path: path)
        } catch {
            let kept = path + ".unreadable"
            let isMoved = rename(path, kept) == 0
            logger.error(
                "\(error); \(isMoved ? "it was moved to \(kept), and " : "")crashes are counted anew"
            )
            return CrashLedger()
        }
    }

    /// The path of the record of the threads' steps in a data directory.
    static func recordPath(_ directory: String) -> String { directory + "/at-work" }

    /// The path of the ledger of crashes in a data directory.
    static func ledgerPath(_ directory: String) -> String { directory + "/crashes.json" }

    /// The reason why a room is put aside; `nil` if it is not.
    func reason(for room: String) -> Reason? { state.withLock { $0.reasons[room] } }

    /// All rooms that are put aside, by name.
    var all: [(room: String, reason: Reason)] {
        state.withLock { $0.reasons }.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    /// Puts a room aside that cannot be opened.
    func putAside(_ room: String, _ reason: Reason) {
        state.withLock { $0.reasons[room] = reason }
        logger.error("room \(room) is put aside: \(reason)")
    }

    /// Releases a room, and forgets its crashes.
    ///
    /// - Returns: Whether it was put aside.
    @discardableResult
    func release(_ room: String) -> Bool {
        let (wasThere, isLedgerOther) = state.withLock { state in
            let hadCrashes = state.ledger.rooms[room] != nil
            state.ledger.forget(room)
            return (state.reasons.removeValue(forKey: room) != nil, hadCrashes)
        }
        guard let path, isLedgerOther else { return wasThere }
        do throws(ServerError) {
            // Writes run one after the other, each with the latest contents; readers do not wait
            // for the disk.
            try writing.withLock { _ throws(ServerError) in
                try state.withLock(\.ledger).write(to: path)
            }
        } catch {
            logger.error("room \(room) will be put aside again after a restart: \(error)")
        }
        return wasThere
    }
}
