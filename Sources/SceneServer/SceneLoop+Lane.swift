import Logging
import SceneProtocol
import SceneSession
import Synchronization

/// The way to the slow lane and back.
///
/// A room never has mail on two ways: from the moment on that its home recalls it, mail waits there until it has come back.
extension SceneLoop {
    /// What a room may take to be opened in the slow lane, as a multiple of what one message may. What takes more was not
    /// made under these limits.
    private static let openingMessages: UInt64 = 16

    private var slowMailbox: SceneMailbox? {
        if case .home(let slow) = configuration.lane { slow } else { nil }
    }

    /// What opening a room may take here.
    var openingSlice: UInt64 { slowMailbox == nil ? .max : configuration.slice }

    /// Gives a room its place on this thread.
    func keep(_ room: LiveRoom, as name: String) {
        room.session.slice = slowMailbox == nil ? .max : configuration.slice
        room.session.progress = configuration.activity.progress
        rooms.open(name, room)
        schedule(name)
    }

    /// Whether a room holds nobody up at home.
    func isLight(_ room: LiveRoom, _ now: ClockTick) -> Bool {
        room.session.isLight(within: configuration.slice, at: room.tick(at: now))
    }

    // MARK: At home

    /// Sends mail on to a room that is away, or keeps it for its return.
    ///
    /// - Returns: Whether the room is elsewhere.
    func forward(_ mail: SceneMail, to name: String) -> Bool {
        if configuration.lane.isSlow {
            guard rooms.live(name) == nil else { return false }
            undelivered[name, default: []].append(mail)
            return true
        }
        guard var room = rooms.away(name), let slow = slowMailbox else { return false }
        if room.held == nil {
            slow.post(mail)
        } else {
            room.held?.append(mail)
            rooms.sendAway(name, room)
        }
        return true
    }

    /// Has a room go on where it holds nobody up.
    func moveToSlowLane(_ name: String) {
        guard let slow = slowMailbox, let room = rooms.live(name) else { return }
        let summary = summary(of: name)
        // The only reference goes with the mail.
        rooms.sendAway(name, AwayRoom(summary: summary))
        slow.post(.moved(room: name, RoomHandover(room: room)))
        configuration.metrics.slowRooms.add(1, ordering: .relaxed)
        configuration.logger.debug("room \(name) goes to the slow lane")
    }

    /// Has a room opened where that holds nobody up.
    func sendToBeOpened(_ name: String, _ loading: LoadingRoom, _ records: [JournalRecord]) {
        guard let slow = slowMailbox else { return }
        rooms.sendAway(name, AwayRoom())
        slow.post(.openSlowly(room: name, loading, records))
        configuration.metrics.slowRooms.add(1, ordering: .relaxed)
    }

    /// Notes what a room in the slow lane tells of itself.
    func note(_ summary: RoomSummary) {
        guard var room = rooms.away(summary.name) else { return }
        room.summary = summary
        rooms.sendAway(summary.name, room)
    }

    /// Asks for a room; from here on its mail waits.
    func recall(_ name: String) {
        guard var room = rooms.away(name), room.held == nil, let slow = slowMailbox else { return }
        room.held = []
        rooms.sendAway(name, room)
        slow.post(.recall(room: name))
    }

    /// Takes a room back, and the mail that waited for it.
    func takeBack(_ name: String, _ returning: ReturningRoom) {
        guard let away = rooms.takeBack(name) else { return }
        configuration.metrics.slowRooms.subtract(1, ordering: .relaxed)
        if let room = returning.handover?.room { keep(room.moved(to: clock.tick), as: name) }
        if let reason = returning.reason {
            configuration.quarantine.putAside(name, tooDear: reason)
        }
        if let (tick, loading) = returning.unreadable { stepBack(name, loading, to: tick) }
        for mail in returning.mail + (away.held ?? []) { handle(mail) }
    }

    // MARK: In the slow lane

    /// Takes a room in that needs time.
    func takeIn(_ name: String, _ handover: RoomHandover) {
        keep(handover.room.moved(to: clock.tick), as: name)
    }

    /// Opens a room that takes its time; one that takes too much is put aside.
    func openSlowly(_ name: String, _ loading: LoadingRoom, _ records: [JournalRecord]) {
        let limit = configuration.session.work.message
            .multipliedReportingOverflow(by: Self.openingMessages)
        do {
            let isOpen = try open(
                name, loading, records, workLimit: limit.overflow ? .max : limit.partialValue)
            // Nobody may be there to make it, and then there is none.
            guard !isOpen || rooms.live(name) == nil else { return }
            guard !isOpen else { return sendHome(name, ReturningRoom()) }
            let refusal = Refusal(
                code: .tooExpensive,
                message: "it takes more than \(limit.partialValue) units of work to open it")
            fail(name, loading, refusal)
            sendHome(name, ReturningRoom(reason: refusal.message))
        } catch {
            if let tick = tickBefore(records, loading, error) {
                return sendHome(name, ReturningRoom(unreadable: (tick, loading)))
            }
            fail(name, loading, error)
            sendHome(name, ReturningRoom())
        }
    }

    /// Has a room's home take it back, without its session, or with it once it is recalled.
    private func sendHome(_ name: String, _ returning: ReturningRoom) {
        guard case .slow(let homes) = configuration.lane else { return }
        leaving[name] = returning
        homes.post(.wantsBack(room: name), to: name)
    }

    /// Notes that a room is gone from here for good.
    func didRemove(_ name: String) {
        lightSince[name] = nil
        if configuration.lane.isSlow { sendHome(name, ReturningRoom()) }
    }

    /// Gives a room back that was recalled. All mail for it has been handled.
    func giveBack(_ name: String) {
        guard case .slow(let homes) = configuration.lane else { return }
        var returning = leaving.removeValue(forKey: name) ?? ReturningRoom()
        if let room = rooms.live(name) {
            returning.handover = RoomHandover(room: room)
            rooms.remove(name)
        }
        returning.mail = undelivered.removeValue(forKey: name) ?? []
        lightSince[name] = nil
        homes.post(.cameBack(room: name, returning), to: name)
    }

    /// Offers rooms back that have needed little time for long, and tells the homes of the others.
    func returnLightRooms(_ now: ClockTick) {
        guard case .slow(let homes) = configuration.lane else { return }
        configuration.activity.begin("the look which rooms may go home")
        let tells = now >= summaryTick
        if tells { summaryTick = now + UInt64(clock.rate) }
        for name in rooms.names where leaving[name] == nil {
            guard let room = rooms.live(name) else { continue }
            if tells, let summary = summary(of: name) { homes.post(.summary(summary), to: name) }
            guard isLight(room, now) else {
                lightSince[name] = nil
                continue
            }
            let since = lightSince[name] ?? now
            lightSince[name] = since
            // Its home unloads a room without members as soon as memory is short.
            let isAwaited = room.emptySince != nil && configuration.memory.isShort
            if isAwaited || now >= since + configuration.lightTicks {
                sendHome(name, ReturningRoom())
            }
        }
    }
}
