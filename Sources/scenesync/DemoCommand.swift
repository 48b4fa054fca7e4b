import ArgumentParser
import Demo
import SceneServer

/// Serves three rooms with programs that animate them.
struct DemoCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo",
        abstract: "Serve three rooms with programs that change them.",
        usage: "scenesync demo [--crowd <crowd>] [settings of scenesync serve]",
        discussion: """
            demo is a monitor of this machine and this server, board has cards that people move, and clock is \
            a clock. The programs behind them run in this process, and are written as any client may be.

              scenesync demo
              scenesync view --app ws://127.0.0.1:7070/demo

            A browser shows the same at http://127.0.0.1:7070/demo?app. Tab and Enter use it.

            All settings of scenesync serve are taken but those for keys, since the programs join without a \
            token. With --scene, the room demo shows that document, and no program is behind it.
            """)

    @OptionGroup var serve: Serve

    @Option(
        help: "Robots that act like users, 0 to \(DemoPrograms.crowdMaximum). (default: 0)",
        transform: Self.crowd(of:))
    var crowd = 0

    /// Checked while it is read: an error of `validate` would name the options' own command, too.
    private static func crowd(of text: String) throws -> Int {
        guard let count = Int(text), (0...DemoPrograms.crowdMaximum).contains(count) else {
            throw ValidationError("--crowd takes 0 to \(DemoPrograms.crowdMaximum)")
        }
        return count
    }

    func run() throws {
        let programs = DemoPrograms()
        var hasScene = false
        try serve.run { configuration in
            guard configuration.server.keys.isEmpty else {
                throw Output.failure(
                    .badConfiguration, "the demo's programs have no token",
                    try: "leave the keys out, or serve your own rooms with scenesync serve")
            }
            hasScene = configuration.server.scene != nil
            if !hasScene { configuration.server.scene = try DemoPrograms.firstScene }
        } beside: { running in
            // Who reads that the server listens finds the rooms.
            try Blocking.wait { [hasScene, crowd] in
                await programs.start(
                    at: running.address, beside: running.server, showsMonitor: !hasScene,
                    crowd: crowd, logger: running.logger)
            }
            return { programs.stop() }
        }
    }
}
