public import WebSocketAddress

/// Requests to a server's HTTP interface, one connection for each: over TCP, TLS or a Unix socket.
///
/// It blocks its caller, and keeps nothing between requests. Certificates are verified against the
/// system's and those of a file, and a token never leaves over a connection that others on the way
/// can read. Source: RFC 9112.
public struct HTTPClient: Sendable {
    /// The response to a request.
    public struct Response: Sendable, Equatable {
        /// The status code, 100...599.
        public var status: Int
        /// The body, without its transfer coding.
        public var body: [UInt8]

        /// The body as text, without the space around it.
        public var text: String {
            let text = String(decoding: body, as: UTF8.self)
            let isSpace = { (character: Character) in character.isWhitespace }
            guard let first = text.firstIndex(where: { !isSpace($0) }),
                let last = text.lastIndex(where: { !isSpace($0) })
            else { return "" }
            return String(text[first...last])
        }
    }

    /// A client's certificate chain and its key, as PEM files.
    public struct Identity: Sendable {
        let certificate: String
        let key: String

        /// Names the files.
        public init(certificate: String, key: String) {
            self.certificate = certificate
            self.key = key
        }
    }

    /// The server, whose path is not used.
    public let server: URLParts
    private let caFile: String?
    private let identity: Identity?
    private let token: String
    private let trustsAnyCertificate: Bool
    private let patienceSeconds: Int
    private let bodyMaximum: Int

    /// Makes a client, which connects with each request.
    ///
    /// - Parameters:
    ///   - server: `http://HOST:PORT`, `https://HOST:PORT` or `http+unix:///SOCKET`; `ws` and `wss`
    ///     mean the same.
    ///   - token: Sent as `Authorization: Bearer` where it is not empty.
    ///   - caFile: A PEM file of certificates to trust besides the system's.
    ///   - identity: The certificate by which the client shows who it is.
    ///   - trustsAnyCertificate: For development.
    ///   - patienceSeconds: Seconds that the server may be silent.
    ///   - bodyMaximum: Bytes of a response's body.
    /// - Throws: `HTTPClientError.badAddress`, and `.wouldLeakToken` for a token, a server on
    ///   another machine, and no TLS.
    public init(
        _ server: String, token: String = "", caFile: String? = nil, identity: Identity? = nil,
        trustsAnyCertificate: Bool = false, patienceSeconds: Int = 60,
        bodyMaximum: Int = 256 << 20
    ) throws(HTTPClientError) {
        let address = server.hasPrefix("http") ? "ws" + server.dropFirst(4) : server
        guard let parts = URLParts(address) else { throw .badAddress(server) }
        guard token.isEmpty || parts.isPrivate else { throw .wouldLeakToken(server) }
        guard token.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else { throw .badToken }
        self.server = parts
        self.caFile = caFile
        self.identity = identity
        self.token = token
        self.trustsAnyCertificate = trustsAnyCertificate
        self.patienceSeconds = patienceSeconds
        self.bodyMaximum = bodyMaximum
    }

    /// Sends a request and waits for the response.
    ///
    /// - Parameters:
    ///   - method: `GET`, `PUT`, `POST` or `DELETE`.
    ///   - path: With the query; printable ASCII without spaces.
    /// - Throws: `HTTPClientError` where there is no whole response.
    public func send(
        _ method: String, _ path: String, body: [UInt8] = []
    ) throws(HTTPClientError) -> Response {
        let connection = try HTTPConnection(
            server, caFile: caFile, identity: identity,
            trustsAnyCertificate: trustsAnyCertificate, patienceSeconds: patienceSeconds)
        defer { connection.close() }
        var head = "\(method) \(path) HTTP/1.1\r\nHost: \(authority)\r\nConnection: close\r\n"
        if !token.isEmpty { head += "Authorization: Bearer \(token)\r\n" }
        if method == "PUT" || method == "POST" { head += "Content-Length: \(body.count)\r\n" }
        try connection.send(Array((head + "\r\n").utf8) + body)
        var reader = HTTPResponseReader(bodyMaximum: bodyMaximum)
        while let bytes = try connection.receive() {
            if let response = try reader.take(bytes) { return response }
        }
        return try reader.finish()
    }

    private var authority: String {
        let host = server.host.contains(":") ? "[\(server.host)]" : server.host
        return server.socketPath == nil ? "\(host):\(server.port)" : host
    }
}

/// The reason why there is no response.
public enum HTTPClientError: Error, Equatable, Sendable, CustomStringConvertible {
    /// Not an address of a server.
    case badAddress(String)
    /// A token would be sent in clear text to another machine.
    case wouldLeakToken(String)
    /// The token has characters that a header cannot have.
    case badToken
    /// There is no connection; why.
    case cannotConnect(String)
    /// The certificate is not trusted, or the file of those that are cannot be read.
    case notTrusted(String)
    /// The connection ended, or was silent for too long.
    case interrupted(String)
    /// The response cannot be read.
    case malformed(String)

    /// The text for people.
    public var description: String {
        switch self {
        case .badAddress(let address):
            "\(address) is no http://, https:// or http+unix:// address"
        case .wouldLeakToken(let address):
            "a token is not sent without TLS to another machine, \(address)"
        case .badToken: "the token has characters that no token has"
        case .cannotConnect(let reason): "cannot connect: \(reason)"
        case .notTrusted(let reason): "the certificate is not trusted: \(reason)"
        case .interrupted(let reason): "no whole response: \(reason)"
        case .malformed(let reason): "the response cannot be read: \(reason)"
        }
    }
}
