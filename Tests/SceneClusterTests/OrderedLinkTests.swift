import SceneCluster
import SeededRandom
import Testing

@Suite("Links between nodes")
struct OrderedLinkTests {
    private static func moment(_ milliseconds: UInt64) -> MonotonicInstant {
        MonotonicInstant(nanoseconds: 1_000_000 * milliseconds)
    }

    /// Two ends, and frames between them that are lost, doubled and late.
    private struct Wire {
        var ends = [OrderedLink(), OrderedLink()]
        var received: [[[UInt8]]] = [[], []]
        var underWay: [(at: UInt64, to: Int, frame: OrderedLink.Frame)] = []
        var random: SplitMix64
        /// Of a hundred frames, how many are lost and how many doubled.
        var losses: Int
        var now: UInt64 = 0

        mutating func run(milliseconds: UInt64) {
            for _ in 0..<milliseconds {
                now += 1
                let due = underWay.filter { $0.at <= now }
                underWay.removeAll { $0.at <= now }
                for item in due {
                    received[item.to] += ends[item.to].receive(item.frame, at: moment(now))
                }
                for end in 0...1 {
                    for frame in ends[end].takeFrames(at: moment(now)) {
                        if random.chance(losses, of: 100) { continue }
                        let copies = random.chance(losses, of: 100) ? 2 : 1
                        for _ in 0..<copies {
                            let delay = losses == 0 ? 1 : UInt64(1 + random.below(30))
                            underWay.append((now + delay, 1 - end, frame))
                        }
                    }
                }
            }
        }
    }

    @Test(
        "messages come out once each and in order, over a wire that loses, doubles and reorders",
        arguments: 0..<20)
    func order(seed: Int) {
        var wire = Wire(random: SplitMix64(seed: UInt64(seed)), losses: seed % 4 * 10)
        var sent: [[[UInt8]]] = [[], []]
        for number in 0..<60 {
            let end = number % 3 == 0 ? 1 : 0
            // Some are empty, and some take several pieces.
            let length = number % 10 == 9 ? 600_000 : number % 7
            let message = [UInt8](repeating: UInt8(number), count: length)
            sent[1 - end].append(message)
            wire.ends[end].send(message)
            wire.run(milliseconds: 3)
        }
        wire.run(milliseconds: 20_000)
        #expect(wire.received[0] == sent[0])
        #expect(wire.received[1] == sent[1])
        #expect(wire.ends[0].isIdle && wire.ends[1].isIdle)
        #expect(wire.ends.map(\.failure) == [nil, nil])
        #expect(wire.ends.map(\.waitingBytes) == [0, 0])
    }

    @Test("without losses nothing is sent twice, and what is received is acknowledged after 20 ms")
    func quiet() {
        var one = OrderedLink()
        var other = OrderedLink()
        one.send([1])
        let frames = one.takeFrames(at: Self.moment(0))
        #expect(
            frames == [.init(acknowledged: 1, piece: .data(number: 1, isLast: true, bytes: [1]))])
        #expect(other.receive(frames[0], at: Self.moment(1)) == [[1]])
        #expect(other.takeFrames(at: Self.moment(20)) == [])
        let answer = other.takeFrames(at: Self.moment(21))
        #expect(answer == [.init(acknowledged: 2, piece: .none)])
        #expect(one.takeFrames(at: Self.moment(100)) == [])
        #expect(one.receive(answer[0], at: Self.moment(101)) == [])
        #expect(one.isIdle && other.isIdle)
        #expect(one.takeFrames(at: Self.moment(10_000)) == [])
    }

    @Test("an end that nobody answers sends again for ten seconds, and fails then")
    func silence() {
        var link = OrderedLink()
        link.send([1])
        var count = 0
        for time in 0..<9_999 { count += link.takeFrames(at: Self.moment(UInt64(time))).count }
        // After 0.2, 0.4, 0.8, 1.6 and then every 2 seconds.
        #expect(count == 8)
        #expect(link.failure == nil)
        _ = link.takeFrames(at: Self.moment(10_000))
        #expect(link.failure == .silent)
    }

    @Test("more than may wait for the other end is a failure, and takes no more memory")
    func overfull() {
        var link = OrderedLink()
        let piece = [UInt8](repeating: 0, count: 1 << 20)
        for _ in 0..<32 { link.send(piece) }
        #expect(link.failure == nil)
        link.send([1])
        #expect(link.failure == .overfull(bytes: (32 << 20) + 1))
        #expect(link.waitingBytes == 32 << 20)
    }
}

/// The expected bytes were put together by hand from the format's table.
@Suite("Packets between nodes as bytes")
struct LinkPacketTests {
    private static let cluster = ClusterID(0x0102_0304_0506_0708)
    private static let packet = LinkPacket(
        from: NodeLife(node: NodeID(3), life: 0x1122_3344_5566_7788),
        to: NodeLife(node: NodeID(4), life: 5), link: 258, isFromEdge: true, room: "hall",
        .frame(.init(acknowledged: 7, piece: .data(number: 9, isLast: true, bytes: [0xAB, 0xCD]))))
    private static let head =
        "5353434c" + "01" + "0807060504030201" + "0300" + "8877665544332211" + "0400"
        + "0500000000000000" + "0201000000000000"
    private static let bytes =
        head + "01" + "0400" + "68616c6c" + "0700000000000000" + "01" + "0900000000000000" + "01"
        + "02000000" + "abcd"

    @Test("a packet has these bytes, and is read from them")
    func vector() throws {
        let expected = RecordVectorTests.bytes(Self.bytes)
        #expect(try Self.packet.encoded(cluster: Self.cluster) == expected)
        #expect(try LinkPacket.decode(expected, cluster: Self.cluster) == Self.packet)
        var unknown = Self.packet
        unknown.isFromEdge = false
        unknown.content = .unknownLink
        let short = RecordVectorTests.bytes(
            Self.head + "00" + "0400" + "68616c6c" + "0000000000000000" + "02")
        #expect(try unknown.encoded(cluster: Self.cluster) == short)
        #expect(try LinkPacket.decode(short, cluster: Self.cluster) == unknown)
    }

    @Test("bytes of another kind, version or cluster, and every cut, are refused")
    func wrong() {
        let bytes = RecordVectorTests.bytes(Self.bytes)
        #expect(throws: PacketError.foreign(firstBytes: Array("hell".utf8))) {
            try LinkPacket.decode(Array("hello".utf8), cluster: Self.cluster)
        }
        #expect(throws: PacketError.unreadable(.otherVersion(found: 2, expected: 1))) {
            var other = bytes
            other[4] = 2
            _ = try LinkPacket.decode(other, cluster: Self.cluster)
        }
        #expect(
            throws: PacketError.unreadable(
                .otherCluster(found: Self.cluster, expected: ClusterID(1)))
        ) { try LinkPacket.decode(bytes, cluster: ClusterID(1)) }
        for count in bytes.indices {
            #expect(throws: PacketError.self) {
                try LinkPacket.decode(Array(bytes[..<count]), cluster: Self.cluster)
            }
        }
    }

    @Test("requests and deliveries are read as they were written, and every cut is refused")
    func messages() throws {
        let requests: [RelayRequest] = [
            .join(
                member: 1 << 63,
                RelayApplicant(
                    role: 1, makesRooms: true, isJSON: false, subject: "ann", hello: [1, 2, 3])),
            .message(member: 7, [9, 8]), .leave(member: 0),
        ]
        for request in requests {
            let bytes = try request.encoded()
            #expect(try RelayRequest.decode(bytes) == request)
            for count in bytes.indices {
                #expect(throws: PacketError.self) {
                    try RelayRequest.decode(Array(bytes[..<count]))
                }
            }
        }
        let deliveries: [RelayDelivery] = [
            .send(members: [1, 2], payloads: [[], [3, 4]]),
            .close(member: 5, code: 4030, reason: "gone"),
        ]
        for delivery in deliveries {
            let bytes = try delivery.encoded()
            #expect(try RelayDelivery.decode(bytes) == delivery)
            for count in bytes.indices {
                #expect(throws: PacketError.self) {
                    try RelayDelivery.decode(Array(bytes[..<count]))
                }
            }
        }
    }

    @Test("no bytes whatever trap")
    func rubbish() {
        var random = SplitMix64(seed: 1)
        for _ in 0..<20_000 {
            var bytes = (0..<random.below(80)).map { _ in UInt8(random.below(256)) }
            _ = try? RelayRequest.decode(bytes)
            _ = try? RelayDelivery.decode(bytes)
            bytes = RecordVectorTests.bytes(Self.bytes)
            bytes[random.below(bytes.count)] = UInt8(random.below(256))
            _ = try? LinkPacket.decode(bytes, cluster: Self.cluster)
        }
    }
}
