import SceneWire

/// The viewers that a node has served from a relay, for some time after they left, so that they can
/// resume.
struct RelayedClients {
    /// How many are remembered.
    static let countMaximum = 4096

    private struct Client {
        var tokenDigest: String
        /// The stream that it was told last.
        var stream: StreamKey
    }

    private var clients: [String: Client] = [:]
    /// In the order in which they came.
    private var order: ArraySlice<String> = []

    /// Whether a client may resume a session: its token matches, and its subject is the same.
    func canResume(_ resume: Resume, of subject: String) -> Bool {
        guard let client = clients[resume.session] else { return false }
        return client.tokenDigest == TokenDigest.hexadecimal(of: resume.token, subject)
    }

    /// The stream of a session; `nil` for one that is not known.
    func stream(of session: String) -> StreamKey? { clients[session]?.stream }

    /// Notes which stream a session was told.
    mutating func note(_ session: String, token: String, subject: String, _ stream: StreamKey) {
        if clients[session] == nil {
            order.append(session)
            if order.count > Self.countMaximum { clients[order.removeFirst()] = nil }
        }
        clients[session] = Client(
            tokenDigest: TokenDigest.hexadecimal(of: token, subject), stream: stream)
    }

    /// Notes that a session changed to another stream.
    mutating func change(_ session: String, to stream: StreamKey) {
        clients[session]?.stream = stream
    }
}
