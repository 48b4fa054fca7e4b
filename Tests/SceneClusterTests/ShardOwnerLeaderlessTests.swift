import SceneCluster
import Testing

@Suite("An owner whose stream has no leader")
struct ShardOwnerLeaderlessTests {
    private typealias Harness = OwnerHarness

    /// An owner with a group that nobody answered, after 500 ms; 50 ms later a replica is asked
    /// besides the leader.
    private static func looking() -> (harness: Harness, group: [UInt8]) {
        var harness = Harness.serving()
        harness.send(.commit(number: 1, [Harness.entry(1)]))
        let group = harness.published
        harness.forget()
        harness.live(500)
        #expect(harness.request == Harness.read(from: 10, .leader))
        harness.live(50)
        #expect(harness.requests.last?.request == Harness.read(from: 10, .anyReplica))
        return (harness, group)
    }

    @Test("what a replica has of a record on its way is enough")
    func replicaHasIt() {
        var (harness, group) = Self.looking()
        harness.forget()
        harness.answer([(10, harness.seal), (11, group)])
        #expect(harness.news() == [.committed(through: 1)])
    }

    @Test(
        "where only a replica answers the look, the record is published each 250 ms until it is kept"
    )
    func publishesBlindly() {
        var (harness, group) = Self.looking()
        for _ in 0..<10 {
            harness.forget()
            harness.answer([(10, harness.seal)])
            harness.live(10)
            #expect(harness.published == group)
            harness.forget()
            harness.live(190)
            #expect(harness.requests.isEmpty)
            harness.live(10)
            #expect(harness.request == Harness.read(from: 10, .leader))
            harness.live(50)
            #expect(harness.requests.count == 2)
        }
        harness.forget()
        harness.answer([(10, harness.seal)])
        harness.live(10)
        harness.answer(.kept(sequence: 11))
        harness.answer([(11, group)])
        #expect(harness.news() == [.committed(through: 1)])
    }

    @Test(
        "where the leader answers the look it is there and slow: its next answer is awaited for a second"
    )
    func slowLeader() {
        var (harness, group) = Self.looking()
        harness.answer([(10, harness.seal)])
        // What the replica says is too late.
        harness.forget()
        harness.live(10)
        #expect(harness.published == group)
        harness.forget()
        harness.live(990)
        #expect(harness.requests.isEmpty)
        harness.live(10)
        #expect(harness.request == Harness.read(from: 10, .leader))
    }
}
