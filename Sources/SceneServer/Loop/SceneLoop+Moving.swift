import Logging
import RoomNames
import SceneDocument
import SceneSession
import SceneStore
import SceneWire

/// Rooms as bytes and under other names: exports, imports and renamings for administrators.
extension SceneLoop {
    // MARK: Exports and imports

    /// Answers a question to a room, which is loaded first if it is not in memory.
    func answerOnceLoaded(
        _ question: RoomRequest, of room: String, _ reply: @escaping @Sendable (RoomReply) -> Void
    ) {
        if rooms.live(room) != nil { return answer(question, of: room, reply) }
        if let reason = configuration.quarantine.reason(for: room) {
            return reply(.failed("room \(room) is put aside: \(reason)"))
        }
        if rooms.loading(room) == nil { beginLoading(room) }
        var loading = rooms.loading(room) ?? LoadingRoom()
        loading.questions.append((question, reply))
        rooms.load(room, loading)
    }

    /// Answers a question to a room that is in memory, or does not exist.
    func answer(
        _ question: RoomRequest, of room: String, _ reply: @escaping @Sendable (RoomReply) -> Void
    ) {
        switch question {
        case .exportRecord: answerExport(of: room, reply)
        case .suggestion(let id): tellSuggestion(id, of: room, reply)
        case .suggestions:
            reply(rooms.session(of: room).map { .suggestions($0.suggestionNames) } ?? .noSuchRoom)
        case .sceneForOthers:
            reply(rooms.session(of: room).map { .scene($0.sceneForOthers()) } ?? .noSuchRoom)
        case .export, .replace, .importRecord, .reserve, .open, .rename, .endRenaming, .confirm,
            .delete:
            administer(room, question, reply)
        }
    }

    /// Answers an export of a room that is in memory, or does not exist.
    func answerExport(of room: String, _ reply: @Sendable (RoomReply) -> Void) {
        guard let session = rooms.session(of: room) else { return reply(.noSuchRoom) }
        guard let record = session.exportedRecord() else {
            return reply(.failed("room \(room) must be reopened from its journal; try again"))
        }
        reply(.record(record.encoded()))
        schedule(room)
    }

    /// Creates a room from an exported record, unless there is one. Its journal is read first,
    /// since it need not be in memory.
    func importRecord(
        _ record: JournalRecord, as room: String, _ reply: @escaping @Sendable (RoomReply) -> Void
    ) {
        if let reason = configuration.quarantine.reason(for: room) {
            return reply(.failed("room \(room) is put aside: \(reason); delete or release it"))
        }
        guard rooms.live(room) == nil else { return reply(.nameTaken) }
        guard rooms.loading(room) == nil else {
            return reply(.failed("room \(room) is being loaded; try again"))
        }
        var loading = LoadingRoom()
        loading.scene = .restored(record, reply)
        rooms.load(room, loading)
        configuration.journal.load(room)
    }

    /// Makes the room of an exported record. Its scene comes from outside, so it must be accepted
    /// by this engine.
    ///
    /// - Throws: `Refusal`, with `tooExpensive` beyond the limit.
    func restore(
        _ name: String, _ record: JournalRecord, _ options: SessionOptions, workLimit: UInt64
    ) throws(Refusal) {
        do throws(JournalReplay.Failure) {
            // A suggestion's branch stays one under its name, and is a room like others under
            // another.
            let first = try JournalReplay(
                [record], options: options, recalls: 0, workLimit: workLimit
            ).exportedRecord(asBranchOf: RoomName.suggestion(of: name))
            let replay = try JournalReplay([first], options: options, workLimit: workLimit)
            configuration.journal.append([RoomRecord(room: name, record: first)])
            install(
                SceneSession(room: name, tickRate: clock.rate, replay: replay, options: options),
                as: name)
            configuration.logger.info("room \(name) was imported")
            for note in replay.notes { configuration.logger.warning("room \(name): \(note)") }
        } catch {
            if case .tooExpensive = error {
                throw Refusal(
                    code: .tooExpensive, message: "the room takes more than \(workLimit) units")
            }
            throw Refusal(code: .badValue, message: "the file is no room: \(error)")
        }
    }

    // MARK: Renamings

    /// Keeps a free name: members that join wait until `open`.
    func reserve(_ room: String, _ reply: @Sendable (RoomReply) -> Void) {
        if let reason = configuration.quarantine.reason(for: room) {
            return reply(.failed("room \(room) is put aside: \(reason); delete or release it"))
        }
        guard rooms.live(room) == nil else { return reply(.nameTaken) }
        guard rooms.loading(room) == nil else {
            return reply(.failed("room \(room) is being loaded; try again"))
        }
        rooms.load(room, LoadingRoom())
        reply(.done)
    }

    /// Opens a room whose name was kept.
    func openReserved(_ room: String, _ reply: @Sendable (RoomReply) -> Void) {
        if rooms.loading(room) != nil { configuration.journal.load(room) }
        reply(.done)
    }

    /// Gives a room another name: decides what waits, holds the room, and has the journal rename
    /// it.
    func rename(
        _ room: String, to name: String, _ reply: @escaping @Sendable (RoomReply) -> Void
    ) {
        if let reason = configuration.quarantine.reason(for: room) {
            return reply(.failed("room \(room) is put aside: \(reason); delete or release it"))
        }
        guard rooms.loading(room) == nil else {
            return reply(.failed("room \(room) is being loaded; try again"))
        }
        if let live = rooms.live(room) {
            let session = live.session
            let next = max(live.tick(at: clock.tick), session.tick + 1)
            carryOut(session.handle(.tick(next)), room: room)
            // A room that was only visited has a name in memory alone.
            if let first = rooms.takeUnwritten(of: room) {
                configuration.journal.append([RoomRecord(room: room, record: first)])
            }
            carryOut(session.handle(.journalHeld(true)), room: room)
        } else {
            // Whoever joins meanwhile waits.
            rooms.load(room, LoadingRoom())
        }
        configuration.journal.rename(room, to: name) { outcome in
            .administer(.endRenaming(to: name, outcome), reply)
        }
    }

    /// Ends a renaming. The records before it were reported as durable, so that their results are
    /// sent.
    func endRenaming(
        _ room: String, to name: String, _ outcome: RoomReply,
        _ reply: @Sendable (RoomReply) -> Void
    ) {
        guard case .done = outcome else {
            if rooms.loading(room) != nil {
                configuration.journal.load(room)
            } else {
                handle(room, .journalHeld(false))
            }
            return reply(outcome)
        }
        if let loading = rooms.finishLoading(room) {
            for (member, applicant) in loading.applicants {
                refuse(member, applicant, .noSuchSession, Self.renamed(to: name))
            }
            for question in loading.questions { question.reply(.noSuchRoom) }
        }
        remove(room)
        configuration.logger.notice("room \(room) is called \(name) from now on")
        reply(.done)
    }

    /// The close reason for members of a room that was renamed.
    static func renamed(to name: String) -> String {
        "the room is called \(name) from now on; connect to that name"
    }
}
