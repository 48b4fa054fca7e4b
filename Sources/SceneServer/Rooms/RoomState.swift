import Annotations
import SceneDocument
import SceneSession
import SceneWire

/// The state of a room on its thread.
enum RoomState {
    /// The store is loading the room's journal.
    case loading(LoadingRoom)
    /// The room has a session.
    case live(LiveRoom)
    /// The room has been empty for long; it is unloaded once all records are durable.
    case retiring(LiveRoom)
    /// The room is in the slow lane.
    case away(AwayRoom)
}

/// A room whose journal is being loaded.
struct LoadingRoom {
    /// The scene for a room without a journal.
    enum Scene {
        /// An empty one, if an applicant may create rooms.
        case empty
        /// The scene with which the server was started.
        case opened(SceneDocument)
        /// An administrator's scene, which also replaces a journalled one.
        case imported(SceneDocument, @Sendable (RoomReply) -> Void)
        /// An administrator's exported room, which replaces none.
        case restored(JournalRecord, @Sendable (RoomReply) -> Void)
    }

    /// Waiting connections, in order of arrival.
    var applicants: [(MemberID, Applicant)] = []
    var scene = Scene.empty
    /// Requests of administrators and of other rooms that wait for the room, which change nothing
    /// in it.
    var questions: [(request: RoomRequest, reply: @Sendable (RoomReply) -> Void)] = []
    /// For a branch: the suggestion, as its room has it; `nil` until that has told.
    var suggestion: Suggestion?
    /// The hash of the state with which the room was handed over to this process.
    var handedOverHash: UInt64?
    /// The bytes of the scene that is made where there are no records.
    var sceneBytes: Int {
        if case .restored(let record, _) = scene { record.payload.count } else { 0 }
    }
    /// The number of earlier snapshots that were tried because later ones could not be parsed.
    var stepsBack = 0
}

/// A room in the slow lane.
struct AwayRoom {
    /// Its last summary; `nil` while it is being opened.
    var summary: RoomSummary?
    /// Mail that waits for its return, after it was recalled.
    var held: [RoomMail]?
}

/// A room with a session.
struct LiveRoom {
    let session: SceneSession
    /// The clock's tick and the session's tick at the same moment.
    let clockBase: ClockTick
    let tickBase: UInt64
    /// The clock's tick at which the last member left; `nil` while there are members.
    var emptySince: ClockTick?
    /// The first record of an unchanged room; written together with the second.
    var unwritten: JournalRecord?
    /// The processor time of its steps on this thread.
    private(set) var times = RoomTimes()

    /// Makes a room that starts now, without members.
    init(_ session: SceneSession, at now: ClockTick) {
        self.session = session
        clockBase = now
        tickBase = session.tick + 1
        emptySince = now
    }

    /// The room on a thread with another clock.
    func moved(to now: ClockTick) -> LiveRoom {
        var room = LiveRoom(session, at: now)
        // It may have moved in the middle of its last member's departure.
        if session.memberCount > 0 { room.emptySince = nil }
        room.unwritten = unwritten
        return room
    }

    /// The room as if it had come to a later tick by now.
    func advanced(to tick: UInt64, at now: ClockTick) -> LiveRoom {
        var room = LiveRoom(session, clockBase: now, tickBase: tick)
        room.emptySince = emptySince
        room.unwritten = unwritten
        room.times = times
        return room
    }

    private init(_ session: SceneSession, clockBase: ClockTick, tickBase: UInt64) {
        self.session = session
        self.clockBase = clockBase
        self.tickBase = tickBase
    }

    /// The session's tick at a tick of the clock.
    func tick(at clock: ClockTick) -> UInt64 { tickBase + (clock - clockBase) }

    /// The clock's tick at which the session has work; `nil` for none.
    var wakeTick: ClockTick? { session.nextTick.map(clock(at:)) }

    /// The clock's tick at which the session should be frozen; `nil` for none.
    var freezeTick: ClockTick? { session.freezeTick.map(clock(at:)) }

    private func clock(at tick: UInt64) -> ClockTick {
        clockBase + (tick > tickBase ? tick - tickBase : 0)
    }
}

/// The rooms of one thread.
struct RoomTable {
    private var states: [String: RoomState] = [:]
    /// The rooms with a session, in the order of opening, since the order of a dictionary is not
    /// deterministic.
    private(set) var names: [String] = []

    /// The number of rooms with a session.
    var count: Int { names.count }

    /// The session of a room; `nil` while it has none.
    func session(of name: String) -> SceneSession? { live(name)?.session }

    /// A room with a session, retiring or not.
    func live(_ name: String) -> LiveRoom? {
        switch states[name] {
        case .live(let room), .retiring(let room): room
        case .loading, .away, nil: nil
        }
    }

    /// A room in the slow lane.
    func away(_ name: String) -> AwayRoom? {
        if case .away(let room) = states[name] { room } else { nil }
    }

    /// The rooms in the slow lane, in no order.
    var awayNames: [String] {
        states.compactMap { if case .away = $0.value { $0.key } else { nil } }
    }

    /// A room that is being loaded.
    func loading(_ name: String) -> LoadingRoom? {
        if case .loading(let room) = states[name] { room } else { nil }
    }

    /// Whether a room waits to be unloaded.
    func isRetiring(_ name: String) -> Bool {
        if case .retiring = states[name] { true } else { false }
    }

    /// Registers that a room is being loaded, or that more requests wait for it.
    ///
    /// - Precondition: The room has no session.
    mutating func load(_ name: String, _ room: LoadingRoom) {
        precondition(live(name) == nil, "a room with a session is not loaded")
        states[name] = .loading(room)
    }

    /// Ends the loading of a room.
    ///
    /// - Returns: The requests that waited for it; `nil` if it was not being loaded.
    mutating func finishLoading(_ name: String) -> LoadingRoom? {
        guard let room = loading(name) else { return nil }
        states[name] = nil
        return room
    }

    /// Sets the session of a room.
    mutating func open(_ name: String, _ room: LiveRoom) {
        if live(name) == nil { names.append(name) }
        states[name] = .live(room)
    }

    /// Has a room come to a later tick.
    mutating func advance(_ name: String, to tick: UInt64, at now: ClockTick) {
        guard case .live(let room) = states[name] else { return }
        states[name] = .live(room.advanced(to: tick, at: now))
    }

    /// Registers that a room has members, so that it is not unloaded.
    mutating func occupy(_ name: String) {
        guard var room = live(name) else { return }
        room.emptySince = nil
        states[name] = .live(room)
    }

    /// Registers that a room has no members.
    mutating func vacate(_ name: String, at now: ClockTick) {
        switch states[name] {
        case .live(var room):
            room.emptySince = now
            states[name] = .live(room)
        case .retiring(var room):
            room.emptySince = now
            states[name] = .retiring(room)
        case .loading, .away, nil: break
        }
    }

    /// Registers that a room moved to the slow lane; removes its session.
    mutating func sendAway(_ name: String, _ room: AwayRoom) {
        remove(name)
        states[name] = .away(room)
    }

    /// Registers that a room returns from the slow lane; it has no session yet.
    ///
    /// - Returns: Its state; `nil` if it was not away.
    mutating func takeBack(_ name: String) -> AwayRoom? {
        guard let room = away(name) else { return nil }
        states[name] = nil
        return room
    }

    /// Holds the first record of a room back until the next record.
    mutating func hold(_ record: JournalRecord, of name: String) {
        guard case .live(var room) = states[name] else { return }
        room.unwritten = record
        states[name] = .live(room)
    }

    /// Returns the first record of a room if it was not written yet, and marks it as written.
    mutating func takeUnwritten(of name: String) -> JournalRecord? {
        // Called for every record, and rarely present.
        guard var room = live(name), let record = room.unwritten else { return nil }
        room.unwritten = nil
        states[name] = isRetiring(name) ? .retiring(room) : .live(room)
        return record
    }

    /// Marks a room to be unloaded.
    mutating func retire(_ name: String) {
        if case .live(let room) = states[name] { states[name] = .retiring(room) }
    }

    /// Removes a room with a session; does nothing for a room that is being loaded.
    mutating func remove(_ name: String) {
        guard live(name) != nil else { return }
        states[name] = nil
        names.removeAll { $0 == name }
    }
}
