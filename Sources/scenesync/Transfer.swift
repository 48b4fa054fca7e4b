import ArgumentParser
import ConstraintLanguage
import Essentials
import FoundationEssentials
import JSON
import SceneModel
import SceneSession
import SceneStore
import SceneWire

/// A room in one file, without the people who changed it.
struct Export: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Write a room from the journal to one file.",
        discussion: """
            The file holds the scene bit for bit with its pictures, and nothing of the people who changed it; \
            import makes a room of it, here or elsewhere. With --server it is the room as a running server has it, \
            without it the room as the journal has it.
            """)

    @Option(help: "The directory of the journal.")
    var data = ".scenesync"

    @Option(help: "The tick to export; the last by default.")
    var tick: UInt64?

    @OptionGroup var options: AdministrationOptions

    @Argument(help: "The room's name.")
    var room: String

    @Argument(help: "The file to write.")
    var file: String

    func validate() throws {
        if options.server != nil, tick != nil {
            throw ValidationError("--tick needs the journal, without --server")
        }
        if options.server != nil, !Identifier.isValid(room) { throw RoomNames.invalid(room) }
    }

    func run() throws {
        if let server = options.server {
            let file = RoomFile(
                try Self.record(
                    try options.send("GET", "/admin/rooms/\(room)/snapshot", to: server), server))
            try write(file) { try options.find("/blobs/\($0)", at: server) }
            return
        }
        do {
            let store = try SQLiteStore(directory: data, isReadOnly: true)
            try Replay.require(room, in: store)
            let records = try Replay.records(of: room, through: tick, in: store)
            for damage in store.damage { Output.note(damage) }
            let record = try JournalReplay(records, through: tick).exportedRecord()
            let blobs = BlobStore(directory: data + "/blobs")
            let room = room
            try write(RoomFile(record)) { hash in
                blobs.hashes(of: room).contains(hash) ? blobs.bytes(of: hash) : nil
            }
        } catch let error as StoreError {
            throw Output.failure(error)
        } catch let error as JournalReplay.Failure {
            throw Output.failure(.badData, "room \(room): \(error)", try: Advice.room)
        } catch let code as ExitCode {
            // Already reported.
            throw code
        }
    }

    /// Writes a room with the pictures that its scene names.
    ///
    /// - Parameter picture: The bytes of one; `nil` where there is none of that hash.
    private func write(_ room: RoomFile, picture: (String) throws -> [UInt8]?) throws {
        var room = room
        for hash in BlobStore.hashes(in: room.record.payload) {
            if let bytes = try picture(hash) { room.pictures.append(bytes) }
        }
        do { try Data(room.bytes).write(to: URL(fileURLWithPath: file)) } catch {
            throw Output.failure(
                .failure, "\(file): \(FileFailure.reason(of: error))",
                try: "give a file that this user may write")
        }
    }

    private static func record(_ bytes: [UInt8], _ server: String) throws -> JournalRecord {
        do throws(DecodeError) { return try JournalRecord.decode(bytes) } catch {
            throw Output.failure(
                .badData, "\(server): an answer that is no room: \(error)",
                try: "is a SceneSync server there?")
        }
    }
}

struct Import: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Create a room from a file written by export.",
        discussion: """
            The room must not exist. Without --server the file goes into a directory in which no server runs. \
            With it a running server makes the room; when the command ends, the room is on its disk.

              scenesync import --data .scenesync demo.scene copy
              scenesync import --server https://scene.example:7070 --token-file token demo.scene copy
            """)

    @Option(help: "The directory of the journal; created if missing.")
    var data = ".scenesync"

    @OptionGroup var options: AdministrationOptions

    @Argument(help: "The file to read.")
    var file: String

    @Argument(help: "The room's name.")
    var room: String

    func validate() throws {
        guard Identifier.isValid(room) else { throw RoomNames.invalid(room) }
    }

    func run() throws {
        let bytes: [UInt8]
        do { bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: file))) } catch {
            throw Output.failure(
                .badData, "\(file): \(FileFailure.reason(of: error))",
                try: "give a file written by scenesync export")
        }
        do {
            let file = try RoomFile(bytes)
            if let server = options.server { return try send(file, to: server) }
            // The file may come from anywhere, so its scene must be accepted by this engine.
            let replay = try JournalReplay([file.record])
            let store = try SQLiteStore(directory: data)
            guard try store.records(of: room).isEmpty else {
                throw Output.failure(
                    .failure, "there is a room \(room) already",
                    try: "give another name, or another --data")
            }
            let first = replay.exportedRecord()
            // What names them is written later.
            let blobs = BlobStore(directory: data + "/blobs")
            for picture in file.pictures { _ = try blobs.put(picture, room: room) }
            try store.append(
                [RoomRecord(room: room, record: first)], time: Int64(Date().timeIntervalSince1970))
            Output.result(ViewHash.text(replay.timeline.model.stateHash))
        } catch let error as DecodeError {
            throw Output.failure(
                .badData, "\(file) is not an exported room: \(error)",
                try: "give a file written by scenesync export")
        } catch let error as StoreError {
            throw Output.failure(error)
        } catch let error as BlobError {
            throw Output.failure(
                .failure, "\(file): \(error)",
                try: "nothing was imported; look at the disk, and export the room again")
        } catch let error as JournalReplay.Failure {
            throw Output.failure(
                .badData, "\(file): \(error)", try: "export it again, from an undamaged journal")
        }
    }

    /// Has a running server make the room, and prints the hash of its scene.
    private func send(_ file: RoomFile, to server: String) throws {
        // Pictures come before what names them, and none to a room that has a scene.
        if !file.pictures.isEmpty,
            try options.find("/admin/rooms/\(room)/snapshot", at: server) != nil
        {
            throw Output.failure(
                .failure, "\(server): there is such a room already",
                try: Advice.after(status: 409))
        }
        for picture in file.pictures {
            _ = try options.send("PUT", "/blobs/\(room)", body: picture, to: server)
        }
        let reply = try options.send(
            "PUT", "/admin/rooms/\(room)/snapshot", body: file.record.encoded(), to: server)
        guard let hash = (try? JSONReader.read(reply))?["hash"]?.string else {
            throw Output.failure(
                .badData, "\(server): an answer without a hash", try: "is a SceneSync server there?"
            )
        }
        Output.result(hash)
    }
}
