import Logging
import SceneDocument
import SceneSession
import SceneWire
import Synchronization

/// Moves rooms to the slow lane and back.
///
/// A room's mail has one route at a time: once its home recalls it, mail waits there until the room
/// returns.
extension SceneLoop {
    /// The work for opening a room in the slow lane, as a multiple of the budget of one message. A
    /// room that takes more was not made under these limits.
    private static let openingMessages: UInt64 = 16

    /// Units of work that opening a room may take in the slow lane.
    static func openingLimit(_ work: WorkBudget) -> UInt64 {
        let limit = work.message.multipliedReportingOverflow(by: openingMessages)
        return limit.overflow ? .max : limit.partialValue
    }

    private var slowMailbox: SceneMailbox? {
        if case .home(let slow) = configuration.lane { slow } else { nil }
    }

    /// The work for opening a room on this thread.
    var openingSlice: UInt64 { slowMailbox == nil ? .max : configuration.slice }

    /// Keeps a room on this thread.
    func keep(_ room: LiveRoom, as name: String) {
        room.session.slice = slowMailbox == nil ? .max : configuration.slice
        room.session.progress = configuration.activity.progress
        rooms.open(name, room)
        schedule(name)
    }

    /// Whether a room fits into the slices of its home, by its units of work and by the time that
    /// it takes.
    func isLight(_ room: LiveRoom, _ now: ClockTick) -> Bool {
        room.session.isLight(within: configuration.slice, at: room.tick(at: now)) && isQuick(room)
    }

    /// Whether the steps of the last second took little time.
    func isQuick(_ room: LiveRoom) -> Bool {
        room.times.nanoseconds(inSecond: second) <= configuration.stepNanoseconds
    }

    /// Adds the processor time of a step to its room's.
    ///
    /// - Parameter missedTicks: For a tick, how many were due before it and did not run.
    func timing(_ room: LiveRoom, missedTicks: UInt64? = nil, _ step: () -> Void) {
        let begin = configuration.stepClock()
        step()
        let nanoseconds = configuration.stepClock() &- begin
        room.times.add(nanoseconds: nanoseconds, second: second, missedTicks: missedTicks)
    }

    private var second: UInt64 { clock.tick.rawValue / UInt64(clock.rate) }

    // MARK: At home

    /// Forwards mail to a room that is away, or keeps it for the room's return.
    ///
    /// - Returns: Whether the room is away.
    func forward(_ mail: RoomMail, to name: String) -> Bool {
        if configuration.lane.isSlow {
            guard rooms.live(name) == nil else { return false }
            returns.keep(mail, for: name)
            return true
        }
        guard var room = rooms.away(name), let slow = slowMailbox else { return false }
        if room.held == nil {
            slow.post(.room(name, mail))
        } else {
            room.held?.append(mail)
            rooms.sendAway(name, room)
        }
        return true
    }

    /// Moves a room to the slow lane.
    func moveToSlowLane(_ name: String) {
        guard let slow = slowMailbox, let room = rooms.live(name) else { return }
        let summary = summary(of: name)
        // The mail has the only reference.
        rooms.sendAway(name, AwayRoom(summary: summary))
        slow.post(.moved(room: name, RoomHandover(room: room)))
        configuration.metrics.slowRooms.add(1, ordering: .relaxed)
        configuration.logger.debug("room \(name) moves to the slow lane")
    }

    /// Sends a room to the slow lane to be opened there.
    func sendToBeOpened(_ name: String, _ loading: LoadingRoom, _ records: [JournalRecord]) {
        guard let slow = slowMailbox else { return }
        rooms.sendAway(name, AwayRoom())
        slow.post(.openSlowly(room: name, loading, records))
        configuration.metrics.slowRooms.add(1, ordering: .relaxed)
    }

    /// Stores the summary of a room in the slow lane.
    func note(_ summary: RoomSummary) {
        guard var room = rooms.away(summary.name) else { return }
        room.summary = summary
        rooms.sendAway(summary.name, room)
    }

    /// Recalls a room; from now on its mail waits.
    func recall(_ name: String) {
        guard var room = rooms.away(name), room.held == nil, let slow = slowMailbox else { return }
        room.held = []
        rooms.sendAway(name, room)
        slow.post(.recall(room: name))
    }

    /// Adds a returning room, and handles the mail that waited for it.
    func takeBack(_ name: String, _ returning: ReturningRoom) {
        guard let away = rooms.takeBack(name) else { return }
        configuration.metrics.slowRooms.subtract(1, ordering: .relaxed)
        if let room = returning.handover?.room { keep(room.moved(to: clock.tick), as: name) }
        if let reason = returning.reason {
            configuration.quarantine.putAside(name, .tooDear(reason))
        }
        if let (tick, loading) = returning.unreadable { stepBack(name, loading, to: tick) }
        for mail in returning.mail + (away.held ?? []) { handle(.room(name, mail)) }
    }

    // MARK: In the slow lane

    /// Adds a room from its home.
    func takeIn(_ name: String, _ handover: RoomHandover) {
        keep(handover.room.moved(to: clock.tick), as: name)
    }

    /// Opens a room within the slow lane's limit; a room that exceeds it is put aside.
    func openSlowly(_ name: String, _ loading: LoadingRoom, _ records: [JournalRecord]) {
        let limit = Self.openingLimit(configuration.session.work)
        do {
            let isOpen = try open(name, loading, records, workLimit: limit)
            // The room may have no applicant allowed to create it; then it is not created.
            guard !isOpen || rooms.live(name) == nil else { return }
            guard !isOpen else { return sendHome(name, ReturningRoom()) }
            let refusal = Refusal(
                code: .tooExpensive,
                message: "opening it takes more than \(limit) units of work")
            fail(name, loading, refusal)
            // A room that was not made is not put aside.
            if case .restored = loading.scene { return sendHome(name, ReturningRoom()) }
            sendHome(name, ReturningRoom(reason: refusal.message))
        } catch {
            if let tick = tickBefore(records, loading, error) {
                return sendHome(name, ReturningRoom(unreadable: (tick, loading)))
            }
            putAside(name, after: error)
            fail(name, loading, error)
            sendHome(name, ReturningRoom())
        }
    }

    /// Returns a room to its home: without its session, or with it after a recall.
    private func sendHome(_ name: String, _ returning: ReturningRoom) {
        guard case .slow(let homes) = configuration.lane else { return }
        returns.offer(name, returning)
        homes.mailbox(of: name).post(.wantsBack(room: name))
    }

    /// Registers that a room was removed from this thread.
    func didRemove(_ name: String) {
        returns.forget(name)
        if configuration.lane.isSlow { sendHome(name, ReturningRoom()) }
    }

    /// Returns a recalled room. All mail for it has been handled.
    func giveBack(_ name: String) {
        guard case .slow(let homes) = configuration.lane else { return }
        var returning = returns.take(name)
        if let room = rooms.live(name) {
            returning.handover = RoomHandover(room: room)
            rooms.remove(name)
        }
        homes.mailbox(of: name).post(.cameBack(room: name, returning))
    }

    /// Offers to return rooms that have been light for long, and sends their homes summaries of the
    /// others.
    func returnLightRooms(_ now: ClockTick) {
        guard case .slow(let homes) = configuration.lane else { return }
        configuration.activity.begin("the check for rooms that may return")
        let tells = returns.takeSummaries(at: now, interval: UInt64(clock.rate))
        for name in rooms.names where !returns.isOffered(name) {
            guard let room = rooms.live(name) else { continue }
            if tells, let summary = summary(of: name) {
                homes.mailbox(of: name).post(.summary(summary))
            }
            guard let ticks = returns.note(name, isLight: isLight(room, now), at: now) else {
                continue
            }
            // The home unloads a room without members as soon as memory is short.
            let isAwaited = room.emptySince != nil && configuration.memory.isShort
            if isAwaited || ticks >= configuration.lightTicks {
                sendHome(name, ReturningRoom())
            }
        }
    }
}
