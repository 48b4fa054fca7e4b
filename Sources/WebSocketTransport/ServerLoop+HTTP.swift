import CLibWebSockets
import CTransportShims

/// What a server says to HTTP requests and to opening handshakes.
extension ServerLoop {
    /// What libwebsockets wants to hear of an opening handshake: 0 to go on, 1 when it was refused with a
    /// response, −1 to hang up.
    enum Verdict: Int32 {
        case accept = 0
        case refused = 1
        case hangUp = -1
    }

    /// Decides on an opening handshake before it is answered. RFC 6455, section 4.2.
    ///
    /// Everything is read from copies of the headers: the string that the library passes along is freed memory in
    /// versions before 4.5 when the header is repeated.
    func confirmUpgrade(_ wsi: OpaquePointer) -> Verdict {
        guard let upgrade = header(wsi, WSI_TOKEN_UPGRADE) else { return .hangUp }
        guard upgrade.lowercased() == "websocket" else {
            return refuse(wsi, 400, "only websocket can be upgraded to")
        }
        guard header(wsi, WSI_TOKEN_VERSION) == "13" else {
            return refuse(
                wsi, 426, "version 13 is needed", [("sec-websocket-version:", "13")])
        }
        let offered = (header(wsi, WSI_TOKEN_PROTOCOL) ?? "").split(separator: ",").map {
            String($0.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
        }
        guard offered.contains(where: { configuration.subprotocols.contains($0) }) else {
            let known = configuration.subprotocols.joined(separator: ", ")
            return refuse(wsi, 400, "the subprotocol has to be one of \(known)")
        }
        if let allowed = configuration.allowedOrigins, let origin = header(wsi, WSI_TOKEN_ORIGIN),
            !allowed.contains(origin)
        {
            return refuse(wsi, 403, "the origin \(origin) may not connect")
        }
        guard connections.count < configuration.connectionsMaximum else {
            return refuse(wsi, 503, "too many connections", [("retry-after:", "1")])
        }
        return .accept
    }

    /// Keeps what the headers say; they are gone when the handshake is done.
    func noteHandshake(_ wsi: OpaquePointer) {
        let address = peerAddress(wsi)
        pendingHandshakes[wsi] = ConnectionInfo(
            id: ConnectionID(rawValue: 0), path: header(wsi, WSI_TOKEN_GET_URI) ?? "/",
            query: query(wsi),
            subprotocol: lws_get_protocol(wsi).flatMap { $0.pointee.name }.map {
                String(cString: $0)
            } ?? "", remoteAddress: address, isLoopback: isLoopbackAddress(address),
            isSecure: lws_is_ssl(wsi) != 0, origin: header(wsi, WSI_TOKEN_ORIGIN),
            authorization: header(wsi, WSI_TOKEN_HTTP_AUTHORIZATION))
    }

    private func refuse(
        _ wsi: OpaquePointer, _ status: Int, _ text: String,
        _ headers: [(name: String, value: String)] = []
    ) -> Verdict {
        let response = HTTPResponse(
            status: status, body: Array((text + "\n").utf8), headers: headers)
        // The connection is to end with it: what follows a refused upgrade may be anything.
        return writeHead(wsi, response, closes: true) && writeWhole(wsi, response.body)
            ? .refused : .hangUp
    }

    /// Answers a plain request. Returns whether the connection goes on.
    func request(_ wsi: OpaquePointer) -> Bool {
        let get = header(wsi, WSI_TOKEN_GET_URI)
        let head = header(wsi, WSI_TOKEN_HEAD_URI)
        var response: HTTPResponse
        if let path = get ?? head {
            response = handler.httpRequest(
                HTTPRequest(
                    method: get == nil ? "HEAD" : "GET", path: path, query: query(wsi),
                    remoteAddress: peerAddress(wsi)))
        } else {
            response = HTTPResponse(
                status: 405, body: Array("only GET and HEAD are answered\n".utf8),
                headers: [("allow:", "GET, HEAD")])
        }
        // A body would be read as the next request.
        let hasBody =
            lws_hdr_total_length(wsi, WSI_TOKEN_HTTP_CONTENT_LENGTH) > 0
            || lws_hdr_total_length(wsi, WSI_TOKEN_HTTP_TRANSFER_ENCODING) > 0
            || (get == nil && head == nil)
        guard writeHead(wsi, response, closes: hasBody) else { return false }
        guard !hasBody else {
            _ = writeWhole(wsi, response.body)
            return false
        }
        guard get != nil, !response.body.isEmpty else {
            return lws_http_transaction_completed(wsi) == 0
        }
        pendingBodies[wsi] = response.body[...]
        lws_callback_on_writable(wsi)
        return true
    }

    /// Sends the next piece of a body. Returns whether the connection goes on.
    func writeBody(_ wsi: OpaquePointer) -> Bool {
        guard let rest = pendingBodies[wsi] else { return true }
        let piece = rest.prefix(64 << 10)
        let isLast = piece.endIndex == rest.endIndex
        guard write(wsi, piece, isLast ? LWS_WRITE_HTTP_FINAL : LWS_WRITE_HTTP) else {
            return false
        }
        guard isLast else {
            pendingBodies[wsi] = rest[piece.endIndex...]
            lws_callback_on_writable(wsi)
            return true
        }
        pendingBodies[wsi] = nil
        return lws_http_transaction_completed(wsi) == 0
    }

    private func writeHead(
        _ wsi: OpaquePointer, _ response: HTTPResponse, closes: Bool
    ) -> Bool {
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

    private func writeWhole(_ wsi: OpaquePointer, _ body: [UInt8]) -> Bool {
        write(wsi, body[...], LWS_WRITE_HTTP_FINAL)
    }

    private func write(
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
