import SceneDocument
import SceneModel
import SceneSession
import Testing

@testable import SceneServer

@Suite("The rooms of a thread")
struct RoomTableTests {
    private func room(at tick: UInt64 = 0) throws -> LiveRoom {
        let model = try SceneModel(SceneDocument(viewport: Viewport(width: 10, height: 10)))
        let (session, _) = SceneSession.create(room: "r", tickRate: 60, model: model)
        return LiveRoom(session, at: ClockTick(tick))
    }

    @Test("a room is loaded, live, retiring and gone, one after another")
    func stages() throws {
        var rooms = RoomTable()
        rooms.load("r", LoadingRoom())
        #expect(rooms.loading("r") != nil)
        #expect(rooms.session(of: "r") == nil)
        #expect(rooms.names.isEmpty)
        #expect(rooms.finishLoading("r") != nil)
        #expect(rooms.finishLoading("r") == nil)
        rooms.open("r", try room())
        #expect(rooms.session(of: "r") != nil)
        #expect(!rooms.isRetiring("r"))
        rooms.retire("r")
        #expect(rooms.isRetiring("r"))
        // It still has its session, which has to take what the store reports.
        #expect(rooms.session(of: "r") != nil)
        rooms.remove("r")
        #expect(rooms.session(of: "r") == nil)
        #expect(rooms.count == 0)
    }

    @Test("a member keeps a room from being unloaded, and its leaving begins the wait anew")
    func occupancy() throws {
        var rooms = RoomTable()
        rooms.open("r", try room(at: 5))
        #expect(rooms.live("r")?.emptySince == ClockTick(5))
        rooms.retire("r")
        rooms.occupy("r")
        #expect(!rooms.isRetiring("r"))
        #expect(rooms.live("r")?.emptySince == nil)
        rooms.vacate("r", at: ClockTick(9))
        #expect(rooms.live("r")?.emptySince == ClockTick(9))
        #expect(!rooms.isRetiring("r"))
    }

    @Test("rooms keep the order of their opening, and removing spares a room that is being read")
    func order() throws {
        var rooms = RoomTable()
        for name in ["c", "a", "b"] { rooms.open(name, try room()) }
        #expect(rooms.names == ["c", "a", "b"])
        rooms.remove("a")
        rooms.load("a", LoadingRoom())
        rooms.remove("a")
        #expect(rooms.loading("a") != nil)
        #expect(rooms.names == ["c", "b"])
        rooms.open("a", try room())
        #expect(rooms.names == ["c", "b", "a"])
    }

    @Test("a session's ticks follow the clock from the moment at which it was opened")
    func ticks() throws {
        let room = try room(at: 100)
        #expect(room.tick(at: ClockTick(100)) == room.session.tick + 1)
        #expect(room.tick(at: ClockTick(160)) == room.session.tick + 61)
        // A new room has nothing to do, and is frozen after some seconds.
        #expect(room.wakeTick == nil)
    }

    @Test("a room has the same thread on every run, and rooms are spread over all threads")
    func directory() {
        let rooms = RoomDirectory(threads: 4, tickRate: 60)
        let places = (0..<64).map { number in
            rooms.mailboxes.firstIndex { $0 === rooms.mailbox(of: "room-\(number)") }
        }
        #expect(Set(places).count == 4)
        #expect(rooms.mailboxes.firstIndex { $0 === rooms.mailbox(of: "demo") } == 2)
        #expect(RoomDirectory(threads: 0, tickRate: 60).mailboxes.count == 1)
    }
}
