import ArgumentParser
import FoundationEssentials
import InterfaceBuilder
import SceneComparison
import SceneDocument
import SceneLint

/// Compares two versions of a scene.
struct Diff: ParsableCommand {
    enum Format: String, CaseIterable, ExpressibleByArgument {
        case text, json, html, svg
    }

    static let configuration = CommandConfiguration(
        abstract: "Compare two versions of a .storyboard, .xib, document or room.",
        discussion: """
            Says in words which views and constraints were added, removed and changed, and which views move. With html, \
            one page with pictures of each device before, after and both.

              scenesync diff old.storyboard new.storyboard
              scenesync diff --format html old.storyboard new.storyboard > diff.html
              git difftool --extcmd 'scenesync diff' HEAD~1 -- Main.storyboard

            A room is compared by ROOM@MOMENT: the name of a version, a tick, or now. It is read from the journal in \
            --data, or from a running server with --server, which knows its versions and the present.

              scenesync diff board@Draft board@now --server http://127.0.0.1:7070
              scenesync diff board@1200 board@1800 --data .scenesync

            Exit codes: 0 no differences or printed, 1 differences with --exit-code.
            """)

    @Argument(help: "The earlier file, or ROOM@MOMENT.")
    var old: String

    @Argument(help: "The later file, or ROOM@MOMENT.")
    var new: String

    @Option(help: "The directory of the journal of rooms.")
    var data = ".scenesync"

    @OptionGroup var options: AdministrationOptions

    @Option(help: "text, json, html or svg.")
    var format = Format.text

    @Option(help: "Compare this scene alone.")
    var scene: String?

    @Flag(help: "End with 1 if there are differences, as diff does.")
    var exitCode = false

    func run() throws {
        let comparisons = ScenesToCompare.compare(try scenes(of: old), try scenes(of: new))
        switch format {
        case .text:
            for comparison in comparisons where !comparison.isEmpty {
                if !comparison.title.isEmpty { Output.result(comparison.title) }
                for change in comparison.changes {
                    Output.result((comparison.title.isEmpty ? "" : "  ") + change.text)
                }
            }
        case .json: Output.result(JSONText.list(comparisons.filter { !$0.isEmpty }.map(\.json)))
        case .html: Output.drawing(ComparisonPage.html(comparisons, title: "\(old) → \(new)"))
        case .svg:
            let changed = comparisons.first { !$0.isEmpty } ?? comparisons.first
            if let changed { Output.drawing(ComparisonPage.svg(changed)) }
        }
        if exitCode, comparisons.contains(where: { !$0.isEmpty }) { throw ExitCode(1) }
    }

    /// The scenes of a file; or of a room, where there is no such file.
    private func scenes(of name: String) throws -> ScenesToCompare {
        if let moment = RoomMoment(name), !FileManager.default.fileExists(atPath: name) {
            let document =
                if let server = options.server {
                    try moment.document(at: server, options)
                } else {
                    try moment.document(inJournalAt: data)
                }
            return ScenesToCompare(document)
        }
        do throws(InputFailure) { return try ScenesToCompare(name, scene: scene) } catch {
            throw Output.failure(.badData, error.text, try: Advice.after(error))
        }
    }
}

/// The scenes of one file, or that of a room.
private struct ScenesToCompare {
    private struct Scene {
        var id: String
        var title: String
        var document: SceneDocument
        var names: [String: String]
    }

    private var scenes: [Scene] = []

    init(_ document: SceneDocument) {
        scenes = [Scene(id: "", title: "", document: document, names: [:])]
    }

    init(_ path: String, scene id: String?) throws(InputFailure) {
        // A file that git made up for an added or removed one.
        guard path != "/dev/null" else { return }
        let bytes = try Input.bytes(path)
        guard !bytes.isEmpty else { return }
        guard InterfaceInput.accepts(bytes, path) else {
            scenes = Self(try Input.parse(bytes, path)).scenes
            return
        }
        let file = try InterfaceInput.file(bytes, path)
        for scene in file.scenes where id == nil || scene.id == id {
            var options = ConversionOptions()
            options.contentSizes = .measured
            options.measureWidth = TextRuler.registered?.width
            guard let conversion = try? InterfaceConversion(scene, options: options) else {
                continue
            }
            var names: [String: String] = [:]
            for (id, origin) in conversion.views { names[id] = origin.name }
            if conversion.scene.root["userLabel"] == nil { names[conversion.rootID] = "View" }
            for (id, origin) in conversion.constraints { names[id] = origin.name }
            scenes.append(
                Scene(
                    id: scene.id, title: scene.title, document: conversion.document, names: names))
        }
    }

    static func compare(_ old: ScenesToCompare, _ new: ScenesToCompare) -> [SceneComparison] {
        var result: [SceneComparison] = []
        let empty = SceneDocument(viewport: Viewport(width: 1, height: 1))
        for scene in new.scenes {
            let earlier = old.scenes.first { $0.id == scene.id }
            result.append(
                SceneComparison(
                    title: earlier == nil ? "\(scene.title) (new)" : scene.title,
                    from: earlier?.document ?? empty, to: scene.document,
                    names: (earlier?.names ?? [:]).merging(scene.names) { $1 }))
        }
        for scene in old.scenes where !new.scenes.contains(where: { $0.id == scene.id }) {
            result.append(
                SceneComparison(
                    title: "\(scene.title) (removed)", from: scene.document, to: empty,
                    names: scene.names))
        }
        return result
    }
}
