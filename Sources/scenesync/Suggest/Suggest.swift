import ArgumentParser

/// Branches of rooms.
struct Suggest: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Open, show, update and decide suggestions: branches of a room.",
        discussion: """
            A suggestion is a copy of a room's scene that several people change apart, in the room ROOM~ID, until the \
            room accepts the changes, all or some, or refuses them. One undo takes an acceptance back.

              scenesync suggest open ws://127.0.0.1:7070/board wider "A wider sidebar"
              scenesync view ws://127.0.0.1:7070/board~wider
              scenesync suggest show board wider --server http://127.0.0.1:7070
              scenesync suggest update ws://127.0.0.1:7070/board~wider
              scenesync suggest accept ws://127.0.0.1:7070/board wider --only sidebar
              scenesync suggest refuse ws://127.0.0.1:7070/board wider --reason "After the release"
            """,
        subcommands: [
            SuggestList.self, SuggestOpen.self, SuggestShow.self, SuggestUpdate.self,
            SuggestAccept.self, SuggestRefuse.self, SuggestReopen.self, SuggestRemove.self,
        ])
}

/// The room and the suggestion of a command that changes it.
struct SuggestionOptions: ParsableArguments {
    @OptionGroup var connection: ConnectionOptions

    @Argument(help: "The suggestion's id.")
    var id: String
}

struct SuggestOpen: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "open",
        abstract: "Open a suggestion, whose branch begins with the scene as it is.")

    @OptionGroup var options: SuggestionOptions

    @Argument(help: "What to call it: one line, at most 64 bytes.")
    var name: String

    @Option(help: "What it is for.")
    var note = ""

    func run() throws {
        let request = SuggestionRequest(connection: options.connection)
        try request.send("suggest", id: options.id, [("name", name), ("note", note)])
        Output.result("suggestion \(options.id) is open; its branch is ROOM~\(options.id)")
    }
}

struct SuggestUpdate: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "update",
        abstract: "Take into a branch what has changed in its room.",
        discussion: """
            What both have changed stays as the branch has it, and is printed; then the command ends with 1.

              scenesync suggest update ws://127.0.0.1:7070/board~wider
            """)

    @OptionGroup var connection: ConnectionOptions

    func run() throws {
        let request = SuggestionRequest(connection: connection)
        let conflicts = try request.update()
        for conflict in conflicts { Output.result(conflict) }
        guard conflicts.isEmpty else { throw ExitCode.failure }
    }
}

struct SuggestAccept: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "accept",
        abstract: "Take a suggestion's changes into its room, all or some of them.",
        discussion: """
            Where the room has changed the same, nothing is changed; the conflicts are printed, and the command ends with 1.

              scenesync suggest accept ws://127.0.0.1:7070/board wider --only sidebar --only sidebar-width
            """)

    @OptionGroup var options: SuggestionOptions

    @Option(
        help:
            "Take the change of this view, guide, constraint or set alone; may be given more than once."
    )
    var only: [String] = []

    func run() throws {
        let request = SuggestionRequest(connection: options.connection)
        try request.send("acceptSuggestion", id: options.id, only: only)
        Output.result(
            only.isEmpty
                ? "suggestion \(options.id) is accepted"
                : "\(only.joined(separator: ", ")) of suggestion \(options.id): accepted")
    }
}

struct SuggestRefuse: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "refuse", abstract: "Close a suggestion without its changes.")

    @OptionGroup var options: SuggestionOptions

    @Option(help: "Why.")
    var reason = ""

    func run() throws {
        let request = SuggestionRequest(connection: options.connection)
        try request.send("refuseSuggestion", id: options.id, [("reason", reason)])
        Output.result("suggestion \(options.id) is refused")
    }
}

struct SuggestReopen: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reopen", abstract: "Open an accepted or refused suggestion again.")

    @OptionGroup var options: SuggestionOptions

    func run() throws {
        try SuggestionRequest(connection: options.connection)
            .send("reopenSuggestion", id: options.id)
        Output.result("suggestion \(options.id) is open")
    }
}

struct SuggestRemove: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Forget a suggestion and its branch.")

    @OptionGroup var options: SuggestionOptions

    func run() throws {
        try SuggestionRequest(connection: options.connection)
            .send("removeSuggestion", id: options.id)
        Output.result("suggestion \(options.id) is removed")
    }
}
