/// A plain HTTP request.
public struct HTTPRequest: RequestSource, Sendable {
    /// `GET` or `HEAD`, or `POST`, `PUT` and `DELETE` where the handler takes them.
    public var method: String
    /// The path, without the query.
    public var path: String
    /// What followed the `?`, if anything.
    public var query: String
    /// The peer's address, or the one that a trusted proxy named.
    public var remoteAddress: String
    /// Whether the peer is on this machine and is no proxy for another.
    public var isLoopback: Bool
    /// The `Origin` header, which browsers send with a page's requests to other origins.
    public var origin: String?
    /// The `Host` header: the name by which the client calls this server.
    public var host: String
    /// The `Authorization` header.
    public var authorization: String?
    /// The `If-None-Match` header: the tags of representations that the client has already.
    public var ifNoneMatch: String?
    /// The `Accept-Encoding` header: the content codings that the client takes.
    public var acceptEncoding: String?
    /// The name in the client's certificate, if it has one that was verified.
    public var certificateName: String?
    /// The body.
    public var body: [UInt8] = []
}

/// An answer to an HTTP request.
public struct HTTPResponse: Sendable {
    /// The status code.
    public var status: Int
    /// The `Content-Type`.
    public var contentType: String
    /// The body; left out for `HEAD`.
    public var body: [UInt8]
    /// Further headers: names in lower case, and values.
    public var headers: [(name: String, value: String)]

    /// Makes an answer.
    public init(
        status: Int, contentType: String = "text/plain; charset=utf-8", body: [UInt8] = [],
        headers: [(name: String, value: String)] = []
    ) {
        self.status = status
        self.contentType = contentType
        self.body = body
        self.headers = headers
    }
}

/// Takes the answer to one request, once, from any thread.
public struct HTTPResponder: Sendable {
    private let answer: @Sendable (HTTPResponse) -> Void

    init(_ answer: @escaping @Sendable (HTTPResponse) -> Void) { self.answer = answer }

    /// Sends the answer; later ones are dropped.
    public func callAsFunction(_ response: HTTPResponse) { answer(response) }
}

/// Takes the decision on the body of one request, once, from any thread.
public struct BodyDecision: Sendable {
    private let decide: @Sendable (HTTPResponse?) -> Void

    init(_ decide: @escaping @Sendable (HTTPResponse?) -> Void) { self.decide = decide }

    /// Takes the body in, or answers with a refusal when the client has sent it; no byte of it is
    /// kept then.
    public func callAsFunction(_ refusal: HTTPResponse?) { decide(refusal) }
}
