import Dispatch
import Logging
import SceneModel
import SceneDocument
import SceneSession
import SceneStore
import Synchronization
import Threads

/// The work of a scene thread: handles mail, runs the ticks of every room and executes their
/// effects. Created on its thread and owned by it.
///
/// While no room has work the loop only waits for mail, so idle rooms take no time.
final class SceneLoop {
    /// The parts of the server that a loop uses, and its options.
    struct Configuration: Sendable {
        var connections: any MemberConnections
        var journal: any RoomJournal
        var settings: ServerSettings
        /// Rooms that were replayed ahead of time; `nil` without a cluster.
        var shadows: ShadowThread?
        var openings = RoomOpenings()
        /// Counts the rooms in memory.
        var census = RoomCensus()
        /// Adds up the memory of the rooms.
        var memory = MemoryLedger()
        /// Records events, if that is enabled.
        var eventRecorder: EventRecorder?
        var metrics: ServerMetrics
        var logger: Logger
        /// Applicants that wait for a proof.
        var unproved = UnprovedApplicants()
        /// The rooms that cannot be joined.
        var quarantine = Quarantine(logger: Logger(label: "scenesync"))
        /// Publishes the thread's steps.
        var activity = Activity(.home, name: "a scene thread")
        /// Seconds after which a room without members is unloaded.
        var unloadSeconds = 600
        var session = SessionOptions()
        /// The role of the thread for its rooms.
        var lane = Lane.home(slow: nil)
        /// Units of work for a tick of one room before it moves to the slow lane, if there is one.
        var slice: UInt64 = 1_000_000
        /// Nanoseconds of processor time that the steps of one room may take in a second before it
        /// moves to the slow lane, whatever they cost in units: twice what an eighth of a slice at
        /// each of 60 ticks takes at 5 ns a unit.
        var stepNanoseconds: UInt64 = 75_000_000
        /// The processor time of the calling thread in nanoseconds.
        var stepClock: @Sendable () -> UInt64 = ThreadTime.nanosecondsOfThisThread
        /// Ticks for which a room in the slow lane must be light before it returns.
        var lightTicks: UInt64 = 300
        /// Posts mail to a room of any thread; `nil` where this is the only thread.
        var post: (@Sendable (RoomMail, String) -> Void)?
        /// Makes names and secrets of sessions; `nil` while the system provides no random numbers.
        var makeToken: @Sendable () -> String? = SessionToken.make
    }

    private static let mailBetweenTicks = 16

    let configuration: Configuration
    let clock: TickClock
    let mailbox: SceneMailbox
    let unloadTicks: UInt64
    /// Mail that was taken and not handled before a tick.
    private var backlog = MailBacklog()
    /// How long the last ticks took: mail may take as long before the next ones.
    private var tickNanoseconds: UInt64 = 0
    var rooms = RoomTable()
    private var timetable = RoomTimetable()
    var returns = LaneReturns()
    private var trimmer = MemoryTrimmer()
    /// The index of the room at which the next search for memory to free starts.
    private var reliefPlace = 0
    private var isStopping = false

    init(_ mailbox: SceneMailbox, _ configuration: Configuration) {
        self.mailbox = mailbox
        self.configuration = configuration
        clock = mailbox.clock
        unloadTicks = UInt64(max(0, configuration.unloadSeconds)) * UInt64(clock.rate)
    }

    // MARK: The loop

    /// Runs until it is stopped.
    func run() {
        var lastTick = clock.tick
        defer { configuration.activity.rest() }
        while true {
            let wake = wakeTick().map { max($0, lastTick + 1) }
            configuration.activity.rest()
            backlog.add(backlog.isEmpty ? mailbox.take(until: wake) : mailbox.takeNow())
            handleMail(until: lastTick + 1)
            if isStopping { return }
            let now = clock.tick
            guard now > lastTick else { continue }
            if let wake, now > wake {
                configuration.metrics.lateTicks.add(Int(clamping: now - wake))
            }
            lastTick = now
            let begin = DispatchTime.now().uptimeNanoseconds
            doWhatIsDue(at: now)
            tickNanoseconds = DispatchTime.now().uptimeNanoseconds - begin
            freezeOneRoom(now)
            returnLightRooms(now)
        }
    }

    /// Handles mail in order until a tick is due: a burst of new members must not delay present
    /// ones. Some mail is handled in any case, since ticks that take too long would otherwise delay
    /// the burst forever: as much as took as long as the last ticks. What rooms are asked is
    /// answered in ticks, and an edit behind many questions waits in the mail.
    private func handleMail(until tick: ClockTick) {
        var count = 0
        let begin = DispatchTime.now().uptimeNanoseconds
        while let item = backlog.popFirst() {
            handle(item)
            count += 1
            if count % Self.mailBetweenTicks == 0, clock.tick >= tick,
                DispatchTime.now().uptimeNanoseconds - begin >= tickNanoseconds
            {
                return
            }
        }
    }

    /// The clock's tick at which a room has work if no mail comes before; `nil` for none.
    private func wakeTick() -> ClockTick? {
        timetable.updateTouched { entry(of: $0) }
        // The slow lane checks once a second which rooms may return, and every thread which memory
        // it can free.
        let isWatching =
            (configuration.lane.isSlow || configuration.memory.isShort) && !rooms.names.isEmpty
        var wake = isWatching ? clock.tick + UInt64(clock.rate) : nil
        let back = returns.nextReturn(after: configuration.lightTicks)
        for tick in [timetable.next, back] {
            if let tick { wake = min(wake ?? tick, tick) }
        }
        return wake
    }

    /// Updates a room's place in the timetable. Must be called after each input of a room, unless
    /// the room was touched.
    func schedule(_ name: String) { timetable.set(name, entry(of: name)) }

    private func entry(of name: String) -> RoomTimetable.Entry? {
        guard let room = rooms.live(name) else { return nil }
        let stays = rooms.isRetiring(name) || configuration.lane.isSlow
        let unload = stays ? nil : room.emptySince.map { $0 + unloadTicks }
        return RoomTimetable.Entry(
            work: [room.wakeTick, unload].compactMap(\.self).min(), freeze: room.freezeTick)
    }

    /// Runs due ticks and unloads rooms.
    private func doWhatIsDue(at now: ClockTick) {
        timetable.updateTouched { entry(of: $0) }
        let due = timetable.due(through: now)
        runTicks(of: due, now)
        unloadRooms(due, now)
        for name in due { schedule(name) }
    }

    private func runTicks(of names: [String], _ now: ClockTick) {
        let metrics = configuration.metrics
        for name in names {
            guard let room = rooms.live(name), let wake = room.wakeTick, wake <= now else {
                continue
            }
            configuration.activity.begin("a tick", in: name)
            room.session.isMemoryShort = configuration.memory.isShort
            let begin = DispatchTime.now().uptimeNanoseconds
            let (moved, rebuilds) = (
                room.session.movedViewCount, room.session.solverRebuildCount
            )
            // A room that was idle continues at the present tick.
            // A room at rest misses nothing.
            timing(room, missedTicks: room.times.wantsEachTick ? now - wake : 0) {
                carryOut(
                    room.session.handle(.tick(max(room.tick(at: now), room.session.tick + 1))),
                    room: name)
            }
            room.times.wantsEachTick = room.session.needsTick
            configuration.memory.note(name, room.session.memoryUse)
            if !isLight(room, now) { moveToSlowLane(name) }
            metrics.ticks.add()
            let nanoseconds = DispatchTime.now().uptimeNanoseconds - begin
            metrics.tickNanoseconds.add(Int(clamping: nanoseconds))
            metrics.tickDurations.add(nanoseconds: nanoseconds)
            metrics.movedViews.add(Int(clamping: room.session.movedViewCount &- moved))
            // A rebuilt scene counts from 0 again.
            metrics.solverRebuilds.add(max(0, room.session.solverRebuildCount - rebuilds))
        }
    }

    // MARK: Mail

    func handle(_ mail: SceneMail) {
        let work = mail.work
        configuration.activity.begin(work.what, in: work.room)
        if let room = work.room { timetable.touch(room) }
        switch mail {
        case .room(let room, let mail): handle(mail, to: room)
        case .list(let reply): reply(summaries)
        case .drain(let done):
            doWhatIsDue(at: clock.tick + 1)
            done.signal()
        case .stop: isStopping = true
        case .moved(let room, let handover): takeIn(room, handover)
        case .openSlowly(let room, let loading, let records): openSlowly(room, loading, records)
        case .summary(let summary): note(summary)
        case .wantsBack(let room): recall(room)
        case .recall(let room): giveBack(room)
        case .cameBack(let room, let returning): takeBack(room, returning)
        }
    }

    private func handle(_ mail: RoomMail, to room: String) {
        if case .evict = mail { recall(room) }
        if forward(mail, to: room) { return }
        switch mail {
        case .member(let mail): handle(mail, to: room)
        case .open(let document): openAtStart(room, document)
        case .loaded(let result): loaded(room, result)
        case .handedOver(let hash): expect(hash, of: room)
        case .elsewhere(let reason): isElsewhere(room, reason)
        case .history(let member, let tick, let records):
            handle(room, .journalRead(member, tick: tick, records))
        case .store(let outcome): take(outcome)
        case .administer(let request, let reply): administer(room, request, reply)
        case .origin(let origin): takeOrigin(origin, of: room)
        case .sceneRead(let member, let scene): handle(room, .sceneRead(member, scene))
        case .suggestion(let suggestion): branchChanged(room, suggestion)
        case .evict: evict(room)
        }
    }

    private func handle(_ mail: MemberMail, to room: String) {
        switch mail {
        case .join(let member, let applicant): join(room, member, applicant)
        case .message(let member, let message, _): handle(room, .received(member, message))
        case .left(let member): leave(room, member)
        case .revoke(let member): rooms.session(of: room)?.revoke(member)
        }
    }

    /// Opens a room at the server's start.
    private func openAtStart(_ room: String, _ document: SceneDocument) {
        // Other rooms are served without it; the quarantine has logged the reason.
        if configuration.quarantine.reason(for: room) != nil {
            return configuration.openings.note(room, nil)
        }
        if rooms.loading(room) == nil { configuration.journal.load(room) }
        var loading = rooms.loading(room) ?? LoadingRoom()
        loading.scene = .opened(document)
        rooms.load(room, loading)
    }

    /// Sends an event to a room's session; ignored if there is none.
    func handle(_ room: String, _ event: SessionEvent) {
        guard let live = rooms.live(room) else { return }
        timing(live) {
            passTime(in: room)
            carryOut(live.session.handle(event), room: room)
        }
        // A tick asks the same; messages that lead to none may take long too.
        if !isQuick(live) { moveToSlowLane(room) }
    }

    /// Advances a room that has been idle for a second or more to the present tick, so that
    /// durations counted in ticks (absences, rate limits) start now and not at its last work.
    func passTime(in name: String) {
        guard let room = rooms.live(name) else { return }
        let (session, now) = (room.session, room.tick(at: clock.tick))
        guard now > session.tick + UInt64(session.tickRate),
            session.nextTick.map({ $0 > now }) ?? true
        else { return }
        carryOut(session.handle(.tick(now)), room: name)
    }

    private func take(_ outcome: StoreOutcome) {
        switch outcome {
        case .durable(let room, let sequence): handle(room, .durable(through: sequence))
        case .failed(let room, let reason): handle(room, .storeFailed(reason))
        case .recovered(let room): handle(room, .storeRecovered)
        case .proved(let room, let number): handle(room, .proved(through: number))
        case .stalled(let room, let reason): handle(room, .journalStalled(reason))
        case .resumed(let room): handle(room, .journalResumed)
        case .held(let room, let isHeld): hold(room, isHeld)
        case .moved(let room, let reason): sendMembersAway(from: room, reason)
        case .lost(let room, let reason): lose(room, reason)
        }
        unloadIfDurable(outcome.room)
    }

    // MARK: Closing rooms

    /// Unloads rooms of these empty for `unloadTicks`, once durable. The slow lane leaves that to
    /// their homes.
    private func unloadRooms(_ names: [String], _ now: ClockTick) {
        if configuration.lane.isSlow { return }
        for name in names {
            guard let room = rooms.live(name), let since = room.emptySince,
                now >= since + unloadTicks
            else { continue }
            retire(name, room)
        }
    }

    /// Unloads a room before its time, unless somebody has come meanwhile.
    private func evict(_ name: String) {
        guard let room = rooms.live(name), room.emptySince != nil else { return }
        retire(name, room)
    }

    /// Unloads a room without members, once it is durable.
    private func retire(_ name: String, _ room: LiveRoom) {
        if !rooms.isRetiring(name) {
            rooms.retire(name)
            configuration.activity.begin("the unloading", in: name)
            carryOut(room.session.handle(.retire), room: name)
        }
        unloadIfDurable(name)
    }

    private func unloadIfDurable(_ name: String) {
        guard rooms.isRetiring(name), let session = rooms.session(of: name),
            session.memberCount == 0, session.isDurable, !session.isReadOnly, !session.needsTick
        else { return }
        remove(name)
        configuration.logger.info("room \(name) was unloaded")
    }

    func remove(_ name: String) {
        guard rooms.live(name) != nil else { return }
        rooms.remove(name)
        didRemove(name)
        configuration.census.close(name)
        configuration.memory.forget(name)
    }

    // MARK: Rest

    /// Freezes a room that has been idle for long: one at a time, since a large one takes as long
    /// as a tick.
    private func freezeOneRoom(_ now: ClockTick) {
        if let name = timetable.firstFreeze(through: now), let room = rooms.live(name) {
            configuration.activity.begin("the freezing", in: name)
            carryOut(room.session.handle(.freeze), room: name)
            noteRest(name, room)
        } else if configuration.memory.isShort {
            relieve(now)
        }
        configuration.activity.begin("the return of freed memory")
        trimmer.trimIfDue(now, rate: clock.rate)
    }

    private func noteRest(_ name: String, _ room: LiveRoom) {
        if room.session.isFrozen { trimmer.noteFreedMemory() }
        configuration.memory.note(name, room.session.memoryUse)
        schedule(name)
    }

    /// Frees memory while the process is short of it: one room at a time is unloaded if it has no
    /// members, or frozen if it is idle, even for a short time.
    private func relieve(_ now: ClockTick) {
        guard !rooms.names.isEmpty else { return }
        reliefPlace = (reliefPlace + 1) % rooms.names.count
        let name = rooms.names[reliefPlace]
        guard let room = rooms.live(name) else { return }
        if room.emptySince != nil, !configuration.lane.isSlow {
            retire(name, room)
        } else if !room.session.isFrozen {
            configuration.activity.begin("the freezing", in: name)
            carryOut(room.session.handle(.freeze), room: name)
            noteRest(name, room)
        }
    }
}
