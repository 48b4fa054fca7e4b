import SceneProtocol
import SceneSession

/// How far a room of a thread has come.
enum RoomState {
    /// The store reads the room's journal.
    case loading(LoadingRoom)
    /// The room has a session.
    case live(LiveRoom)
    /// The room was empty for long; it is unloaded once everything is durable.
    case retiring(LiveRoom)
    /// The room is in the slow lane.
    case away(AwayRoom)
}

/// A room whose journal is being read.
struct LoadingRoom {
    /// The scene for a room that turns out to have no journal.
    enum Scene {
        /// An empty one, if an applicant may create rooms.
        case empty
        /// The scene with which the server was started.
        case opened(SceneDocument)
        /// An administrator's scene, which replaces the journal's too.
        case imported(SceneDocument, @Sendable (RoomReply) -> Void)
    }

    /// Connections that wait, in order of arrival.
    var applicants: [(MemberID, Applicant)] = []
    var scene = Scene.empty
    /// How often the journal was read anew from an earlier snapshot, since the one before could not be read.
    var stepsBack = 0
}

/// A room that another thread has, because it needs more time than a tick.
struct AwayRoom {
    /// What it last told of itself; `nil` while it is being opened.
    var summary: RoomSummary?
    /// Mail that waits for its return, once it was recalled.
    var held: [SceneMail]?
}

/// A room with a session.
struct LiveRoom {
    let session: SceneSession
    /// The clock's tick at which the session's own count began, and the session's tick then.
    let clockBase: ClockTick
    let tickBase: UInt64
    /// The clock's tick at which the last member left; `nil` while there are members.
    var emptySince: ClockTick?
    /// The first record of a room that is still empty: it is written together with the next one.
    var unwritten: JournalRecord?

    /// A room that begins now, without members.
    init(_ session: SceneSession, at now: ClockTick) {
        self.session = session
        clockBase = now
        tickBase = session.tick + 1
        emptySince = now
    }

    /// The same room on a thread with another clock.
    func moved(to now: ClockTick) -> LiveRoom {
        var room = LiveRoom(session, at: now)
        if emptySince == nil { room.emptySince = nil }
        room.unwritten = unwritten
        return room
    }

    /// The session's tick at a tick of the clock.
    func tick(at clock: ClockTick) -> UInt64 { tickBase + (clock - clockBase) }

    /// The clock's tick at which the session has something to do; `nil` for none.
    var wakeTick: ClockTick? { session.nextTick.map(clock(at:)) }

    /// The clock's tick from which on the session should be frozen; `nil` for none.
    var freezeTick: ClockTick? { session.freezeTick.map(clock(at:)) }

    private func clock(at tick: UInt64) -> ClockTick {
        clockBase + (tick > tickBase ? tick - tickBase : 0)
    }
}

/// The rooms of one thread.
struct RoomTable {
    private var states: [String: RoomState] = [:]
    /// The rooms with a session, in the order in which they were opened: no dictionary decides the order of work.
    private(set) var names: [String] = []

    /// The number of rooms with a session.
    var count: Int { names.count }

    /// The session of a room; `nil` where there is none, or none yet.
    func session(of name: String) -> SceneSession? { live(name)?.session }

    /// A room with a session, retiring or not.
    func live(_ name: String) -> LiveRoom? {
        switch states[name] {
        case .live(let room), .retiring(let room): room
        case .loading, .away, nil: nil
        }
    }

    /// A room that another thread has.
    func away(_ name: String) -> AwayRoom? {
        if case .away(let room) = states[name] { room } else { nil }
    }

    /// The rooms that other threads have, in no order.
    var awayNames: [String] {
        states.compactMap { if case .away = $0.value { $0.key } else { nil } }
    }

    /// A room that is being read.
    func loading(_ name: String) -> LoadingRoom? {
        if case .loading(let room) = states[name] { room } else { nil }
    }

    /// Whether a room waits to be unloaded.
    func isRetiring(_ name: String) -> Bool {
        if case .retiring = states[name] { true } else { false }
    }

    /// Notes that a room is being read, or that more waits for it.
    ///
    /// - Precondition: The room has no session.
    mutating func load(_ name: String, _ room: LoadingRoom) {
        precondition(live(name) == nil, "a room that has a session is not read")
        states[name] = .loading(room)
    }

    /// Ends a room's loading.
    ///
    /// - Returns: Everything that waited for it; `nil` where it was not being read.
    mutating func finishLoading(_ name: String) -> LoadingRoom? {
        guard let room = loading(name) else { return nil }
        states[name] = nil
        return room
    }

    /// Gives a room its session.
    mutating func open(_ name: String, _ room: LiveRoom) {
        if live(name) == nil { names.append(name) }
        states[name] = .live(room)
    }

    /// Notes that a room has a member, so that it is not unloaded.
    mutating func occupy(_ name: String) {
        guard var room = live(name) else { return }
        room.emptySince = nil
        states[name] = .live(room)
    }

    /// Notes that a room has no members.
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

    /// Notes that another thread has a room; takes it out of the rooms with a session.
    mutating func sendAway(_ name: String, _ room: AwayRoom) {
        remove(name)
        states[name] = .away(room)
    }

    /// Notes that a room is not away any more; it has no session yet.
    ///
    /// - Returns: What was kept for it; `nil` where it was not away.
    mutating func takeBack(_ name: String) -> AwayRoom? {
        guard let room = away(name) else { return nil }
        states[name] = nil
        return room
    }

    /// Keeps the first record of a room until there is something to keep.
    mutating func hold(_ record: JournalRecord, of name: String) {
        guard case .live(var room) = states[name] else { return }
        room.unwritten = record
        states[name] = .live(room)
    }

    /// The first record of a room, if it is not written yet; it counts as written from here on.
    mutating func takeUnwritten(of name: String) -> JournalRecord? {
        // Asked for with every record that is written, and hardly ever there.
        guard var room = live(name), let record = room.unwritten else { return nil }
        room.unwritten = nil
        states[name] = isRetiring(name) ? .retiring(room) : .live(room)
        return record
    }

    /// Begins to unload a room.
    mutating func retire(_ name: String) {
        if case .live(let room) = states[name] { states[name] = .retiring(room) }
    }

    /// Removes a room with a session; a room that is being read stays.
    mutating func remove(_ name: String) {
        guard live(name) != nil else { return }
        states[name] = nil
        names.removeAll { $0 == name }
    }
}
