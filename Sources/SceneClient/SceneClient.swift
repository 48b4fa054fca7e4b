import FoundationEssentials
public import JSON
public import SceneClientSession
public import SceneDocument
public import SceneWire
import Synchronization
import WebSocketAddress
public import WebSocketTransport

/// A client of one room over WebSocket: it keeps a mirror of the scene up to date, acknowledges,
/// connects again after a cut, at another address where it knows one, and has every batch of ops
/// applied once.
///
/// `ClientSession` decides on messages and times; this class adds sockets and a clock. It needs no
/// layout engine. Events are reported on the connection's own thread, in order; every method may be
/// called from any thread.
public final class SceneClient: Sendable {
    /// The addresses, the role and the rights to ask for.
    public struct Options: Sendable {
        /// `ws://host:port/room` or `wss://…`: the addresses of the room, the preferred first.
        /// Where a connection ends, the next one is tried; what servers name in their welcomes
        /// comes after these.
        public var urls: [String]
        /// The role to ask for.
        public var role = Role.viewer
        /// The format of messages.
        public var format = Subprotocol.binary
        /// Proves the identity; empty without authentication.
        public var token = ""
        /// Returns the present token; `nil` where there is none at the moment. Asked about a minute
        /// before a token that tells its end (a JSON Web Token) ends, before a connection whose
        /// token would end at once, and for the first token if `token` is empty. Called on a queue
        /// of its own, which it may block.
        public var tokenSource: (@Sendable () -> String?)?
        /// Bits of `Hello.capabilities`.
        public var capabilities: UInt64 = 0
        /// The device to watch the scene on; nil for the main one.
        public var device: DeviceRequest?
        /// Whether any certificate is trusted, for development.
        public var trustsAnyCertificate = false
        /// A PEM file of certificates to trust besides the system's.
        public var caFile: String?
        /// The certificate and key by which the client shows servers who it is; `nil` for none.
        public var identity: TLSConfiguration?
        /// Whether to connect again after a cut; without it the first end is the last.
        public var reconnects = true
        /// How long to wait for a server that says nothing, before the next address is tried.
        public var patience = ClientSession.Patience()

        /// Makes options with defaults.
        ///
        /// - Parameter url: The room's only address, but for those that its server names.
        public init(url: String) { urls = [url] }

        /// Makes options with defaults.
        ///
        /// - Parameter urls: The room's addresses, the preferred first; at least one.
        public init(urls: [String]) { self.urls = urls }
    }

    /// An event that the client handles, to be answered once.
    public typealias ReceivedEvent = ClientSession.ReceivedEvent

    /// An event of the client.
    public enum Event: Sendable {
        /// The server admitted the client.
        case welcomed(Welcome)
        /// The mirror moved on: a snapshot is complete or a tick is.
        case updated(SceneMirror)
        /// A request was decided.
        case result(OpsResult)
        /// Another member's presence.
        case presence(Presence)
        /// Problems of the layout, if the client asked for them.
        case diagnostics(Diagnostics)
        /// The update cycle's steps in a tick, if the client asked.
        case trace(Trace)
        /// The answer to a ping.
        case pong(Pong)
        /// The constraints and frames behind some views, if the client asked; the number is the
        /// question's.
        case inspection(SceneInspection, request: UInt32)
        /// The device that the client has from now on, if it asked for one; the state on it
        /// follows.
        case device(DeviceGrant)
        /// What people can do with the scene's views changed; needs `Capability.events`, as what
        /// follows.
        case interactions(InteractionTable)
        /// What people say about the scene changed.
        case annotations(AnnotationTable)
        /// A part of what a replica of the server's scene repeats; needs `Capability.follow`.
        case records(Records)
        /// A user's action on a view that the client handles, or a message to the client; must be
        /// answered.
        case event(ReceivedEvent)
        /// The outcome of an event of this client.
        case eventResult(EventResults.Result)
        /// The server's refusal, mostly before it ends the connection, or a message of the server's
        /// that cannot be read.
        case failure(ErrorMessage)
        /// The connection was cut, or an attempt failed; the next one begins after `afterSeconds`,
        /// at this address.
        case reconnecting(afterSeconds: Double, reason: String, url: String)
        /// The connection has ended for good; the last event.
        case ended(code: UInt16?, reason: String, error: TransportError?)
    }

    private let driver: SessionDriver

    /// Makes a client that is not connected yet.
    ///
    /// - Throws: `TransportError.badURL` where one of the addresses is none, or there is none.
    public init(
        _ options: Options, handler: @escaping @Sendable (Event) -> Void
    ) throws(TransportError) {
        guard !options.urls.isEmpty else { throw .badURL("") }
        for url in options.urls where URLParts(url) == nil { throw .badURL(url) }
        driver = SessionDriver(options, handler)
    }

    /// The addresses known at present: those of the options, then those that the last server named.
    public var urls: [String] { driver.urls }

    /// Begins to connect; further calls do nothing.
    public func connect() { driver.connect() }

    /// Sends ops as one batch; resent after a cut, and applied once however often they are sent.
    ///
    /// - Parameters:
    ///   - ops: A list of ops as JSON.
    ///   - atomic: Whether all or none are to be applied.
    ///   - undoGroup: Batches of one number are undone together, as a drag is; 0 for one alone.
    /// - Returns: The sequence that the result will carry.
    @discardableResult
    public func send(
        _ ops: JSONValue, atomic: Bool = false, undoGroup: UInt32 = 0
    ) -> UInt64 {
        driver.apply(ops, atomic: atomic, undoGroup: undoGroup)
    }

    /// Undoes the client's own last batch; needs `Capability.undo`.
    ///
    /// - Returns: The sequence that the result will carry.
    @discardableResult
    public func undo() -> UInt64 { driver.undo() }

    /// Redoes the batch that was undone last; needs `Capability.undo`.
    ///
    /// - Returns: The sequence that the result will carry.
    @discardableResult
    public func redo() -> UInt64 { driver.redo() }

    /// Changes the watched subtrees and the frame rate; needs `Capability.subscribe`.
    public func send(_ subscribe: Subscribe) { driver.send(.subscribe(subscribe)) }

    /// Shows the past, or the present again; needs `Capability.seek`.
    public func send(_ seek: Seek) { driver.seek(seek) }

    /// Asks for the constraints and frames behind some views; needs `Capability.inspect`. A
    /// question without an answer is not asked again after a cut.
    public func send(_ inspect: Inspect) { driver.send(.inspect(inspect)) }

    /// Shows other members this client's cursor and selection.
    public func send(_ presence: Presence) { driver.send(.presence(presence)) }

    /// Turns the trace of the update cycle on or off; needs `Capability.trace`.
    public func send(_ trace: TraceRequest) { driver.send(.trace(trace)) }

    /// Turns the telling of the scene's records on or off; needs `Capability.follow`. A connection
    /// begins without it.
    public func send(_ follow: FollowRequest) { driver.send(.follow(follow)) }

    /// Asks for another device, now and after every cut: a window was resized, or people look at
    /// another one.
    public func send(_ device: DeviceRequest) { driver.request(device) }

    /// Sends a user's action on a view, or a message; sent again after a cut, delivered once. Needs
    /// `Capability.events`.
    ///
    /// - Parameters:
    ///   - event: What happened.
    ///   - client: For messages: the member's number in presence, `SentEvent.everyone`, or 0 for
    ///     the client that handles the view.
    /// - Returns: The sequence that the result will carry.
    @discardableResult
    public func send(_ event: UserEvent, to client: UInt32 = 0) -> UInt64 {
        driver.send(event, to: client)
    }

    /// Handles the events of some subtrees, now and after every cut; an editor's right.
    public func handle(_ roots: [String]) { driver.handle(roots) }

    /// Reports the outcome of an event handled by this client.
    public func answer(_ event: ReceivedEvent, isHandled: Bool = true) {
        driver.answer(event, isHandled: isHandled)
    }

    /// Asks for the time; `pong` answers with the same `t0`.
    public func send(_ ping: Ping) { driver.send(.ping(ping)) }

    /// Bytes of the messages received so far, over all connections.
    public var receivedByteCount: UInt64 { driver.receivedByteCount }

    /// Gives the server a new token before the old one ends; it is used for later connections too.
    public func refresh(token: String) { driver.refresh(token) }

    /// Ends the connection after what was sent has left; `ended` follows.
    public func close() { driver.close() }
}
