import Foundation
public import SceneProtocol
import Synchronization
public import WebSocketTransport

/// A connection to one room: it says hello, keeps a mirror of the scene up to date, acknowledges, comes back after a
/// cut, and sends ops once.
///
/// It knows the protocol and no layout engine. Events are told on the connection's own thread, in order; every method
/// may be called from any thread.
public final class SceneClient: Sendable {
    /// Whom to connect to, and as what.
    public struct Options: Sendable {
        /// `ws://host:port/room` or `wss://…`.
        public var url: String
        /// What the client wants to be.
        public var role = Role.viewer
        /// How it wants to be spoken to.
        public var format = Subprotocol.binary
        /// Proves who the client is; empty without authentication.
        public var token = ""
        /// Bits of `Hello.capabilities`.
        public var capabilities: UInt64 = 0
        /// Whether any certificate will do, for development.
        public var trustsAnyCertificate = false
        /// A PEM file of certificates to trust besides the system's.
        public var caFile: String?
        /// Whether to come back after a cut; without it the first end is the last.
        public var reconnects = true

        /// Makes options with defaults.
        public init(url: String) { self.url = url }
    }

    /// What happened.
    public enum Event: Sendable {
        /// The server let the client in.
        case welcomed(Welcome)
        /// The mirror moved on: a snapshot is complete or a tick is.
        case updated(SceneMirror)
        /// Ops were decided.
        case result(OpsResult)
        /// Somebody else's presence.
        case presence(Presence)
        /// What is wrong with the layout, if the client asked.
        case diagnostics(Diagnostics)
        /// What stands behind the frames, if the client asked; the number is the question's.
        case inspection(SceneInspection, request: UInt32)
        /// The server said why something is refused, mostly before it ends the connection.
        case failure(ErrorMessage)
        /// The connection was cut and is tried again after so many seconds.
        case reconnecting(afterSeconds: Double, reason: String)
        /// The connection has ended for good; the last event.
        case ended(code: UInt16?, reason: String, error: TransportError?)
    }

    private let core: ClientCore

    /// Makes a client that is not connected yet.
    ///
    /// - Throws: `TransportError.badURL`.
    public init(
        _ options: Options, handler: @escaping @Sendable (Event) -> Void
    ) throws(TransportError) {
        guard URLParts(options.url) != nil else { throw .badURL(options.url) }
        core = ClientCore(options, handler)
    }

    /// Begins to connect.
    public func connect() { core.connect() }

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
        core.send(ops, atomic: atomic, undoGroup: undoGroup)
    }

    /// Takes the client's own last step back; needs `Capability.undo`.
    ///
    /// - Returns: The sequence that the result will carry.
    @discardableResult
    public func undo() -> UInt64 { core.step(isUndo: true) }

    /// Does again what was taken back last; needs `Capability.undo`.
    ///
    /// - Returns: The sequence that the result will carry.
    @discardableResult
    public func redo() -> UInt64 { core.step(isUndo: false) }

    /// Changes what of the scene is sent, and how often; needs `Capability.subscribe`.
    public func send(_ subscribe: Subscribe) { core.send(.subscribe(subscribe)) }

    /// Shows the past, or the present again; needs `Capability.seek`.
    public func send(_ seek: Seek) { core.seek(seek) }

    /// Asks what stands behind the frames; needs `Capability.inspect`. A question that a cut leaves without an answer is
    /// not asked again.
    public func send(_ inspect: Inspect) { core.send(.inspect(inspect)) }

    /// Tells the others where one looks.
    public func send(_ presence: Presence) { core.send(.presence(presence)) }

    /// Gives the server a new token before the old one ends; it is used for later connections too.
    public func refresh(token: String) { core.refresh(token) }

    /// Ends the connection after what was sent has left; `ended` follows.
    public func close() { core.close() }
}
