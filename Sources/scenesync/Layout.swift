import ArgumentParser
import ConstraintLanguage
import InterfaceBuilder
import JSON
import SceneDocument
import SceneModel
import SceneWire
import TerminalViewer

/// The format of a picture of a scene.
enum PictureFormat: String, CaseIterable, ExpressibleByArgument {
    case text, ansi, json, svg
    /// SVG with text in faces drawn as outlines.
    case svgOutlines = "svg-outlines"

    /// How SVG shows text in faces.
    var pictureText: PictureText {
        switch self {
        case .svgOutlines: .outlined(PictureFaces())
        case .text, .ansi, .json, .svg: .embedded(PictureFaces())
        }
    }
}

struct Layout: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Lay a scene document out offline.",
        discussion: """
            Prints the frames of all views in their superviews' coordinates, as JSON:
              {"frames": {"id": [x, y, width, height]}, "ambiguous": [], "broken": []}
            or a picture as text, text with colours (ansi) or SVG.

            A layout that does not come to rest, since views keep changing one another, ends with 2; "errors" says which and \
            why, and the frames are those of the last pass.

            With --device, the scene is laid out for a device that the document names; the same is under "devices" besides, \
            by its name. With --all-devices, for each of them: {"devices": {"phone": {"frames": …}}}, one picture after the \
            other, or one sheet of SVG.

            With --work, "work" tells what the layout took in units that are the same on every machine: cells of the \
            solver's tableau touched, views visited, characters measured.

            With --fitting VIEW, "fittings" tells the smallest size of a view by its own constraints: {"VIEW": [width, height]}. \
            VIEW:WxH asks for the size next to a width and height, which have to hold as far as required constraints allow; \
            VIEW:Wx leaves the height open.

            A .storyboard or .xib is laid out as in Xcode, with the sizes that it stored of texts; with --device, \
            --all-devices or --language texts are measured. scenesync convert --list prints its scenes.
            """)

    @Argument(help: "The scene document, or a .storyboard or .xib; - reads standard input.")
    var file: String

    @Option(help: "The scene of a .storyboard or .xib; the initial one by default.")
    var scene: String?

    @Option(help: "The language of its texts, such as ar, from the strings beside it.")
    var language: String?

    @Option(
        help: "json, text, ansi, svg, or svg-outlines for programs that read no fonts from SVG.")
    var format = PictureFormat.json

    @OptionGroup var fonts: FontOptions

    @Option(help: "Lay it out for this device of the document.")
    var device: String?

    @Flag(help: "Lay it out for each device of the document; pictures show its viewport as well.")
    var allDevices = false

    @Flag(help: "Print the units of work of the layout; with a picture, on standard error.")
    var work = false

    @Option(help: "Print the size that fits a view, VIEW or VIEW:WxH; may be given more than once.")
    var fitting: [String] = []

    func validate() throws {
        for text in fitting where FittingQuestion(text) == nil {
            throw ValidationError("--fitting is \"\(text)\", expected VIEW, VIEW:WxH or VIEW:Wx")
        }
        guard fitting.isEmpty || format == .json else {
            throw ValidationError("--fitting needs --format json")
        }
        guard device == nil || !allDevices else {
            throw ValidationError("--device and --all-devices exclude one another.")
        }
    }

    func run() throws {
        try fonts.register()
        let bytes = try Input.read(file)
        let document: SceneDocument
        let lines: ConstraintLines
        do throws(InputFailure) { (document, lines) = try parse(bytes) } catch {
            throw Output.failure(.badData, error.text, try: Advice.after(error))
        }
        let scenes = try print(document, lines)
        if scenes.contains(where: { !$0.errors.isEmpty }) { throw ExitCode.unsettled }
    }

    private func parse(
        _ bytes: [UInt8]
    ) throws(InputFailure) -> (SceneDocument, ConstraintLines) {
        let (path, part) = InterfaceInput.split(file)
        guard InterfaceInput.accepts(bytes, path) else {
            return (try Input.parse(bytes, file), ConstraintLines(bytes))
        }
        let isCanvas = device == nil && !allDevices && language == nil
        let conversion = try InterfaceInput.conversion(
            bytes, path, scene: scene ?? part, language: language,
            contentSizes: isCanvas ? .stored : .measured)
        return (
            conversion.document, ConstraintLines(conversion.constraints.mapValues(\.element.line))
        )
    }

    /// - Returns: What was printed.
    private func print(
        _ document: SceneDocument, _ lines: ConstraintLines
    ) throws -> [LaidOutScene] {
        guard allDevices else {
            return [try print(document, lines, on: device.map(screen(document)))]
        }
        var scenes: [LaidOutScene] = []
        if format != .json { scenes.append(try layOut(document, lines, on: nil)) }
        for screen in document.devices { scenes.append(try layOut(document, lines, on: screen)) }
        switch format {
        case .json:
            let devices = scenes.map { JSONMember($0.name, $0.json(work, questions)) }
            Output.result(JSONValue.object([JSONMember("devices", .object(devices))]).text())
        case .svg, .svgOutlines:
            var pictures: [(title: String, mirror: SceneMirror, metrics: SceneMetrics)] = []
            for scene in scenes {
                pictures.append((scene.title, try scene.mirror, try scene.metrics()))
            }
            Output.drawing(SVGPicture.sheet(pictures, text: format.pictureText))
        case .text, .ansi:
            for scene in scenes {
                Output.result(scene.title)
                Output.drawing(try scene.drawing(format))
            }
        }
        return scenes
    }

    private var questions: [FittingQuestion] { fitting.compactMap { FittingQuestion($0) } }

    private func screen(_ document: SceneDocument) -> (String) throws -> DeviceSpec {
        { name in
            if let found = document.devices.first(where: { $0.id == name }) { return found }
            let names = document.devices.map(\.id).joined(separator: ", ")
            throw Output.failure(
                .badData,
                names.isEmpty
                    ? "\(file) names no devices" : "\(file) has no device \"\(name)\"",
                try: names.isEmpty ? "add \"devices\" to it" : "it has \(names)")
        }
    }

    private func layOut(
        _ document: SceneDocument, _ lines: ConstraintLines, on screen: DeviceSpec?
    ) throws -> LaidOutScene {
        let scene: LaidOutScene
        do throws(Refusal) {
            scene = try LaidOutScene(document, on: screen, file: file, lines: lines)
        } catch {
            guard !error.conflicting.isEmpty else {
                throw Output.failure(
                    .badData, "\(file): \(error.message)", try: "correct the document")
            }
            throw Output.failure(
                .badData,
                "\(file): required constraints contradict one another: "
                    + lines.quoted(error.conflicting, in: document),
                try: "give one of them a lower priority, or remove it")
        }
        if work, format != .json { Output.note("\(scene.place): \(scene.price) units of work") }
        return scene
    }

    private func print(
        _ document: SceneDocument, _ lines: ConstraintLines, on screen: DeviceSpec?
    ) throws -> LaidOutScene {
        let scene = try layOut(document, lines, on: screen)
        guard format == .json else {
            Output.drawing(try scene.drawing(format))
            return scene
        }
        var json = scene.json(work, questions)
        if screen != nil, case .object(var members) = json.kind {
            let named = JSONValue.object([JSONMember(scene.name, scene.json(work, questions))])
            members.append(JSONMember("devices", named))
            json = .object(members)
        }
        Output.result(json.text())
        return scene
    }
}

/// The output of `layout` and `view --once`.
enum Picture {
    static func json(
        frames: [NamedRect], ambiguous: [String], broken: [String],
        tick: UInt64? = nil, hash: UInt64? = nil, work: UInt64? = nil
    ) -> String {
        LayoutReport.json(
            frames: frames, ambiguous: ambiguous, broken: broken, tick: tick, hash: hash, work: work
        ).text()
    }

    static func drawing(
        _ mirror: SceneMirror, _ format: PictureFormat, _ metrics: SceneMetrics,
        size: GridSize? = nil, colors: ColorDepth, pictures: PictureShelf = PictureShelf()
    ) -> String {
        switch format {
        case .svg, .svgOutlines:
            SVGPicture.render(mirror, metrics: metrics, text: format.pictureText)
        case .ansi:
            ANSIPicture.render(
                mirror, metrics: metrics, size: size, colors: colors,
                encoding: Output.encoding, pictures: pictures)
        case .text, .json:
            TextPicture.render(mirror, metrics: metrics, size: size, encoding: Output.encoding)
        }
    }
}

extension FittingQuestion {
    /// Reads `VIEW`, `VIEW:WIDTHxHEIGHT`, `VIEW:WIDTHx` or `VIEW:xHEIGHT`; lengths in points, 0 to
    /// 10^6.
    fileprivate init?(_ text: String) {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard let name = parts.first.map(String.init), Identifier.isValid(name) else { return nil }
        self.init(view: name)
        guard parts.count == 2 else { return }
        let lengths = parts[1].split(separator: "x", omittingEmptySubsequences: false)
        guard lengths.count == 2, let (width, isWide) = Self.length(lengths[0]),
            let (height, isHigh) = Self.length(lengths[1])
        else { return nil }
        size = Size(width: width, height: height)
        priorities = PriorityByAxis(
            isWide ? .required : .fittingSizeLevel, isHigh ? .required : .fittingSizeLevel)
    }

    private static func length(_ text: Substring) -> (Double, isGiven: Bool)? {
        if text.isEmpty { return (0, false) }
        guard let length = Double(text), 0...lengthMaximum ~= length else { return nil }
        return (length, true)
    }
}
