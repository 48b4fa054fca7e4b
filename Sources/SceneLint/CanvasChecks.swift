import AutoLayout
import ConstraintLanguage
import InterfaceBuilder
import LayoutValues
import SceneDocument
import SceneModel

/// Checks a scene as Xcode's canvas has it, or a document as it stands.
struct CanvasChecks {
    let scene: LintScene
    let configuration: LintConfiguration
    /// The frames by constraints, or the stored ones where there are some.
    private(set) var frames: [String: Rect] = [:]

    init(_ scene: LintScene, _ configuration: LintConfiguration) {
        self.scene = scene
        self.configuration = configuration
    }

    mutating func run(into findings: inout SceneFindings) {
        guard var model = Self.model(scene.canvas, &findings, scene) else { return }
        var canvas = scene.conversion
        if let conversion = canvas, let sized = sizedAgain(model, conversion) {
            // Sizes that only the canvas gives explain frames, and are a finding of their own.
            canvas = sized
            noteCanvasSizes(model, conversion, &findings)
            guard let again = Self.model(sized.document, &findings, scene) else { return }
            model = again
        }
        for frame in model.frames() { frames[frame.id] = frame.rect }
        BrokenConstraints(scene: scene, frames: frames, document: canvas?.document ?? scene.canvas)
            .report(model, into: &findings, circumstance: "")
        noteAmbiguity(model, canvas, &findings)
        if let canvas { noteMisplaced(canvas, &findings) }
    }

    static func model(
        _ document: SceneDocument, _ findings: inout SceneFindings, _ scene: LintScene,
        on device: ViewportPatch? = nil
    ) -> SceneModel? {
        var document = document
        document.viewport.unsatisfiable = .break
        do throws(Refusal) { return try SceneModel(document, on: device) } catch {
            findings.add(.unreadable, [], "the scene cannot be laid out: \(error.message)")
            return nil
        }
    }

    /// The scene again, with stored sizes for views that have none by constraints.
    private func sizedAgain(
        _ model: SceneModel, _ conversion: InterfaceConversion
    ) -> InterfaceConversion? {
        var sized: Set<String> = []
        // Xcode gives sizes to members of stacks; elsewhere a view without one is ambiguous.
        let stacks = Set(
            conversion.document.views.filter { $0.properties.kind == .stack }.map(\.id))
        let outside = Set(
            conversion.document.views.filter {
                !stacks.contains($0.parent) && scene.view($0.id).element?["customClass"] == nil
            }.map(\.id))
        let ambiguous = Set(model.ambiguousViewIDs()).intersection(outside)
        for frame in model.frames() where conversion.unsizedViews.contains(frame.id) {
            guard let stored = conversion.storedFrames[frame.id], !ambiguous.contains(frame.id)
            else { continue }
            if frame.rect.width < 0.5, stored.width > 0.5 { sized.insert(frame.id) }
            if frame.rect.height < 0.5, stored.height > 0.5 { sized.insert(frame.id) }
        }
        guard !sized.isEmpty else { return nil }
        var options = ConversionOptions()
        options.contentSizes = .stored
        options.sizedAsStored = sized
        return try? InterfaceConversion(conversion.scene, options: options)
    }

    private func noteCanvasSizes(
        _ model: SceneModel, _ conversion: InterfaceConversion, _ findings: inout SceneFindings
    ) {
        for frame in model.frames() where conversion.unsizedViews.contains(frame.id) {
            guard let stored = conversion.storedFrames[frame.id],
                !conversion.hidden.contains(frame.id),
                scene.view(frame.id).element?["customClass"] == nil
            else { continue }
            let isNarrow = frame.rect.width < 0.5 && stored.width > 0.5
            let isLow = frame.rect.height < 0.5 && stored.height > 0.5
            guard isNarrow || isLow else { continue }
            let item = scene.view(frame.id)
            let size = isNarrow ? "\(short(stored.width)) wide" : "\(short(stored.height)) high"
            findings.add(
                .canvasSize, [item],
                "\(item.name) is \(size) in Xcode and 0 in the app; constrain its \(isNarrow ? "width" : "height")"
            )
        }
    }

    private func noteAmbiguity(
        _ model: SceneModel, _ canvas: InterfaceConversion?, _ findings: inout SceneFindings
    ) {
        guard findings.checks(.ambiguity) else { return }
        let root = canvas?.rootID
        for id in model.ambiguousViewIDs() where id != root && canvas?.hidden.contains(id) != true {
            let item = scene.view(id)
            let verified = item.element?["verifyAmbiguity"]
            guard verified != "off", verified != "never" else { continue }
            let missing = AmbiguityHint(scene: scene, id: id, model: model)
            if verified == "ignoreSizes", missing.isAboutSizes { continue }
            findings.add(.ambiguity, [item], "\(item.name) is ambiguous: \(missing.text)")
        }
    }

    private func noteMisplaced(_ canvas: InterfaceConversion, _ findings: inout SceneFindings) {
        guard findings.checks(.misplaced) else { return }
        for view in canvas.document.views {
            guard let stored = canvas.storedFrames[view.id], let frame = frames[view.id],
                !canvas.hidden.contains(view.id), !canvas.placedByFrame.contains(view.id)
            else { continue }
            let tolerance = configuration.tolerance + 0.001
            let size =
                (stored.width - frame.width).magnitude > tolerance
                || (stored.height - frame.height).magnitude > tolerance
            let place =
                (stored.minX - frame.minX).magnitude > tolerance
                || (stored.minY - frame.minY).magnitude > tolerance
            guard size || place, stored != .zero else { continue }
            let item = scene.view(view.id)
            findings.add(
                .misplaced, [item],
                "\(item.name) is stored at \(text(stored)), and its constraints give \(text(frame))",
                fix: FrameFix.fix(item, frame, in: canvas.scene.file))
        }
    }

    private func text(_ rect: Rect) -> String {
        "(\(short(rect.minX)), \(short(rect.minY)), \(short(rect.width)) × \(short(rect.height)))"
    }
}

/// A length as people write it: two digits after the point at most.
func short(_ value: Double) -> String {
    let rounded = (value * 100).rounded() / 100
    return rounded == rounded.rounded() && rounded.magnitude < 1e9
        ? String(Int(rounded)) : String(rounded)
}
