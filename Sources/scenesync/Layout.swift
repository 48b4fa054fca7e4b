import ArgumentParser
import SceneModel
import SceneProtocol
import TerminalViewer

/// How a picture of a scene is written.
enum PictureFormat: String, CaseIterable, ExpressibleByArgument {
    case text, ansi, json, svg
}

struct Layout: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Lay a scene document out offline.",
        discussion: """
            Prints the frames of all views in their superviews' coordinates, as JSON:
              {"frames": {"id": [x, y, width, height]}, "ambiguous": [], "broken": []}
            or a picture as text, text with colours (ansi) or SVG.

            With --work, "work" tells what the layout took in units that are the same on every machine: cells of the
            solver's tableau touched, views visited, characters measured.
            """)

    @Argument(help: "The scene document; - reads standard input.")
    var file: String

    @Option(help: "json, text, ansi or svg.")
    var format = PictureFormat.json

    @Flag(help: "Tell the units of work that the layout took; beside a picture, on standard error.")
    var work = false

    func run() throws {
        let document = try Input.document(file)
        let model: SceneModel
        do {
            model = try SceneModel(document)
        } catch {
            throw Output.failure(.badData, "\(file): \(error.message)")
        }
        let price = model.work
        for diagnostic in model.takeDiagnostics() { Output.note("\(file): \(diagnostic)") }
        if work, format != .json { Output.note("\(file): \(price) units of work") }
        switch format {
        case .json:
            Output.result(
                Picture.json(
                    frames: model.frames(), ambiguous: model.ambiguousViewIDs(),
                    broken: model.brokenConstraintIDs, work: work ? price : nil))
        case .text, .ansi, .svg:
            var snapshot = Snapshot()
            snapshot.views = model.records()
            snapshot.stateHash = model.stateHash
            var mirror = SceneMirror()
            do {
                try mirror.apply(snapshot)
            } catch {
                throw Output.failure(.failure, "the layout cannot be shown: \(error)")
            }
            let metrics: SceneMetrics
            do {
                metrics = try SceneMetrics(
                    unitsPerPoint: model.unitsPerPoint, cell: document.viewport.cell)
            } catch {
                throw Output.failure(.badData, "the scene cannot be drawn: \(error)")
            }
            Output.drawing(
                Picture.drawing(mirror, format, metrics, colors: ColorChoice.auto.depth))
        }
    }
}

/// The output of `layout` and `view --once`.
enum Picture {
    static func json(
        frames: [NamedRect], ambiguous: [String], broken: [String],
        tick: UInt64? = nil, hash: UInt64? = nil, work: UInt64? = nil
    ) -> String {
        var members: [JSONMember] = []
        if let tick { members.append(JSONMember("tick", .number(Double(tick)))) }
        if let hash { members.append(JSONMember("hash", .string(ViewHash.text(hash)))) }
        members.append(
            JSONMember(
                "frames",
                .object(
                    frames.map { named in
                        JSONMember(
                            named.id,
                            .array(
                                [
                                    named.rect.minX, named.rect.minY, named.rect.width,
                                    named.rect.height,
                                ]
                                .map { .number($0) }))
                    })))
        members.append(JSONMember("ambiguous", .array(ambiguous.map { .string($0) })))
        members.append(JSONMember("broken", .array(broken.map { .string($0) })))
        if let work { members.append(JSONMember("work", .number(Double(work)))) }
        return JSONValue.object(members).text()
    }

    static func drawing(
        _ mirror: SceneMirror, _ format: PictureFormat, _ metrics: SceneMetrics,
        size: GridSize? = nil, colors: ColorDepth
    ) -> String {
        switch format {
        case .svg: SVGPicture.render(mirror, metrics: metrics)
        case .ansi:
            ANSIPicture.render(mirror, metrics: metrics, size: size, colors: colors)
        case .text, .json: TextPicture.render(mirror, metrics: metrics, size: size)
        }
    }
}
