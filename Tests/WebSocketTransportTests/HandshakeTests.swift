import Foundation
import SceneTestSupport
import Testing
import WebSocketAddress

@testable import WebSocketTransport

@Suite("Opening handshakes, HTTP and bad bytes", .serialized)
struct HandshakeTests {
    @Test("the accept key is the RFC's own example")
    func acceptKey() throws {
        let test = try TestServer()
        defer { test.server.stop() }
        let raw = try #require(TCPSocket(port: test.server.port))
        let head = raw.handshake()
        #expect(head.lowercased().contains("sec-websocket-accept: s3pplmbitxaq9kygzzhzrbk+xoo="))
        #expect(head.contains("s3pPLMBiTxaQ9kYGzzhZRbK+xOo="))
        #expect(head.lowercased().contains("sec-websocket-protocol: echo.v1"))
    }

    @Test("another version is answered with 426 and the one that is known")
    func version() throws {
        let test = try TestServer()
        defer { test.server.stop() }
        let raw = try #require(TCPSocket(port: test.server.port))
        let head = raw.handshake(version: "99").lowercased()
        #expect(head.contains(" 426 "))
        #expect(head.contains("sec-websocket-version: 13"))
    }

    @Test(
        "no subprotocol, or one that is not known, is answered with 400",
        arguments: [nil, "chat.v9", "chat.v8, chat.v9"])
    func subprotocol(_ offered: String?) throws {
        let test = try TestServer()
        defer { test.server.stop() }
        let raw = try #require(TCPSocket(port: test.server.port))
        #expect(raw.handshake(subprotocol: offered).contains(" 400 "))
    }

    @Test("an origin that is not on the list is answered with 403")
    func origin() throws {
        let test = try TestServer { $0.origins = .only(["https://good.example"]) }
        defer { test.server.stop() }
        let bad = try #require(TCPSocket(port: test.server.port))
        #expect(
            bad.handshake(extra: "Origin: https://bad.example\r\n").contains(" 403 "))
        let good = try #require(TCPSocket(port: test.server.port))
        #expect(
            good.handshake(extra: "Origin: https://good.example\r\n").hasPrefix("HTTP/1.1 101"))
        let none = try #require(TCPSocket(port: test.server.port))
        #expect(none.handshake().hasPrefix("HTTP/1.1 101"))
    }

    @Test("more connections than allowed are answered with 503")
    func tooMany() throws {
        let test = try TestServer { $0.connectionsMaximum = 1 }
        defer { test.server.stop() }
        let first = try #require(TCPSocket(port: test.server.port))
        #expect(first.handshake().hasPrefix("HTTP/1.1 101"))
        _ = test.handler.nextOpened()
        let second = try #require(TCPSocket(port: test.server.port))
        #expect(second.handshake().contains(" 503 "))
    }

    @Test("plain HTTP is answered on the same port")
    func http() throws {
        let test = try TestServer()
        defer { test.server.stop() }
        let raw = try #require(TCPSocket(port: test.server.port))
        raw.send("GET /healthz?x=1 HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        let answer = String(decoding: raw.read(), as: UTF8.self)
        #expect(answer.hasPrefix("HTTP/1.1 200"))
        #expect(answer.hasSuffix("ok x=1\n"))
        let missing = try #require(TCPSocket(port: test.server.port))
        missing.send("GET /../etc/passwd HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        #expect(!String(decoding: missing.read(), as: UTF8.self).hasPrefix("HTTP/1.1 200"))
    }

    @Test("requests with a body are refused")
    func post() throws {
        let test = try TestServer()
        defer { test.server.stop() }
        let raw = try #require(TCPSocket(port: test.server.port))
        raw.send(
            "POST /healthz HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4\r\nConnection: close\r\n\r\nbody"
        )
        #expect(String(decoding: raw.read(), as: UTF8.self).hasPrefix("HTTP/1.1 405"))
    }

    @Test("a message over the limit closes with 1009; others go on")
    func tooLong() throws {
        let test = try TestServer { $0.messageBytesMaximum = 1000 }
        defer { test.server.stop() }
        let (other, otherEvents) = try test.connect()
        _ = otherEvents.events.next()
        let (client, events) = try test.connect()
        _ = events.events.next()
        client.send(.binary, [UInt8](repeating: 1, count: 1001))
        guard case .closed(let code, _, _)? = events.events.next() else {
            Issue.record("the connection was not closed")
            return
        }
        #expect(code == 1009)
        other.send(.text, Array("ok".utf8))
        #expect(otherEvents.events.next() == .received(.text, Array("ok".utf8)))
        other.close()
    }

    @Test("text that is not UTF-8 closes with 1007")
    func invalidText() throws {
        let test = try TestServer()
        defer { test.server.stop() }
        let raw = try #require(TCPSocket(port: test.server.port))
        #expect(raw.handshake().hasPrefix("HTTP/1.1 101"))
        raw.sendFrame(0x1, [0x66, 0xC3, 0x28])
        let answer = raw.read(upTo: 4)
        #expect(answer.first == 0x88)
        #expect(answer.dropFirst(2).elementsEqual([0x03, 0xEF]))
    }

    @Test("ten megabytes of noise, before or after the handshake, harm nobody else")
    func noise() throws {
        let test = try TestServer()
        defer { test.server.stop() }
        let (client, events) = try test.connect()
        _ = events.events.next()
        var seed: UInt64 = 42
        let noise = (0..<(10 << 20)).map { _ -> UInt8 in
            seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return UInt8(truncatingIfNeeded: seed >> 33)
        }
        let early = try #require(TCPSocket(port: test.server.port))
        early.send(noise)
        let late = try #require(TCPSocket(port: test.server.port))
        #expect(late.handshake().hasPrefix("HTTP/1.1 101"))
        late.send(noise)
        client.send(.text, Array("alive".utf8))
        #expect(events.events.next() == .received(.text, Array("alive".utf8)))
        client.close()
    }

    @Test("addresses are read or refused")
    func urls() {
        let plain = URLParts("ws://127.0.0.1:7070/demo")
        #expect(plain?.host == "127.0.0.1" && plain?.port == 7070 && plain?.path == "/demo")
        let secure = URLParts("wss://example.org?x=1")
        #expect(secure?.port == 443 && secure?.path == "/?x=1" && secure?.isSecure == true)
        #expect(URLParts("ws://[::1]:80/")?.host == "::1")
        for bad in [
            "http://a/", "ws://", "ws://a:0/", "ws://a:99999/", "ws://a b/", "ws://a/#f",
            "ws://u@a/",
            "ws://a/\r\nHost: b", "ws://[::1", "ws://a:1:x",
        ] {
            #expect(URLParts(bad) == nil, "\(bad)")
        }
    }
}

@Suite("TLS", .serialized)
struct TLSTests {
    @Test("wss works with a certificate that is trusted, and fails with one that is not")
    func selfSigned() throws {
        let directory =
            NSTemporaryDirectory() + "scenesync-tls-\(ProcessInfo.processInfo.processIdentifier)"
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let tls = try SelfSignedCertificate.make(directory: directory)
        let mode = try FileManager.default.attributesOfItem(atPath: tls.privateKeyPath)[
            .posixPermissions]
        #expect(mode as? Int == 0o600)
        let test = try TestServer { $0.tls = tls }
        defer { test.server.stop() }
        let url = "wss://localhost:\(test.server.port)/room"
        let (trusting, trustingEvents) = try test.connect(url) { $0.caFile = tls.certificatePath }
        #expect(trustingEvents.events.next() == .opened("echo.v1"))
        #expect(test.handler.nextOpened()?.isSecure == true)
        trusting.send(.binary, [UInt8](repeating: 9, count: 100_000))
        #expect(
            trustingEvents.events.next()
                == .received(.binary, [UInt8](repeating: 9, count: 100_000)))
        trusting.close()
        let (_, refusing) = try test.connect(url)
        guard case .closed(_, _, let error?)? = refusing.events.next() else {
            Issue.record("a certificate that nobody trusts was accepted")
            return
        }
        guard case .cannotConnect = error else {
            Issue.record("unexpected \(error)")
            return
        }
        let (_, plain) = try test.connect("ws://localhost:\(test.server.port)/room")
        guard case .closed? = plain.events.next() else {
            Issue.record("plain text was accepted on a TLS port")
            return
        }
    }

    @Test("a certificate that cannot be read is an error before anything listens")
    func missing() {
        #expect(throws: TransportError.self) {
            _ = try TestServer {
                $0.tls = TLSConfiguration(
                    certificatePath: "/nowhere.pem", privateKeyPath: "/nowhere.key")
            }
        }
    }
}
