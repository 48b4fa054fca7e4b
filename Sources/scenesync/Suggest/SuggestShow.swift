import Annotations
import ArgumentParser
import ConstraintLanguage
import FoundationEssentials
import JSON
import RoomNames
import SceneComparison
import SceneDocument
import SceneModel
import SceneSession
import SceneWire

struct SuggestList: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the suggestions of a room.")

    @OptionGroup var connection: ConnectionOptions

    @Option(help: "text or json.")
    var format = Notes.Format.text

    func run() throws {
        let table = try SuggestionRequest(connection: connection).annotations()
        let log = AnnotationLog(table)
        switch format {
        case .text: Output.result(log.suggestionText)
        case .json: Output.result(log.suggestionJSON.text())
        }
    }
}

struct SuggestShow: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show what accepting a suggestion would change.",
        discussion: """
            The room as it is now against the room with the suggestion's changes, in words as scenesync diff has them; \
            with html, one page with pictures of before, after and both. What stands in the way of accepting is named.

              scenesync suggest show board wider --server http://127.0.0.1:7070
              scenesync suggest show board wider --server http://127.0.0.1:7070 --format html > wider.html
            """)

    @Argument(help: "The room.")
    var room: String

    @Argument(help: "The suggestion's id.")
    var id: String

    @OptionGroup var options: AdministrationOptions

    @Option(help: "text, json, html or svg.")
    var format = Diff.Format.text

    func validate() throws {
        for name in [room, id] where !Identifier.isValid(name) { throw RoomNames.invalid(name) }
    }

    func run() throws {
        let server = options.server ?? RoomNames.server
        let main = try replay(of: room, try options.send("GET", path(of: room), to: server))
        guard let suggestion = main.timeline.annotations.suggestions[id] else {
            let known = main.timeline.annotations.suggestions.keys.sorted()
            throw Output.failure(
                .badData, "room \(room) has no suggestion \(id)",
                try: known.isEmpty
                    ? "open one with scenesync suggest open"
                    : "it has \(known.joined(separator: ", "))")
        }
        let branch = RoomName.branch(of: room, suggestion: id)
        // Nobody may have joined the branch yet.
        let there = try options.find(path(of: branch), at: server).map {
            try replay(of: branch, $0)
        }
        let shown: SuggestionComparison
        do throws(DocumentError) {
            let base = there?.timeline.annotations.ownSuggestion ?? suggestion
            let scene = try base.base.scene.document()
            shown = try SuggestionComparison(
                title: suggestion.name, base: scene, main: main.timeline.model.document(),
                branch: there?.timeline.model.document() ?? scene)
        } catch {
            throw Output.failure(
                .badData, "suggestion \(id): \(error)", try: "update it in its branch")
        }
        print(shown)
    }

    private func print(_ shown: SuggestionComparison) {
        switch format {
        case .text:
            for change in shown.comparison.changes { Output.result(change.text) }
            for conflict in shown.conflicts { Output.result("conflict: \(conflict)") }
            if shown.isBehind { Output.result("\(room) has changed since") }
        case .json: Output.result(JSONText.list([shown.json]))
        case .html:
            Output.drawing(
                ComparisonPage.html(
                    [shown.comparison], title: "\(room) → \(shown.comparison.title)"))
        case .svg: Output.drawing(ComparisonPage.svg(shown.comparison))
        }
    }

    private func path(of room: String) -> String { "/admin/rooms/\(room)/snapshot" }

    private func replay(of room: String, _ bytes: [UInt8]) throws -> JournalReplay {
        do {
            return try JournalReplay([try JournalRecord.decode(bytes)])
        } catch {
            throw Output.failure(.badData, "room \(room): \(error)", try: Advice.room)
        }
    }
}
