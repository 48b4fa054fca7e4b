import SceneCluster
import Testing

@Suite("An owner keeps commits")
struct ShardOwnerCommitTests {
    private typealias Harness = OwnerHarness

    @Test("a commit is told once it was read back, not when the engine says that it is kept")
    func readBack() throws {
        var harness = Harness.serving()
        harness.send(.commit(number: 7, [Harness.entry(1)]))
        let group = harness.published
        #expect(harness.record?.content == .group([Harness.entry(1)]))
        harness.answer(.kept(sequence: 12))
        #expect(harness.news().isEmpty && harness.request == Harness.read(from: 11, .leader))
        harness.answer([(12, group)])
        #expect(harness.news() == [.committed(through: 7)])
        #expect(harness.requests.isEmpty)
    }

    @Test("a stale answer decides nothing: another source is asked")
    func stale() {
        var harness = Harness.serving()
        harness.send(.commit(number: 1, [Harness.entry(1)]))
        let group = harness.published
        harness.answer(.kept(sequence: 12))
        harness.answer([])
        #expect(harness.requests.isEmpty)
        harness.pass(5)
        #expect(harness.request == Harness.read(from: 11, .anyReplica))
        harness.answer([])
        harness.pass(10)
        #expect(harness.request == Harness.read(from: 11, .leader))
        harness.answer([(12, group)])
        #expect(harness.news() == [.committed(through: 1)])
    }

    @Test("one group is under way; what comes meanwhile is the next one")
    func oneInFlight() {
        var harness = Harness.serving()
        harness.send(.commit(number: 1, [Harness.entry(1)]))
        harness.send(.commit(number: 2, [Harness.entry(2)]))
        harness.send(.commit(number: 3, [Harness.entry(3), Harness.entry(4)]))
        #expect(harness.requests.count == 1)
        let first = harness.published
        harness.answer(.kept(sequence: 11))
        harness.answer([(11, first)])
        #expect(
            harness.record?.content
                == .group([Harness.entry(2), Harness.entry(3), Harness.entry(4)]))
        let second = harness.published
        harness.answer(.kept(sequence: 12))
        harness.answer([(12, second)])
        #expect(harness.news() == [.committed(through: 1), .committed(through: 3)])
    }

    @Test(
        "an answer that does not tell makes it look, and publish the same bytes again",
        arguments: [
            EngineReply.unknown("cut"), .superseded, .busy, .failed("full"),
            .messages([], isEnd: true),
        ])
    func again(reply: EngineReply) {
        var harness = Harness.serving()
        let seal = harness.owner.chain.head?.checksum
        harness.send(.commit(number: 1, [Harness.entry(1)]))
        let group = harness.published
        harness.answer(reply)
        // The last record is asked for too, so that it is known whether the answer is stale.
        #expect(harness.request == Harness.read(from: 10, .leader))
        harness.answer([])
        #expect(harness.requests.isEmpty && harness.owner.chain.head?.checksum == seal)
        harness.pass(5)
        #expect(harness.request == Harness.read(from: 10, .anyReplica))
        harness.answer([(10, Self.seal), (11, group)])
        #expect(harness.news() == [.committed(through: 1)])
        // And where the look shows nothing of it:
        harness.send(.commit(number: 2, [Harness.entry(2)]))
        let second = harness.published
        harness.answer(reply)
        harness.answer([(11, group)])
        harness.pass(5)
        #expect(harness.published == second)
    }

    /// The seal of `OwnerHarness.serving`.
    private static var seal: [UInt8] {
        var harness = Harness()
        harness.send(.takeOver)
        harness.answer([])
        return harness.published
    }

    @Test(
        "messages that are part of no chain are passed over, and the same bytes go after them at once"
    )
    func skipped() {
        var harness = Harness.serving()
        harness.send(.commit(number: 1, [Harness.entry(1)]))
        let group = harness.published
        harness.answer(.superseded)
        harness.answer([(10, Self.seal), (13, Self.seal)])
        harness.pass(0)
        #expect(
            harness.request
                == .publish(subject: Harness.subject, bytes: group, expectedLast: 13))
    }

    @Test(
        "a publish without an answer is looked after in half a second, a late answer ignored")
    func timeout() {
        var harness = Harness.serving()
        harness.send(.commit(number: 1, [Harness.entry(1)]))
        let ticket = harness.requests[0].ticket
        harness.live(490)
        #expect(harness.requests.count == 1)
        harness.live(10)
        #expect(harness.requests.last?.request == Harness.read(from: 10, .leader))
        harness.send(.reply(ticket, .kept(sequence: 11)))
        #expect(harness.news().isEmpty && harness.requests.count == 2)
    }

    @Test("each time in vain it is waited for twice as long, up to a second")
    func patience() {
        var harness = Harness.serving()
        harness.send(.commit(number: 1, [Harness.entry(1)]))
        for patience in [500, 1000, 1000, 1000] as [UInt64] {
            guard case .publish? = harness.requests.last?.request else {
                Issue.record("found \(harness.requests)")
                return
            }
            harness.live(patience - 10)
            guard case .publish? = harness.requests.last?.request else {
                Issue.record("after \(patience) ms: found \(harness.requests)")
                return
            }
            harness.live(10)
            // The publish is never answered; the look is.
            harness.forget()
            #expect(harness.requests.map(\.request) == [Harness.read(from: 10, .leader)])
            // The journal shows nothing of it: it is published again after a pause.
            harness.answer([(10, harness.seal)])
            for _ in 0..<100 {
                if case .publish? = harness.requests.last?.request { break }
                harness.live(10)
            }
        }
    }

    @Test("a commit without entries is told once the owner has proved itself")
    func empty() {
        var harness = Harness.serving()
        harness.send(.commit(number: 4, []))
        #expect(harness.record?.content == .group([]))
        let group = harness.published
        harness.answer(.kept(sequence: 11))
        #expect(harness.news().isEmpty)
        harness.answer([(11, group)])
        #expect(harness.news() == [.committed(through: 4)])
    }

    @Test("a commit that is too large, or has too long a name, is refused and told apart")
    func limits() {
        var harness = Harness.serving()
        let fitting = OwnerLimits.groupBytesMaximum - 6 - 4
        let large = { (bytes: Int) in
            [ChainRecord.Entry(room: "demo", bytes: .init(repeating: 1, count: bytes))]
        }
        harness.send(.commit(number: 1, large(fitting + 1)))
        harness.send(
            .commit(
                number: 2, [.init(room: String(repeating: "x", count: 257), bytes: [])]))
        #expect(
            harness.news() == [
                .refused(
                    commit: 1,
                    .tooLarge(bytes: (512 << 10) + 1, maximum: OwnerLimits.groupBytesMaximum)),
                .refused(commit: 2, .nameTooLong(bytes: 257, maximum: 256)),
            ])
        #expect(harness.requests.isEmpty)
        // 8 MiB are 16 groups; none is divided, and each fills a record.
        for number in 3..<UInt64(19) { harness.send(.commit(number: number, large(fitting))) }
        #expect(harness.news().isEmpty && harness.owner.waitingBytes == 8 << 20)
        harness.send(.commit(number: 19, [Harness.entry(1)]))
        #expect(
            harness.news() == [
                .refused(commit: 19, .queueFull(waitingBytes: 8 << 20, maximum: 8 << 20))
            ])
        let group = harness.published
        harness.answer(.kept(sequence: 11))
        harness.answer([(11, group)])
        #expect(harness.news() == [.committed(through: 3)])
        #expect(harness.record?.content == .group(large(fitting)))
        #expect(harness.owner.waitingBytes == 15 << 19)
    }

    @Test("a node that does not serve refuses")
    func notServing() {
        var harness = Harness()
        harness.send(.commit(number: 1, [Harness.entry(1)]))
        #expect(harness.news() == [.refused(commit: 1, .notServing)])
    }
}
