import SceneCluster
import Testing

@Suite("An owner doubts, and gives up")
struct ShardOwnerDoubtTests {
    private typealias Harness = OwnerHarness

    @Test("one that does not hear its own beats writes nothing new until it does")
    func suspect() {
        var harness = Harness.serving()
        harness.pass(299)
        #expect(harness.news().isEmpty)
        harness.pass(1)
        #expect(harness.news() == [.suspect])
        harness.send(.commit(number: 1, [Harness.entry(1)]))
        harness.pass(50)
        #expect(harness.requests.isEmpty && harness.news().isEmpty)
        harness.send(.heardSelf)
        #expect(harness.news() == [.trusted])
        #expect(harness.record?.content == .group([Harness.entry(1)]))
    }

    @Test("after twelve seconds without anything kept, new commits are refused and old ones wait")
    func stalled() {
        var harness = Harness.serving()
        harness.send(.commit(number: 1, [Harness.entry(1)]))
        let group = harness.published
        harness.answer(.unknown("no responders"))
        harness.live(11_990)
        #expect(harness.news().isEmpty)
        harness.live(10)
        guard case .stalled(let reason) = harness.news().first else {
            Issue.record("it does not stall")
            return
        }
        #expect(reason == "a read was not answered in time")
        harness.send(.commit(number: 2, [Harness.entry(2)]))
        #expect(harness.news() == [.refused(commit: 2, .stalled)])
        // The engine is well again: it kept the first publish after all.
        while harness.requests.count > 1 { harness.forget() }
        harness.answer([(10, harness.seal), (11, group)])
        #expect(harness.news() == [.committed(through: 1), .resumed])
        harness.send(.commit(number: 3, [Harness.entry(3)]))
        #expect(harness.record?.content == .group([Harness.entry(3)]))
    }

    @Test("another node's seal ends it; what was not read back before is not kept")
    func foreignSeal() throws {
        var harness = Harness.serving()
        var chain = harness.owner.chain
        harness.send(.commit(number: 1, [Harness.entry(1)]))
        let first = harness.published
        _ = try chain.read(first, at: 11)
        harness.answer(.kept(sequence: 11))
        harness.send(.commit(number: 2, [Harness.entry(2)]))
        let seal = try chain.next(.seal, by: Harness.other).encoded()
        harness.answer([(11, first), (12, seal)])
        #expect(
            harness.news() == [
                .committed(through: 1),
                .resigned(.superseded(by: Harness.other, epoch: 2), keptThrough: 1),
            ])
        harness.send(.commit(number: 3, [Harness.entry(3)]))
        #expect(harness.news() == [.refused(commit: 3, .notServing)])
        harness.pass(5000)
        #expect(harness.requests.isEmpty)
    }

    @Test("a later owner that is heard of makes it look; only the journal makes it resign")
    func laterClaim() throws {
        var harness = Harness.serving()
        let chain = harness.owner.chain
        harness.send(.heardClaim(by: Harness.other, epoch: 1))
        #expect(harness.requests.isEmpty)
        harness.send(.heardClaim(by: Harness.other, epoch: 2))
        #expect(harness.news() == [.suspect])
        #expect(harness.request == Harness.read(from: 10, .leader))
        harness.answer([(10, harness.seal)])
        #expect(harness.owner.phase == .serving(epoch: 1))
        harness.send(.heardClaim(by: Harness.other, epoch: 2))
        harness.pass(100)
        harness.answer([
            (10, harness.seal), (11, try chain.next(.seal, by: Harness.other).encoded()),
        ])
        #expect(
            harness.news() == [
                .resigned(.superseded(by: Harness.other, epoch: 2), keptThrough: 0)
            ])
    }

    @Test("a claim that is no longer heard is forgotten")
    func claimEnds() {
        var harness = Harness.serving()
        harness.send(.heardClaim(by: Harness.other, epoch: 2))
        harness.answer([(10, harness.seal)])
        harness.live(310)
        while !harness.requests.isEmpty { harness.answer([(10, harness.seal)]) }
        #expect(harness.news() == [.suspect, .trusted])
        harness.live(1000)
        #expect(harness.requests.isEmpty)
    }

    @Test("a hand-over comes after everything that waits")
    func handOver() throws {
        var harness = Harness.serving()
        var chain = harness.owner.chain
        harness.send(.commit(number: 1, [Harness.entry(1)]))
        let group = harness.published
        let states = [ChainRecord.StateHash(room: "demo", hash: 5)]
        harness.send(.handOver(to: Harness.other, states: states))
        harness.send(.commit(number: 2, [Harness.entry(2)]))
        #expect(harness.news() == [.refused(commit: 2, .handing)])
        harness.answer(.kept(sequence: 11))
        harness.answer([(11, group)])
        _ = try chain.read(group, at: 11)
        let record = chain.next(.handOver(to: Harness.other, states: states), by: Harness.me)
        #expect(harness.record == record)
        harness.answer(.kept(sequence: 12))
        harness.answer([(12, try record.encoded())])
        #expect(
            harness.news() == [
                .committed(through: 1),
                .resigned(.handedOver(to: Harness.other, epoch: 2), keptThrough: 1),
            ])
    }

    @Test("more state hashes than a record takes are left out")
    func manyStates() throws {
        var harness = Harness.serving()
        let states = (0..<60_000).map {
            ChainRecord.StateHash(room: "room-\($0)", hash: UInt64($0))
        }
        harness.send(.handOver(to: Harness.other, states: states))
        guard case .handOver(_, let told) = harness.record?.content else {
            Issue.record("nothing is handed over")
            return
        }
        #expect(!told.isEmpty && told == Array(states.prefix(told.count)))
        #expect(harness.published.count <= (512 << 10) + 200)
    }

    @Test("draining ends once everything is kept")
    func drain() {
        var harness = Harness.serving()
        harness.send(.commit(number: 1, [Harness.entry(1)]))
        let group = harness.published
        harness.send(.drain)
        harness.answer(.kept(sequence: 11))
        harness.answer([(11, group)])
        #expect(
            harness.news() == [.committed(through: 1), .resigned(.drained, keptThrough: 1)])
    }
}

extension OwnerHarness {
    /// The seal of `serving`.
    var seal: [UInt8] {
        var harness = OwnerHarness()
        harness.send(.takeOver)
        harness.answer([])
        return harness.published
    }
}
