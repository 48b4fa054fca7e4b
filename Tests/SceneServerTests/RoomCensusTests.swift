import Testing

@testable import SceneServer

@Suite("Rooms that there are")
struct RoomCensusTests {
    private func enter(_ census: RoomCensus, _ name: String) -> RoomCensus.Entry {
        census.enter(name, membersMaximum: 2, roomsMaximum: 2)
    }

    @Test("a room counts from its first member's coming to its unloading")
    func counts() {
        let census = RoomCensus()
        #expect(enter(census, "a") == .entered(opens: true))
        census.open("a")
        #expect(enter(census, "a") == .entered(opens: false))
        #expect(enter(census, "a") == .tooManyMembers)
        census.open("b")
        #expect(enter(census, "c") == .tooManyRooms)
        #expect(enter(census, "b") == .entered(opens: false))
        #expect(census.members(of: "a") == 2 && census.members(of: "c") == 0)
        #expect(census.summary == (3, 2))
        census.leave("a")
        census.leave("a")
        #expect(enter(census, "c") == .tooManyRooms)
        census.close("a")
        #expect(enter(census, "c") == .entered(opens: true))
        #expect(census.summary == (2, 1))
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
}
