import Annotations
import ArgumentParser
import FoundationEssentials
import RoomNames
import SceneDocument
import SceneModel
import SceneSession
import SceneStore
import SceneWire

/// A room's scene at a moment: `board@now`, `board@1200` at a tick, `board@Draft` as a version has
/// it.
struct RoomMoment {
    /// The present.
    private static let now = "now"

    let room: String
    /// The name of a version, a tick, or `now`.
    let moment: String

    /// `nil` for a text that is no room and moment.
    init?(_ text: String) {
        guard let place = text.firstIndex(of: "@") else { return nil }
        room = String(text[..<place])
        moment = String(text[text.index(after: place)...])
        guard RoomName.isValid(room), !moment.isEmpty else { return nil }
    }

    /// The scene that the room's journal has.
    ///
    /// - Throws: The exit code; the reason is reported.
    func document(inJournalAt data: String) throws -> SceneDocument {
        do {
            let store = try SQLiteStore(directory: data, isReadOnly: true)
            try Replay.require(room, in: store)
            let replay = try JournalReplay(try store.records(of: room))
            if let document = try document(of: replay) { return document }
            guard let tick = UInt64(moment) else { throw noVersion(of: replay) }
            let records = try Replay.records(of: room, through: tick, in: store)
            guard let first = records.first, first.tick <= tick else {
                throw Output.failure(
                    .badData,
                    "room \(room): the journal begins at tick \(records.first?.tick ?? 0)",
                    try: "give that tick or a later one, or the name of a version")
            }
            return try JournalReplay(records, through: tick).timeline.model.document()
        } catch let error as StoreError {
            throw Output.failure(error)
        } catch let error as JournalReplay.Failure {
            throw Output.failure(.badData, "room \(room): \(error)", try: Advice.room)
        }
    }

    /// The scene that a running server has.
    ///
    /// - Throws: The exit code; the reason is reported.
    func document(at server: String, _ options: AdministrationOptions) throws -> SceneDocument {
        let bytes = try options.send("GET", "/admin/rooms/\(room)/snapshot", to: server)
        do {
            let replay = try JournalReplay([try JournalRecord.decode(bytes)])
            if let document = try document(of: replay) { return document }
            guard UInt64(moment) != nil else { throw noVersion(of: replay) }
            throw Output.failure(
                .usage, "a tick needs the journal: \(room)@\(moment)",
                try: "give --data instead of --server, or name a version")
        } catch let error as DecodeError {
            throw Output.failure(
                .badData, "\(server): an answer that is no room: \(error)",
                try: "is a SceneSync server there?")
        } catch let error as JournalReplay.Failure {
            throw Output.failure(.badData, "room \(room): \(error)", try: Advice.room)
        }
    }

    /// The scene of now or of a version; `nil` for a tick.
    private func document(of replay: JournalReplay) throws -> SceneDocument? {
        if moment == Self.now { return replay.timeline.model.document() }
        do throws(DocumentError) {
            return try replay.timeline.annotations.version(moment)?.scene.document()
        } catch {
            throw Output.failure(
                .badData, "room \(room): version \"\(moment)\": \(error)",
                try: "compare another version, or a tick")
        }
    }

    private func noVersion(of replay: JournalReplay) -> ExitCode {
        Self.noVersion(moment, of: room, replay)
    }

    /// Reports that a room has no version of a name.
    static func noVersion(_ name: String, of room: String, _ replay: JournalReplay) -> ExitCode {
        let known = replay.timeline.annotations.versions.suffix(10).map { "\"\($0.name)\"" }
        return Output.failure(
            .badData, "room \(room) has no version \"\(name)\"",
            try: known.isEmpty
                ? "name one in the page, or give a tick"
                : "it has \(known.joined(separator: ", "))")
    }
}
