public import SceneProtocol

/// How the viewer's connection is.
public enum ConnectionState: Hashable, Sendable {
    /// The first attempt is under way.
    case connecting
    /// Let in, but the state is still to come.
    case catchingUp
    /// Messages come.
    case live
    /// The connection broke; the next attempt is so many seconds away.
    case reconnecting(inSeconds: Int)
    /// Messages come, but the room takes no changes.
    case readOnly
    /// There will be no further attempt; for people.
    case ended(String)

    /// The state for people, in a few words.
    public var text: String {
        switch self {
        case .connecting: "connecting"
        case .catchingUp: "catching up"
        case .live: "live"
        case .reconnecting(let seconds) where seconds > 0: "reconnecting in \(seconds) s"
        case .reconnecting: "reconnecting"
        case .readOnly: "read-only"
        case .ended(let reason): "ended: \(reason)"
        }
    }
}

/// An event that the owner of the connection reports.
public enum ViewerEvent: Sendable {
    /// The state after messages were applied, and what the server announced; only the latest counts.
    ///
    /// A mirror that waits for a snapshot is passed over: the last whole picture stays.
    case mirror(SceneMirror, Welcome)
    /// The connection's new state; only the latest counts.
    case connection(ConnectionState)
    /// How many bytes have come in all; only the latest counts.
    case received(UInt64)
    /// What is wrong with the layout.
    case diagnostics(Diagnostics)
    /// Another member's presence.
    case presence(Presence)
    /// What became of ops, or of undoing.
    case result(OpsResult)
    /// What a cycle did.
    case trace(Trace)
    /// The answer to a ping.
    case pong(Pong)
    /// What holds the views that were asked after, and the number of the question.
    case inspection(SceneInspection, request: UInt32)
    /// The device that the viewer has from now on.
    case device(DeviceGrant)
    /// The server said what did not work; the connection goes on.
    case problem(ErrorMessage)
    /// What is wrong with the file that the scene is a preview of; nil: nothing any more.
    case document(problem: String?)
    /// What happened on the second connection.
    case beside(BesideEvent)
    /// What people can do with the scene's views.
    case interactions(InteractionTable)
    /// What became of an event.
    case eventResult(EventResults.Result)
}

/// What a viewer wants to be done with the connection.
public enum ViewerCommand: Sendable, Equatable {
    /// Send a list of ops. Messages of one undo group are undone together.
    case ops(JSONValue, undoGroup: UInt32)
    /// Take the last step back.
    case undo
    /// Redo the last undone step.
    case redo
    /// Show the past, or the present again.
    case seek(Seek)
    /// Turn the trace on or off.
    case trace(TraceRequest)
    /// Tell the others where one looks.
    case presence(Presence)
    /// Ask for the time.
    case ping(Ping)
    /// Ask what holds views, and for the document if wanted.
    case inspect(Inspect)
    /// Ask for another device.
    case device(DeviceRequest)
    /// Watch the scene on a second device, over a connection of its own; `nil` ends that.
    case beside(DeviceRequest?)
    /// Tell the program behind the scene what somebody did.
    case event(UserEvent)
}

/// What is around the scene.
public enum ViewerScreen: Hashable, Sendable {
    /// A line that tells how things are, and panels to look into the scene.
    case viewer
    /// Nothing: the scene is an application's screen.
    case app
}

/// How a viewer shows its scene.
public struct ViewerOptions: Sendable {
    /// The colours to use.
    public var colors: ColorDepth
    /// What is around the scene.
    public var screen = ViewerScreen.viewer
    /// Whether the terminal is asked for its abilities: synchronized output, and how fast it drains.
    public var asksTerminal = true
    /// Whether the whole scene is fitted into the terminal at first; otherwise it is shown at natural size.
    public var fitsAtFirst = true
    /// The most pictures a second, 1 to 60.
    public var frameRateMaximum = 60
    /// The name that others see; empty for none.
    public var name = ""
    /// The device to watch the scene on at first.
    public var device = DeviceChoice.shared
    /// The device to watch the scene on beside it at first.
    public var beside: DeviceChoice?
    /// Told of every line of a recording (asciicast v2), on the viewer's thread.
    public var recorder: (@Sendable (String) -> Void)?

    /// Makes the standard options for a terminal with so many colours.
    public init(colors: ColorDepth) {
        self.colors = colors
    }
}
