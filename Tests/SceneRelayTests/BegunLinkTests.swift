import SceneCluster
import SceneRelay
import SceneSession
import SceneWire
import Testing

/// What an owner does about packets that come doubled, late or out of order.
@Suite("Links that are begun once")
struct BegunLinkTests {
    private static let owner = NodeLife(node: NodeID(0), life: 1)
    private static let node = NodeLife(node: NodeID(1), life: 1)

    private func packet(
        _ link: UInt64 = 1, piece: UInt64, acknowledged: UInt64 = 1, _ request: RelayRequest
    ) throws -> LinkPacket {
        LinkPacket(
            from: Self.node, to: Self.owner, link: link, isFromEdge: true, room: "hall",
            .frame(
                OrderedLink.Frame(
                    acknowledged: acknowledged,
                    piece: .data(number: piece, isLast: true, bytes: try request.encoded()))))
    }

    private var joining: RelayRequest {
        var hello = Hello()
        hello.role = .editor
        return .join(
            member: 1,
            RelayApplicant(
                role: 1, makesRooms: false, isJSON: false, subject: "",
                hello: ClientMessage.hello(hello).encoded(as: .binary)))
    }

    /// What an owner does about a packet.
    private func words(_ effects: [RelayHost.Effect]) -> [String] {
        effects.map { effect in
            switch effect {
            case .packet(let packet): packet.content == .unknownLink ? "unknown" : "packet"
            case .join: "join"
            case .message: "message"
            case .left: "left"
            case .revoke: "revoke"
            case .trouble(let text): text
            }
        }
    }

    /// How a link may end.
    enum End: CaseIterable { case byEdge, byOwner, bySilence }

    @Test(
        "a copy of the packet that began a link begins it never again, however the link has ended",
        arguments: End.allCases)
    func lateCopy(end: End) throws {
        var host = RelayHost(Self.owner)
        var now = MonotonicInstant(nanoseconds: 1)
        let first = try packet(piece: 1, joining)
        let second = try packet(
            piece: 2, .message(member: 1, ClientMessage.ping(Ping()).encoded(as: .binary)))
        #expect(words(host.receive(first, at: now)) == ["join"])
        #expect(words(host.receive(second, at: now)) == ["message"])
        switch end {
        case .byEdge:
            var last = first
            last.content = .unknownLink
            #expect(words(host.receive(last, at: now)) == ["left"])
        case .byOwner: #expect(words(host.endLinks(at: now) { _ in true }) == ["left"])
        case .bySilence:
            host.send([[1]], to: [MemberID(1 << 63)])
            #expect(words(host.advance(to: now)) == ["packet"])
            now = now.advanced(by: OrderedLink.silence)
            #expect(words(host.advance(to: now)) == ["unknown", "left"])
        }
        // The edge has been told for the last time.
        for _ in 0..<20 {
            now = now.advanced(by: .seconds(60))
            _ = host.advance(to: now)
        }
        #expect(words(host.receive(first, at: now)) == ["unknown"])
        #expect(words(host.receive(second, at: now)) == ["unknown"])
        #expect(host.counts == (0, 0))
        #expect(words(host.receive(try packet(2, piece: 1, joining), at: now)) == ["join"])
    }

    @Test("a piece that overtakes the first one of its link is waited for")
    func overtaken() throws {
        var host = RelayHost(Self.owner)
        let now = MonotonicInstant(nanoseconds: 1)
        let message = RelayRequest.message(
            member: 1, ClientMessage.ping(Ping()).encoded(as: .binary))
        #expect(host.receive(try packet(piece: 2, message), at: now).isEmpty)
        #expect(words(host.receive(try packet(piece: 1, joining), at: now)) == ["join"])
        #expect(words(host.receive(try packet(piece: 2, message), at: now)) == ["message"])
        // Who has heard something of the owner has begun the link.
        let other = try packet(2, piece: 2, acknowledged: 2, message)
        #expect(words(host.receive(other, at: now)) == ["unknown"])
    }

    @Test("of the links of a node that are older than what is remembered none is begun")
    func oldLinks() throws {
        var host = RelayHost(Self.owner)
        let now = MonotonicInstant(nanoseconds: 1)
        let leave = RelayRequest.leave(member: 1)
        for link in UInt64(2)...200_000 {
            let first = try packet(link, piece: 1, leave)
            #expect(host.receive(first, at: now).isEmpty)
            var last = first
            last.content = .unknownLink
            #expect(host.receive(last, at: now).isEmpty)
        }
        #expect(words(host.receive(try packet(1, piece: 1, joining), at: now)) == ["unknown"])
        #expect(words(host.receive(try packet(199_999, piece: 1, joining), at: now)) == ["unknown"])
        #expect(words(host.receive(try packet(200_001, piece: 1, joining), at: now)) == ["join"])
    }
}
