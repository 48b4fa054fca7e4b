import SeededRandom
import Testing
import WebSocketTransport

@testable import SceneServer

@Suite("Rooms that there are")
struct RoomCensusTests {
    private func enter(
        _ census: RoomCensus, _ name: String, by opener: RoomCensus.Opener? = nil, rooms: Int = 2,
        ofOpener: Int = 0
    ) -> RoomCensus.Entry {
        census.enter(
            name, by: opener,
            RoomCensus.Maxima(members: 2, rooms: rooms, roomsOfOpener: ofOpener))
    }

    /// A room that was joined, opened and left.
    private func rest(_ census: RoomCensus, _ name: String, by opener: RoomCensus.Opener? = nil) {
        #expect(enter(census, name, by: opener, rooms: .max) == .entered(opens: true))
        census.open(name)
        census.leave(name)
    }

    @Test("a room counts from its first member's coming to its unloading")
    func counts() {
        let census = RoomCensus()
        #expect(enter(census, "a") == .entered(opens: true))
        census.open("a")
        #expect(enter(census, "a") == .entered(opens: false))
        #expect(enter(census, "a") == .tooManyMembers)
        #expect(enter(census, "b") == .entered(opens: true))
        census.open("b")
        #expect(enter(census, "c") == .tooManyRooms)
        #expect(enter(census, "b") == .entered(opens: false))
        #expect(census.members(of: "a") == 2 && census.members(of: "c") == 0)
        #expect(census.summary == (4, 2))
        census.leave("a")
        census.leave("a")
        census.close("a")
        #expect(enter(census, "c") == .entered(opens: true))
        #expect(census.summary == (3, 1))
    }

    @Test("a room that could not be made is gone with its last member")
    func unmade() {
        let census = RoomCensus()
        for _ in 0..<10 {
            #expect(enter(census, "a") == .entered(opens: true))
            census.leave("a")
        }
        #expect(census.summary == (0, 0))
    }

    @Test("at the maximum the memberless room that rests longest makes room, and no other")
    func eviction() {
        let census = RoomCensus()
        for name in ["a", "b", "c"] { rest(census, name) }
        // It was visited meanwhile, so b rests longest.
        #expect(enter(census, "a", rooms: 3) == .entered(opens: false))
        census.leave("a")
        #expect(enter(census, "x", rooms: 3) == .entered(opens: true, evicts: "b"))
        // b is on its way out, and only one may be.
        #expect(enter(census, "y", rooms: 3) == .tooManyRooms)
        census.close("b")
        #expect(enter(census, "y", rooms: 3) == .entered(opens: true, evicts: "c"))
        // Somebody comes to c before it is unloaded: it counts again.
        #expect(enter(census, "c", rooms: 3) == .entered(opens: false))
        #expect(enter(census, "z", rooms: 3) == .entered(opens: true, evicts: "a"))
        census.close("a")
        #expect(enter(census, "v", rooms: 3) == .tooManyRooms)
    }

    @Test(
        "who has opened its share makes room among its own rooms, or waits; others are not affected"
    )
    func share() {
        let census = RoomCensus()
        let one = RoomCensus.Opener.subject(Subject("one"))
        let two = RoomCensus.Opener.subject(Subject("two"))
        rest(census, "other", by: two)
        rest(census, "a", by: one)
        #expect(enter(census, "b", by: one, rooms: 9, ofOpener: 2) == .entered(opens: true))
        #expect(
            enter(census, "c", by: one, rooms: 9, ofOpener: 2)
                == .entered(opens: true, evicts: "a"))
        census.close("a")
        #expect(enter(census, "d", by: one, rooms: 9, ofOpener: 2) == .tooManyOfOpener)
        // Rooms of others may be joined.
        #expect(enter(census, "other", by: one, rooms: 9, ofOpener: 2) == .entered(opens: false))
        #expect(enter(census, "d", by: two, rooms: 9, ofOpener: 2) == .entered(opens: true))
        census.leave("b")
        #expect(enter(census, "e", by: one, rooms: 9, ofOpener: 2) == .entered(opens: true))
    }

    @Test("the counts hold after any sequence of events, against lists")
    func random() {
        var random = SplitMix64(seed: 7)
        let census = RoomCensus()
        let names = (0..<12).map { "r\($0)" }
        var members: [String: Int] = [:]
        var loaded: Set<String> = []
        for _ in 0..<20_000 {
            let name = random.pick(names)
            switch random.below(4) {
            case 0:
                let isKnown = loaded.contains(name) || members[name, default: 0] > 0
                let entry = enter(
                    census, name, by: .subject(Subject("\(random.below(3))")), rooms: 6, ofOpener: 3
                )
                switch entry {
                case .entered(let opens, let evicted):
                    #expect(opens == !isKnown)
                    members[name, default: 0] += 1
                    if let evicted {
                        #expect(loaded.contains(evicted) && members[evicted, default: 0] == 0)
                    }
                case .tooManyMembers: #expect(members[name] == 2)
                case .tooManyRooms, .tooManyOfOpener: #expect(!isKnown)
                }
            case 1 where members[name, default: 0] > 0:
                census.leave(name)
                members[name, default: 0] -= 1
            case 2 where members[name, default: 0] > 0:
                census.open(name)
                loaded.insert(name)
            case 3 where members[name, default: 0] == 0 && loaded.contains(name):
                census.close(name)
                loaded.remove(name)
            default: break
            }
            #expect(census.summary == (members.values.reduce(0, +), loaded.count))
        }
    }
}
