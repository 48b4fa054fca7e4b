import ArgumentParser
import FoundationEssentials
import SceneClient
import SceneWire
import TerminalViewer
import WebSocketTransport

/// The output format of `view` in pipes.
enum ViewFormat: String, CaseIterable, ExpressibleByArgument {
    case text, ansi, json, svg, ndjson
    case svgOutlines = "svg-outlines"

    /// The corresponding picture format.
    var picture: PictureFormat? { PictureFormat(rawValue: rawValue) }
}

/// The colours to use.
enum ColorChoice: String, CaseIterable, ExpressibleByArgument {
    case auto, never
    case ansi16 = "16"
    case ansi256 = "256"
    case truecolor

    var depth: ColorDepth {
        switch self {
        case .auto: ColorDepth.detect(environment: ProcessInfo.processInfo.environment)
        case .never: .none
        case .ansi16: .ansi16
        case .ansi256: .ansi256
        case .truecolor: .trueColor
        }
    }
}

/// How pictures are shown.
enum PictureOption: String, CaseIterable, ExpressibleByArgument {
    case auto, kitty, iterm2, sixel, blocks, none

    var choice: PictureChoice {
        switch self {
        case .auto: .auto
        case .kitty: .pixels(.kitty)
        case .iterm2: .pixels(.iterm2)
        case .sixel: .pixels(.sixel)
        case .blocks: .blocks
        case .none: .none
        }
    }
}

struct View: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Watch a room in the terminal.",
        discussion: """
            Live until q is pressed; ? lists all keys. With --edit the room can be changed as well.

            The scene is laid out for the terminal's own size, and anew when that changes; --device \
            shows it on a device that the scene names, --shared as everybody shares it, --beside on a \
            second one at its side.

            With --app there is nothing but the scene, as an application's screen: Tab and arrows move \
            the focus, Enter and Space use what has it, so does the mouse, q quits, and Ctrl-C does so \
            always.

            For pipes and scripts: --once prints one picture (text, ansi, json, svg), --follow a line \
            of JSON for each frame. --record writes what the viewer shows as an asciicast; without a \
            terminal it needs --size, and --seconds or a signal to end. --play shows such a recording.

            Exit codes: 0 fine, 1 a failure (or what --wait-for names did not come), 64 wrong usage, \
            65 bad data, 69 the server cannot be reached.
            """)

    @OptionGroup var connection: ConnectionOptions

    @Flag(help: "Print one picture and exit.")
    var once = false

    @Flag(help: "Print a line for each frame.")
    var follow = false

    @Flag(help: "Play a recording; the argument is its file.")
    var play = false

    @Option(help: "With --once: text, ansi, json or svg; with --follow: ndjson.")
    var format: ViewFormat?

    @Option(
        help:
            "COLUMNSxROWS: lays out the scene for that many cells; with --shared, scales it to fit.",
        transform: { text in
            guard let size = GridSize(text: text) else {
                throw ValidationError("a size is COLUMNSxROWS, such as 80x24")
            }
            return size
        })
    var size: GridSize?

    @Option(help: "Watch the scene on this device.")
    var device: String?

    @Flag(help: "Watch the scene on the main device, which all clients without a device share.")
    var shared = false

    @Option(help: "Also watch the scene on this device, beside the first; shared for the main one.")
    var beside: String?

    @Option(help: "Wait until this view exists and is visible before printing.")
    var waitFor: String?

    @Option(help: "With --follow: exit after this many lines.")
    var count: Int?

    @Option(help: "Record the screen in this file, as asciicast v2.")
    var record: String?

    @Option(help: "With --record: exit after this many seconds.")
    var seconds: Double?

    @Option(help: "Seconds to wait for the server, and for --wait-for.")
    var timeout = 10.0

    @Option(help: "Colours: auto, never, 16, 256 or truecolor.")
    var color = ColorChoice.auto

    @Option(
        help:
            "How pictures are shown: auto asks the terminal; kitty, iterm2 or sixel for pixels; blocks, two a cell; none."
    )
    var pictures = PictureOption.auto

    @Flag(help: "Join as an editor.")
    var edit = false

    @Flag(help: "Show the scene only, as an application's interactive screen.")
    var app = false

    @Option(help: "The name shown to other members.")
    var name: String?

    func validate() throws {
        func refuse(_ isWrong: Bool, _ text: String) throws {
            if isWrong { throw ValidationError(text) }
        }
        try refuse(
            [once, follow, play].filter { $0 }.count > 1, "--once, --follow or --play, not two")
        try refuse(
            format != nil && !once && !follow, "--format goes with --once or --follow")
        try refuse(once && format == .ndjson, "--once prints text, ansi, json, svg or svg-outlines")
        try refuse(follow && format.map { $0 != .ndjson } == true, "--follow prints ndjson")
        let sizedFormats: [ViewFormat?] = [nil, .text, .ansi]
        try refuse(
            size != nil && shared && once && !sizedFormats.contains(format),
            "--size goes with --shared where the format is text or ansi")
        try refuse(
            size != nil && !once && record == nil, "--size goes with --once or --record")
        try refuse(size != nil && device != nil && once, "--size or --device, not both")
        try refuse(shared && device != nil, "--shared or --device, not both")
        try refuse(
            beside != nil && (once || follow || play), "--beside is for the live viewer")
        try refuse(play && (shared || device != nil), "a recording has no devices")
        try refuse(count != nil && !follow, "--count goes with --follow")
        try refuse(count.map { $0 < 1 } == true, "--count must be 1 or more")
        try refuse(record != nil && (once || follow || play), "--record is for the live viewer")
        try refuse(seconds != nil && record == nil, "--seconds goes with --record")
        try refuse(!(timeout > 0), "--timeout must be above 0")
        try refuse(seconds.map { !($0 > 0) } == true, "--seconds must be above 0")
        try refuse(
            app && (once || follow || play || edit || record != nil || beside != nil),
            "--app goes with --device and --shared alone")
        try refuse(edit && (once || follow || play), "--edit is for the live viewer")
        try refuse(waitFor != nil && !once && !follow, "--wait-for goes with --once or --follow")
    }

    func run() throws {
        if play {
            try playRecording()
        } else if once {
            try printOnce()
        } else if follow {
            try printFrames()
        } else {
            try watch()
        }
    }

    // MARK: Devices

    /// The device request without a terminal: the named device, or one of `--size`.
    var deviceWithoutTerminal: DeviceRequest? {
        if let device { return DeviceChoice.named(device).request(in: GridSize()) }
        guard let size, !shared else { return nil }
        return DeviceChoice.own.request(in: size)
    }

    /// Exits with an error if the requested device is not available.
    func require(_ grant: DeviceGrant) throws {
        guard grant.fit != .exact else { return }
        if grant.fit == .main {
            throw Output.failure(
                .badData, "\(connection.place): \(grant.reason)",
                try: "omit --device, or name another one")
        }
        Output.note("\(connection.place): \(grant.reason); this is the most similar of its devices")
    }

    // MARK: Shared

    func makeClient(
        _ options: SceneClient.Options,
        _ handler: @escaping @Sendable (SceneClient.Event) -> Void
    ) throws -> SceneClient {
        do {
            return try SceneClient(options, handler: handler)
        } catch {
            throw Output.failure(ExitCode(64), error.description, try: Advice.after(error))
        }
    }

    func metrics(_ welcome: Welcome) throws -> SceneMetrics {
        do {
            return try SceneMetrics(welcome)
        } catch {
            throw Output.failure(
                .badData, "the scene cannot be drawn: \(error)",
                try: "--format json prints its frames")
        }
    }

    /// Whether the state contains the view of `--wait-for`.
    func isAwaited(_ mirror: SceneMirror) -> Bool {
        guard let waitFor else { return true }
        var view = mirror.view(id: waitFor)
        guard view != nil else { return false }
        // A view in a hidden superview is not visible.
        while let current = view {
            if current.content.hidden || current.content.opacity == 0 { return false }
            view = current.parent.flatMap { mirror.view($0) }
        }
        return true
    }

    /// Reports a timeout and returns the error to throw.
    func timeoutFailure(hasState: Bool) -> ExitCode {
        guard hasState, let waitFor else {
            return Output.failure(
                .unavailable, "\(connection.place): no answer within \(timeout) s",
                try: Advice.unanswered)
        }
        return Output.failure(
            .failure, "\(connection.place): no view \"\(waitFor)\" is visible within \(timeout) s",
            try: "omit --wait-for to print the scene as it is, or set a longer --timeout")
    }
}
