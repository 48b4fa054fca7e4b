public import SceneProtocol

/// How the viewer's connection is.
public enum ConnectionState: Hashable, Sendable {
    /// The first attempt is under way.
    case connecting
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
        case .live: "live"
        case .reconnecting(let seconds) where seconds > 0: "reconnecting in \(seconds) s"
        case .reconnecting: "reconnecting"
        case .readOnly: "read-only"
        case .ended(let reason): "ended: \(reason)"
        }
    }
}

/// What a viewer is told by whoever owns the connection.
public enum ViewerEvent: Sendable {
    /// The state after messages were applied, and what the server announced; only the latest counts.
    ///
    /// A mirror that waits for a snapshot is passed over: the last whole picture stays.
    case mirror(SceneMirror, Welcome)
    /// The connection's new state; only the latest counts.
    case connection(ConnectionState)
}

/// How a viewer shows its scene.
public struct ViewerOptions: Sendable {
    /// The colours to use.
    public var colors: ColorDepth
    /// Whether each picture is enclosed in mode 2026; only for terminals that are known to understand it.
    public var isSynchronized = false
    /// Whether the whole scene is fitted into the terminal at first; otherwise it is shown at natural size.
    public var fitsAtFirst = true
    /// The most pictures a second, 1 to 60.
    public var frameRateMaximum = 60

    /// Makes the standard options for a terminal with so many colours.
    public init(colors: ColorDepth) {
        self.colors = colors
    }
}
