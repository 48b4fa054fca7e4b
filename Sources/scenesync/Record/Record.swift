import ArgumentParser
import Essentials
import FoundationEssentials
import SceneFaces
import SceneModel
import SceneSession
import SceneStore
import SceneWire
import TerminalViewer

/// Writes a part of a room's past as one file that plays it.
struct Record: ParsableCommand {
    enum Format: String, CaseIterable, ExpressibleByArgument {
        case html, cast, svg, frames
    }

    static let configuration = CommandConfiguration(
        abstract: "Record a part of a room's past: a page, a cast, an SVG, or pictures.",
        discussion: """
            Replays the room's journal and writes what its members saw. html is one page that plays it on each device, \
            with a time line and captions from comments, and needs neither server nor network; cast plays in a terminal \
            (view --play, asciinema); svg moves by itself in browsers; frames is a folder of PNG pictures, made with \
            rsvg-convert, for ffmpeg. A running server's directory can be read.

            --from and --to are ticks (1200), versions (Draft), times before the end (-90s, -10m, -2h), or times \
            (2026-11-30T09:30:00Z). Without --from it is the last ten minutes.

              scenesync record board --from Draft --output board.html
              scenesync record board --from=-2m --format cast --output board.cast
              scenesync record board --format frames --output pictures
              ffmpeg -framerate 30 -i pictures/%06d.png board.mp4

            Nothing is recorded of pointers and selections, which no journal keeps.
            """)

    @Argument(help: "The room's name.")
    var room: String

    @Option(help: "The directory of the journal.")
    var data = ".scenesync"

    @Option(parsing: .unconditional, help: "Where it begins.")
    var from: RecordingBound = .beforeEnd(seconds: 600)

    @Option(parsing: .unconditional, help: "Where it ends; at the room's last change by default.")
    var to: RecordingBound = .beforeEnd(seconds: 0)

    @Option(help: "html, cast, svg or frames; by the name of --output, or else html.")
    var format: Format?

    @Option(
        help: ArgumentHelp(
            "A device of the scene; more than one with html, which has all by default.",
            valueName: "name"))
    var device: [String] = []

    @Option(help: "Pictures in a second, 1 to 60; 30, or 10 for svg.")
    var fps: Int?

    @Option(
        help: ArgumentHelp(
            "The size of a cast, such as 80x24; that of the scene by default.",
            valueName: "columns×rows"),
        transform: { text in
            guard let size = GridSize(text: text) else {
                throw ValidationError("a size is COLUMNSxROWS, such as 80x24")
            }
            return size
        })
    var size: GridSize?

    @OptionGroup var fonts: FontOptions

    @Option(name: .shortAndLong, help: "The file, or the folder of frames; or standard output.")
    var output: String?

    private var kind: Format {
        if let format { return format }
        let name = output ?? ""
        return name.hasSuffix(".cast") ? .cast : name.hasSuffix(".svg") ? .svg : .html
    }

    func validate() throws {
        guard kind == .html || device.count < 2 else {
            throw ValidationError("\(kind.rawValue) shows one device: give one --device")
        }
        guard kind == .frames || kind == .svg || kind == .cast || fps == nil else {
            throw ValidationError("--fps does not go with html, which plays every tick")
        }
        guard kind == .cast || size == nil else { throw ValidationError("--size goes with cast") }
        guard kind != .frames || output != nil else {
            throw ValidationError("frames need a folder: give --output")
        }
        guard (1...60).contains(fps ?? 1) else { throw ValidationError("--fps is 1 to 60") }
    }

    func run() throws {
        ReaderWatch.begin()
        let faces = try fonts.register()
        let recording = try recording()
        for note in recording.notes { Output.note("room \(room): \(note)") }
        let pictures = PictureWalk(recording, fps: fps ?? (kind == .svg ? 10 : 30))
        switch kind {
        case .html:
            let blobs = BlobStore(directory: data + "/blobs")
            let page = RecordingPage(recording, room: room) { path in
                if let hash = path.wholeMatch(of: /fonts\/(.+)/)?.1 {
                    return faces.entry(of: String(hash))?.file
                }
                guard let hash = path.wholeMatch(of: /blobs\/(.+)/)?.1.description,
                    blobs.hashes(of: room).contains(hash)
                else { return nil }
                return blobs.bytes(of: hash)
            }
            try write(try page.html())
        case .cast: try write(try pictures.cast(title: room, size: size))
        case .svg: try write(try pictures.film())
        case .frames: try PictureFolder(output ?? ".").write(pictures)
        }
    }

    /// Replays the journal.
    private func recording() throws -> SceneRecording {
        do {
            let store = try SQLiteStore(directory: data, isReadOnly: true)
            try Replay.require(room, in: store)
            for damage in store.damage { Output.note(damage) }
            let range = try RecordingRange(room, from, to, in: store)
            let devices: SceneRecording.Devices =
                !device.isEmpty ? .named(device) : kind == .html ? .all : .shared
            return try SceneRecording(
                range.records, ticks: range.ticks, devices: devices,
                animatesLocally: kind == .html)
        } catch let error as StoreError {
            throw Output.failure(error)
        } catch let error as SceneRecording.Failure {
            let advice =
                if case .device = error { "name one of its devices, or none" } else { Advice.room }
            throw Output.failure(.badData, "room \(room): \(error)", try: advice)
        } catch let error as JournalPlayer.Failure {
            throw Output.failure(.badData, "room \(room): \(error)", try: Advice.room)
        }
    }

    private func write(_ text: String) throws {
        guard let output else { return Output.drawing(text) }
        do { try Data(text.utf8).write(to: URL(fileURLWithPath: output)) } catch {
            throw Output.failure(
                .failure, "\(output): \(FileFailure.reason(of: error))",
                try: "give a file that this user may write")
        }
    }
}
