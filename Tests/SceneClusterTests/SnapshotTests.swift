import SceneCluster
import SeededRandom
import Testing

@Suite("Snapshots in chunks")
struct SnapshotTests {
    private static let scope = RecordVectorTests.scope
    private static let subjects = ClusterSubjects()
    private static let pointerSubject = "ss.r.5.n64656d6f"
    private static let owner = NodeLife(node: NodeID(1), life: 11)

    private static func anchor(_ number: UInt64) -> ChainAnchor {
        ChainAnchor(
            sequence: number * 10, number: number, checksum: RecordChecksum(of: [UInt8(number)]),
            epoch: 1, owner: owner)
    }

    private static func bytes(_ count: Int, seed: UInt64 = 1) -> [UInt8] {
        var random = SplitMix64(seed: seed)
        let page = (0..<977).map { _ in UInt8(truncatingIfNeeded: random.next()) }
        var bytes: [UInt8] = []
        while bytes.count < count { bytes += page }
        return Array(bytes[..<count])
    }

    private static func publication(
        _ bytes: [UInt8], at number: UInt64 = 7
    ) throws -> SnapshotPublication {
        try SnapshotPublication(
            bytes, of: "demo", at: anchor(number), scope: scope, subjects: subjects,
            firstTicket: 1, now: MonotonicInstant(nanoseconds: 0))
    }

    /// An engine that keeps what is published, and now and then does not say so.
    private struct Store {
        var messages: [String: EngineMessage] = [:]
        var order: [String] = []
        var random: SplitMix64?

        mutating func answer(_ request: EngineRequest) -> EngineReply {
            if random?.chance(1, of: 5) == true { return .unknown("lost on the way") }
            let reply: EngineReply
            switch request {
            case .publish(let subject, let bytes, let expectedLast):
                guard messages[subject]?.sequence ?? 0 == expectedLast else { return .superseded }
                order.append(subject)
                let sequence = UInt64(order.count)
                messages[subject] = EngineMessage(
                    subject: subject, sequence: sequence, bytes: bytes)
                reply = .kept(sequence: sequence)
            case .last(let subject, _):
                reply = .messages(messages[subject].map { [$0] } ?? [], isEnd: true)
            case .read, .purge, .probe: reply = .failed("not asked for")
            }
            return random?.chance(1, of: 5) == true ? .unknown("lost on the way back") : reply
        }

        /// Carries a publication out.
        mutating func run(_ publication: inout SnapshotPublication) -> SnapshotPublication.Effect? {
            for step in 0..<10_000 {
                let now = MonotonicInstant(nanoseconds: UInt64(step) * 10_000_000)
                var effects = publication.handle(.tick, at: now)
                while let effect = effects.popLast() {
                    guard case .request(let ticket, let request) = effect else { return effect }
                    effects += publication.handle(.reply(ticket, answer(request)), at: now)
                }
            }
            return nil
        }

        mutating func run(_ reading: inout SnapshotReading) -> SnapshotReading.Effect? {
            for step in 0..<10_000 {
                let now = MonotonicInstant(nanoseconds: UInt64(step) * 10_000_000)
                var effects = reading.handle(.tick, at: now)
                while let effect = effects.popLast() {
                    guard case .request(let ticket, let request) = effect else { return effect }
                    effects += reading.handle(.reply(ticket, answer(request)), at: now)
                }
            }
            return nil
        }
    }

    @Test(
        "chunks of 512 KB come in order, the pointer last",
        arguments: [
            (0, 0), (1, 1), (511_999, 1), (512_000, 1), (512_001, 2), (1_300_000, 3),
        ])
    func order(byteCount: Int, chunks: Int) throws {
        let bytes = Self.bytes(byteCount)
        var store = Store()
        var publication = try Self.publication(bytes)
        guard case .stored(let pointer) = store.run(&publication) else {
            Issue.record("it is not stored")
            return
        }
        #expect(
            store.order
                == (0..<chunks).map { "\(Self.pointerSubject).70.\($0)" } + [Self.pointerSubject])
        #expect(pointer.chunkCount == UInt32(chunks) && pointer.byteCount == UInt64(byteCount))
        #expect(pointer.anchor == Self.anchor(7) && pointer.checksum == RecordChecksum(of: bytes))
        let kept = try #require(store.messages[Self.pointerSubject])
        #expect(try SnapshotPointer.decode(kept.bytes, scope: Self.scope) == pointer)
        var reading = SnapshotReading(
            pointer, subjects: Self.subjects, firstTicket: 1, now: .init(nanoseconds: 0))
        #expect(store.run(&reading) == .loaded(bytes))
    }

    @Test("answers that are lost change nothing of what is stored", arguments: 0..<20)
    func unknown(seed: UInt64) throws {
        let bytes = Self.bytes(1_100_000, seed: seed)
        var store = Store(random: SplitMix64(seed: seed))
        var publication = try Self.publication(bytes)
        guard case .stored(let pointer) = store.run(&publication) else {
            Issue.record("it is not stored")
            return
        }
        #expect(store.order.count == 4 && Set(store.order).count == 4)
        #expect(store.order.last == Self.pointerSubject)
        var reading = SnapshotReading(
            pointer, subjects: Self.subjects, firstTicket: 1, now: .init(nanoseconds: 0))
        #expect(store.run(&reading) == .loaded(bytes))
    }

    @Test("a later pointer replaces an earlier one, and never the other way round")
    func outdated() throws {
        var store = Store()
        var first = try Self.publication([1, 2, 3], at: 7)
        _ = store.run(&first)
        var second = try Self.publication([4, 5, 6], at: 8)
        guard case .stored(let newer) = store.run(&second) else {
            Issue.record("it is not stored")
            return
        }
        var late = try Self.publication([9, 9, 9], at: 6)
        #expect(store.run(&late) == .outdated(by: newer))
        let kept = try #require(store.messages[Self.pointerSubject])
        #expect(try SnapshotPointer.decode(kept.bytes, scope: Self.scope) == newer)
    }

    @Test("another chunk in the place, and a pointer that is none, end it with their place")
    func foreign() throws {
        var store = Store()
        let chunk = "\(Self.pointerSubject).70.0"
        store.messages[chunk] = EngineMessage(subject: chunk, sequence: 3, bytes: [1])
        var publication = try Self.publication([2])
        #expect(
            store.run(&publication)
                == .failed(.otherChunk(RecordPlace(subject: chunk, sequence: 3))))
        store.messages = [
            Self.pointerSubject: EngineMessage(
                subject: Self.pointerSubject, sequence: 4, bytes: Array("hello".utf8))
        ]
        var other = try Self.publication([2])
        #expect(
            store.run(&other)
                == .failed(
                    .pointer(
                        RecordPlace(subject: Self.pointerSubject, sequence: 4),
                        .foreign(firstBytes: Array("hell".utf8)))))
    }

    @Test("chunks that are not those of the pointer are noticed")
    func damaged() throws {
        var store = Store()
        var publication = try Self.publication([1, 2, 3])
        guard case .stored(let pointer) = store.run(&publication) else {
            Issue.record("it is not stored")
            return
        }
        let chunk = "\(Self.pointerSubject).70.0"
        for bytes: [UInt8] in [[1, 2, 4], [1, 2], [1, 2, 3, 4]] {
            store.messages[chunk] = EngineMessage(subject: chunk, sequence: 1, bytes: bytes)
            var reading = SnapshotReading(
                pointer, subjects: Self.subjects, firstTicket: 1, now: .init(nanoseconds: 0))
            #expect(
                store.run(&reading)
                    == .failed(
                        .damaged(room: "demo", bytes: UInt64(bytes.count), expectedBytes: 3)))
        }
    }

    @Test("a name becomes one token, whatever it holds")
    func names() {
        #expect(Self.subjects.snapshot(of: "a.b *>", in: ShardID(5)) == "ss.r.5.n612e62202a3e")
        #expect(ClusterSubjects(prefix: "x").journal(of: ShardID(5)) == "x.j.2.5")
    }
}
