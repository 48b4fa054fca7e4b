public import InterfaceBuilder
import JSON
import SceneDocument

/// A file to check, with what lies beside it.
public struct LintSource: Sendable {
    /// The path, as findings name it.
    public var path: String
    /// The bytes.
    public var bytes: [UInt8]
    /// The texts in other languages.
    public var strings: [LocalizedStrings] = []
    /// The asset catalogues.
    public var assets = AssetCatalog()
    /// Faults of the files beside it.
    public var faults: [(path: String, error: InterfaceError)] = []

    /// Creates a source without anything beside it.
    public init(path: String, bytes: [UInt8]) {
        self.path = path
        self.bytes = bytes
    }
}

/// What a check of one file came to.
public struct LintReport: Sendable {
    /// The findings, by line.
    public var findings: [LintFinding] = []
    /// The scenes that were laid out.
    public var sceneCount = 0
    /// Whether the file could not be read at all.
    public var isUnreadable = false

    /// Creates a report without findings.
    public init() {}
}

/// Checks files of Interface Builder and documents. A value; files are checked on any thread.
public struct Linter: Sendable {
    private let configuration: LintConfiguration
    private let ruler: TextRuler?

    /// Creates a linter.
    ///
    /// - Parameter ruler: The widths of texts; without it texts are not held against their room.
    public init(_ configuration: LintConfiguration, ruler: TextRuler?) {
        self.configuration = configuration
        self.ruler = ruler
    }

    /// Checks a file.
    public func check(_ source: LintSource) -> LintReport {
        let file = read(source)
        return file.report((0..<file.sceneCount).map(file.check))
    }

    /// Reads a file, whose scenes can be checked on several threads.
    ///
    /// - Complexity: O(bytes).
    public func read(_ source: LintSource) -> LintFile {
        var report = LintReport()
        for (path, error) in source.faults {
            report.findings.append(Self.unreadable(path, error.line, error.text, configuration))
        }
        let scenes =
            InterfaceFile.accepts(source.bytes, path: source.path)
            ? interfaceScenes(source, &report) : documentScenes(source, &report)
        return LintFile(linter: self, scenes: scenes, report: report)
    }

    /// Stands for a file that cannot be read from its disk, for a reason.
    public func unread(_ path: String, _ reason: String) -> LintFile {
        var report = LintReport()
        report.isUnreadable = true
        report.findings = [Self.unreadable(path, nil, reason, configuration)]
        return LintFile(linter: self, scenes: [], report: report)
    }

    /// Reads a scene of a file; `nil` for one that cannot be laid out.
    typealias SceneReader = @Sendable () -> LintScene?

    private func interfaceScenes(
        _ source: LintSource, _ report: inout LintReport
    ) -> [SceneReader] {
        let file: InterfaceFile
        do throws(InterfaceError) {
            file = try InterfaceFile(source.bytes, path: source.path)
        } catch {
            var finding = Self.unreadable(source.path, error.line, error.text, configuration)
            // Folders of projects have files for other systems; they fail no run.
            if error.isOfAnotherKind { finding.level = min(finding.level, .note) }
            report.isUnreadable = !error.isOfAnotherKind
            report.findings.append(finding)
            return []
        }
        noteDeadOutlets(file, &report)
        var options = ConversionOptions()
        options.assets = source.assets
        options.measureWidth = ruler?.width
        let languages = source.strings.filter {
            configuration.languages?.contains($0.language) ?? true
        }
        return file.scenes.map { [options] scene in
            // A view without a size was never laid out in Xcode.
            { try? LintScene(scene, strings: languages, options: options) }
        }
    }

    private func documentScenes(
        _ source: LintSource, _ report: inout LintReport
    ) -> [SceneReader] {
        let document: SceneDocument
        let json: JSONValue
        do {
            json = try JSONReader.read(source.bytes)
            document = try SceneDocument.parse(json)
        } catch {
            report.isUnreadable = true
            report.findings.append(Self.unreadable(source.path, nil, "\(error)", configuration))
            return []
        }
        return [{ LintScene(document, json: json, path: source.path) }]
    }

    func check(_ scene: LintScene) -> [LintFinding] {
        var findings = SceneFindings(scene, configuration)
        StaticChecks(scene: scene).run(into: &findings)
        var canvas = CanvasChecks(scene, configuration)
        canvas.run(into: &findings)
        // Files without constraints are laid out by frames, on the canvas's device alone.
        if scene.conversion?.scene.file.usesAutoLayout ?? true, !canvas.frames.isEmpty {
            DeviceChecks(scene: scene, configuration: configuration, canvas: canvas.frames)
                .run(into: &findings, measure: ruler)
        }
        return findings.findings
    }

    private func noteDeadOutlets(_ file: InterfaceFile, _ report: inout LintReport) {
        let level = configuration.level(.deadItem)
        guard level != .off else { return }
        for outlet in file.deadOutlets {
            let id = outlet["destination"] ?? ""
            report.findings.append(
                LintFinding(
                    rule: .deadItem, level: level, path: file.path, line: outlet.line, scene: "",
                    subject: outlet["property"] ?? outlet.name, key: outlet["id"] ?? id,
                    message:
                        "the outlet \(outlet["property"] ?? "") leads to \(id), which is not in the file; remove it"
                ))
        }
    }

    private static func unreadable(
        _ path: String, _ line: Int?, _ text: String, _ configuration: LintConfiguration
    ) -> LintFinding {
        LintFinding(
            rule: .unreadable, level: configuration.level(.unreadable), path: path, line: line ?? 1,
            scene: "", subject: "", key: "", message: text)
    }
}

extension LintReport {
    /// The bytes of a file after all fixes that are certain.
    public func fixed(_ bytes: [UInt8]) -> [UInt8] {
        FrameFix.apply(findings.compactMap(\.fix), to: bytes)
    }
}
