import ArgumentParser
import AutoLayout
import Bytes
import ConstraintLanguage
import JSON
import SceneDocument
import SceneModel
import SceneWire
import TerminalViewer

/// A document laid out for one device, as printed by `layout`.
struct LaidOutScene {
    /// The device's name; `viewport` for the main one.
    let name: String
    /// Its name in messages.
    let place: String
    /// Units of work of the layout.
    let price: UInt64
    /// Why the layout ended before it came to rest, in sentences; empty if it did.
    let errors: [String]
    private let model: SceneModel

    /// Lays a document out, and prints what was found on standard error.
    ///
    /// - Parameter lines: Where the document's constraints stand, for messages.
    /// - Throws: `Refusal` if constraints conflict on the main device and the document does not
    ///   allow that.
    init(
        _ document: SceneDocument, on screen: DeviceSpec?, file: String, lines: ConstraintLines
    ) throws(Refusal) {
        name = screen?.id ?? "viewport"
        place = screen.map { "\(file), \($0.id)" } ?? file
        model = try SceneModel(document, on: screen?.viewport)
        price = model.work
        var errors: [String] = []
        for finding in model.takeDiagnostics() {
            let sentence = model.sentence(about: finding, place: lines.place)
            Output.note("\(place): \(sentence)")
            if finding.isError { errors.append(sentence) }
        }
        self.errors = errors
    }

    /// The device's name and size.
    var title: String {
        let viewport = model.shownViewport
        return "\(name) \(NumberText.of(viewport.width)) × \(NumberText.of(viewport.height))"
    }

    /// - Parameter fittings: The sizes to find out; views that are not there are left out.
    func json(_ tellsWork: Bool, _ fittings: [FittingQuestion] = []) -> JSONValue {
        let value = LayoutReport.json(
            frames: model.frames(), ambiguous: model.ambiguousViewIDs(),
            broken: model.brokenConstraintIDs, work: tellsWork ? price : nil, errors: errors)
        guard !fittings.isEmpty, case .object(var members) = value.kind,
            let found = model.inspection(
                of: [], includesDocument: false, fittings: fittings, tick: 0)
        else { return value }
        let sizes = found.fittings.map { fitting in
            JSONMember(
                fitting.id, .array([.number(fitting.size.width), .number(fitting.size.height)]))
        }
        members.append(JSONMember("fittings", .object(sizes)))
        return .object(members)
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
