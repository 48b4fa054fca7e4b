/// The codes that a WebSocket connection is closed with (4000–4999 are for private use), and that
/// `error` carries.
public enum CloseCode: UInt16, CaseIterable, Sendable {
    /// Bytes that are no message.
    case badFrame = 4000
    /// The token is missing or wrong.
    case unauthenticated = 4001
    /// The role does not allow it, or the client is refused whatever its credentials.
    case forbidden = 4003
    /// There is no such session.
    case noSuchSession = 4004
    /// A message that needs a capability which `welcome` did not grant. Said in `error`; closes
    /// nothing.
    case unsupported = 4005
    /// A tick of the past that is not in the journal any more. Said in `error`; closes nothing.
    case noSuchTick = 4006
    /// The client reads too slowly.
    case tooSlow = 4008
    /// More than the limits allow.
    case limit = 4009
    /// The client's version is too old.
    case clientTooOld = 4010
    /// The server's version is too old.
    case serverTooOld = 4011
    /// The states differ again and again.
    case hashMismatch = 4012
    /// Too many messages.
    case rateLimited = 4029
    /// The server is going away.
    case draining = 4030
    /// Another server of the cluster serves the room from now on, and this one leads to it.
    case ownerChanged = 4031

    /// Whether a client that was closed with the code should connect again; see protocol/SPEC.md,
    /// section 11.3.
    public var isRetryable: Bool {
        switch self {
        case .tooSlow, .hashMismatch, .rateLimited, .draining, .ownerChanged: true
        case .badFrame, .unauthenticated, .forbidden, .noSuchSession, .unsupported, .noSuchTick,
            .limit, .clientTooOld, .serverTooOld:
            false
        }
    }
}
