import ArgumentParser
import InterfaceBuilder
import SceneDocument
import SceneModel
import SceneWire

/// Turns a scene of Interface Builder into a document, and a document into a file of Interface
/// Builder.
struct Convert: ParsableCommand {
    enum Target: String, CaseIterable, ExpressibleByArgument {
        case json, xib
    }

    static let configuration = CommandConfiguration(
        abstract: "Convert a .storyboard or .xib to a document, or a document to a .xib.",
        discussion: """
            A scene of a file becomes a document with the devices of a lint run; what a document cannot say is told \
            on standard error. Text is measured; with --canvas it has the sizes that Xcode stored, and the scene lies \
            as in Xcode.

              scenesync convert Main.storyboard --list
              scenesync convert Main.storyboard --scene login > login.json
              scenesync convert my.json --to xib > My.xib
            """)

    @Argument(help: "The file; - reads standard input.")
    var file: String

    @Flag(help: "List the scenes of the file: the id, the kind and the name of each.")
    var list = false

    @Option(help: "The id of a scene's controller, cell or view, or its identifier.")
    var scene: String?

    @Option(help: "The language of the texts, such as ar.")
    var language: String?

    @Flag(help: "Take the sizes of texts from Xcode's canvas.")
    var canvas = false

    @Option(help: "json or xib. (default: json)")
    var to: Target?

    func run() throws {
        do throws(InputFailure) {
            let bytes = try Input.bytes(file)
            if list {
                for scene in try InterfaceInput.file(bytes, file).scenes {
                    Output.result("\(scene.id)\t\(scene.kind.rawValue)\t\(scene.title)")
                }
                return
            }
            try convert(bytes)
        } catch {
            throw Output.failure(.badData, error.text, try: Advice.after(error))
        }
    }

    private func convert(_ bytes: [UInt8]) throws(InputFailure) {
        let document: SceneDocument
        if InterfaceInput.accepts(bytes, file) {
            let conversion = try InterfaceInput.conversion(
                bytes, file, scene: scene, language: language,
                contentSizes: canvas ? .stored : .measured)
            for note in conversion.notes { Output.note("\(file):\(note.line): \(note.text)") }
            document = conversion.document
        } else {
            document = try Input.parse(bytes, file)
        }
        switch to ?? .json {
        case .json: Output.result(document.json(pretty: true))
        case .xib: try export(document)
        }
    }

    private func export(_ document: SceneDocument) throws(InputFailure) {
        let model: SceneModel
        do throws(Refusal) { model = try SceneModel(document) } catch {
            throw InputFailure(kind: .malformed, text: "\(file): \(error.message)")
        }
        var frames: [String: Rect] = [:]
        for frame in model.frames() { frames[frame.id] = frame.rect }
        let sets = model.inspection(of: [], includesDocument: false, tick: 0)?.sets ?? []
        let export = InterfaceExport(
            document, frames: frames, activeSets: Set(sets.filter(\.isActive).map(\.id)))
        for note in export.notes { Output.note("\(file): \(note)") }
        Output.result(String(export.text.dropLast()))
    }
}
