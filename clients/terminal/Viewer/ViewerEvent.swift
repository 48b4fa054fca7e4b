public import JSON
public import SceneDocument
public import SceneWire

/// The state of the viewer's connection.
public enum ConnectionState: Hashable, Sendable {
    /// The first attempt is in progress.
    case connecting
    /// Admitted, and waiting for the state.
    case catchingUp
    /// Connected.
    case live
    /// The connection was lost; the next attempt is in that many seconds, at this URL; empty where
    /// there is only one.
    case reconnecting(inSeconds: Int, to: String = "")
    /// Connected, but the room is read-only.
    case readOnly
    /// No further attempt will be made; with the reason.
    case ended(String)

    /// The state in a few words.
    public var text: String {
        switch self {
        case .connecting: "connecting"
        case .catchingUp: "catching up"
        case .live: "live"
        case .reconnecting(let seconds, let url):
            "reconnecting" + (url.isEmpty ? "" : " to \(RoomAddress(url).host)")
                + (seconds > 0 ? " in \(seconds) s" : "")
        case .readOnly: "read-only"
        case .ended(let reason): "ended: \(reason)"
        }
    }
}

/// An event that the owner of the connection reports.
public enum ViewerEvent: Sendable {
    /// The state after messages were applied, and what the server announced; only the latest
    /// counts.
    ///
    /// A mirror that waits for a snapshot is ignored: the last complete picture stays.
    case mirror(SceneMirror, Welcome)
    /// The connection's new state; only the latest counts.
    case connection(ConnectionState)
    /// The number of all bytes received; only the latest counts.
    case received(UInt64)
    /// The diagnostics of the layout.
    case diagnostics(Diagnostics)
    /// Another member's presence.
    case presence(Presence)
    /// The result of ops, or of undo.
    case result(OpsResult)
    /// The trace of a cycle.
    case trace(Trace)
    /// The answer to a ping.
    case pong(Pong)
    /// The answer to an inspection, with its number.
    case inspection(SceneInspection, request: UInt32)
    /// The granted device.
    case device(DeviceGrant)
    /// An error of the server that does not close the connection.
    case problem(ErrorMessage)
    /// The error in the previewed file; nil if there is none any more.
    case document(problem: String?)
    /// An event of the second connection.
    case beside(BesideEvent)
    /// The interactions of the scene's views.
    case interactions(InteractionTable)
    /// The result of an event.
    case eventResult(EventResults.Result)
    /// A picture by its hash, or the reason why there is none.
    case picture(String, Result<ScenePicture, PictureFailure>)
}

/// A command of a viewer for its connection.
public enum ViewerCommand: Sendable, Equatable {
    /// Send a list of ops. Messages of one undo group are undone together.
    case ops(JSONValue, undoGroup: UInt32)
    /// Undo the last step.
    case undo
    /// Redo the last undone step.
    case redo
    /// Show the past, or return to the present.
    case seek(Seek)
    /// Turn the trace on or off.
    case trace(TraceRequest)
    /// Send this member's presence.
    case presence(Presence)
    /// Send a ping.
    case ping(Ping)
    /// Inspect views, with the document if wanted.
    case inspect(Inspect)
    /// Request another device.
    case device(DeviceRequest)
    /// Watch the scene on a second device, over a connection of its own; `nil` ends that.
    case beside(DeviceRequest?)
    /// Send an event.
    case event(UserEvent)
    /// Fetch a picture by its hash, and post an event with what came of it.
    case picture(String)
}

/// The viewer's own user interface around the scene.
public enum ViewerScreen: Hashable, Sendable {
    /// A status line, and panels that inspect the scene.
    case viewer
    /// None: the scene is an application's screen.
    case app
}

/// The options of a viewer.
public struct ViewerOptions: Sendable {
    /// The colours to use.
    public var colors: ColorDepth
    /// The characters to use.
    public var encoding = TextEncoding.utf8
    /// The user interface around the scene.
    public var screen = ViewerScreen.viewer
    /// Whether to query the terminal's features: synchronized output, and how fast it drains.
    public var asksTerminal = true
    /// Whether the whole scene is fitted into the terminal at first; otherwise natural size.
    public var fitsAtFirst = true
    /// The maximum number of pictures a second, 1 to 60.
    public var frameRateMaximum = 60
    /// How pictures of image views are shown.
    public var pictures = PictureChoice.none
    /// The name shown to other members; empty for none.
    public var name = ""
    /// The initial device.
    public var device = DeviceChoice.shared
    /// The initial second device.
    public var beside: DeviceChoice?
    /// Called with every line of a recording (asciicast v2), on the viewer's thread.
    public var recorder: (@Sendable (String) -> Void)?

    /// Makes the standard options for a colour depth.
    public init(colors: ColorDepth) {
        self.colors = colors
    }

    /// How pictures are shown, which are not without colours.
    var shownPictures: PictureChoice { colors == .none ? .none : pictures }

    /// A shelf for pictures.
    var shelf: PictureShelf {
        shownPictures == .none
            ? PictureShelf() : PictureShelf(colors: colors, encoding: encoding)
    }
}
