import SceneWire
import Testing

@testable import SceneServer
@testable import WebSocketTransport

@Suite("What a gateway decides on a connection's messages")
struct PeerTests {
    private let limits = ServerLimits()

    /// A peer whose room has just been told of it.
    private func entering() -> Peer {
        var peer = Peer(
            info: ConnectionInfo(
                id: ConnectionID(rawValue: 1), path: "/demo", query: "",
                subprotocol: Subprotocol.binary.rawValue, remoteAddress: "127.0.0.1",
                isLoopback: true, isSecure: false, host: "localhost"), limits: limits, now: 0)
        peer.stage = .entering
        return peer
    }

    private func hello(_ token: String) -> ClientMessage {
        var hello = Hello()
        hello.token = token
        return .hello(hello)
    }

    @Test("a new token that overtakes the end of the joining is proved, not handed to the room")
    func freshToken() {
        var peer = entering()
        let verdict = peer.take(hello("new"), limits: limits, needsToken: true, now: 1)
        guard case .refresh("new") = verdict else {
            Issue.record("\(verdict)")
            return
        }
        #expect(peer.waiting.isEmpty)
    }

    @Test("the same token again is not verified; new ones have a rate of their own")
    func renewals() {
        var peer = entering()
        peer.stage = .joined
        peer.token = "present"
        func take(_ token: String, _ seconds: UInt64) -> Peer.Verdict {
            peer.take(
                hello(token), limits: limits, needsToken: true, now: seconds * 1_000_000_000)
        }
        for _ in 0..<100 {
            guard case .nothing = take("present", 1) else {
                Issue.record("the present token is verified again")
                return
            }
        }
        for token in ["a", "b", "c"] {
            guard case .refresh(token) = take(token, 1) else {
                Issue.record("\(token) is not verified")
                return
            }
        }
        guard case .refuse(.rateLimited, _, let wait) = take("d", 2) else {
            Issue.record("a fourth token is verified")
            return
        }
        // One in ten seconds, of which one has passed.
        #expect((8_900...9_001).contains(wait))
        guard case .refresh("d") = take("d", 12) else {
            Issue.record("no token is verified ten seconds later")
            return
        }
    }

    @Test("[CONN-9] without keys a renewed token is passed over, and a second hello is still none")
    func withoutKeys() {
        var peer = entering()
        peer.stage = .joined
        guard case .nothing = peer.take(hello("new"), limits: limits, needsToken: false, now: 1)
        else {
            Issue.record("a token that nobody asks for is not passed over")
            return
        }
        // The room closes the member with 4000.
        guard case .pass = peer.take(hello(""), limits: limits, needsToken: false, now: 2) else {
            Issue.record("a second hello is not handed on")
            return
        }
    }

    @Test("messages stay in order behind those that are being handed over")
    func order() {
        var peer = entering()
        peer.stage = .verifying
        for tick in 1...3 as ClosedRange<UInt64> {
            _ = peer.take(ack(tick), limits: limits, needsToken: true, now: 1)
        }
        peer.stage = .entering
        #expect(peer.handOver() == [ack(1), ack(2), ack(3)])
        guard case .nothing = peer.take(ack(4), limits: limits, needsToken: true, now: 1) else {
            Issue.record("passed those before it")
            return
        }
        #expect(peer.handOver() == [ack(4)])
        #expect(peer.stage == .entering)
        #expect(peer.handOver() == [])
        #expect(peer.stage == .joined)
        guard case .pass = peer.take(ack(5), limits: limits, needsToken: true, now: 1) else {
            Issue.record("a member's message waits")
            return
        }
    }

    @Test("who may be welcome already is not held to what strangers may send")
    func bytes() {
        var peer = entering()
        guard case .pass = peer.charge(bytes: 3 * ServerLimits.firstMessageBytes, now: 1) else {
            Issue.record("refused")
            return
        }
    }

    private func ack(_ tick: UInt64) -> ClientMessage {
        var ack = Ack()
        ack.tick = tick
        return .ack(ack)
    }
}
