import AutoLayout
import InterfaceBuilder
public import LayoutValues
import SceneDocument
import SceneModel

/// Lays a scene out on every device, in both directions, in all text sizes and languages, and
/// compares with the canvas: what is wrong there already is not said again.
struct DeviceChecks {
    let scene: LintScene
    let configuration: LintConfiguration
    /// The frames on the canvas, by view.
    let canvas: [String: Rect]

    private struct Screen {
        var name: String
        var patch: ViewportPatch
        var textSize: ContentSizeCategory
    }

    func run(into findings: inout SceneFindings, measure: TextRuler?) {
        let reference = ScreenGeometry(scene.canvas, frames: canvas)
        var isFirst = true
        for language in scene.languages {
            let usual = LanguageChecks(
                scene: scene, configuration: configuration, language: language,
                reference: reference, measure: measure)
            // Ambiguity follows what is installed, and that the size classes.
            var seenClasses: Set<String> = []
            var usualAmbiguity: Set<String>?
            for screen in screens(language) {
                guard
                    let model = CanvasChecks.model(
                        language.document, &findings, scene, on: screen.patch)
                else { return }
                let traits = model.shownViewport.traits
                let classes = "\(traits.horizontalSizeClass) \(traits.verticalSizeClass)"
                usual.check(model, screen.name, textSize: screen.textSize, into: &findings)
                if isFirst { noteCanvasSizes(model, &findings) }
                isFirst = false
                guard findings.checks(.ambiguity), seenClasses.insert(classes).inserted else {
                    continue
                }
                let ambiguous = model.ambiguousViewIDs()
                if let usualAmbiguity {
                    noteAmbiguity(ambiguous, besides: usualAmbiguity, model, screen.name, &findings)
                } else {
                    usualAmbiguity = Set(ambiguous)
                }
            }
        }
    }

    /// Reports members of stacks that are as large on the canvas as Xcode draws views without
    /// content, and have no size in the app.
    private func noteCanvasSizes(_ model: SceneModel, _ findings: inout SceneFindings) {
        guard let conversion = scene.conversion, findings.checks(.canvasSize) else { return }
        for frame in model.frames() where !conversion.hidden.contains(frame.id) {
            guard let size = conversion.canvasSized[frame.id] else { continue }
            let missing = [
                frame.rect.width < 0.5 ? "width" : nil, frame.rect.height < 0.5 ? "height" : nil,
            ].compactMap { $0 }
            guard !missing.isEmpty else { continue }
            let item = scene.view(frame.id)
            findings.add(
                .canvasSize, [item],
                "\(item.name) is \(size) in Xcode and 0 in the app; constrain its \(missing.joined(separator: " and "))"
            )
        }
    }

    /// Reports views that are ambiguous in some size classes alone.
    private func noteAmbiguity(
        _ views: [String], besides usual: Set<String>, _ model: SceneModel, _ name: String,
        _ findings: inout SceneFindings
    ) {
        for id in views where !usual.contains(id) {
            let item = scene.view(id)
            let verified = item.element?["verifyAmbiguity"]
            guard verified != "off", item.element?["customClass"] == nil else { continue }
            let hint = AmbiguityHint(scene: scene, id: id, model: model)
            if verified == "ignoreSizes", hint.isAboutSizes { continue }
            findings.add(
                .ambiguity, [item], "\(item.name) is ambiguous: \(hint.text)", circumstance: name)
        }
    }

    /// The devices of the configuration, or those of a document that names some.
    private func screens(_ language: LintScene.Language) -> [Screen] {
        var names: Set<String> = []
        for device in configuration.devices {
            names.insert(device)
            if configuration.turnsDevices { names.insert(device + "-landscape") }
        }
        var devices = language.document.devices
        if scene.conversion != nil { devices = devices.filter { names.contains($0.id) } }
        var result: [Screen] = []
        let own = language.document.viewport.direction
        let usual: LayoutDirection = language.isRightToLeft ? .rightToLeft : own
        var directions = [usual]
        // A language has one direction; the other is tried with the texts of development.
        if configuration.mirrors, language.name.isEmpty {
            directions.append(usual == .leftToRight ? .rightToLeft : .leftToRight)
        }
        for device in devices {
            for direction in directions {
                for size in [ContentSizeCategory.large] + configuration.textSizes {
                    var patch = device.viewport
                    patch.direction = direction
                    patch.contentSizeCategory = size
                    var name = device.id
                    if direction != own { name += " right to left" }
                    if size != .large { name += " \(size.rawValue)" }
                    if !language.name.isEmpty { name += " in \(language.name)" }
                    result.append(
                        Screen(
                            name: name, patch: patch, textSize: size))
                }
            }
        }
        return result
    }
}

/// Measures the widths of texts.
public struct TextRuler: Sendable {
    /// The width of one line in points, by its text, size and weight.
    public let width: @Sendable (String, Double, FontWeight) -> Double

    /// Creates a ruler.
    ///
    /// - Parameter width: The width of one line in points, by its text, size and weight.
    public init(_ width: @escaping @Sendable (String, Double, FontWeight) -> Double) {
        self.width = width
    }
}

/// Checks the screens of one language.
private struct LanguageChecks {
    let scene: LintScene
    let configuration: LintConfiguration
    let language: LintScene.Language
    let reference: ScreenGeometry
    let measure: TextRuler?

    /// Differences of fonts that explain a text without room: San Francisco is not available.
    private static let fontTolerance = 1.1

    func check(
        _ model: SceneModel, _ name: String, textSize: ContentSizeCategory,
        into findings: inout SceneFindings
    ) {
        var frames: [String: Rect] = [:]
        for frame in model.frames() { frames[frame.id] = frame.rect }
        let screen = ScreenGeometry(language.document, frames: frames)
        BrokenConstraints(scene: scene, frames: frames, document: language.document)
            .report(model, into: &findings, circumstance: name)
        let contents = screen.contents
        if findings.checks(.overlap) { noteOverlaps(screen, contents, name, &findings) }
        for index in contents {
            let view = screen.views[index]
            noteTruncated(view, model, name, textSize, &findings)
            noteOutside(view, screen, name, &findings)
            noteZeroSize(view, name, &findings)
            noteTouchTarget(view, name, &findings)
        }
    }

    private func noteOverlaps(
        _ screen: ScreenGeometry, _ contents: [Int], _ name: String,
        _ findings: inout SceneFindings
    ) {
        // Pairs of many views would take long, and scenes of code have thousands.
        let contents = contents.prefix(300)
        for (place, index) in contents.enumerated() {
            let a = screen.views[index]
            guard !a.frame.isEmpty else { continue }
            for other in contents.dropFirst(place + 1) {
                let b = screen.views[other]
                guard a.scroll == b.scroll, ScreenGeometry.overlap(a.frame, b.frame) >= 4,
                    !isWithin(b, index, screen), !coversAlready(a, b)
                else { continue }
                let items = [scene.view(a.id), scene.view(b.id)]
                findings.add(
                    .overlap, items,
                    "\(items[0].name) and \(items[1].name) (line \(items[1].line)) overlap",
                    circumstance: name)
            }
        }
    }

    private func isWithin(
        _ view: ScreenGeometry.View, _ ancestor: Int, _ screen: ScreenGeometry
    ) -> Bool {
        var parent = view.parent
        while let index = parent {
            if index == ancestor { return true }
            parent = screen.views[index].parent
        }
        return false
    }

    /// Whether views overlap on the canvas too, as designed, or are not there.
    private func coversAlready(_ a: ScreenGeometry.View, _ b: ScreenGeometry.View) -> Bool {
        guard let first = reference[a.id], let second = reference[b.id] else { return true }
        return first.frame.isEmpty || second.frame.isEmpty
            || ScreenGeometry.overlap(first.frame, second.frame) > 0
    }

    private func noteTruncated(
        _ view: ScreenGeometry.View, _ model: SceneModel, _ name: String,
        _ textSize: ContentSizeCategory, _ findings: inout SceneFindings
    ) {
        guard findings.checks(.truncated), let text = view.properties.text, !view.frame.isEmpty,
            view.properties.kind == .label || view.properties.kind == .button,
            let known = reference[view.id], !known.isHidden
        else { return }
        let properties = view.properties
        let isScaled = properties.dynamicType != false
        let size =
            properties.rare.fontSize ?? (properties.rare.textStyle ?? .body).pointSize(.large)
        let factor = isScaled ? textSize.bodySize / ContentSizeCategory.large.bodySize : 1
        let pointSize =
            isScaled
            ? properties.rare.textStyle.map { $0.pointSize(textSize) } ?? size * factor : size
        let item = scene.view(view.id)
        let least = properties.rare.minimumScaleFactor ?? 1
        if properties.kind == .label, view.frame.height < pointSize * least * 0.9 {
            findings.add(
                .truncated, [item],
                "\(item.name) is \(short(view.frame.height)) high, too low for a line of its text",
                circumstance: name)
            return
        }
        guard let measure, properties.lines ?? 1 == 1, !text.contains(where: \.isNewline) else {
            // The fonts differ by a few per cent, which may be a line.
            if !language.name.isEmpty || isScaled && textSize > .large {
                noteCutLines(view, text, model, name, item, &findings)
            }
            return
        }
        let weight = properties.rare.fontWeight ?? properties.rare.textStyle?.weight ?? .regular
        let needed = measure.width(text, pointSize * least, weight)
        guard needed > view.frame.width * Self.fontTolerance + 1, fits(known, needed, factor) else {
            return
        }
        findings.add(
            .truncated, [item],
            "\(item.name) needs \(short(needed.rounded(.up))) points of width and has \(short(view.frame.width))",
            circumstance: name)
    }

    /// Whether the text had its room on the canvas: a placeholder that is cut there says nothing.
    private func fits(_ known: ScreenGeometry.View, _ needed: Double, _ factor: Double) -> Bool {
        guard language.name.isEmpty else { return true }
        return needed / factor <= known.frame.width * Self.fontTolerance + 1
    }

    private func noteCutLines(
        _ view: ScreenGeometry.View, _ text: String, _ model: SceneModel, _ name: String,
        _ item: LintScene.Item, _ findings: inout SceneFindings
    ) {
        guard view.properties.kind == .label, let limit = view.properties.lines, limit > 1,
            let last = model.lines(of: view.id)?.last, last.hasSuffix("…"), !text.contains("…")
        else { return }
        findings.add(
            .truncated, [item], "\(item.name) needs more than its \(limit) lines",
            circumstance: name)
    }

    private func noteOutside(
        _ view: ScreenGeometry.View, _ screen: ScreenGeometry, _ name: String,
        _ findings: inout SceneFindings
    ) {
        guard findings.checks(.outside), view.scroll == nil, !view.frame.isEmpty,
            !scene.isFlexible, let known = reference[view.id]
        else { return }
        let inside = Rect(origin: .zero, size: screen.size)
        let before = Rect(origin: .zero, size: reference.size)
        let reach = Self.reach(view.frame, inside)
        guard reach > 2, Self.reach(known.frame, before) <= 1 else { return }
        let item = scene.view(view.id)
        findings.add(
            .outside, [item], "\(item.name) reaches \(short(reach)) points out of the screen",
            circumstance: name)
    }

    private static func reach(_ frame: Rect, _ screen: Rect) -> Double {
        max(
            screen.minX - frame.minX, frame.maxX - screen.maxX, screen.minY - frame.minY,
            frame.maxY - screen.maxY)
    }

    private func noteZeroSize(
        _ view: ScreenGeometry.View, _ name: String, _ findings: inout SceneFindings
    ) {
        guard findings.checks(.zeroSize), view.frame.width < 1 || view.frame.height < 1,
            let known = reference[view.id], known.frame.width >= 1, known.frame.height >= 1
        else { return }
        let item = scene.view(view.id)
        let length = view.frame.width < 1 ? "width" : "height"
        findings.add(.zeroSize, [item], "\(item.name) has no \(length)", circumstance: name)
    }

    private func noteTouchTarget(
        _ view: ScreenGeometry.View, _ name: String, _ findings: inout SceneFindings
    ) {
        guard findings.checks(.touchTarget), view.properties.kind == .button,
            view.properties.interaction.enabled != false, !view.frame.isEmpty,
            min(view.frame.width, view.frame.height) < configuration.touchTarget
        else { return }
        let item = scene.view(view.id)
        findings.add(
            .touchTarget, [item],
            "\(item.name) is \(short(view.frame.width)) × \(short(view.frame.height)), less than \(short(configuration.touchTarget)) points",
            circumstance: name)
    }
}
