import CLibWebSockets
import CTransportShims
import Essentials
import FoundationEssentials

/// Opening handshakes.
extension ServerLoop {
    /// The value that libwebsockets takes for an opening handshake: 0 to go on, 1 when it was
    /// refused with a response, −1 to hang up.
    enum Verdict: Int32 {
        case accept = 0
        case refused = 1
        case hangUp = -1
    }

    /// Decides on an opening handshake before it is answered. RFC 6455, section 4.2.
    ///
    /// Everything is read from copies of the headers: the string that the library passes along is
    /// freed memory in versions before 4.5 when the header is repeated.
    func confirmUpgrade(_ wsi: OpaquePointer) -> Verdict {
        guard let connection = connection(wsi), let upgrade = header(wsi, WSI_TOKEN_UPGRADE) else {
            return .hangUp
        }
        let peer = peer(connection, wsi)
        let wait = admissions.addHandshake(peer.address)
        guard wait == 0 else {
            return refuse(
                wsi, 429, "too many handshakes from \(peer.address)",
                [("retry-after:", String(wait / 1_000_000_000 + 1))])
        }
        guard upgrade.lowercased() == "websocket" else {
            return refuse(wsi, 400, "only websocket can be upgraded to")
        }
        guard header(wsi, WSI_TOKEN_VERSION) == "13" else {
            return refuse(
                wsi, 426, "version 13 is needed", [("sec-websocket-version:", "13")])
        }
        // The library checks neither, and answers keys that it cannot read.
        guard header(wsi, WSI_TOKEN_GET_URI) != nil else {
            return refuse(wsi, 405, "a handshake is a GET", [("allow:", "GET")])
        }
        guard let key = header(wsi, WSI_TOKEN_KEY), Data(base64Encoded: key)?.count == 16 else {
            return refuse(wsi, 400, "the key has to be 16 bytes in base64")
        }
        let list = header(wsi, WSI_TOKEN_PROTOCOL) ?? ""
        // The library copies the list into 128 bytes and would hang up without a response.
        guard list.utf8.count < 127 else {
            return refuse(
                wsi, 400, "the list of subprotocols is too long; a token belongs into hello")
        }
        let offered = list.split(separator: ",").map {
            $0.trimmed
        }
        guard offered.contains(where: { configuration.subprotocols.contains($0) }) else {
            let known = configuration.subprotocols.joined(separator: ", ")
            return refuse(wsi, 400, "the subprotocol has to be one of \(known)")
        }
        if let origin = header(wsi, WSI_TOKEN_ORIGIN),
            !configuration.origins.allows(origin, host: header(wsi, WSI_TOKEN_HOST) ?? "")
        {
            return refuse(
                wsi, 403,
                "the origin \(origin) may not connect; a proxy has to pass the Host header on, or serve with --allow-origin \(origin)"
            )
        }
        connection.address = peer.address
        switch admissions.addConnection(peer.address) {
        case nil: break
        case .tooMany: return refuse(wsi, 503, "too many connections", [("retry-after:", "1")])
        case .tooManyOfAddress:
            return refuse(
                wsi, 429, "too many connections from \(peer.address)", [("retry-after:", "10")])
        case .draining:
            return refuse(wsi, 503, "the server is going away", [("retry-after:", "5")])
        }
        connection.isCounted = true
        connection.handshake = ConnectionInfo(
            id: connection.id, path: header(wsi, WSI_TOKEN_GET_URI) ?? "/", query: query(wsi),
            subprotocol: "", remoteAddress: peer.address,
            isLoopback: peer.isLoopback, isSecure: lws_is_ssl(wsi) != 0,
            host: header(wsi, WSI_TOKEN_HOST) ?? "",
            origin: header(wsi, WSI_TOKEN_ORIGIN),
            authorization: header(wsi, WSI_TOKEN_HTTP_AUTHORIZATION),
            certificateName: certificateName(wsi))
        return .accept
    }

    /// Notes the subprotocol that the library chose: the first of the client's that is known.
    func noteSubprotocol(_ wsi: OpaquePointer) {
        connection(wsi)?.handshake?.subprotocol =
            lws_get_protocol(wsi).flatMap { $0.pointee.name }.map { String(cString: $0) } ?? ""
    }

    /// The client behind a request. A trusted proxy names its client last in `X-Forwarded-For`.
    /// Another proxy's header is not believed, but a request with one never counts as this
    /// machine's own.
    func peer(
        _ connection: Connection, _ wsi: OpaquePointer
    ) -> (address: String, isLoopback: Bool) {
        if configuration.trustedProxies.contains(connection.address),
            let last = header(wsi, WSI_TOKEN_X_FORWARDED_FOR)?.split(separator: ",").last,
            let client = forwardedAddress(last.trimmed)
        {
            return (client, false)
        }
        return (connection.address, connection.isLocal && !isForwarded(wsi))
    }

    private func refuse(
        _ wsi: OpaquePointer, _ status: Int, _ text: String,
        _ headers: [(name: String, value: String)] = []
    ) -> Verdict {
        let response = HTTPResponse(
            status: status, body: Array((text + "\n").utf8), headers: headers)
        // The connection ends with the response, since the bytes after a refused upgrade need not
        // be HTTP.
        return writeHead(wsi, response, closes: true)
            && write(wsi, response.body[...], LWS_WRITE_HTTP_FINAL) ? .refused : .hangUp
    }
}
