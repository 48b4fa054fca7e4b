import SceneTestSupport

/// The whole response to a plain HTTP request on this machine, head and body.
func httpGet(_ path: String, port: Int) -> String? { http("GET", path, port: port) }

/// The same with any method, headers (each ending with CR LF) and a body.
func http(
    _ method: String, _ path: String, port: Int, headers: String = "", body: String = ""
) -> String? {
    httpBytes(method, path, port: port, headers: headers, body: body).map {
        String(decoding: $0, as: UTF8.self)
    }
}

/// The bytes of the whole response.
func httpBytes(
    _ method: String, _ path: String, port: Int, headers: String = "", body: String = ""
) -> [UInt8]? {
    guard let socket = TCPSocket(port: port) else { return nil }
    let length = body.isEmpty ? "" : "Content-Length: \(body.utf8.count)\r\n"
    let host = headers.contains("Host:") ? "" : "Host: localhost\r\n"
    let request =
        "\(method) \(path) HTTP/1.1\r\n\(host)\(length)\(headers)Connection: close\r\n\r\n\(body)"
    return socket.send(request) ? socket.read(upTo: .max) : nil
}
