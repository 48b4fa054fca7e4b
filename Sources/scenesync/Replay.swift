import ArgumentParser
import SceneModel
import SceneProtocol
import SceneSession
import SceneStore

struct Replay: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Rebuild a room from its journal and print its state.",
        discussion: """
            Reads the journal of a server that is not running, or of one that is. --tick goes back as
            far as records are kept. --verify also looks at every byte of the journal, and replays the
            room from the oldest snapshot on as well as from the last one: both have to end alike.
            """)

    @Option(help: "Where the journal is kept.")
    var data = ".scenesync"

    @Option(help: "The last tick to replay; all by default.")
    var tick: UInt64?

    @Flag(help: "Check the whole journal; ends with 65 if anything is wrong with it.")
    var verify = false

    @Flag(help: "Print the scene as a document instead of its frames.")
    var document = false

    @Argument(help: "The room's name.")
    var room: String

    func run() throws {
        let replay: JournalReplay
        do {
            let store = try SQLiteStore(directory: data, isReadOnly: true)
            let records = try store.records(of: room, from: tick)
            for damage in store.damage { Output.note(damage) }
            if let tick, let first = records.first, first.tick > tick {
                throw Output.failure(
                    .badData, "room \(room): the journal begins at tick \(first.tick)")
            }
            replay = try JournalReplay(records, through: tick)
            if verify { try check(store, replay) }
        } catch let error as StoreError {
            throw Output.failure(.badConfiguration, error.description)
        } catch let error as JournalReplay.Failure {
            throw Output.failure(.badData, "room \(room): \(error)")
        }
        let model = replay.timeline.model
        Output.result(
            document
                ? model.document().json(pretty: true)
                : Picture.json(
                    frames: model.frames(), ambiguous: model.ambiguousViewIDs(),
                    broken: model.brokenConstraintIDs, tick: replay.tick, hash: model.stateHash))
    }

    private func check(_ store: SQLiteStore, _ replay: JournalReplay) throws {
        let faults = try store.verify()
        for fault in faults { Output.note(fault) }
        let player = try JournalPlayer(try store.records(of: room, from: 0), tracksUndo: true)
        var budget = Int.max
        try player.advance(to: replay.tick, budget: &budget)
        let (whole, last) = (player.timeline.model.stateHash, replay.timeline.model.stateHash)
        guard faults.isEmpty, store.damage.isEmpty, whole == last else {
            throw Output.failure(
                .badData,
                "room \(room): the journal is damaged, or replays to \(ViewHash.text(whole)) from its beginning "
                    + "and to \(ViewHash.text(last)) from its last snapshot")
        }
        Output.note("the journal is whole: \(player.position) records of room \(room) replayed")
    }
}
