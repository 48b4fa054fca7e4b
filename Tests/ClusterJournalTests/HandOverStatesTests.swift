import SceneCluster
import Testing

@testable import ClusterJournal

@Suite("Hashes of rooms that go with a shard")
struct HandOverStatesTests {
    @Test("all open rooms tell theirs, and the record has them by name")
    func told() {
        var states = HandOverStates()
        states.note(2, of: "b")
        #expect(!states.areTold(of: ["a", "b"]) && states.areTold(of: ["b"]))
        states.note(1, of: "a")
        #expect(states.areTold(of: ["a", "b"]) && states.areTold(of: []))
        #expect(
            states.forRecord(without: []) == [.init(room: "a", hash: 1), .init(room: "b", hash: 2)])
        // The journal lacks something of it.
        #expect(states.forRecord(without: ["a"]) == [.init(room: "b", hash: 2)])
        states.hold(true)
        #expect(states.forRecord(without: []) == [] && !states.areTold(of: ["a"]))
    }

    @Test(
        "what a hand-over says of a room counts until the room is opened or changed, and the last one counts"
    )
    func given() {
        var states = HandOverStates()
        #expect(states.end(of: "a") == nil)
        states.begin([.init(room: "a", hash: 1), .init(room: "b", hash: 2)])
        #expect(states.end(of: "a") == 1)
        #expect(states.end(of: "a") == nil)
        states.begin([.init(room: "a", hash: 3)])
        #expect(states.end(of: "b") == nil)
        states.forget()
        #expect(states.end(of: "a") == nil)
    }
}
