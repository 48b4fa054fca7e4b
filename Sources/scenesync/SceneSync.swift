import ArgumentParser
import SceneFaces
import SceneModel
import SceneServer

/// The command line: parses arguments, calls the modules and prints results. Results go to standard
/// output, everything else to standard error; exit codes are BSD's `sysexits`.
@main
struct SceneSync: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "scenesync",
        abstract:
            "A server that lays out scenes by constraints and synchronises them to all clients.",
        discussion: """
            Write a layout and see it while you write:

              scenesync new dashboard > my.json
              scenesync open my.json

            Serve a room, watch it in a terminal, change it from a third one:

              scenesync serve --scene my.json
              scenesync view ws://127.0.0.1:7070/demo
              echo '{"op":"setConstraint","id":"sidebar-width","constant":300}' \\
                | scenesync apply ws://127.0.0.1:7070/demo -

            Exit codes: 0 fine, 1 a failure, 2 a layout that does not come to rest, 64 wrong usage, 65 bad \
            data, 69 the server cannot be reached, 78 bad configuration.
            """,
        version: sceneSyncVersion,
        subcommands: [
            Serve.self, View.self, Apply.self, Layout.self, ScenarioCommand.self, Replay.self,
            Export.self, Import.self, RoomCommand.self, Repair.self, Simulate.self,
            ConformanceCommand.self,
            Token.self,
            Doctor.self, ClusterCommand.self, Load.self, New.self, Open.self, DemoCommand.self,
            Lint.self, Diff.self, Merge.self, Convert.self, Notes.self, Suggest.self, Record.self,
            Rooms.self,
        ])

    /// Runs a command. All of them measure text in the same faces.
    static func main() {
        RegisteredFaces.register(FaceFolder.shippedAlone)
        main(nil)
    }

    /// Printed without a command: how to start.
    func run() throws {
        Output.result(
            """
            SceneSync lays scenes out by constraints and shows them everywhere at once.

              scenesync demo                      three rooms that are alive, to look at
              scenesync new dashboard > my.json   an example to begin with
              scenesync open my.json              see it while you change it
              scenesync serve --scene my.json     let others see and change it
              scenesync lint .                    check the storyboards of an iOS project
              scenesync help                      all commands
            """)
    }
}
