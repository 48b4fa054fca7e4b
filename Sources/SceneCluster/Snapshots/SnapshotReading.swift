/// Reads the chunks of a snapshot whose pointer is known, in order, from any replica. A state
/// machine without I/O.
///
/// A chunk that a replica lacks is asked for elsewhere, for the pointer was published after all
/// chunks. Once it is done, the journal is followed from `pointer.anchor` on.
public struct SnapshotReading: Sendable {
    /// An effect.
    public enum Effect: Equatable, Sendable {
        /// Asks the engine; the reply comes back with the ticket.
        case request(EngineTicket, EngineRequest)
        /// The snapshot's bytes, which are those that were published.
        case loaded([UInt8])
        /// The snapshot cannot be read.
        case failed(SnapshotFailure)
    }

    /// The pointer that is followed.
    public let pointer: SnapshotPointer
    private let subjects: ClusterSubjects
    private var bytes: [UInt8] = []
    private var chunk: UInt32 = 0
    private var asked: (ticket: EngineTicket, since: MonotonicInstant)?
    private var askAt: MonotonicInstant
    private var source = EngineRequest.Source.anyReplica
    private var backOff = BackOff(maximum: OwnerLimits.readBackOffMaximum)
    private var nextTicket: UInt64
    /// Whether the reading has come to an end.
    public private(set) var isOver = false

    /// Prepares a reading.
    ///
    /// - Parameter firstTicket: The number of the first request; those of a shard's owner and of
    ///   its readings must differ.
    public init(
        _ pointer: SnapshotPointer, subjects: ClusterSubjects, firstTicket: UInt64,
        now: MonotonicInstant
    ) {
        self.pointer = pointer
        self.subjects = subjects
        nextTicket = firstTicket
        askAt = now
    }

    /// Handles an event.
    ///
    /// - Complexity: O(bytes) of a chunk, and of the whole snapshot with the last one.
    public mutating func handle(
        _ event: SnapshotPublication.Event, at now: MonotonicInstant
    ) -> [Effect] {
        guard !isOver else { return [] }
        switch event {
        case .tick:
            if let asked {
                guard now.elapsed(since: asked.since) >= OwnerLimits.hedge else { return [] }
            } else if now < askAt {
                return []
            }
            return next(at: now)
        case .reply(let ticket, let reply):
            guard ticket == asked?.ticket else { return [] }
            asked = nil
            guard case .messages(let messages, _) = reply, let message = messages.last else {
                askAt = now.advanced(by: backOff.next())
                return []
            }
            backOff.reset()
            chunk += 1
            bytes += message.bytes
            // More than was published is not collected.
            guard UInt64(bytes.count) <= pointer.byteCount else { return [end()] }
            return next(at: now)
        }
    }

    private mutating func next(at now: MonotonicInstant) -> [Effect] {
        guard chunk < pointer.chunkCount else { return [end()] }
        let ticket = EngineTicket(shard: pointer.scope.shard, number: nextTicket)
        nextTicket += 1
        asked = (ticket, now)
        defer { source = source == .leader ? .anyReplica : .leader }
        return [
            .request(
                ticket,
                .last(
                    subject: subjects.chunk(
                        Int(chunk), of: pointer.room, in: pointer.scope.shard,
                        at: pointer.anchor.sequence), source: source))
        ]
    }

    private mutating func end() -> Effect {
        isOver = true
        guard UInt64(bytes.count) == pointer.byteCount,
            RecordChecksum(of: bytes) == pointer.checksum
        else {
            return .failed(
                .damaged(
                    room: pointer.room, bytes: UInt64(bytes.count),
                    expectedBytes: pointer.byteCount))
        }
        return .loaded(bytes)
    }
}
