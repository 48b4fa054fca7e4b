import SceneCluster
import SceneWire

/// How a shard's journal stays short: rooms have snapshots in the engine, a directory says where
/// they stand, and what they hold is removed from the journal.
///
/// What a reader knows of snapshots comes from the journal: each is followed by an entry that says
/// where it stands, and the directory stands where the journal begins. So no replica's lag can hide
/// one.
extension ShardJournal {
    /// The directory moves once this many bytes of the journal can be removed, or four times its
    /// own size.
    private static let floorBytes = 512 << 10
    /// How long after a snapshot that could not be published another one is tried.
    private static let retryAfter = Duration.seconds(1)

    // MARK: What the journal says

    /// Takes an entry of the journal.
    mutating func take(_ bytes: [UInt8], of room: String, at number: UInt64) {
        if !room.isEmpty, let pointer = pointers[room], pointer.anchor.number >= number { return }
        let entry: JournalEntry
        do throws(JournalEntryError) {
            entry = try JournalEntry(bytes)
        } catch {
            rooms[room, default: RoomTail()].note(damage: error.description)
            return
        }
        switch entry {
        case .record, .part:
            states.end(of: room)
            let record = rooms[room, default: RoomTail()].take(entry, at: number)
            if isServing, let record {
                add(.copy(.record(RoomRecord(room: room, record: record))))
            }
        case .deletion:
            states.end(of: room)
            rooms[room] = nil
            stopReading(room)
            if isServing { add(.copy(.deletion(room))) }
            if let pointer = pointers.removeValue(forKey: room), isServing { purge(pointer) }
            add(.event(.snapshotStored(shard, room: room, number: number)))
        case .snapshot(let bytes):
            do throws(RecordError) {
                store(try SnapshotPointer.decode(bytes, scope: scope))
            } catch {
                add(
                    .trouble(
                        "shard \(shard.rawValue), record \(number): word of a snapshot cannot be read: \(error)"
                    ))
            }
        }
    }

    /// A snapshot stands at a place of the chain.
    private mutating func store(_ pointer: SnapshotPointer) {
        let room = pointer.room
        if let before = pointers[room] {
            guard before.anchor.number < pointer.anchor.number else { return }
            if isServing { purge(before) }
        }
        pointers[room] = pointer
        desk.replaceReading(with: pointer)
        rooms[room]?.cover(through: pointer.anchor.number)
        if rooms[room]?.isEmpty == true { rooms[room] = nil }
        add(.event(.snapshotStored(shard, room: room, number: pointer.anchor.number)))
        wish.drop(room)
    }

    /// Ends the reading of a deleted room's snapshot. Loads that wait for it go on without one.
    private mutating func stopReading(_ room: String) {
        desk.stopReading(room)
        for want in wants.removeValue(forKey: room) ?? [] {
            switch want {
            case .load(let load): loads.append(load)
            case .history(let number, _): add(.answer(number, .history(nil)))
            case .snapshot, .shadow: break
            }
        }
    }

    /// Removes the chunks of a snapshot that another one has replaced: the journal says so.
    private mutating func purge(_ pointer: SnapshotPointer) {
        desk.purge(
            subjects.chunks(of: pointer.room, in: shard, at: pointer.anchor.sequence), below: .max)
    }

    /// Forgets everything that was read.
    mutating func forget() {
        states.forget()
        rooms = [:]
        pointers = [:]
        for case .history(let number, _) in wants.values.flatMap(\.self) {
            add(.answer(number, .history(nil)))
        }
        wants = [:]
        wish = SnapshotWish()
        extent = ChainExtent()
        desk.reset()
        dropShadows()
    }

    // MARK: Where the journal begins

    /// The journal's beginning is gone: what the directory says takes its place.
    ///
    /// - Parameter number: The last record that was read.
    mutating func findFloor(beyond number: UInt64, at now: MonotonicInstant) {
        forget()
        desk.findDirectory(beyond: number, now: now)
    }

    private mutating func begin(at pointer: SnapshotPointer, _ directory: SnapshotDirectory) {
        forget()
        pointers = directory.pointers
        extent = ChainExtent(from: pointer.anchor)
        add(.event(.rebase(shard, pointer.anchor)))
    }

    /// Has the directory move on, if much of the journal can go with it.
    ///
    /// - Parameter start: The oldest record that no snapshot covers; `nil` for none.
    private mutating func moveFloor(before start: UInt64?, at now: MonotonicInstant) {
        guard mayMoveFloor, let mark = extent.mark(before: start ?? .max) else { return }
        let directory = SnapshotDirectory(pointers)
        guard let bytes = try? directory.encoded(),
            mark.bytes >= max(Self.floorBytes, 4 * bytes.count)
        else { return }
        desk.publish(bytes, of: SnapshotDirectory.room, at: mark.anchor, now: now)
    }

    private mutating func floorIsStored(_ pointer: SnapshotPointer) {
        if let before = extent.floor, before.sequence < pointer.anchor.sequence {
            desk.purge(
                subjects.chunks(of: SnapshotDirectory.room, in: shard, at: before.sequence),
                below: .max)
        }
        extent.moveFloor(to: pointer.anchor)
        // The record at the place stays, so that readers see that it is the one that they know.
        desk.purge(subjects.journal(of: shard), below: pointer.anchor.sequence)
    }

    // MARK: Snapshots

    /// Whether the directory may have to move on.
    var mayMoveFloor: Bool {
        isServing && !desk.isPublishing && extent.bytesBehindFloor >= Self.floorBytes
    }

    /// Lets time pass.
    ///
    /// - Parameter start: The oldest record that no snapshot covers, `nil` for none; needed where
    ///   `mayMoveFloor`.
    mutating func advanceSnapshots(to now: MonotonicInstant, start: UInt64?) {
        if !desk.isIdle { desk.advance(to: now) }
        takeOutcomes(at: now)
        guard isServing, !desk.isPublishing else { return }
        if let room = wish.room(at: now) {
            prepare(room, at: now)
        } else if mayMoveFloor {
            moveFloor(before: start, at: now)
        }
    }

    /// Takes what the engine says about snapshots.
    mutating func take(_ reply: EngineReply, for ticket: EngineTicket, at now: MonotonicInstant) {
        desk.take(reply, for: ticket, at: now)
        takeOutcomes(at: now)
    }

    private mutating func takeOutcomes(at now: MonotonicInstant) {
        for outcome in desk.takeOutcomes() {
            switch outcome {
            case .stored(SnapshotDirectory.room, let pointer): floorIsStored(pointer)
            case .stored(_, let pointer): tell(of: pointer)
            case .notStored(let room, let reason):
                add(.trouble("the snapshot of room \(room) is not stored: \(reason)"))
                wish.postpone(until: now.advanced(by: Self.retryAfter))
            case .contents(let room, let result): use(result, of: room, at: now)
            case .directory(let pointer, let directory): begin(at: pointer, directory)
            case .noDirectory: add(.event(.noFloor(shard)))
            }
        }
    }

    /// Writes into the journal that a snapshot is stored.
    private mutating func tell(of pointer: SnapshotPointer) {
        guard isServing, let bytes = JournalEntry.bytes(of: pointer),
            !waiting.hasSnapshot
        else { return }
        add(.init(room: "", bytes: bytes, completion: .snapshot(pointer)))
        // Until the journal has it, nothing more is done for the room.
        wish = SnapshotWish()
    }

    private mutating func prepare(_ room: String, at now: MonotonicInstant) {
        let tail = rooms[room] ?? RoomTail()
        guard !tail.isEmpty else {
            // A snapshot holds it already, or it was deleted.
            let number = pointers[room]?.anchor.number ?? extent.head?.number ?? 0
            add(.event(.snapshotStored(shard, room: room, number: number)))
            wish.drop()
            return
        }
        guard !tail.isPartial else { return }
        if tail.hasScene {
            publish(tail.records.from(tick: nil), of: room, at: now)
        } else if let pointer = pointers[room] {
            guard
                wants[room]?.contains(where: { if case .snapshot = $0 { true } else { false } })
                    != true
            else { return }
            want(.snapshot, pointer, at: now)
        } else {
            add(.trouble("room \(room) has no scene to make a snapshot of"))
            wish.drop()
        }
    }

    /// Stores a snapshot at the present end of the chain, unless that is within a record of the
    /// room: a snapshot stands between records, so that no later reader finds a part of one
    /// without the rest. The room stays wanted then.
    private mutating func publish(
        _ records: [JournalRecord], of room: String, at now: MonotonicInstant
    ) {
        guard rooms[room]?.isPartial != true else { return }
        guard let head = extent.head, let bytes = RoomSnapshot.bytes(of: records) else {
            add(.trouble("room \(room) is too large for a snapshot"))
            wish.drop()
            return
        }
        desk.publish(bytes, of: room, at: head, now: now)
    }

    // MARK: What snapshots hold

    /// Reads a room's snapshot for a purpose.
    mutating func want(_ want: Want, _ pointer: SnapshotPointer, at now: MonotonicInstant) {
        wants[pointer.room, default: []].append(want)
        if !desk.isReading(pointer.room) { desk.read(pointer, now: now) }
    }

    /// Answers with the records that lead to a tick of a room's past.
    mutating func answerHistory(
        of room: String, tick: UInt64, _ number: UInt64, at now: MonotonicInstant
    ) {
        guard isServing else { return add(.answer(number, .history(nil))) }
        if let pointer = pointers[room] {
            want(.history(number, tick: tick), pointer, at: now)
        } else {
            add(.answer(number, .history(rooms[room]?.records.from(tick: tick))))
        }
    }

    private mutating func use(
        _ result: Result<[UInt8], SnapshotFailure>, of room: String, at now: MonotonicInstant
    ) {
        var base: [JournalRecord] = []
        var damage: String?
        switch result {
        case .success(let bytes):
            do throws(JournalEntryError) {
                base = try RoomSnapshot.records(in: bytes)
            } catch {
                damage = error.description
            }
        case .failure(let failure): damage = failure.description
        }
        if let damage { add(.trouble("room \(room): \(damage)")) }
        for want in wants.removeValue(forKey: room) ?? [] {
            // A later snapshot may have come while this one was read.
            let tail = rooms[room]?.records ?? []
            let rest = tail.filter { $0.sequence > base.last?.sequence ?? 0 }
            switch want {
            case .load(let load):
                if let damage { fail(load, damage) } else { answer(load, behind: base) }
            case .history(let number, let tick):
                add(
                    .answer(
                        number, .history(damage == nil ? (base + rest).from(tick: tick) : nil)))
            case .shadow: if damage == nil { shadow(room, base + rest) }
            case .snapshot:
                guard damage == nil, !desk.isPublishing else { break }
                publish((base + rest).from(tick: nil), of: room, at: now)
            }
        }
    }
}
