import SceneCluster
import SceneRelay
import Testing

@Suite("Administrators' requests between nodes")
struct RequestTests {
    private static let answer = NodeReply.answer(status: 200, isJSON: true, [0x7B, 0x7D])

    @Test("a request is carried out and answered, and nothing of it is left")
    func plain() throws {
        let world = RequestWorld()
        let number = try #require(world.ask(.deleteRoom))
        world.run(milliseconds: 200)
        #expect(world.performed == [.deleteRoom])
        #expect(world.ended.map(\.number) == [number])
        #expect(world.ended.map(\.outcome) == [.reply(Self.answer)])
        #expect(world.edge.count == 0 && world.host.count == 0)
        #expect(world.edge.byteCount == 0 && world.host.byteCount == 0)
    }

    @Test("several megabytes go and come back whole, in packets that the engine takes")
    func large() throws {
        let world = RequestWorld()
        let body = (0..<5_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        world.reply = .answer(status: 200, isJSON: true, body.reversed())
        _ = try #require(world.ask(.replaceScene(body)))
        #expect(world.edge.byteCount >= body.count)
        world.run(milliseconds: 2_000)
        #expect(world.performed == [.replaceScene(body)])
        #expect(
            world.ended.map(\.outcome) == [
                .reply(.answer(status: 200, isJSON: true, body.reversed()))
            ])
        #expect(world.edge.byteCount == 0 && world.host.byteCount == 0)
        let longest = try world.sent.map { try $0.encoded(cluster: ClusterID(1)).count }.max()
        #expect(try #require(longest) < 1 << 20)
    }

    @Test(
        "each request is carried out once over a network that loses, doubles and delays",
        arguments: 0..<40)
    func losses(seed: Int) throws {
        let world = RequestWorld(seed: UInt64(seed))
        world.losses = 10 + seed % 3 * 10
        var expected: Set<[UInt8]> = []
        for number in 0..<30 {
            let body = [UInt8](repeating: UInt8(number), count: number % 5 == 0 ? 300_000 : 9)
            expected.insert(body)
            _ = try #require(world.ask(.replaceScene(body)))
            world.run(milliseconds: 120)
        }
        world.run(milliseconds: 40_000)
        #expect(world.ended.count == 30)
        let performed = world.performed.map { request -> [UInt8] in
            if case .replaceScene(let body) = request { body } else { [] }
        }
        #expect(Set(performed) == expected && performed.count == expected.count)
        #expect(world.ended.allSatisfy { $0.outcome == .reply(Self.answer) })
        #expect(world.edge.count == 0 && world.host.count == 0)
    }

    @Test("packets of a request that has ended begin nothing when they come once more")
    func doubled() throws {
        let world = RequestWorld()
        _ = try #require(world.ask(.deleteRoom))
        world.run(milliseconds: 200)
        let first = try #require(world.sent.first)
        world.deliver(first)
        // Nor once the node that asked was not heard for a while.
        world.forgetAsker()
        world.deliver(first)
        world.run(milliseconds: 200)
        #expect(world.performed == [.deleteRoom])
    }

    @Test(
        "of very many requests none is carried out twice, and the old ones are not remembered one by one"
    )
    func remembered() throws {
        let world = RequestWorld()
        for _ in 0..<3_000 {
            _ = try #require(world.ask(.members))
            world.run(milliseconds: 30)
        }
        #expect(world.performed.count == 3_000)
        for packet in world.sent where packet.isFromEdge { world.deliver(packet) }
        #expect(world.performed.count == 3_000)
    }

    @Test("an owner that goes away before it answers leaves the outcome unknown")
    func gone() throws {
        let world = RequestWorld()
        world.reply = nil
        let number = try #require(world.ask(.deleteRoom))
        world.run(milliseconds: 100)
        #expect(world.performed == [.deleteRoom])
        world.endRequests()
        #expect(world.ended.map(\.number) == [number])
        #expect(world.ended.map(\.outcome) == [.unknown(.gone)])
        // A reply that comes later finds nobody.
        world.host.reply(Self.answer, to: try #require(world.unanswered.first))
        world.run(milliseconds: 1_000)
        #expect(world.ended.count == 1)
        #expect(world.host.count == 0)
    }

    @Test("an owner that is heard and does not answer is given up after half a minute")
    func late() throws {
        let world = RequestWorld()
        world.reply = nil
        _ = try #require(world.ask(.deleteRoom))
        world.run(milliseconds: 29_000)
        #expect(world.ended.isEmpty)
        world.run(milliseconds: 1_100)
        #expect(world.ended.map(\.outcome) == [.unknown(.late)])
        world.run(milliseconds: 100)
        #expect(world.host.count == 0)
    }

    @Test("an owner that nothing reaches is given up, and is not asked later")
    func cut() throws {
        let world = RequestWorld()
        world.isCut = true
        _ = try #require(world.ask(.deleteRoom))
        world.run(milliseconds: 11_000)
        #expect(world.ended.map(\.outcome) == [.unknown(.late)])
        world.isCut = false
        world.run(milliseconds: 10_000)
        #expect(world.performed.isEmpty)
    }

    @Test("only so many requests are under way at one time")
    func bounded() {
        let world = RequestWorld()
        world.reply = nil
        for _ in 0..<RequestEdge.requestMaximum { #expect(world.ask(.members) != nil) }
        #expect(world.ask(.members) == nil)
        world.run(milliseconds: 30_100)
        #expect(world.ask(.members) != nil)
        #expect(world.ended.count == RequestEdge.requestMaximum)
    }

    @Test("a body beyond what the owner takes is not collected")
    func tooLong() throws {
        let world = RequestWorld()
        world.bytesMaximum = 1 << 20
        _ = try #require(world.ask(.replaceScene([UInt8](repeating: 0, count: 3 << 20))))
        world.run(milliseconds: 500)
        #expect(world.performed.isEmpty)
        #expect(world.ended.map(\.outcome) == [.unknown(.ended)])
        #expect(world.host.byteCount == 0)
        #expect(world.troubles.first?.contains("give all nodes the same limits") == true)
    }

    @Test("a request of a kind that the owner does not know is answered so")
    func unknownKind() throws {
        let world = RequestWorld()
        var link = OrderedLink()
        link.send([99, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0])
        let number = try #require(world.ask(.members))
        let frame = try #require(link.takeFrames(at: MonotonicInstant(nanoseconds: 1)).first)
        // As a later version would send it.
        world.deliver(
            LinkPacket(
                from: world.asker, to: world.owner, link: number, isFromEdge: true, room: "hall",
                .frame(frame)))
        world.run(milliseconds: 100)
        #expect(world.performed.isEmpty)
        #expect(world.ended.map(\.outcome) == [.reply(.notUnderstood)])
        #expect(world.troubles.count == 1)
    }

    @Test("packets of links that nobody began are passed over")
    func blue() {
        var host = RequestHost(NodeLife(node: NodeID(2), life: 22))
        var edge = RequestEdge(NodeLife(node: NodeID(1), life: 11))
        let now = MonotonicInstant(nanoseconds: 1)
        let contents: [LinkPacket.Content] = [
            .frame(.init(acknowledged: 9, piece: .data(number: 5, isLast: true, bytes: [1]))),
            .frame(.init(acknowledged: 1, piece: .none)), .unknownLink,
        ]
        for content in contents {
            let packet = LinkPacket(
                from: NodeLife(node: NodeID(1), life: 11), to: NodeLife(node: NodeID(2), life: 22),
                link: 1 << 63, isFromEdge: true, room: "hall", content)
            #expect(host.receive(packet, bytesMaximum: 9, at: now).isEmpty)
        }
        #expect(host.count == 0)
        let reply = LinkPacket(
            from: NodeLife(node: NodeID(2), life: 22), to: NodeLife(node: NodeID(1), life: 11),
            link: 1 << 63, isFromEdge: false, room: "hall", .unknownLink)
        #expect(edge.receive(reply, at: now).isEmpty)
    }
}
