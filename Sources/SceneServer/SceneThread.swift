import Foundation
import Logging
import SceneModel
import SceneProtocol
import SceneSession
import SceneStore
import Synchronization

/// A thread that owns many sessions and runs their update cycles at a fixed rate.
///
/// Everything reaches it through a mailbox that it swaps out whole. While no session has anything to do it waits for
/// mail alone, so idle rooms cost nothing. `@unchecked Sendable`: all but the mailbox is touched on the thread alone once
/// it runs.
final class SceneThread: @unchecked Sendable {
    /// What the thread is told.
    enum Mail: Sendable {
        case join(room: String, MemberID, Applicant)
        case message(room: String, MemberID, ClientMessage)
        case left(room: String, MemberID)
        case loaded(room: String, Result<[JournalRecord], StoreError>, SceneDocument?)
        case history(room: String, MemberID, tick: UInt64, [JournalRecord]?)
        case store(StoreThread.Outcome)
        case open(room: String, SceneDocument)
        case drain(DispatchSemaphore)
        case administer(room: String, Wish, @Sendable (Answer) -> Void)
        case stop
    }

    /// A connection that asks to be let in.
    struct Applicant: Sendable {
        var role: Role
        /// Whether it may make rooms.
        var makesRooms: Bool
        var format: Subprotocol
        var hello: Hello
        /// What `welcome` announces.
        var limits = GrantedLimits()
    }

    /// What the thread needs done by others; all of it safe to call from here.
    struct Outlets: Sendable {
        var send: @Sendable (_ payloads: [[UInt8]], Subprotocol, [MemberID]) -> Void
        var close: @Sendable (MemberID, CloseCode, String) -> Void
        var append: @Sendable (RoomRecord) -> Void
        var load: @Sendable (_ room: String, SceneDocument?) -> Void
        /// Reads what leads to a tick of the past, and posts it as `history`.
        var loadHistory: @Sendable (_ room: String, MemberID, _ tick: UInt64) -> Void
        /// Removes a room from the journal; `done` hears of what went wrong.
        var delete:
            @Sendable (_ room: String, _ done: @escaping @Sendable (String?) -> Void) -> Void
        /// How large scenes may become, for rooms that are opened from now on.
        var sceneLimits: @Sendable () -> SceneLimits
        var makeToken: @Sendable () -> String?
        /// Told once when a room that was asked for at the start is there, or cannot be.
        var opened: @Sendable (_ room: String, _ failure: String?) -> Void
    }

    struct LiveRoom {
        var session: SceneSession
        /// The clock's tick at which the session's own count began.
        var clockBase: UInt64
        var tickBase: UInt64
        /// The clock's tick at which its last member left.
        var emptySince: UInt64?
        /// Whether its last snapshot is being written, after which it goes.
        var isRetiring = false

        /// The session's tick at a tick of the clock.
        func tick(at clock: UInt64) -> UInt64 { tickBase + (clock - clockBase) }

        /// The clock's tick at which the session wants to be woken.
        var wakeTick: UInt64? {
            session.nextTick.map(clock(at:))
        }

        /// The clock's tick from which on the session should be frozen.
        var freezeTick: UInt64? { session.freezeTick.map(clock(at:)) }

        private func clock(at tick: UInt64) -> UInt64 {
            clockBase + (tick > tickBase ? tick - tickBase : 0)
        }
    }

    /// Ticks after which a room without members is let go.
    private let unloadTicks: UInt64
    private let sessionOptions: SessionOptions
    let outlets: Outlets
    let metrics: ServerMetrics
    private let logger: Logger
    let clock: TickClock
    private let mailbox: SceneMailbox
    /// What was taken out of the mailbox and not handled when a tick came.
    private var backlog: ArraySlice<Mail> = []
    private static let mailBetweenTicks = 16
    var rooms: [String: LiveRoom] = [:]
    var order: [String] = []
    /// Those who wait for a room that is being read.
    var waiting: [String: [(MemberID, Applicant)]] = [:]
    /// Documents that wait until it is known whether their room has a journal.
    var imports: [String: (SceneDocument, @Sendable (Answer) -> Void)] = [:]
    /// When memory was last given back to the system, and whether rooms were frozen since.
    var lastTrim: UInt64 = 0
    var hasFrozen = false
    private var isStopping = false
    private let ended = DispatchSemaphore(value: 0)
    init(
        tickRate: Int, unloadSeconds: Int = 600, sessionOptions: SessionOptions = SessionOptions(),
        outlets: Outlets, metrics: ServerMetrics, logger: Logger
    ) {
        clock = TickClock(rate: tickRate)
        mailbox = SceneMailbox(clock)
        self.unloadTicks = UInt64(max(0, unloadSeconds)) * UInt64(tickRate)
        self.sessionOptions = sessionOptions
        self.outlets = outlets
        self.metrics = metrics
        self.logger = logger
    }

    func run() {
        let thread = Thread { [self] in
            loop()
            ended.signal()
        }
        thread.name = "scenes"
        thread.stackSize = 8 << 20
        thread.start()
    }

    /// From any thread.
    func post(_ mail: Mail) { mailbox.post(mail) }

    /// Runs a last tick for every room; returns once all that it brought about is with the store.
    func drain() {
        let done = DispatchSemaphore(value: 0)
        post(.drain(done))
        done.wait()
    }

    /// Carries out what is in the mailbox and ends the thread; returns once that is done.
    func stop() {
        post(.stop)
        ended.wait()
    }

    // MARK: The loop

    private func loop() {
        var lastTick = clock.tick
        while true {
            let wake = wakeTick().map { max($0, lastTick + 1) }
            backlog += backlog.isEmpty ? mailbox.take(until: wake) : mailbox.takeNow()
            handleMail(until: lastTick + 1)
            if isStopping { return }
            let now = clock.tick
            guard now > lastTick else { continue }
            if let wake, now > wake { metrics.lateTicks.add(Int(clamping: now - wake)) }
            lastTick = now
            runTicks(now)
            unloadRooms(now)
            freezeOneRoom(now)
        }
    }

    /// Handles what has come, in order, until a tick is due: a crowd that comes back at once must not hold up those who
    /// are there. Something is done in any case, or ticks that take too long would hold up the crowd for ever.
    private func handleMail(until tick: UInt64) {
        var count = 0
        while let item = backlog.popFirst() {
            handle(item)
            count += 1
            if count % Self.mailBetweenTicks == 0, clock.tick >= tick { return }
        }
        backlog = []
    }

    /// The clock's tick at which there is something to do, if no mail comes before.
    private func wakeTick() -> UInt64? {
        var wake: UInt64?
        for name in order {
            guard let room = rooms[name] else { continue }
            let unload = room.isRetiring ? nil : room.emptySince.map { $0 + unloadTicks }
            for tick in [room.wakeTick, unload, room.freezeTick] {
                if let tick { wake = min(wake ?? tick, tick) }
            }
        }
        return wake
    }

    private func runTicks(_ now: UInt64) {
        for name in order {
            guard let room = rooms[name], let wake = room.wakeTick, wake <= now else { continue }
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

    private func handle(_ mail: Mail) {
        switch mail {
        case .join(let room, let member, let applicant):
            if rooms[room] != nil {
                admit(member, applicant, to: room)
            } else if waiting[room] != nil {
                waiting[room]?.append((member, applicant))
            } else {
                waiting[room] = [(member, applicant)]
                outlets.load(room, nil)
            }
        case .open(let room, let document):
            waiting[room] = waiting[room] ?? []
            outlets.load(room, document)
        case .message(let room, let member, let message):
            if let session = rooms[room]?.session {
                carryOut(session.step(.received(member, message)), room: room)
            }
        case .left(let room, let member):
            waiting[room]?.removeAll { $0.0 == member }
            if let session = rooms[room]?.session {
                carryOut(session.step(.left(member)), room: room)
                if session.memberCount == 0 { rooms[room]?.emptySince = clock.tick }
            }
        case .loaded(let room, let result, let document): loaded(room, result, document)
        case .history(let room, let member, let tick, let records):
            if let session = rooms[room]?.session {
                carryOut(session.step(.journalRead(member, tick: tick, records)), room: room)
            }
        case .store(let outcome): settle(outcome)
        case .drain(let done):
            runTicks(clock.tick + 1)
            done.signal()
        case .administer(let room, let wish, let reply): administer(room, wish, reply)
        case .stop: isStopping = true
        }
    }

    private func settle(_ outcome: StoreThread.Outcome) {
        let (room, event): (String, SessionEvent) =
            switch outcome {
            case .durable(let room, let sequence): (room, .durable(through: sequence))
            case .failed(let room, let reason): (room, .storeFailed(reason))
            case .recovered(let room): (room, .storeRecovered)
            }
        if let session = rooms[room]?.session { carryOut(session.step(event), room: room) }
        letGoIfSettled(room)
    }

    func carryOut(_ effects: [SessionEffect], room: String) {
        for effect in effects {
            switch effect {
            case .send(let payloads, let format, let members):
                outlets.send(payloads, format, members)
            case .append(let record): outlets.append(RoomRecord(room: room, record: record))
            case .readJournal(let member, let tick): outlets.loadHistory(room, member, tick)
            case .close(let member, let code, let reason): outlets.close(member, code, reason)
            // Answered where it was asked for.
            case .replacedScene: break
            case .abandon(let reason):
                logger.error("room \(room) has to be read again: \(reason)")
                remove(room)
            }
        }
    }

    // MARK: Rooms

    private func loaded(
        _ room: String, _ result: Result<[JournalRecord], StoreError>, _ document: SceneDocument?
    ) {
        let applicants = waiting.removeValue(forKey: room) ?? []
        do {
            let records = try result.get()
            if records.isEmpty {
                try create(room, document, for: applicants)
            } else {
                let replay = try JournalReplay(records, options: roomOptions())
                install(
                    SceneSession(
                        room: room, tickRate: clock.rate, replay: replay, options: roomOptions()),
                    as: room)
                logger.info("room \(room) is back, at tick \(replay.tick)")
                if document != nil {
                    logger.notice("room \(room) has a journal, so its scene file was not loaded")
                }
            }
        } catch {
            let reason = (error as? Refusal)?.message ?? "\(error)"
            logger.error("room \(room) cannot be opened: \(reason)")
            for (member, applicant) in applicants {
                refuse(member, applicant, .noSuchSession, "room \(room) cannot be opened")
            }
            if document != nil { outlets.opened(room, reason) }
            imports.removeValue(forKey: room)?.1(.failed(reason))
            return
        }
        if document != nil { outlets.opened(room, nil) }
        finishImport(room)
        for (member, applicant) in applicants { admit(member, applicant, to: room) }
    }

    func create(
        _ room: String, _ document: SceneDocument?, for applicants: [(MemberID, Applicant)]
    ) throws(Refusal) {
        guard document != nil || applicants.contains(where: \.1.makesRooms) else {
            return
        }
        let scene = document ?? SceneDocument(viewport: Viewport(width: 640, height: 384))
        let (session, effects) = SceneSession.create(
            room: room, tickRate: clock.rate, model: try SceneModel(scene), options: roomOptions())
        install(session, as: room)
        carryOut(effects, room: room)
        logger.info("room \(room) was made")
    }

    private func roomOptions() -> SessionOptions {
        var options = sessionOptions
        options.sceneLimits = outlets.sceneLimits()
        return options
    }

    private func install(_ session: SceneSession, as room: String) {
        session.traceClock = { DispatchTime.now().uptimeNanoseconds }
        rooms[room] = LiveRoom(
            session: session, clockBase: clock.tick, tickBase: session.tick + 1,
            emptySince: clock.tick)
        order.append(room)
        metrics.rooms.store(order.count, ordering: .relaxed)
    }

    private func admit(_ member: MemberID, _ applicant: Applicant, to room: String) {
        guard let session = rooms[room]?.session else {
            refuse(
                member, applicant, .noSuchSession,
                "there is no room \(room), and nobody here may make it"
            )
            return
        }
        let resumed = session.resumableSession(applicant.hello.resume)
        guard let name = resumed ?? outlets.makeToken(), let token = outlets.makeToken() else {
            refuse(member, applicant, .noSuchSession, "no random numbers to be had")
            return
        }
        var admission = Admission(
            session: name, resumeToken: token, role: applicant.role, format: applicant.format,
            monotonicMilliseconds: clock.elapsed / 1_000_000,
            hello: applicant.hello)
        rooms[room]?.emptySince = nil
        rooms[room]?.isRetiring = false
        admission.limits = applicant.limits
        carryOut(session.step(.joined(member, admission)), room: room)
    }

    // MARK: Letting go

    /// Lets rooms go that nobody has been in for a while, once all of them is on disk.
    private func unloadRooms(_ now: UInt64) {
        for name in order {
            guard let room = rooms[name], let since = room.emptySince, now >= since + unloadTicks
            else { continue }
            if !room.isRetiring {
                rooms[name]?.isRetiring = true
                carryOut(room.session.step(.retire), room: name)
            }
            letGoIfSettled(name)
        }
    }

    private func letGoIfSettled(_ name: String) {
        guard let room = rooms[name], room.isRetiring, room.session.memberCount == 0,
            room.session.isDurable, !room.session.isReadOnly, !room.session.needsTick
        else { return }
        remove(name)
        logger.info("room \(name) was let go")
    }

    func remove(_ room: String) {
        rooms[room] = nil
        order.removeAll { $0 == room }
        metrics.rooms.store(order.count, ordering: .relaxed)
    }

    private func refuse(
        _ member: MemberID, _ applicant: Applicant, _ code: CloseCode, _ text: String
    ) {
        var error = ErrorMessage()
        error.code = UInt32(code.rawValue)
        error.text = text
        outlets.send(
            [Wire.encode(.error(error), applicant.format)], applicant.format, [member])
        outlets.close(member, code, text)
    }
}

/// Encoding in the format that a connection agreed on.
enum Wire {
    static func encode(_ message: ServerMessage, _ format: Subprotocol) -> [UInt8] {
        var bytes: [UInt8] = []
        switch format {
        case .binary: message.encode(to: &bytes)
        case .json: message.json.append(to: &bytes)
        }
        return bytes
    }
}
