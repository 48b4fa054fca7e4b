import SceneCluster

/// A shard's work on snapshots in the engine: it publishes one at a time, reads any number, and
/// finds the directory. Without I/O.
struct SnapshotDesk {
    /// What came of it.
    enum Outcome {
        /// A snapshot is published, or one at a later place was.
        case stored(room: String, SnapshotPointer)
        /// A snapshot cannot be published now.
        case notStored(room: String, String)
        /// What a snapshot holds.
        case contents(room: String, Result<[UInt8], SnapshotFailure>)
        /// The directory, and where it stands.
        case directory(SnapshotPointer, SnapshotDirectory)
        /// No directory is found that stands further than was asked for.
        case noDirectory
    }

    /// The looking for a directory.
    private struct Search {
        var beyond: UInt64
        var ticket: UInt64?
        var askedAt: MonotonicInstant
        var source = EngineRequest.Source.leader
        /// How often the leader had none that is far enough.
        var lacking = 0
    }

    /// A removal of messages, until the engine confirms it.
    private struct Purge {
        var subject: String
        var below: UInt64
        /// The last request for it.
        var ticket: UInt64 = 0
        /// When that failed; `nil` while it is under way.
        var failedAt: MonotonicInstant?
    }

    /// The first number of requests that are not the owner's.
    static let firstTicket: UInt64 = 1 << 62
    /// The numbers of one publication or reading.
    private static let ticketSpan: UInt64 = 1 << 32
    /// How long after a removal that failed it is tried again.
    private static let purgeInterval = Duration.seconds(1)
    private static let searchInterval = Duration.milliseconds(100)
    /// So often the leader has to lack a directory, over some seconds, before there is none: one
    /// that was replaced answers for about ten.
    private static let lackingMaximum = 150

    private let scope: RecordScope
    private let subjects: ClusterSubjects
    private var nextTicket = Self.firstTicket
    private var publication: (room: String, work: SnapshotPublication)?
    private var readings: [String: SnapshotReading] = [:]
    /// Snapshots to read in place of former ones, by room.
    private var successors: [String: SnapshotPointer] = [:]
    private var search: Search?
    private var purges: [Purge] = []
    private(set) var asks: [(EngineTicket, EngineRequest)] = []
    private(set) var outcomes: [Outcome] = []

    init(_ scope: RecordScope, _ subjects: ClusterSubjects) {
        self.scope = scope
        self.subjects = subjects
    }

    /// Whether a snapshot is being published.
    var isPublishing: Bool { publication != nil }
    /// Whether there is anything to do as time passes.
    var isIdle: Bool {
        publication == nil && readings.isEmpty && successors.isEmpty && search == nil
            && purges.allSatisfy { $0.failedAt == nil }
    }

    /// Whether a room's snapshot is being read.
    func isReading(_ room: String) -> Bool {
        readings[room] != nil || successors[room] != nil
    }

    mutating func takeAsks() -> [(EngineTicket, EngineRequest)] {
        defer { asks = [] }
        return asks
    }

    mutating func takeOutcomes() -> [Outcome] {
        defer { outcomes = [] }
        return outcomes
    }

    // MARK: What is to be done

    /// Publishes a snapshot; one at a time.
    mutating func publish(
        _ bytes: [UInt8], of room: String, at anchor: ChainAnchor, now: MonotonicInstant
    ) {
        do throws(RecordError) {
            publication = (
                room,
                try SnapshotPublication(
                    bytes, of: room, at: anchor, scope: scope, subjects: subjects,
                    firstTicket: takeTickets(), now: now)
            )
            advance(to: now)
        } catch {
            outcomes.append(.notStored(room: room, error.description))
        }
    }

    /// Reads a snapshot.
    mutating func read(_ pointer: SnapshotPointer, now: MonotonicInstant) {
        readings[pointer.room] = SnapshotReading(
            pointer, subjects: subjects, firstTicket: takeTickets(), now: now)
        advance(to: now)
    }

    /// Starts a reading again with the room's new snapshot: the chunks of the former one are
    /// removed next.
    mutating func replaceReading(with pointer: SnapshotPointer) {
        guard isReading(pointer.room) else { return }
        readings[pointer.room] = nil
        successors[pointer.room] = pointer
    }

    /// Stops reading a room's snapshot.
    mutating func stopReading(_ room: String) {
        readings[room] = nil
        successors[room] = nil
    }

    /// Looks for a directory that stands beyond a place of the chain.
    mutating func findDirectory(beyond number: UInt64, now: MonotonicInstant) {
        readings[SnapshotDirectory.room] = nil
        search = Search(beyond: number, askedAt: now)
        ask(now: now)
    }

    /// Removes messages that are needed no more. Where it fails it is tried again.
    mutating func purge(_ subject: String, below sequence: UInt64) {
        purges.append(Purge(subject: subject, below: sequence))
        ask(forPurgeAt: purges.count - 1)
    }

    private mutating func ask(forPurgeAt index: Int) {
        let number = takeTickets()
        purges[index].ticket = number
        purges[index].failedAt = nil
        asks.append(
            (ticket(number), .purge(subject: purges[index].subject, below: purges[index].below)))
    }

    /// Takes the reply to a removal, if it is one's.
    private mutating func endPurge(
        _ number: UInt64, with reply: EngineReply, now: MonotonicInstant
    ) -> Bool {
        guard let index = purges.firstIndex(where: { $0.ticket == number }) else { return false }
        if case .purged = reply {
            purges.remove(at: index)
        } else {
            purges[index].failedAt = now
        }
        return true
    }

    /// Gives everything up; numbers go on.
    mutating func reset() {
        publication = nil
        readings = [:]
        successors = [:]
        search = nil
        purges = []
        outcomes = []
    }

    private mutating func takeTickets() -> UInt64 {
        defer { nextTicket += Self.ticketSpan }
        return nextTicket
    }

    private func ticket(_ number: UInt64) -> EngineTicket {
        EngineTicket(shard: scope.shard, number: number)
    }

    // MARK: Events

    mutating func advance(to now: MonotonicInstant) {
        if var publication {
            let effects = publication.work.handle(.tick, at: now)
            self.publication = publication
            carryOut(effects)
        }
        for room in successors.keys.sorted() {
            readings[room] = successors.removeValue(forKey: room).map {
                SnapshotReading(
                    $0, subjects: subjects, firstTicket: takeTickets(), now: now)
            }
        }
        for room in readings.keys.sorted() { pass(.tick, toReadingOf: room, at: now) }
        for index in purges.indices {
            guard let failedAt = purges[index].failedAt,
                now.elapsed(since: failedAt) >= Self.purgeInterval
            else { continue }
            ask(forPurgeAt: index)
        }
        guard let search else { return }
        // One that was replaced while it is read has no chunks any more.
        let isReading = readings[SnapshotDirectory.room] != nil
        let patience = isReading ? OwnerLimits.requestTimeout : Self.searchInterval
        guard now.elapsed(since: search.askedAt) >= patience else { return }
        readings[SnapshotDirectory.room] = nil
        ask(now: now)
    }

    mutating func take(_ reply: EngineReply, for ticket: EngineTicket, at now: MonotonicInstant) {
        if let search, search.ticket == ticket.number {
            self.search?.ticket = nil
            found(reply, now: now)
            return
        }
        if endPurge(ticket.number, with: reply, now: now) { return }
        if var publication {
            let effects = publication.work.handle(.reply(ticket, reply), at: now)
            self.publication = publication
            carryOut(effects)
        }
        for room in readings.keys.sorted() {
            pass(.reply(ticket, reply), toReadingOf: room, at: now)
        }
    }

    private mutating func carryOut(_ effects: [SnapshotPublication.Effect]) {
        guard let room = publication?.room else { return }
        for effect in effects {
            switch effect {
            case .request(let ticket, let request): asks.append((ticket, request))
            case .stored(let pointer), .outdated(let pointer):
                publication = nil
                outcomes.append(.stored(room: room, pointer))
            case .failed(let failure):
                publication = nil
                outcomes.append(.notStored(room: room, failure.description))
            }
        }
    }

    private mutating func pass(
        _ event: SnapshotPublication.Event, toReadingOf room: String, at now: MonotonicInstant
    ) {
        guard var reading = readings[room] else { return }
        let effects = reading.handle(event, at: now)
        readings[room] = reading
        for effect in effects {
            switch effect {
            case .request(let ticket, let request): asks.append((ticket, request))
            case .loaded(let bytes): finish(reading.pointer, .success(bytes), now: now)
            case .failed(let failure): finish(reading.pointer, .failure(failure), now: now)
            }
        }
    }

    private mutating func finish(
        _ pointer: SnapshotPointer, _ result: Result<[UInt8], SnapshotFailure>,
        now: MonotonicInstant
    ) {
        readings[pointer.room] = nil
        guard pointer.room == SnapshotDirectory.room else {
            outcomes.append(.contents(room: pointer.room, result))
            return
        }
        guard search != nil else { return }
        if case .success(let bytes) = result,
            let directory = try? SnapshotDirectory.decode(bytes, scope: scope)
        {
            search = nil
            outcomes.append(.directory(pointer, directory))
        }
    }

    // MARK: The directory

    private mutating func ask(now: MonotonicInstant) {
        guard var search else { return }
        let number = takeTickets()
        asks.append(
            (
                ticket(number),
                .last(
                    subject: subjects.snapshot(of: SnapshotDirectory.room, in: scope.shard),
                    source: search.source)
            ))
        search.ticket = number
        search.askedAt = now
        self.search = search
    }

    private mutating func found(_ reply: EngineReply, now: MonotonicInstant) {
        guard var search else { return }
        let wasLeader = search.source == .leader
        search.source = wasLeader ? .anyReplica : .leader
        if case .messages(let messages, _) = reply {
            let pointer = messages.last.flatMap {
                try? SnapshotPointer.decode($0.bytes, scope: scope)
            }
            if let pointer, pointer.anchor.number > search.beyond {
                self.search = search
                read(pointer, now: now)
                return
            }
            // A replica that lags has an old one, or none.
            if wasLeader { search.lacking += 1 }
        }
        guard search.lacking < Self.lackingMaximum else {
            self.search = nil
            outcomes.append(.noDirectory)
            return
        }
        self.search = search
    }
}
