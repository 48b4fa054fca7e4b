/// Reads one response from the pieces in which it comes. Source: RFC 9112, sections 4, 6.3 and 7.1.
struct HTTPResponseReader {
    /// Bytes of a head, which is read whole before it is parsed.
    private static let headMaximum = 64 << 10
    /// Bytes of a body.
    private let bodyMaximum: Int

    private enum Framing {
        case length(Int)
        case chunked
        /// The end of the connection ends the body.
        case untilClose
    }

    private var bytes: [UInt8] = []
    private var head: (status: Int, framing: Framing, bodyStart: Int)?

    init(bodyMaximum: Int = 256 << 20) { self.bodyMaximum = bodyMaximum }

    /// Takes the next piece.
    ///
    /// - Returns: The response, once it is whole.
    mutating func take(_ piece: [UInt8]) throws(HTTPClientError) -> HTTPClient.Response? {
        bytes += piece
        guard bytes.count <= Self.headMaximum + bodyMaximum else {
            throw .malformed("it is longer than \(bodyMaximum) bytes")
        }
        if head == nil { try readHead() }
        guard let head else { return nil }
        switch head.framing {
        case .untilClose: return nil
        case .length(let length):
            guard bytes.count - head.bodyStart >= length else { return nil }
            return .init(
                status: head.status,
                body: Array(bytes[head.bodyStart..<(head.bodyStart + length)]))
        case .chunked:
            guard let body = try chunks(from: head.bodyStart) else { return nil }
            return .init(status: head.status, body: body)
        }
    }

    /// Ends a response with its connection.
    func finish() throws(HTTPClientError) -> HTTPClient.Response {
        guard let head, case .untilClose = head.framing else {
            throw .interrupted("the server closed the connection")
        }
        return .init(status: head.status, body: Array(bytes[head.bodyStart...]))
    }

    private mutating func readHead() throws(HTTPClientError) {
        let end: [UInt8] = [13, 10, 13, 10]
        guard let place = bytes.firstRange(of: end) else {
            guard bytes.count <= Self.headMaximum else { throw .malformed("its head has no end") }
            return
        }
        let lines = String(decoding: bytes[..<place.lowerBound], as: UTF8.self)
            .split(separator: "\r\n", omittingEmptySubsequences: false)
        let parts = (lines.first ?? "").split(separator: " ", maxSplits: 2)
        guard parts.count >= 2, parts[0].hasPrefix("HTTP/1."), let status = Int(parts[1]),
            100...599 ~= status
        else { throw .malformed("it does not begin as HTTP does") }
        var framing = Framing.untilClose
        for line in lines.dropFirst() {
            guard let colon = line.firstIndex(of: ":") else { continue }
            let value = line[line.index(after: colon)...].drop { $0 == " " }
            switch line[..<colon].lowercased() {
            case "transfer-encoding":
                guard value.lowercased() == "chunked" else {
                    throw .malformed("its transfer coding is \(value)")
                }
                framing = .chunked
            case "content-length":
                guard let length = Int(value), 0...bodyMaximum ~= length else {
                    throw .malformed("its length is \(value)")
                }
                if case .untilClose = framing { framing = .length(length) }
            default: break
            }
        }
        if status == 204 || status == 304 { framing = .length(0) }
        // An interim response, which another one follows. RFC 9110, section 15.2.
        if status < 200 {
            bytes.removeFirst(place.upperBound)
            return try readHead()
        }
        head = (status, framing, place.upperBound)
    }

    /// The body of the chunks; `nil` while one is missing.
    private func chunks(from start: Int) throws(HTTPClientError) -> [UInt8]? {
        var body: [UInt8] = []
        var place = start
        while true {
            guard let end = bytes[place...].firstRange(of: [13, 10] as [UInt8]) else { return nil }
            let size = String(decoding: bytes[place..<end.lowerBound], as: UTF8.self)
                .prefix { $0 != ";" }
            guard let count = Int(size, radix: 16), 0...bodyMaximum ~= count else {
                throw .malformed("the length of a chunk is \(size)")
            }
            // Trailers after the last chunk are not needed.
            guard count > 0 else { return body }
            guard bytes.count - end.upperBound >= count + 2 else { return nil }
            body += bytes[end.upperBound..<(end.upperBound + count)]
            place = end.upperBound + count + 2
        }
    }
}
