import ArgumentParser
import ConstraintLanguage
import Essentials
import FoundationEssentials
import SceneModel
import SceneProtocol
import SceneSession
import SceneStore

/// A room in one file: the bytes of one journal record, a snapshot, without the server's client records.
struct Export: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Write a room from the journal to one file.",
        discussion: """
            The file holds the scene bit for bit, and nothing of the people who changed it; import \
            makes a room of it, here or elsewhere.
            """)

    @Option(help: "The directory of the journal.")
    var data = ".scenesync"

    @Option(help: "The tick to export; the last by default.")
    var tick: UInt64?

    @Argument(help: "The room's name.")
    var room: String

    @Argument(help: "The file to write.")
    var file: String

    func run() throws {
        do {
            let store = try SQLiteStore(directory: data, isReadOnly: true)
            try Replay.require(room, in: store)
            let records = try Replay.records(of: room, through: tick, in: store)
            for damage in store.damage { Output.note(damage) }
            let record = try RoomFile.record(of: try JournalReplay(records, through: tick))
            try Data(record.encoded()).write(to: URL(fileURLWithPath: file))
        } catch let error as StoreError {
            throw Output.failure(error)
        } catch let error as JournalReplay.Failure {
            throw Output.failure(.badData, "room \(room): \(error)", try: Advice.room)
        } catch let code as ExitCode {
            // Already reported.
            throw code
        } catch {
            throw Output.failure(
                .failure, "\(file): \(FileFailure.reason(of: error))",
                try: "give a file that this user may write")
        }
    }
}

struct Import: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Create a room from a file written by export.",
        discussion: "The server must not be running, and the room must not exist.")

    @Option(help: "The directory of the journal; created if missing.")
    var data = ".scenesync"

    @Argument(help: "The file to read.")
    var file: String

    @Argument(help: "The room's name.")
    var room: String

    func validate() throws {
        guard Identifier.isValid(room) else {
            throw ValidationError(
                "\"\(room)\" cannot be a room's name; begin with a letter or _, and go on with letters, digits, - and _"
            )
        }
    }

    func run() throws {
        let bytes: [UInt8]
        do { bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: file))) } catch {
            throw Output.failure(
                .badData, "\(file): \(FileFailure.reason(of: error))",
                try: "give a file written by scenesync export")
        }
        do {
            let record = try JournalRecord.decode(bytes)
            // The file may come from anywhere, so its scene must be accepted by this engine.
            let replay = try JournalReplay([record])
            let store = try SQLiteStore(directory: data)
            guard try store.records(of: room).isEmpty else {
                throw Output.failure(
                    .failure, "there is a room \(room) already",
                    try: "give another name, or another --data")
            }
            let first = try RoomFile.record(of: replay)
            try store.append(
                [RoomRecord(room: room, record: first)], time: Int64(Date().timeIntervalSince1970))
            Output.result(ViewHash.text(replay.timeline.model.stateHash))
        } catch let error as DecodeError {
            throw Output.failure(
                .badData, "\(file) is not an exported room: \(error)",
                try: "give a file written by scenesync export")
        } catch let error as StoreError {
            throw Output.failure(error)
        } catch let error as JournalReplay.Failure {
            throw Output.failure(
                .badData, "\(file): \(error)", try: "export it again, from an undamaged journal")
        }
    }
}

/// The content of the file.
enum RoomFile {
    /// The scene at the end of a replay, as the first record of a room.
    static func record(of replay: JournalReplay) throws(JournalReplay.Failure) -> JournalRecord {
        JournalRecord(
            sequence: 1, epoch: 1, tick: replay.tick, previous: 0, kind: .snapshot,
            payload: JournalPayload.snapshot(replay.snapshot()).bytes)
    }
}
