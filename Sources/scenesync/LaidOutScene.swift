import ArgumentParser
import ConstraintLanguage
import SceneModel
import SceneProtocol
import TerminalViewer

/// A document laid out for one device, as printed by `layout`.
struct LaidOutScene {
    /// The device's name; `viewport` for the main one.
    let name: String
    /// Its name in messages.
    let place: String
    /// Units of work of the layout.
    let price: UInt64
    private let model: SceneModel

    /// - Throws: `Refusal` if constraints conflict on the main device and the document does not allow that.
    init(_ document: SceneDocument, on screen: DeviceSpec?, file: String) throws(Refusal) {
        name = screen?.id ?? "viewport"
        place = screen.map { "\(file), \($0.id)" } ?? file
        model = try SceneModel(document, on: screen?.viewport)
        price = model.work
        for diagnostic in model.takeDiagnostics() { Output.note("\(place): \(diagnostic)") }
    }

    /// The device's name and size.
    var title: String {
        let viewport = model.shownViewport
        return "\(name) \(NumberText.of(viewport.width)) × \(NumberText.of(viewport.height))"
    }

    func json(_ tellsWork: Bool) -> JSONValue {
        Picture.value(
            frames: model.frames(), ambiguous: model.ambiguousViewIDs(),
            broken: model.brokenConstraintIDs, work: tellsWork ? price : nil)
    }

    var mirror: SceneMirror {
        get throws {
            var snapshot = Snapshot()
            snapshot.views = model.records()
            snapshot.stateHash = model.stateHash
            var mirror = SceneMirror()
            do {
                try mirror.apply(snapshot)
            } catch {
                throw Output.failure(
                    .failure, "the layout cannot be shown: \(error)",
                    try: "--format json prints its frames")
            }
            return mirror
        }
    }

    func metrics() throws -> SceneMetrics {
        do {
            return try SceneMetrics(
                unitsPerPoint: model.unitsPerPoint, cell: model.shownViewport.cell)
        } catch {
            throw Output.failure(
                .badData, "the scene cannot be drawn: \(error)",
                try: "--format json prints its frames")
        }
    }

    func drawing(_ format: PictureFormat) throws -> String {
        Picture.drawing(try mirror, format, try metrics(), colors: ColorChoice.auto.depth)
    }
}
