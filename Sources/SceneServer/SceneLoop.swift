import Dispatch
import Logging
import SceneModel
import SceneProtocol
import SceneSession
import SceneStore
import Synchronization

/// The work of a scene thread: mail in, ticks of every room, effects carried out. It is made on its thread and belongs
/// to it.
///
/// While no room has anything to do it waits for mail alone, so idle rooms cost nothing.
final class SceneLoop {
    /// The parts of the server that a loop works with, and its options.
    struct Configuration: Sendable {
        var connections: any MemberConnections
        var journal: any RoomJournal
        var settings: ServerSettings
        var openings = RoomOpenings()
        /// Is told which rooms are in memory.
        var census = RoomCensus()
        var metrics: ServerMetrics
        var logger: Logger
        /// Seconds after which a room without members is unloaded.
        var unloadSeconds = 600
        var session = SessionOptions()
        /// Makes names and secrets of sessions; `nil` while there are no random numbers.
        var makeToken: @Sendable () -> String? = SessionToken.make
    }

    private static let mailBetweenTicks = 16

    let configuration: Configuration
    let clock: TickClock
    private let mailbox: SceneMailbox
    private let unloadTicks: UInt64
    /// Mail that was taken and not handled when a tick came.
    private var backlog: ArraySlice<SceneMail> = []
    private(set) var rooms = RoomTable()
    private var memory = MemoryTrimmer()
    private var isStopping = false

    init(_ mailbox: SceneMailbox, _ configuration: Configuration) {
        self.mailbox = mailbox
        self.configuration = configuration
        clock = mailbox.clock
        unloadTicks = UInt64(max(0, configuration.unloadSeconds)) * UInt64(clock.rate)
    }

    // MARK: The loop

    /// Works until it is told to stop.
    func run() {
        var lastTick = clock.tick
        while true {
            let wake = wakeTick().map { max($0, lastTick + 1) }
            backlog += backlog.isEmpty ? mailbox.take(until: wake) : mailbox.takeNow()
            handleMail(until: lastTick + 1)
            if isStopping { return }
            let now = clock.tick
            guard now > lastTick else { continue }
            if let wake, now > wake {
                configuration.metrics.lateTicks.add(Int(clamping: now - wake))
            }
            lastTick = now
            runTicks(now)
            unloadRooms(now)
            freezeOneRoom(now)
        }
    }

    /// Handles mail in order, until a tick is due: a crowd that comes at once must not hold up the members that are there.
    /// Some mail is handled in any case, since ticks that take too long would otherwise hold up the crowd for ever.
    private func handleMail(until tick: ClockTick) {
        var count = 0
        while let item = backlog.popFirst() {
            handle(item)
            count += 1
            if count % Self.mailBetweenTicks == 0, clock.tick >= tick { return }
        }
        backlog = []
    }

    /// The clock's tick at which a room has something to do, if no mail comes before; `nil` for none.
    private func wakeTick() -> ClockTick? {
        var wake: ClockTick?
        for name in rooms.names {
            guard let room = rooms.live(name) else { continue }
            let unload = rooms.isRetiring(name) ? nil : room.emptySince.map { $0 + unloadTicks }
            for tick in [room.wakeTick, unload, room.freezeTick] {
                if let tick { wake = min(wake ?? tick, tick) }
            }
        }
        return wake
    }

    private func runTicks(_ now: ClockTick) {
        let metrics = configuration.metrics
        for name in rooms.names {
            guard let room = rooms.live(name), let wake = room.wakeTick, wake <= now else {
                continue
            }
            let begin = DispatchTime.now().uptimeNanoseconds
            let (moved, rebuilds) = (
                room.session.movedViewCount, room.session.solverRebuildCount
            )
            // A room that had nothing to do for a while goes on at the present tick.
            carryOut(
                room.session.step(.tick(max(room.tick(at: now), room.session.tick + 1))),
                room: name)
            metrics.ticks.add()
            let nanoseconds = DispatchTime.now().uptimeNanoseconds - begin
            metrics.tickNanoseconds.add(Int(clamping: nanoseconds))
            metrics.tickDurations.add(nanoseconds: nanoseconds)
            metrics.movedViews.add(Int(clamping: room.session.movedViewCount &- moved))
            // A scene that was rebuilt meanwhile counts from 0 again.
            metrics.solverRebuilds.add(max(0, room.session.solverRebuildCount - rebuilds))
        }
    }

    // MARK: Mail

    private func handle(_ mail: SceneMail) {
        switch mail {
        case .join(let room, let member, let applicant): join(room, member, applicant)
        case .open(let room, let document):
            if rooms.loading(room) == nil { configuration.journal.load(room) }
            var loading = rooms.loading(room) ?? LoadingRoom()
            loading.scene = .opened(document)
            rooms.load(room, loading)
        case .message(let room, let member, let message):
            step(room, .received(member, message))
        case .left(let room, let member): leave(room, member)
        case .loaded(let room, let result): loaded(room, result)
        case .history(let room, let member, let tick, let records):
            step(room, .journalRead(member, tick: tick, records))
        case .store(let outcome): take(outcome)
        case .drain(let done):
            runTicks(clock.tick + 1)
            done.signal()
        case .administer(let room, let request, let reply): administer(room, request, reply)
        case .stop: isStopping = true
        }
    }

    /// Gives a room's session an event; nothing where there is no session.
    private func step(_ room: String, _ event: SessionEvent) {
        guard let session = rooms.session(of: room) else { return }
        carryOut(session.step(event), room: room)
    }

    private func take(_ outcome: StoreOutcome) {
        switch outcome {
        case .durable(let room, let sequence): step(room, .durable(through: sequence))
        case .failed(let room, let reason): step(room, .storeFailed(reason))
        case .recovered(let room): step(room, .storeRecovered)
        }
        unloadIfDurable(outcome.room)
    }

    func carryOut(_ effects: [SessionEffect], room: String) {
        let (connections, journal) = (configuration.connections, configuration.journal)
        for effect in effects {
            switch effect {
            case .send(let payloads, let format, let members):
                connections.send(payloads, format, to: members)
            case .append(let record): journal.append(RoomRecord(room: room, record: record))
            case .readJournal(let member, let tick):
                journal.loadHistory(of: room, for: member, tick: tick)
            case .close(let member, let code, let reason):
                connections.close(member, code, reason: reason)
            // Answered by `administer`, which asked for it.
            case .replacedScene: break
            case .overran: break
            case .abandon(let reason):
                configuration.logger.error("room \(room) has to be read again: \(reason)")
                remove(room)
            }
        }
    }

    // MARK: Members

    private func join(_ room: String, _ member: MemberID, _ applicant: Applicant) {
        guard rooms.live(room) == nil else { return admit(member, applicant, to: room) }
        if rooms.loading(room) == nil { configuration.journal.load(room) }
        var loading = rooms.loading(room) ?? LoadingRoom()
        loading.applicants.append((member, applicant))
        rooms.load(room, loading)
    }

    private func leave(_ room: String, _ member: MemberID) {
        if var loading = rooms.loading(room) {
            loading.applicants.removeAll { $0.0 == member }
            rooms.load(room, loading)
        }
        step(room, .left(member))
        if rooms.session(of: room)?.memberCount == 0 { rooms.vacate(room, at: clock.tick) }
    }

    private func admit(_ member: MemberID, _ applicant: Applicant, to room: String) {
        guard let session = rooms.session(of: room) else {
            refuse(
                member, applicant, .noSuchSession,
                "there is no room \(room), and nobody here may make it"
            )
            return
        }
        let resumed = session.resumableSession(
            applicant.hello.resume, of: applicant.subject)
        guard let name = resumed ?? configuration.makeToken(), let token = configuration.makeToken()
        else {
            refuse(member, applicant, .noSuchSession, "no random numbers to be had")
            return
        }
        var admission = Admission(
            session: name, resumeToken: token, role: applicant.role, format: applicant.format,
            monotonicMilliseconds: clock.elapsed / 1_000_000,
            hello: applicant.hello)
        admission.limits = applicant.limits
        admission.subject = applicant.subject
        rooms.occupy(room)
        carryOut(session.step(.joined(member, admission)), room: room)
    }

    private func refuse(
        _ member: MemberID, _ applicant: Applicant, _ code: CloseCode, _ text: String
    ) {
        var error = ErrorMessage()
        error.code = UInt32(code.rawValue)
        error.text = text
        configuration.connections.send(
            [ServerMessage.error(error).encoded(as: applicant.format)], applicant.format,
            to: [member])
        configuration.connections.close(member, code, reason: text)
    }

    // MARK: Opening rooms

    private func loaded(_ name: String, _ result: Result<[JournalRecord], StoreError>) {
        guard let loading = rooms.finishLoading(name) else { return }
        let logger = configuration.logger
        do {
            let records = try result.get()
            if records.isEmpty {
                try createRoom(name, loading)
            } else {
                let options = sessionOptions
                let replay = try JournalReplay(records, options: options)
                install(
                    SceneSession(
                        room: name, tickRate: clock.rate, replay: replay, options: options),
                    as: name)
                logger.info("room \(name) is back, at tick \(replay.tick)")
                if case .opened = loading.scene {
                    logger.notice("room \(name) has a journal, so its scene file was not loaded")
                }
            }
        } catch {
            fail(name, loading, (error as? Refusal)?.message ?? "\(error)")
            return
        }
        switch loading.scene {
        case .empty: break
        case .opened: configuration.openings.note(name, nil)
        case .imported(let document, let reply): finishImport(of: document, into: name, reply)
        }
        for (member, applicant) in loading.applicants { admit(member, applicant, to: name) }
    }

    private func fail(_ name: String, _ loading: LoadingRoom, _ reason: String) {
        configuration.logger.error("room \(name) cannot be opened: \(reason)")
        for (member, applicant) in loading.applicants {
            refuse(member, applicant, .noSuchSession, "room \(name) cannot be opened")
        }
        switch loading.scene {
        case .empty: break
        case .opened: configuration.openings.note(name, reason)
        case .imported(_, let reply): reply(.failed(reason))
        }
    }

    /// Makes a room that has no journal, where the server's start or an applicant asks for it.
    private func createRoom(_ name: String, _ loading: LoadingRoom) throws(Refusal) {
        if case .opened(let document) = loading.scene {
            try create(name, document)
        } else if loading.applicants.contains(where: \.1.makesRooms) {
            try create(name, SceneDocument(viewport: Viewport(width: 640, height: 384)))
        }
    }

    func create(_ name: String, _ document: SceneDocument) throws(Refusal) {
        let (session, effects) = SceneSession.create(
            room: name, tickRate: clock.rate, model: try SceneModel(document),
            options: sessionOptions)
        install(session, as: name)
        carryOut(effects, room: name)
        configuration.logger.info("room \(name) was made")
    }

    /// The options of a session that begins now, under the limits in force.
    private var sessionOptions: SessionOptions {
        var options = configuration.session
        options.sceneLimits = configuration.settings.current.sceneLimits
        return options
    }

    private func install(_ session: SceneSession, as name: String) {
        session.traceClock = { DispatchTime.now().uptimeNanoseconds }
        rooms.open(name, LiveRoom(session, at: clock.tick))
        configuration.census.open(name)
    }

    // MARK: Imports

    /// Reads a room that is not in memory, since it may be in the journal: an import makes a new room only where it is
    /// not.
    func beginImport(
        of document: SceneDocument, into name: String,
        _ reply: @escaping @Sendable (RoomReply) -> Void
    ) {
        guard rooms.loading(name) == nil else { return reply(.failed("the room is being read")) }
        var loading = LoadingRoom()
        loading.scene = .imported(document, reply)
        rooms.load(name, loading)
        configuration.journal.load(name)
    }

    private func finishImport(
        of document: SceneDocument, into name: String,
        _ reply: @escaping @Sendable (RoomReply) -> Void
    ) {
        guard rooms.live(name) == nil else {
            return administer(name, .replace(document), reply)
        }
        do throws(Refusal) {
            try create(name, document)
            reply(.done)
        } catch {
            reply(.refused(error))
        }
    }

    // MARK: Closing rooms

    /// Unloads rooms empty for `unloadTicks`, once durable.
    private func unloadRooms(_ now: ClockTick) {
        for name in rooms.names {
            guard let room = rooms.live(name), let since = room.emptySince,
                now >= since + unloadTicks
            else { continue }
            if !rooms.isRetiring(name) {
                rooms.retire(name)
                carryOut(room.session.step(.retire), room: name)
            }
            unloadIfDurable(name)
        }
    }

    private func unloadIfDurable(_ name: String) {
        guard rooms.isRetiring(name), let session = rooms.session(of: name),
            session.memberCount == 0, session.isDurable, !session.isReadOnly, !session.needsTick
        else { return }
        remove(name)
        configuration.logger.info("room \(name) was unloaded")
    }

    func remove(_ name: String) {
        rooms.remove(name)
        configuration.census.close(name)
    }

    // MARK: Rest

    /// Freezes a room that has been at rest for long: one at a time, since a large one takes as long as a tick.
    private func freezeOneRoom(_ now: ClockTick) {
        for name in rooms.names {
            guard let room = rooms.live(name), let due = room.freezeTick, due <= now else {
                continue
            }
            carryOut(room.session.step(.freeze), room: name)
            if room.session.isFrozen { memory.noteFreedMemory() }
            break
        }
        memory.trimIfDue(now, rate: clock.rate)
    }
}
