import ArgumentParser
import ConstraintLanguage

/// Copies and renames rooms of a running server.
struct RoomCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "room",
        abstract: "Copy or rename a room of a running server.",
        subcommands: [RoomCopy.self, RoomRename.self])
}

struct RoomCopy: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "copy",
        abstract: "Copy a room, as it is now, under another name.",
        discussion: """
            The copy has the scene, bit for bit, and nothing of the people who changed it: no past and no \
            steps to undo. When the command ends, the copy is on the server's disk.

              scenesync room copy board board-2 --server http://127.0.0.1:7070
            """)

    @OptionGroup var options: AdministrationOptions
    @OptionGroup var names: RoomNames

    func run() throws {
        _ = try options.send("POST", names.path("copy"), to: options.server ?? RoomNames.server)
        Output.result("\(names.room) was copied to \(names.name)")
    }
}

struct RoomRename: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rename",
        abstract: "Give a room another name.",
        discussion: """
            The room keeps its scene, its past and the steps that people can undo. Members are told the new \
            name, and connect to it themselves. After a crash the room has the one name or the other. Rooms of \
            a cluster cannot be renamed; copy them.

              scenesync room rename board archive --server http://127.0.0.1:7070
            """)

    @OptionGroup var options: AdministrationOptions
    @OptionGroup var names: RoomNames

    func run() throws {
        _ = try options.send("POST", names.path("rename"), to: options.server ?? RoomNames.server)
        Output.result("\(names.room) is called \(names.name)")
    }
}

/// The room, and the other name.
struct RoomNames: ParsableArguments {
    static let server = "http://127.0.0.1:7070"

    @Argument(help: "The room.")
    var room: String

    @Argument(help: "The other name.")
    var name: String

    func validate() throws {
        for name in [room, name] where !Identifier.isValid(name) { throw Self.invalid(name) }
        if room == name { throw ValidationError("the other name has to be another one") }
    }

    func path(_ verb: String) -> String { "/admin/rooms/\(room)/\(verb)?to=\(name)" }

    static func invalid(_ name: String) -> ValidationError {
        ValidationError(
            "\"\(name)\" cannot be a room's name; begin with a letter or _, and go on with letters, digits, - and _"
        )
    }
}
