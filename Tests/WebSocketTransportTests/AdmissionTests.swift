import Foundation
import SceneTestSupport
import Testing

@testable import WebSocketTransport

@Suite("What strangers may send", .serialized)
struct AdmissionTests {
    @Test("the first messages are short, whole or in pieces, until the owner admits the connection")
    func firstMessages() throws {
        let test = try TestServer { $0.firstMessageBytesMaximum = 1000 }
        defer { test.server.stop() }
        let long = [UInt8](repeating: 0x61, count: 1001)
        for isWhole in [true, false] {
            let stranger = try #require(TCPSocket.open(test.server.port))
            if isWhole {
                stranger.sendFrame(1, long)
            } else {
                stranger.sendFrame(1, Array(long.prefix(600)), isFinal: false)
                stranger.sendFrame(0, Array(long.prefix(401)), isFinal: false)
            }
            let frame = stranger.readFrame()
            #expect(frame?.opcode == 8 && frame?.payload.prefix(2) == [0x03, 0xF1])
        }
        let guest = try #require(TCPSocket.open(test.server.port))
        while let info = test.handler.nextOpened() {
            test.server.admit(info.id)
            guard info.id.rawValue < 3 else { break }
        }
        // What is sent to it after it was admitted comes after that.
        test.server.send(.text, Array("welcome".utf8), to: ConnectionID(rawValue: 3))
        #expect(guest.readFrame() == .text("welcome"))
        guest.sendFrame(1, long)
        #expect(guest.readFrame()?.payload.count == 1001)
    }

    @Test("handshakes of one address above its rate are answered with 429, whatever they are")
    func handshakes() throws {
        let test = try TestServer { $0.thisMachine.handshakesPerSecond = 1 }
        defer { test.server.stop() }
        // Five seconds' worth may come at once; bad ones count too.
        var heads: [String] = []
        while heads.count < 50, heads.last?.contains(" 429 ") != true {
            let raw = try #require(TCPSocket(port: test.server.port))
            heads.append(raw.handshake(version: heads.isEmpty ? "99" : "13"))
        }
        try #require(heads.count > 5)
        #expect(heads[0].contains(" 426 "))
        #expect(heads[1...4].allSatisfy { $0.hasPrefix("HTTP/1.1 101") })
        let refused = try #require(heads.last)
        #expect(refused.contains(" 429 "))
        #expect(refused.lowercased().contains("retry-after: 1"))
        let plain = try #require(TCPSocket(port: test.server.port))
        plain.send("GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        #expect(String(decoding: plain.read(), as: UTF8.self).hasPrefix("HTTP/1.1 200"))
    }

    @Test("of clients behind a proxy that is trusted each has its own limits")
    func forwardedLimits() throws {
        let test = try TestServer {
            $0.trustedProxies = ["127.0.0.1"]
            $0.eachAddress.connections = 1
        }
        defer { test.server.stop() }
        func connect(_ address: String) throws -> (TCPSocket, String) {
            let raw = try #require(TCPSocket(port: test.server.port))
            return (raw, raw.handshake(extra: "X-Forwarded-For: \(address)\r\n"))
        }
        let first = try connect("2001:db8::1")
        #expect(first.1.hasPrefix("HTTP/1.1 101"))
        #expect(try connect("2001:db8::2").1.contains(" 429 "))
        #expect(try connect("2001:db8:0:1::1").1.hasPrefix("HTTP/1.1 101"))
        #expect(try connect("192.0.2.1").1.hasPrefix("HTTP/1.1 101"))
    }

    /// Sends a request with a body, on a thread of its own since the server may let it wait.
    private func upload(_ socket: TCPSocket, _ body: [UInt8]) {
        let descriptor = socket.descriptor
        Thread.detachNewThread {
            let head =
                "PUT /guarded HTTP/1.1\r\nHost: localhost\r\nContent-Length: \(body.count)\r\n\r\n"
            var rest = Array(head.utf8)[...] + body
            while !rest.isEmpty {
                let count = Array(rest).withUnsafeBytes {
                    Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
                }
                guard count > 0 else { return }
                rest = rest.dropFirst(count)
            }
        }
    }

    @Test("a body is not read before the handler has decided, and dropped when it is refused")
    func bodies() throws {
        let test = try TestServer()
        defer { test.server.stop() }
        let body = (0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
        let socket = try #require(TCPSocket(port: test.server.port))
        for isTaken in [true, false, true] {
            upload(socket, body)
            let asked = try #require(test.handler.decisions.next())
            #expect(asked.request.body.isEmpty && asked.request.path == "/guarded")
            // The loop goes on with others while it reads nothing here: more than it may keep would
            // end the connection.
            for _ in 0..<20 {
                let other = try #require(TCPSocket(port: test.server.port))
                other.send("GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
                #expect(String(decoding: other.read(), as: UTF8.self).hasSuffix("ok \n"))
            }
            asked.decide(isTaken ? nil : HTTPResponse(status: 403, body: Array("no".utf8)))
            var head: [UInt8] = []
            while !head.suffix(4).elementsEqual("\r\n\r\n".utf8) {
                let byte = socket.read(upTo: 1)
                try #require(byte.count == 1)
                head += byte
            }
            #expect(head.starts(with: (isTaken ? "HTTP/1.1 200" : "HTTP/1.1 403").utf8))
            let answer = isTaken ? body : Array("no".utf8)
            #expect(socket.read(upTo: answer.count) == answer)
        }
    }

    @Test("small bodies come with their heads, and are decided on in the same way")
    func smallBodies() throws {
        let test = try TestServer()
        defer { test.server.stop() }
        for (refusal, end) in [(nil, "200 OK"), (HTTPResponse(status: 401), "401 Unauthorized")] {
            let socket = try #require(TCPSocket(port: test.server.port))
            socket.send(
                "PUT /guarded HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: 5\r\n\r\nhello"
            )
            let asked = try #require(test.handler.decisions.next())
            asked.decide(refusal)
            let answer = String(decoding: socket.read(), as: UTF8.self)
            #expect(answer.hasPrefix("HTTP/1.1 " + end))
            #expect(answer.hasSuffix("hello") == (refusal == nil))
        }
    }
}
