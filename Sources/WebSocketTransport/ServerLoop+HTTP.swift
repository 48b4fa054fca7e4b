import CLibWebSockets
import CTransportShims

/// Plain HTTP requests.
extension ServerLoop {
    private static let methods: [(token: lws_token_indexes, name: String)] = [
        (WSI_TOKEN_GET_URI, "GET"), (WSI_TOKEN_HEAD_URI, "HEAD"), (WSI_TOKEN_POST_URI, "POST"),
        (WSI_TOKEN_PUT_URI, "PUT"), (WSI_TOKEN_DELETE_URI, "DELETE"),
    ]

    /// Twice what the library reads at once.
    private static let announcedBytesMaximum = 128 << 10

    /// Takes a request's head. Returns whether the connection goes on.
    func request(_ wsi: OpaquePointer) -> Bool {
        guard let connection = connection(wsi) else { return false }
        connection.wsi = wsi
        for (token, method) in Self.methods {
            guard let path = header(wsi, token) else { continue }
            let peer = peer(connection, wsi)
            connection.address = peer.address
            exchanges += 1
            connection.exchange = Connection.Exchange(
                request: HTTPRequest(
                    method: method, path: path, query: query(wsi), remoteAddress: peer.address,
                    isLoopback: peer.isLoopback,
                    origin: header(wsi, WSI_TOKEN_ORIGIN),
                    host: header(wsi, WSI_TOKEN_HOST) ?? "",
                    authorization: header(wsi, WSI_TOKEN_HTTP_AUTHORIZATION),
                    ifNoneMatch: header(wsi, WSI_TOKEN_HTTP_IF_NONE_MATCH),
                    acceptEncoding: header(wsi, WSI_TOKEN_HTTP_ACCEPT_ENCODING),
                    certificateName: certificateName(wsi)), serial: exchanges)
            return admitBody(wsi, connection, method, path)
        }
        return refuseRequest(wsi, 405, "only GET and HEAD are answered")
    }

    /// Decides on a body by its announced length, before a byte of it is read.
    private func admitBody(
        _ wsi: OpaquePointer, _ connection: Connection, _ method: String, _ path: String
    ) -> Bool {
        let maximum = handler.bodyMaximum(method: method, path: path).map {
            min($0, configuration.bodyBytesMaximum)
        }
        let takesBody = maximum != nil && (method == "POST" || method == "PUT")
        guard method == "GET" || method == "HEAD" || maximum != nil else {
            return refuseRequest(wsi, 405, "only GET and HEAD are answered here")
        }
        guard lws_hdr_total_length(wsi, WSI_TOKEN_HTTP_TRANSFER_ENCODING) <= 0 else {
            return refuseRequest(wsi, 411, "a body needs its length in front")
        }
        guard let text = header(wsi, WSI_TOKEN_HTTP_CONTENT_LENGTH) else {
            // The library reads a body of these two methods until the connection ends, unless it
            // knows the length.
            guard method != "POST", method != "PUT" else {
                return refuseRequest(wsi, 411, "a body needs its length in front")
            }
            dispatch(connection)
            return true
        }
        // Digits alone: older versions of the library take a negative length.
        guard text.utf8.allSatisfy({ (48...57).contains($0) }), let length = Int(text) else {
            return refuseRequest(wsi, 400, "the length of the body is no number")
        }
        guard length > 0 else {
            dispatch(connection)
            return true
        }
        guard takesBody, let maximum else {
            return refuseRequest(wsi, 405, "no body is taken here")
        }
        guard length <= maximum else {
            return refuseRequest(wsi, 413, "the longest body is \(maximum) bytes")
        }
        announce(wsi, connection, length)
        return true
    }

    /// Asks the handler for the body, and reads no more until it has decided. What came along with
    /// the head is kept: no more than the library reads at once.
    private func announce(_ wsi: OpaquePointer, _ connection: Connection, _ length: Int) {
        connection.exchange?.missingBytes = length
        connection.exchange?.body = .announced
        guard let exchange = connection.exchange else { return }
        lws_rx_flow_control(wsi, 0)
        let (id, serial) = (connection.id, exchange.serial)
        handler.bodyAnnounced(
            exchange.request,
            BodyDecision { [events] in events.post(.decide(id, serial: serial, refusal: $0)) })
    }

    /// Takes the handler's decision on a body, unless the request is gone or decided on.
    func decide(_ id: ConnectionID, _ serial: UInt64, _ refusal: HTTPResponse?) {
        guard let connection = sockets[id], let wsi = connection.wsi,
            let exchange = connection.exchange, exchange.serial == serial,
            case .announced = exchange.body
        else { return }
        if let refusal {
            connection.exchange?.request.body = []
            connection.exchange?.body = .refused(refusal)
        } else {
            connection.exchange?.body = .taken
        }
        if exchange.missingBytes == 0 { finishBody(connection) }
        lws_rx_flow_control(wsi, 1)
    }

    /// Passes a request on whose body is complete, or answers it.
    private func finishBody(_ connection: Connection) {
        guard let exchange = connection.exchange else { return }
        switch exchange.body {
        case .none, .announced: break
        case .taken:
            connection.exchange?.body = .none
            dispatch(connection)
        case .refused(let refusal):
            connection.exchange?.body = .none
            respond(connection.id, exchange.serial, refusal)
        }
    }

    /// Takes a piece of a body. Returns whether the connection goes on.
    func body(_ wsi: OpaquePointer, _ bytes: UnsafeRawBufferPointer) -> Bool {
        guard let connection = connection(wsi), let missing = connection.exchange?.missingBytes,
            bytes.count <= missing
        else { return false }
        connection.exchange?.missingBytes = missing - bytes.count
        switch connection.exchange?.body {
        case .refused, nil: return true
        case .announced, .some(.none), .taken:
            connection.exchange?.request.body.append(contentsOf: bytes)
        }
        // Whoever sends it was authenticated, and gets on.
        if case .taken = connection.exchange?.body { connection.requestSince = now }
        // Only what the library had read already can come before the decision.
        guard case .announced = connection.exchange?.body else { return true }
        return (connection.exchange?.request.body.count ?? 0) <= Self.announcedBytesMaximum
    }

    /// A body is complete. Returns whether the connection goes on.
    func bodyCompleted(_ wsi: OpaquePointer) -> Bool {
        guard let connection = connection(wsi), let exchange = connection.exchange,
            exchange.missingBytes == 0
        else { return false }
        finishBody(connection)
        return true
    }

    private func dispatch(_ connection: Connection) {
        guard let exchange = connection.exchange else { return }
        let (id, serial) = (connection.id, exchange.serial)
        handler.httpRequest(
            exchange.request,
            HTTPResponder { [events] in events.post(.respond(id, serial: serial, $0)) })
    }

    /// Sends an answer, unless the request is gone or answered.
    func respond(_ id: ConnectionID, _ serial: UInt64, _ response: HTTPResponse) {
        guard let connection = sockets[id], let wsi = connection.wsi,
            let exchange = connection.exchange, exchange.serial == serial, exchange.rest == nil
        else { return }
        let isHead = exchange.request.method == "HEAD"
        connection.exchange?.rest = isHead ? [] : response.body[...]
        connection.requestSince = now
        guard writeHead(wsi, response, closes: exchange.closes) else { return ss_kill(wsi) }
        lws_callback_on_writable(wsi)
    }

    /// Sends the next piece of a body. Returns whether the connection goes on.
    func writeBody(_ wsi: OpaquePointer) -> Bool {
        guard let connection = connection(wsi), let rest = connection.exchange?.rest else {
            return true
        }
        guard !rest.isEmpty else { return complete(wsi, connection) }
        let piece = rest.prefix(64 << 10)
        let isLast = piece.endIndex == rest.endIndex
        guard write(wsi, piece, isLast ? LWS_WRITE_HTTP_FINAL : LWS_WRITE_HTTP) else {
            return false
        }
        guard isLast else {
            connection.exchange?.rest = rest[piece.endIndex...]
            connection.requestSince = now
            lws_callback_on_writable(wsi)
            return true
        }
        return complete(wsi, connection)
    }

    private func complete(_ wsi: OpaquePointer, _ connection: Connection) -> Bool {
        connection.exchange = nil
        connection.requestSince = now
        return lws_http_transaction_completed(wsi) == 0
    }

    /// Answers without the handler and ends the connection: a body that follows would be read as
    /// the next request.
    private func refuseRequest(_ wsi: OpaquePointer, _ status: Int, _ text: String) -> Bool {
        let response = HTTPResponse(
            status: status, body: Array((text + "\n").utf8),
            headers: status == 405 ? [("allow:", "GET, HEAD")] : [])
        if writeHead(wsi, response, closes: true) {
            _ = write(wsi, response.body[...], LWS_WRITE_HTTP_FINAL)
        }
        return false
    }

    func writeHead(_ wsi: OpaquePointer, _ response: HTTPResponse, closes: Bool) -> Bool {
        let padding = Int(ss_lws_pre())
        var buffer = [UInt8](repeating: 0, count: padding + 4096)
        return buffer.withUnsafeMutableBufferPointer { buffer in
            guard let base = buffer.baseAddress else { return false }
            let start = base + padding
            var place: UnsafeMutablePointer<UInt8>? = start
            let end = base + buffer.count
            guard
                lws_add_http_common_headers(
                    wsi, UInt32(clamping: response.status), response.contentType,
                    lws_filepos_t(response.body.count), &place, end) == 0
            else { return false }
            var headers = response.headers
            if closes { headers.append(("connection:", "close")) }
            if configuration.tls != nil {
                headers.append(("strict-transport-security:", "max-age=31536000"))
            }
            for (name, value) in headers {
                let name = name.hasSuffix(":") ? name : name + ":"
                let bytes = Array(value.utf8)
                guard
                    lws_add_http_header_by_name(
                        wsi, name, bytes, Int32(bytes.count), &place, end) == 0
                else { return false }
            }
            return lws_finalize_write_http_header(wsi, start, &place, end) == 0
        }
    }

    func write(
        _ wsi: OpaquePointer, _ bytes: ArraySlice<UInt8>, _ kind: lws_write_protocol
    ) -> Bool {
        let padding = Int(ss_lws_pre())
        var buffer = [UInt8](repeating: 0, count: padding) + bytes
        return buffer.withUnsafeMutableBufferPointer { buffer in
            guard let base = buffer.baseAddress else { return false }
            return lws_write(wsi, base + padding, bytes.count, kind) >= 0
        }
    }
}
