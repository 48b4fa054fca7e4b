import SceneCluster
import Testing

@Suite("A node takes a shard over")
struct ShardOwnerTakeoverTests {
    private typealias Harness = OwnerHarness

    /// A journal of a seal by the other node at 10 and a group at 11, and the chain after them.
    private static func journal() throws -> (chain: ShardChain, messages: [(UInt64, [UInt8])]) {
        var chain = ShardChain(scope: Harness.scope, subject: Harness.subject)
        let seal = try chain.next(.seal, by: Harness.other).encoded()
        _ = try chain.read(seal, at: 10)
        let group = try chain.next(.group([Harness.entry(1)]), by: Harness.other).encoded()
        _ = try chain.read(group, at: 11)
        return (chain, [(10, seal), (11, group)])
    }

    /// The same, handed over at 13, and the chain after that.
    private static func handedOver(
        to receiver: NodeLife = Harness.me
    ) throws -> (chain: ShardChain, before: [(UInt64, [UInt8])], handOver: (UInt64, [UInt8])) {
        var (chain, messages) = try journal()
        let bytes = try chain.next(.handOver(to: receiver, states: []), by: Harness.other).encoded()
        _ = try chain.read(bytes, at: 13)
        return (chain, messages, (13, bytes))
    }

    @Test("it seals after what it read, reads its seal, and only then serves")
    func sealThenRead() throws {
        let (chain, messages) = try Self.journal()
        var harness = Harness()
        harness.send(.takeOver)
        #expect(harness.owner.phase == .sealing)
        #expect(harness.request == Harness.read(from: 1, .anyReplica))
        harness.answer(messages)
        #expect(
            harness.news().map { if case .load(let records) = $0 { records.count } else { 0 } }
                == [2])
        let seal = chain.next(.seal, by: Harness.me)
        #expect(seal.epoch == 2 && seal.number == 3)
        #expect(
            harness.request
                == .publish(
                    subject: Harness.subject, bytes: try seal.encoded(), expectedLast: 11))
        harness.answer(.kept(sequence: 14))
        #expect(harness.owner.phase == .reading && harness.news().isEmpty)
        #expect(harness.request == Harness.read(from: 12, .leader))
        harness.answer([(14, try seal.encoded())])
        #expect(harness.owner.phase == .serving(epoch: 2))
        let anchor = try #require(harness.owner.chain.head)
        #expect(
            harness.news() == [
                .load([LoadedRecord(record: seal, anchor: anchor)]), .serving(epoch: 2),
            ])
        #expect(harness.requests.isEmpty)
    }

    @Test("a tail that a stale replica did not have is read before it serves")
    func staleReplica() throws {
        let (chain, messages) = try Self.journal()
        var harness = Harness()
        harness.send(.takeOver)
        harness.answer(Array(messages.prefix(1)))
        #expect(harness.record?.number == 2)
        harness.answer(.superseded)
        #expect(harness.request == Harness.read(from: 10, .leader))
        _ = harness.news()
        harness.answer(messages)
        guard case .load(let records) = harness.news().first else {
            Issue.record("nothing was loaded")
            return
        }
        #expect(records.map(\.record.number) == [2])
        // The first claim's place is taken, so another one is made.
        #expect(harness.record == chain.next(.seal, by: Harness.me))
    }

    @Test("a seal that came second is none: the claim is made again after what came first")
    func lostRace() throws {
        let (chain, messages) = try Self.journal()
        var harness = Harness()
        harness.send(.takeOver)
        harness.answer(Array(messages.prefix(1)))
        let lost = harness.published
        harness.answer(.kept(sequence: 12))
        _ = harness.news()
        harness.answer([messages[1], (12, lost)])
        #expect(harness.owner.phase == .sealing)
        #expect(!harness.news().contains { if case .serving = $0 { true } else { false } })
        #expect(harness.record == chain.next(.seal, by: Harness.me))
        guard case .publish(_, _, let expectedLast) = harness.request else {
            Issue.record("nothing is published")
            return
        }
        #expect(expectedLast == 12)
    }

    @Test("another node's seal ends the attempt, and what was loaded stands")
    func yield() throws {
        let (chain, messages) = try Self.journal()
        let third = NodeLife(node: NodeID(3), life: 33)
        var harness = Harness()
        harness.send(.takeOver)
        harness.answer(messages)
        harness.answer(.superseded)
        _ = harness.news()
        harness.answer([messages[1], (15, try chain.next(.seal, by: third).encoded())])
        #expect(harness.owner.phase == .follower)
        #expect(harness.news().last == .yielded(to: third, epoch: 2))
        #expect(harness.owner.chain.lastSequence == 15)
        harness.send(.takeOver)
        #expect(harness.request == Harness.read(from: 16, .anyReplica))
    }

    @Test("an owner that is heard after all ends the attempt, while no claim is on its way")
    func heardOwner() throws {
        var harness = Harness()
        harness.send(.takeOver)
        harness.send(.heardClaim(by: Harness.other, epoch: 1))
        #expect(harness.owner.phase == .follower)
        harness.send(.takeOver)
        harness.forget()
        harness.answer([])
        harness.send(.heardClaim(by: Harness.other, epoch: 1))
        #expect(harness.owner.phase == .sealing)
    }

    @Test("a read that is not answered within 50 ms is asked of another source as well")
    func hedge() {
        var harness = Harness()
        harness.send(.takeOver)
        harness.pass(49)
        #expect(harness.requests.count == 1)
        harness.pass(1)
        #expect(
            harness.requests.map(\.request) == [
                Harness.read(from: 1, .anyReplica), Harness.read(from: 1, .leader),
            ])
        // The second one's answer is as good; the first one's is then ignored.
        let late = harness.requests[0].ticket
        harness.forget()
        harness.answer([])
        #expect(harness.record?.content == .seal)
        harness.send(.reply(late, .messages([], isEnd: true)))
        #expect(harness.requests.count == 1)
    }

    @Test("a claim whose fate is unknown is made again with the same bytes, until it is seen")
    func unknownClaim() {
        var harness = Harness()
        harness.send(.takeOver)
        harness.answer([])
        let seal = harness.published
        harness.pass(2000)
        #expect(harness.requests.last?.request == Harness.read(from: 1, .leader))
        harness.forget()
        harness.answer([])
        harness.pass(5)
        #expect(harness.published == seal)
        harness.answer(.superseded)
        harness.answer([(7, seal)])
        #expect(harness.owner.phase == .serving(epoch: 1))
    }

    @Test("a process's old claim is not taken for a new one")
    func oldClaim() throws {
        var first = Harness.serving()
        first.send(.commit(number: 1, [Harness.entry(1)]))
        let group = first.published
        let seal = first.owner.chain
        first.answer(.superseded)
        let foreign = try seal.next(.seal, by: Harness.other).encoded()
        var start = Harness()
        start.send(.takeOver)
        start.answer([])
        let own = start.published
        first.answer([(10, own), (11, foreign)])
        #expect(first.owner.phase == .resigned)
        // A follower after it reads a replica that has nothing yet, and makes the same claim.
        var second = Harness(after: first.owner)
        second.send(.takeOver)
        second.answer([])
        #expect(second.published == own)
        second.answer(.superseded)
        second.answer([(10, own)], isEnd: false)
        #expect(second.owner.phase == .sealing)
        #expect(!second.news().contains(.serving(epoch: 1)))
        second.answer([(11, foreign)])
        #expect(second.record?.epoch == 3 && second.record?.number == 3)
        #expect(group != second.published)
    }

    @Test("a follower that reads along takes what it is handed, and serves without writing first")
    func receive() throws {
        let (chain, messages, handOver) = try Self.handedOver()
        var harness = Harness()
        harness.send(.follow(every: .milliseconds(20)))
        #expect(harness.request == Harness.read(from: 1, .anyReplica))
        harness.answer(messages)
        #expect(harness.owner.phase == .follower && harness.requests.isEmpty)
        harness.pass(20)
        harness.answer([handOver])
        #expect(harness.owner.phase == .serving(epoch: 2) && harness.requests.isEmpty)
        #expect(harness.news().contains(.serving(epoch: 2)))
        // Its first commit is in the epoch that it was given, right behind the hand-over.
        harness.send(.commit(number: 1, [Harness.entry(1)]))
        #expect(harness.record == chain.next(.group([Harness.entry(1)]), by: Harness.me))
        #expect(harness.record?.epoch == 2)
    }

    @Test(
        "who is about to be given a shard reads at once, and at the leader, which lags behind nobody"
    )
    func beginsNow() throws {
        var harness = Harness()
        harness.send(.follow(every: .milliseconds(500)))
        harness.answer(try Self.journal().messages)
        harness.pass(10)
        #expect(harness.requests.isEmpty)
        harness.send(.follow(every: .milliseconds(20), beginsNow: true))
        #expect(
            harness.request == Harness.read(from: harness.owner.chain.lastSequence + 1, .leader))
    }

    @Test("a hand-over that another owner has sealed since is not taken")
    func outdated() throws {
        let (chain, messages, handOver) = try Self.handedOver()
        let seal = try chain.next(.seal, by: Harness.other).encoded()
        var harness = Harness()
        harness.send(.follow(every: .milliseconds(20)))
        harness.answer(messages + [handOver, (14, seal)])
        #expect(harness.owner.phase == .follower)
    }

    @Test("a hand-over to another life of the node is not taken")
    func otherLife() throws {
        let (_, messages, handOver) = try Self.handedOver(
            to: NodeLife(node: Harness.me.node, life: 10))
        var harness = Harness()
        harness.send(.follow(every: .milliseconds(20)))
        harness.answer(messages + [handOver])
        #expect(harness.owner.phase == .follower)
        harness.send(.takeOver)
        harness.answer([])
        #expect(harness.record?.content == .seal && harness.record?.epoch == 3)
    }
}
