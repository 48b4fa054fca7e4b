import Annotations
import Dispatch
private import FoundationEssentials
import Logging
import RoomNames
import SceneDocument
import SceneModel
import SceneSession
import SceneStore
import SceneWire

/// Opens rooms from their journals, from scenes, and from imports.
extension SceneLoop {
    /// The bytes of records that can certainly be parsed within a tick.
    private static let quickBytes = 128 << 10

    /// The maximum number of unreadable snapshots to skip. More indicate a systematic fault, and
    /// each step back takes longer.
    private static let stepsBackMaximum = 4

    func loaded(_ name: String, _ result: Result<[JournalRecord], StoreError>) {
        guard let loading = rooms.finishLoading(name) else { return }
        var records: [JournalRecord] = []
        do {
            records = try result.get()
            if openShadow(name, loading, result, records) { return }
            // Parsing so many records takes long.
            let bytes = records.reduce(loading.sceneBytes) { $0 + $1.payload.count }
            if bytes > Self.quickBytes, openingSlice < .max {
                sendToBeOpened(name, loading, records)
                return
            }
            guard try open(name, loading, records, workLimit: openingSlice) else {
                sendToBeOpened(name, loading, records)
                return
            }
        } catch {
            if let tick = tickBefore(records, loading, error) {
                stepBack(name, loading, to: tick)
            } else {
                putAside(name, after: error)
                fail(name, loading, error)
            }
        }
    }

    /// Puts a room aside whose journal is damaged: opened as a new one, it would write over what is
    /// left.
    func putAside(_ name: String, after error: any Error) {
        switch error {
        case StoreError.damaged(let damage):
            configuration.quarantine.putAside(
                name, .damaged("record \(damage.sequence) \(damage.fault)"))
        case let failure as JournalReplay.Failure:
            configuration.quarantine.putAside(name, .damaged(failure.description))
        default: break
        }
    }

    /// The tick to search for an earlier snapshot after the first one of the records could not be
    /// replayed; `nil` if there is none, or too many were skipped.
    func tickBefore(
        _ records: [JournalRecord], _ loading: LoadingRoom, _ error: any Error
    ) -> UInt64? {
        guard error is JournalReplay.Failure, loading.stepsBack < Self.stepsBackMaximum,
            let first = records.first, first.sequence > 1, first.tick > 0
        else { return nil }
        return first.tick - 1
    }

    /// Loads a room again from an earlier snapshot.
    func stepBack(_ name: String, _ loading: LoadingRoom, to tick: UInt64) {
        configuration.logger.error(
            "room \(name) cannot be opened from its last snapshot; trying the one before")
        var loading = loading
        loading.stepsBack += 1
        // Other requests for the room may have arrived meanwhile.
        loading.applicants += rooms.loading(name)?.applicants ?? []
        rooms.load(name, loading)
        configuration.journal.load(name, from: tick)
    }

    /// Opens a room from its records, or creates it if there are none, and admits the waiting
    /// connections.
    ///
    /// - Parameter workLimit: Units of work for opening.
    /// - Returns: Whether the limit sufficed; if not, nothing has changed.
    /// - Throws: The reason why the room cannot be opened.
    func open(
        _ name: String, _ loading: LoadingRoom, _ records: [JournalRecord], workLimit: UInt64
    ) throws -> Bool {
        do {
            if records.isEmpty {
                try createRoom(name, loading, workLimit: workLimit)
            } else {
                let options = sessionOptions
                install(
                    try JournalReplay(records, options: options, workLimit: workLimit), options,
                    name, loading)
            }
        } catch let error as Refusal where error.code == .tooExpensive {
            return false
        } catch JournalReplay.Failure.tooExpensive {
            return false
        }
        finishOpening(name, loading, isNew: records.isEmpty)
        return true
    }

    /// Opens a room that was replayed ahead of time, if it was, with the records that came since.
    ///
    /// - Returns: Whether it is open, or will be: `loaded` is called again once the replay has come
    ///   so far.
    private func openShadow(
        _ name: String, _ loading: LoadingRoom, _ result: Result<[JournalRecord], StoreError>,
        _ records: [JournalRecord]
    ) -> Bool {
        guard let shadows = configuration.shadows else { return false }
        let shadow: ShadowRoom
        switch shadows.take(
            name, whenReady: { [mailbox] in mailbox.post(.room(name, .loaded(result))) })
        {
        case .ready(let room): shadow = room
        case .coming:
            rooms.load(name, loading)
            return true
        case .absent: return false
        }
        let rest = records.filter { $0.sequence > shadow.last.sequence }
        // What cannot be gone on with is opened from its records, which also tells what is wrong
        // with them.
        guard rest.reduce(0, { $0 + $1.payload.count }) <= Self.quickBytes,
            (try? shadow.follow(records)) == true, let replay = try? JournalReplay(shadow)
        else { return false }
        install(replay, sessionOptions, name, loading)
        finishOpening(name, loading, isNew: false)
        return true
    }

    private func install(
        _ replay: JournalReplay, _ options: SessionOptions, _ name: String, _ loading: LoadingRoom
    ) {
        let logger = configuration.logger
        let session = SceneSession(
            room: name, tickRate: clock.rate, replay: replay, options: options)
        compare(session, name, loading)
        install(session, as: name)
        logger.info("room \(name) was opened at tick \(replay.tick)")
        for note in replay.notes { logger.warning("room \(name): \(note)") }
        if let note = replay.layoutNote { logger.notice("room \(name): \(note)") }
        if case .opened = loading.scene {
            logger.notice("room \(name) has a journal, so its scene file was not loaded")
        }
    }

    private func finishOpening(_ name: String, _ loading: LoadingRoom, isNew: Bool) {
        switch loading.scene {
        case .empty: break
        case .opened: configuration.openings.note(name, nil)
        case .imported(_, let reply) where isNew: confirm(name, reply)
        case .imported(let document, let reply): administer(name, .replace(document), reply)
        case .restored(_, let reply):
            guard isNew, let session = rooms.session(of: name) else {
                reply(.nameTaken)
                break
            }
            let made = RoomReply.made(hash: session.stateHash)
            confirm(name) { outcome in
                if case .done = outcome { reply(made) } else { reply(outcome) }
            }
        }
        if !settleOrigin(of: name, loading, isNew: isNew) { return }
        for question in loading.questions { answer(question.request, of: name, question.reply) }
        for (member, applicant) in loading.applicants { admit(member, applicant, to: name) }
    }

    /// Refuses all requests that wait for a room that cannot be opened.
    func fail(_ name: String, _ loading: LoadingRoom, _ error: any Error) {
        let reason = (error as? Refusal)?.message ?? "\(error)"
        let putAside = configuration.quarantine.reason(for: name)
        if putAside == nil {
            configuration.logger.error("room \(name) cannot be opened: \(reason)")
        }
        let told = putAside.map { "is put aside: \($0)" } ?? "cannot be opened"
        for (member, applicant) in loading.applicants {
            refuse(member, applicant, .noSuchSession, "room \(name) \(told)")
        }
        switch loading.scene {
        case .empty: break
        // The other rooms are served without one that is put aside.
        case .opened: configuration.openings.note(name, putAside == nil ? reason : nil)
        case .imported(_, let reply), .restored(_, let reply):
            reply((error as? Refusal).map { .refused($0) } ?? .failed(reason))
        }
        for question in loading.questions { question.reply(.failed("room \(name) \(told)")) }
    }

    /// Creates a room without a journal, for the server's start or for an applicant.
    private func createRoom(
        _ name: String, _ loading: LoadingRoom, workLimit: UInt64
    ) throws(Refusal) {
        switch loading.scene {
        case .opened(let document), .imported(let document, _):
            try create(name, document, workLimit: workLimit, isKept: true)
        case .restored(let record, _):
            try restore(name, record, sessionOptions, workLimit: workLimit)
        case .empty:
            if RoomName.suggestion(of: name) != nil {
                return try createBranch(name, loading, workLimit: workLimit)
            }
            guard loading.applicants.contains(where: \.1.makesRooms) else { return }
            try create(
                name, SceneDocument(viewport: Viewport(width: 640, height: 384)),
                workLimit: workLimit, isKept: false)
        }
    }

    /// - Parameter isKept: Whether its first record is written now; if not, with the first change,
    ///   so that a room that was only visited has no journal.
    func create(
        _ name: String, _ document: SceneDocument, workLimit: UInt64, isKept: Bool,
        branchOf suggestion: Suggestion? = nil
    ) throws(Refusal) {
        let model = try SceneModel(document, workLimit: workLimit)
        model.workLimit = .max
        let (session, effects) = SceneSession.create(
            room: name, tickRate: clock.rate, model: model, options: sessionOptions,
            branchOf: suggestion)
        install(session, as: name)
        configuration.logger.info("room \(name) was created")
        guard !isKept, effects.count == 1, case .append(let first)? = effects.first else {
            return carryOut(effects, room: name)
        }
        rooms.hold(first, of: name)
        carryOut(session.handle(.durable(through: first.sequence)), room: name)
    }

    /// The options of a new session, under the present limits.
    private var sessionOptions: SessionOptions {
        var options = configuration.session
        options.sceneLimits = configuration.settings.current.sceneLimits
        options.work = configuration.settings.current.limits.work
        options.events = configuration.settings.current.limits.events
        // At most 53 bits, which every JSON parser represents exactly.
        options.incarnation = UInt64.random(in: 1...(1 << 53))
        return options
    }

    func install(_ session: SceneSession, as name: String) {
        session.traceClock = { DispatchTime.now().uptimeNanoseconds }
        session.wallClock = { Int64(Date().timeIntervalSince1970 * 1000) }
        keep(LiveRoom(session, at: clock.tick), as: name)
        configuration.census.open(name)
    }

    // MARK: Imports

    /// Loads a room that is not in memory, since its journal may exist: an import creates a room
    /// only if there is none.
    func beginImport(
        of document: SceneDocument, into name: String,
        _ reply: @escaping @Sendable (RoomReply) -> Void
    ) {
        guard rooms.loading(name) == nil else {
            return reply(.failed("the room is being loaded; try again"))
        }
        var loading = LoadingRoom()
        loading.scene = .imported(document, reply)
        rooms.load(name, loading)
        configuration.journal.load(name)
    }
}
