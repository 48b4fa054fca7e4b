import Foundation

/// Frames as a server sends them. RFC 6455, section 5.2.
enum Frames {
    static func frame(_ bytes: Int) -> [UInt8] {
        let payload = [UInt8](repeating: 0x55, count: bytes)
        return bytes < 126
            ? [0x82, UInt8(bytes)] + payload
            : [0x82, 126, UInt8(bytes >> 8), UInt8(bytes & 0xFF)] + payload
    }
}

/// The few calls that both ends need.
enum Sockets {
    static func listen() -> (listener: Int32, port: Int) {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = loopback(0)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                _ = bind(listener, $0, length)
                _ = getsockname(listener, $0, &length)
            }
        }
        _ = Glibc.listen(listener, 4096)
        return (listener, Int(in_port_t(bigEndian: address.sin_port)))
    }

    static func connect(_ port: Int) -> Int32? {
        let client = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = loopback(port)
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(client, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        return client >= 0 && result == 0 ? client : nil
    }

    private static func loopback(_ port: Int) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        return address
    }

    static func setNoDelay(_ descriptor: Int32) {
        var yes: Int32 = 1
        setsockopt(
            descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &yes, socklen_t(MemoryLayout<Int32>.size))
    }

    static func setNonBlocking(_ descriptor: Int32) {
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
    }

    static func shakeHands(_ descriptor: Int32) -> Bool {
        let request = Array(
            ("GET /bench HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n"
                + "Sec-WebSocket-Protocol: bench\r\n\r\n").utf8)
        guard send(descriptor, request, request.count, Int32(MSG_NOSIGNAL)) == request.count else {
            return false
        }
        return readHead(descriptor).starts(with: Array("HTTP/1.1 101".utf8))
    }

    static func answerHandshake(_ descriptor: Int32) {
        _ = readHead(descriptor)
        // The answer to the one key that the client above sends; RFC 6455's own example.
        let answer = Array(
            ("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                + "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n"
                + "Sec-WebSocket-Protocol: bench\r\n\r\n").utf8)
        _ = send(descriptor, answer, answer.count, Int32(MSG_NOSIGNAL))
    }

    private static func readHead(_ descriptor: Int32) -> [UInt8] {
        var head: [UInt8] = []
        var byte: UInt8 = 0
        while !head.suffix(4).elementsEqual([13, 10, 13, 10]), recv(descriptor, &byte, 1, 0) == 1 {
            head.append(byte)
        }
        return head
    }
}
