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
        var report = LintReport()
        for (path, error) in source.faults {
            report.findings.append(Self.unreadable(path, error.line, error.text, configuration))
        }
        if InterfaceFile.accepts(source.bytes, path: source.path) {
            checkInterface(source, &report)
        } else {
            checkDocument(source, &report)
        }
        report.findings.sort {
            ($0.path, $0.line, $0.rule.rawValue, $0.key) < (
                $1.path, $1.line, $1.rule.rawValue, $1.key
            )
        }
        return report
    }

    private func checkInterface(_ source: LintSource, _ report: inout LintReport) {
        let file: InterfaceFile
        do throws(InterfaceError) {
            file = try InterfaceFile(source.bytes, path: source.path)
        } catch {
            var finding = Self.unreadable(source.path, error.line, error.text, configuration)
            // Folders of projects have files for other systems; they fail no run.
            if error.isOfAnotherKind { finding.level = min(finding.level, .note) }
            report.isUnreadable = !error.isOfAnotherKind
            report.findings.append(finding)
            return
        }
        noteDeadOutlets(file, &report)
        var options = ConversionOptions()
        options.assets = source.assets
        options.measureWidth = ruler?.width
        for scene in file.scenes {
            let languages = source.strings.filter {
                configuration.languages?.contains($0.language) ?? true
            }
            guard let subject = try? LintScene(scene, strings: languages, options: options) else {
                // A view without a size was never laid out in Xcode.
                continue
            }
            report.sceneCount += 1
            report.findings += check(subject)
        }
    }

    private func checkDocument(_ source: LintSource, _ report: inout LintReport) {
        let document: SceneDocument
        let json: JSONValue
        do {
            json = try JSONReader.read(source.bytes)
            document = try SceneDocument.parse(json)
        } catch {
            report.isUnreadable = true
            report.findings.append(Self.unreadable(source.path, nil, "\(error)", configuration))
            return
        }
        report.sceneCount += 1
        report.findings += check(LintScene(document, json: json, path: source.path))
    }

    private func check(_ scene: LintScene) -> [LintFinding] {
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
