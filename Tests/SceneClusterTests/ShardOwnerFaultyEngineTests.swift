import SceneCluster
import SeededRandom
import Testing

@Suite("An owner whose engine lies")
struct ShardOwnerFaultyEngineTests {
    private typealias Harness = OwnerHarness

    private static func error(
        _ sequence: UInt64, _ reason: ChainError.Reason
    ) -> ChainError {
        ChainError(
            place: RecordPlace(subject: Harness.subject, sequence: sequence), reason: reason)
    }

    private static func expectLost(_ harness: Harness, _ error: ChainError) {
        #expect(harness.told.last == .lost(error))
        #expect(harness.owner.phase == .stopped(error))
    }

    @Test("a record that is not at the place that the engine named was forgotten")
    func forgottenAtItsPlace() {
        var harness = Harness.serving()
        harness.send(.commit(number: 1, [Harness.entry(1)]))
        harness.answer(.kept(sequence: 11))
        harness.answer([(13, harness.seal)])
        Self.expectLost(harness, Self.error(11, .forgotten))
    }

    @Test("a record that thirty answers of the leader lack was forgotten")
    func forgottenForLong() {
        var harness = Harness.serving()
        harness.send(.commit(number: 1, [Harness.entry(1)]))
        harness.answer(.kept(sequence: 11))
        var leaderAnswers = 0
        for _ in 0..<10_000 where harness.owner.epoch != nil {
            if case .read(_, _, _, .leader) = harness.request { leaderAnswers += 1 }
            harness.answer([])
            harness.live(10)
        }
        #expect(leaderAnswers == 30)
        #expect(harness.time > 30_000)
        Self.expectLost(harness, Self.error(11, .forgotten))
    }

    @Test("a journal that ends before what was read was rewound")
    func rewound() {
        var harness = Harness.serving()
        harness.send(.commit(number: 1, [Harness.entry(1)]))
        harness.answer(.superseded)
        for _ in 0..<10_000 where harness.owner.epoch != nil {
            harness.answer([])
            harness.live(10)
        }
        Self.expectLost(harness, Self.error(10, .rewound))
    }

    @Test("another record at the place that was read last was rewritten")
    func rewritten() throws {
        var harness = Harness.serving()
        harness.send(.commit(number: 1, [Harness.entry(1)]))
        harness.answer(.unknown("cut"))
        let empty = ShardChain(scope: Harness.scope, subject: Harness.subject)
        harness.answer([(10, try empty.next(.seal, by: Harness.other).encoded())])
        Self.expectLost(harness, Self.error(10, .rewritten))
    }

    @Test("a sequence number that was given before was rewritten")
    func sequenceGivenTwice() {
        var harness = Harness.serving()
        harness.send(.commit(number: 1, [Harness.entry(1)]))
        harness.answer(.kept(sequence: 10))
        Self.expectLost(harness, Self.error(10, .rewritten))
    }

    @Test("a foreign record stops the shard, and is reported with its place")
    func foreign() {
        var harness = Harness.serving()
        harness.send(.commit(number: 1, [Harness.entry(1)]))
        harness.answer(.superseded)
        harness.answer([(10, harness.seal), (12, Array("hello".utf8))])
        Self.expectLost(
            harness, Self.error(12, .record(.foreign(firstBytes: Array("hell".utf8)))))
        harness.send(.commit(number: 2, [Harness.entry(2)]))
        #expect(harness.told.last == .refused(commit: 2, .notServing))
        harness.pass(10_000)
        #expect(harness.requests.isEmpty)
    }

    @Test("missing records stop a node that takes over, where snapshots do not hold them")
    func gap() throws {
        let serving = Harness.serving()
        var chain = serving.owner.chain
        let first = try chain.next(.group([]), by: Harness.me).encoded()
        _ = try chain.read(first, at: 11)
        let second = try chain.next(.group([]), by: Harness.me).encoded()
        var harness = Harness(Harness.other)
        harness.send(.takeOver)
        harness.answer([(10, serving.seal), (12, second)])
        #expect(harness.told.last == .floorWanted)
        harness.pass(10_000)
        #expect(harness.requests.isEmpty)
        harness.send(.noFloor)
        Self.expectLost(harness, Self.error(12, .gap(found: 3, expected: 2)))
    }

    @Test("a node that takes over goes on from where the journal is whole")
    func rebased() throws {
        var chain = Harness.serving().owner.chain
        let second = try chain.next(.group([]), by: Harness.me).encoded()
        _ = try chain.read(second, at: 11)
        let anchor = try #require(chain.head)
        let third = try chain.next(.group([Harness.entry(1)]), by: Harness.me).encoded()
        var harness = Harness(Harness.other)
        harness.send(.takeOver)
        // The claim at sequence 10 was removed.
        harness.answer([(11, second), (12, third)])
        #expect(harness.told.last == .floorWanted)
        // A directory from before what was read says nothing.
        var old = anchor
        old.number = 0
        harness.send(.rebase(old))
        #expect(harness.requests.isEmpty)
        harness.send(.rebase(anchor))
        #expect(
            harness.requests.map(\.request) == [
                .read(
                    subject: Harness.subject, from: 12,
                    maximum: OwnerLimits.pageRecordMaximum, source: .anyReplica)
            ])
        harness.answer([(12, third)])
        guard case .publish(_, let bytes, expectedLast: 12)? = harness.requests.last?.request
        else {
            Issue.record("found \(harness.requests)")
            return
        }
        let claim = try ChainRecord.decode(bytes, scope: Harness.scope).record
        #expect(claim.number == 4)
        #expect(claim.epoch == 2)
        harness.answer(.kept(sequence: 13))
        harness.answer([(13, bytes)])
        #expect(harness.told.last == .serving(epoch: 2))
    }

    @Test("an owner that finds the journal gone on beyond what it knows gives the shard up")
    func outrun() throws {
        var harness = Harness.serving()
        var chain = harness.owner.chain
        let seal = try chain.next(.seal, by: Harness.other).encoded()
        _ = try chain.read(seal, at: 11)
        let group = try chain.next(.group([]), by: Harness.other).encoded()
        harness.send(.heardSelf)
        harness.send(.commit(number: 1, [Harness.entry(1)]))
        harness.answer(.superseded)
        // What it read last and the other's claim were removed.
        harness.answer([(12, group)])
        #expect(harness.told.last == .resigned(.outrun, keptThrough: 0))
    }

    @Test("whatever is answered, it neither traps nor goes on without end", arguments: 0..<200)
    func anything(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        var harness = Harness.serving()
        let empty = ShardChain(scope: Harness.scope, subject: Harness.subject)
        let pool: [[UInt8]] = [
            harness.seal, try empty.next(.seal, by: Harness.other).encoded(), [], [83, 83, 67, 82],
            try harness.owner.chain.next(.group([Harness.entry(1)]), by: Harness.me).encoded(),
            try harness.owner.chain.next(.seal, by: Harness.other).encoded(),
        ]
        var commit: UInt64 = 0
        for _ in 0..<200 {
            switch random.below(8) {
            case 0:
                commit += 1
                harness.send(.commit(number: commit, [Harness.entry(1)]))
            case 1: harness.send(.heardSelf)
            case 2: harness.send(.heardClaim(by: Harness.other, epoch: random.next()))
            case 3: harness.pass(UInt64(random.below(3000)))
            case 4: harness.answer(.kept(sequence: random.pick([0, 1, 10, 11, 12, .max])))
            case 5:
                harness.answer(random.pick([.busy, .superseded, .unknown(""), .failed("")]))
            default:
                harness.answer(
                    (0..<random.below(4)).map { _ in
                        (random.pick([0, 9, 10, 11, 12, .max]), random.pick(pool))
                    }, isEnd: random.below(2) == 0)
            }
            // Of each kind of request there is a bounded number under way.
            #expect(harness.requests.count < 500)
        }
        let committed = harness.told.filter { if case .committed = $0 { true } else { false } }
        #expect(committed.count <= Int(commit))
    }
}
