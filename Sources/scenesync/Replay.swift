import ArgumentParser
import SceneDocument
import SceneModel
import SceneServer
import SceneSession
import SceneStore
import SceneWire

struct Replay: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Rebuild a room from its journal and print its state.",
        discussion: """
            Reads the journal of a server that is not running, or of one that is. --tick goes back as \
            far as records are kept. --verify also looks at every byte of the journal, and replays the \
            room from the oldest snapshot on as well as from the last one: both have to end alike. What \
            cannot be read of a snapshot is left out and named, as when a server opens the room.
            """)

    @Option(help: "The directory of the journal.")
    var data = ".scenesync"

    @Option(help: "The last tick to replay; all by default.")
    var tick: UInt64?

    @Flag(help: "Check the whole journal; exits with 65 if it has faults.")
    var verify = false

    @Flag(help: "Print the scene as a document instead of its frames.")
    var document = false

    @Argument(help: "The room's name.")
    var room: String

    func run() throws {
        ReaderWatch.begin()
        let replay: JournalReplay
        do {
            let store = try SQLiteStore(directory: data, isReadOnly: true)
            try Self.require(room, in: store)
            let records = try Self.records(of: room, through: tick, in: store)
            for damage in store.damage { Output.note(damage) }
            if let tick, let first = records.first, first.tick > tick {
                throw Output.failure(
                    .badData, "room \(room): the journal begins at tick \(first.tick)",
                    try: "give --tick that or a later one")
            }
            replay = try rebuild(records, store)
            for note in replay.notes { Output.note("room \(room): \(note)") }
            if let note = replay.layoutNote { Output.note("room \(room): \(note)") }
            if verify { try check(store, replay) }
        } catch let error as StoreError {
            throw Output.failure(error)
        } catch let error as JournalReplay.Failure {
            throw Output.failure(.badData, "room \(room): \(error)", try: Advice.room)
        }
        let model = replay.timeline.model
        Output.result(
            document
                ? model.document().json(pretty: true)
                : Picture.json(
                    frames: model.frames(), ambiguous: model.ambiguousViewIDs(),
                    broken: model.brokenConstraintIDs, tick: replay.tick, hash: model.stateHash))
    }

    /// Exits with an error if a journal has no such room.
    static func require(_ room: String, in store: SQLiteStore) throws {
        let rooms = try store.rooms()
        guard !rooms.contains(room) else { return }
        throw Output.failure(
            .badData, "there is no room \(room) in the journal",
            try: rooms.isEmpty
                ? "it has none yet: scenesync serve writes one"
                : "it has \(rooms.prefix(10).joined(separator: ", "))\(rooms.count > 10 ? " …" : "")"
        )
    }

    /// The records that lead to a tick, whatever is wrong behind it; all from the last snapshot on
    /// without one.
    static func records(
        of room: String, through tick: UInt64?, in store: SQLiteStore
    ) throws(StoreError) -> [JournalRecord] {
        guard let tick else { return try store.records(of: room) }
        return try store.records(of: room, from: tick, beyondByBytes: .max)
    }

    /// Replays the records; if their snapshot is unreadable, replays all records, starting at an
    /// earlier one.
    private func rebuild(
        _ records: [JournalRecord], _ store: SQLiteStore
    ) throws -> JournalReplay {
        do throws(JournalReplay.Failure) {
            return try JournalReplay(records, through: tick)
        } catch {
            let all = try store.records(of: room, from: 0)
            guard all.count > records.count,
                let replay = try? JournalReplay(all, through: tick)
            else { throw error }
            return replay
        }
    }

    private func check(_ store: SQLiteStore, _ replay: JournalReplay) throws {
        do throws(ServerError) {
            for known in try PutAsideRooms.known(in: data) where known.room == room {
                Output.note("room \(room) is put aside: \(known.reason)")
            }
        } catch {
            Output.note(error.description)
        }
        let faults = try store.verify()
        for fault in faults { Output.note(fault) }
        guard faults.isEmpty else {
            throw Output.failure(
                .badData, "room \(room): the journal is damaged",
                try: "scenesync repair shows what can be restored; or restore a backup")
        }
        let player = try JournalPlayer(try store.records(of: room, from: 0), tracksUndo: true)
        var budget = Int.max
        try player.advance(to: replay.tick, budget: &budget)
        let (whole, last) = (player.timeline.model.stateHash, replay.timeline.model.stateHash)
        guard replay.notes.isEmpty else {
            throw Output.failure(
                .badData, "room \(room): the journal opens, but not all of it can be read",
                try: "export the room, which includes the readable parts, or restore a backup")
        }
        guard whole == last else {
            throw Output.failure(
                .badData,
                "room \(room): the journal replays to \(ViewHash.text(whole)) from its beginning "
                    + "and to \(ViewHash.text(last)) from its last snapshot",
                try:
                    "report it with the journal; the server opens the room as its last snapshot has it"
            )
        }
        Output.note("the journal is whole: \(player.position) records of room \(room) replayed")
    }
}
