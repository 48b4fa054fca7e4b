/// Asks a NATS server's monitoring port for one page, over plain HTTP, and waits for it. It sends
/// no secrets.
enum PlainHTTP {
    private static let answerMaximum = 4 << 20

    /// A page's bytes.
    ///
    /// - Parameters:
    ///   - host: A name or an address.
    ///   - timeout: For each of connecting, asking and reading.
    static func page(
        _ path: String, _ host: String, _ port: Int, _ timeout: Duration
    ) throws(PlainSocket.Failure) -> [UInt8] {
        let socket = try PlainSocket(host: host, port: port, timeout: timeout)
        // Of HTTP 1.0 the end of the connection is the end of the answer.
        let place = host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
        try socket.write(Array("GET \(path) HTTP/1.0\r\nHost: \(place)\r\n\r\n".utf8))
        let answer = try socket.read(maximum: answerMaximum)
        let blank = Array("\r\n\r\n".utf8)
        guard answer.starts(with: "HTTP/1.".utf8), let start = answer.firstRange(of: blank) else {
            throw PlainSocket.Failure(reason: "it does not answer as HTTP does")
        }
        let line = String(decoding: answer.prefix { $0 != 0x0D }, as: UTF8.self)
        guard line.split(separator: " ").dropFirst().first == "200" else {
            throw PlainSocket.Failure(reason: "it answers \(line)")
        }
        return Array(answer[start.upperBound...])
    }
}
