import ClusterJournal
import FoundationEssentials
import JSON
import RoomNames
import Synchronization
import WebSocketTransport

/// Answers to plain HTTP requests.
extension Gateway {
    func bodyMaximum(method: String, path: String) -> Int? {
        guard AdministratorRequest.isAdministrative(path) else {
            return conversionMaximum(method: method, path: path)
                ?? blobMaximum(method: method, path: path)
        }
        // An exported room may hold more than one message brings.
        if case .importRoom? = AdministratorRequest(method: method, path: path) {
            return ServerLimits.exportedRoomBytes
        }
        return settings.current.limits.messageBytes
    }

    /// Only pictures, files and administrators' requests have bodies; the head suffices to
    /// authenticate them.
    func bodyAnnounced(_ request: HTTPRequest, _ decision: BodyDecision) {
        if let room = Self.blobName(request.path) ?? conversionRoom(request.path) {
            return judgeBlob(request, room: room) { decision($0) }
        }
        authorize(request, { decision($0) }, then: { decision(nil) })
    }

    func httpRequest(_ request: HTTPRequest, _ responder: HTTPResponder) {
        guard !AdministratorRequest.isAdministrative(request.path) else {
            authorize(request, { responder($0) }) { [self] in administer(request, responder) }
            return
        }
        if let name = Self.blobName(request.path) { return blobRequest(request, name, responder) }
        if let room = conversionRoom(request.path) {
            return convert(request, room: room, responder)
        }
        if let branch = Self.branchName(request.path) {
            return showSuggestion(request, branch, responder)
        }
        guard request.method == "GET" || request.method == "HEAD" else {
            return responder(.text(405, "only GET and HEAD are allowed\n"))
        }
        switch request.path {
        case "/healthz":
            responder(
                status.isAlive ? .text(200, "ok\n") : .text(503, "a thread has hung\n"))
        case "/readyz":
            responder(readiness)
        case "/metrics":
            // Counts could help strangers, so metrics require authentication.
            guard !isOpen(to: request), !request.isThisMachines(options.origins) else {
                return responder(metricsPage())
            }
            authorize(request, { responder($0) }) { [self] in responder(metricsPage()) }
        case "/preview.json":
            guard let preview = options.preview, request.isThisMachines(options.origins) else {
                return responder(.text(404, "nothing here\n"))
            }
            // The text quotes the document, so only its own user may read it.
            authorize(request, as: .anyone, { responder($0) }) {
                let problem = preview.problem.map { JSONValue.string($0) } ?? .null
                responder(.json(200, .object([JSONMember("problem", problem)])))
            }
        default:
            let isRoom = request.path == "/" || RoomName.isValid(String(request.path.dropFirst()))
            responder(
                page.response(
                    to: request, isRoom: isRoom,
                    connectingTo: settings.current.alternates.origins)
                    ?? .text(404, "nothing here\n"))
        }
    }

    /// Whether connections are accepted; of a node of a cluster, also what it owns.
    private var readiness: HTTPResponse {
        guard status.isReady else { return .text(503, "not ready\n") }
        guard let present = cluster?.view.present else { return .text(200, "ready\n") }
        let (isReady, text) = present.readiness
        return isReady ? .text(200, "ready: \(text)\n") : .text(503, "not ready: \(text)\n")
    }

    /// The counts in Prometheus' text format.
    var metricsText: String {
        let counts = transport.counts
        let census = rooms.census.summary
        return metrics.text(
            members: census.members, rooms: census.loaded, putAside: quarantine.all.count,
            sockets: counts.sockets, outOfDescriptors: counts.outOfDescriptors, memory: memory,
            cluster: cluster?.view)
    }

    private func metricsPage() -> HTTPResponse {
        HTTPResponse(
            status: 200, contentType: "text/plain; version=0.0.4; charset=utf-8",
            body: Array(metricsText.utf8), headers: HTTPResponse.plainHeaders)
    }

    /// Who may make a request.
    private enum Requester {
        case administrators
        /// The holder of any token of this server.
        case anyone
    }

    /// Calls `body` for a request that is allowed, else `refuse`. Without keys the request must
    /// come from this machine and not from a page, since pages do not administer.
    private func authorize(
        _ request: HTTPRequest, as requester: Requester = .administrators,
        _ refuse: @escaping @Sendable (HTTPResponse) -> Void,
        then body: @escaping @Sendable () -> Void
    ) {
        guard let authenticator = settings.current.authenticator else {
            guard request.isThisMachines(options.origins), request.origin == nil else {
                return refuse(.text(403, "only allowed from this machine\n"))
            }
            return body()
        }
        guard let token = Self.bearerToken(request.authorization) else {
            var response = HTTPResponse.text(401, "a token is needed\n")
            response.headers.append(("www-authenticate", "Bearer"))
            return refuse(response)
        }
        Task {
            do throws(TokenError) {
                let grant = try authenticator.verify(token)
                guard grant.isAdministrator || requester == .anyone else {
                    return refuse(.text(403, "requires an administrator's token\n"))
                }
                body()
            } catch {
                var response = HTTPResponse.text(401, error.description + "\n")
                response.headers.append(("www-authenticate", #"Bearer error="invalid_token""#))
                refuse(response)
            }
        }
    }
}

extension HTTPResponse {
    static let plainHeaders = [
        ("content-security-policy", "default-src 'none'; frame-ancestors 'none'"),
        ("x-content-type-options", "nosniff"), ("referrer-policy", "no-referrer"),
        ("cache-control", "no-store"),
    ]

    /// Text for people, whose terminals must obey nothing in it: it may quote documents and names
    /// of anybody.
    static func text(_ status: Int, _ body: String) -> HTTPResponse {
        HTTPResponse(
            status: status, body: Array(body.escapingControls(keepsLayout: true).utf8),
            headers: plainHeaders)
    }

    /// A line of JSON, with the same escapes.
    static func json(_ status: Int, _ value: JSONValue) -> HTTPResponse {
        HTTPResponse(
            status: status, contentType: "application/json",
            body: Array((value.text().escapingControls() + "\n").utf8), headers: plainHeaders)
    }
}
