import ArgumentParser
import SceneModel
import SceneProtocol
import SceneSession
import SceneStore

struct Replay: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Rebuild a room from its journal and print its state.",
        discussion: "Reads the journal of a server that is not running, or of one that is.")

    @Option(help: "Where the journal is kept.")
    var data = ".scenesync"

    @Option(help: "The last tick to replay; all by default.")
    var tick: UInt64?

    @Flag(help: "Print the scene as a document instead of its frames.")
    var document = false

    @Argument(help: "The room's name.")
    var room: String

    func run() throws {
        let replay: JournalReplay
        do {
            let store = try SQLiteStore(directory: data, isReadOnly: true)
            replay = try JournalReplay(try store.records(of: room), through: tick)
            for damage in store.damage { Output.note(damage) }
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
}
