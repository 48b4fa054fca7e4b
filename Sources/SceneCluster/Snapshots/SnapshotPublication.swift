/// Publishes a room's snapshot: its chunks one after another, and the pointer last, so that a
/// snapshot that has a pointer is whole. A state machine without I/O.
///
/// Each message is published on the condition that its subject is as it was read, and again with
/// the same bytes where its fate is unknown. A pointer never replaces one that stands at a later
/// place.
public struct SnapshotPublication: Sendable {
    /// An event.
    public enum Event: Equatable, Sendable {
        /// Time has passed; also begins the publication.
        case tick
        /// The engine answers.
        case reply(EngineTicket, EngineReply)
    }

    /// An effect.
    public enum Effect: Equatable, Sendable {
        /// Asks the engine; the reply comes back with the ticket.
        case request(EngineTicket, EngineRequest)
        /// The snapshot is published, and its pointer was read back.
        case stored(SnapshotPointer)
        /// A snapshot at a later place is published already; nothing more is to be done.
        case outdated(by: SnapshotPointer)
        /// The snapshot cannot be published.
        case failed(SnapshotFailure)
    }

    /// A message on its way: a chunk or the pointer.
    private struct Item {
        var subject: String
        var bytes: [UInt8]
    }

    private enum Step {
        case reading(EngineTicket, since: MonotonicInstant)
        case publishing(EngineTicket, since: MonotonicInstant)
        case waiting(until: MonotonicInstant)
        case over
    }

    private let pointer: SnapshotPointer
    private let items: [Item]
    /// Which item is on its way.
    private var index = 0
    private var step: Step
    private var source = EngineRequest.Source.leader
    private var backOff = BackOff(maximum: OwnerLimits.publishBackOffMaximum)
    private var nextTicket: UInt64

    /// Prepares a publication.
    ///
    /// - Parameters:
    ///   - bytes: The snapshot, deflated.
    ///   - anchor: The place in the chain that the snapshot stands at, read back from the journal.
    ///   - firstTicket: The number of the first request; those of a shard's owner and of its
    ///     publications must differ.
    /// - Throws: `RecordError` for a name that is too long, or more bytes than
    ///   `SnapshotPointer.chunkMaximum` chunks hold.
    public init(
        _ bytes: [UInt8], of room: String, at anchor: ChainAnchor, scope: RecordScope,
        subjects: ClusterSubjects, firstTicket: UInt64, now: MonotonicInstant
    ) throws(RecordError) {
        let maximum = Int(SnapshotPointer.chunkMaximum) * OwnerLimits.chunkBytes
        guard bytes.count <= maximum else { throw .tooLong(bytes: bytes.count, maximum: maximum) }
        let chunks = stride(from: 0, to: bytes.count, by: OwnerLimits.chunkBytes).map {
            Array(bytes[$0..<min($0 + OwnerLimits.chunkBytes, bytes.count)])
        }
        pointer = SnapshotPointer(
            scope: scope, room: room, anchor: anchor, chunkCount: UInt32(chunks.count),
            byteCount: UInt64(bytes.count), checksum: RecordChecksum(of: bytes))
        let last = Item(
            subject: subjects.snapshot(of: room, in: scope.shard), bytes: try pointer.encoded())
        items =
            chunks.enumerated().map { number, bytes in
                Item(
                    subject: subjects.chunk(
                        number, of: room, in: scope.shard, at: anchor.sequence), bytes: bytes)
            } + [last]
        self.nextTicket = firstTicket
        step = .waiting(until: now)
    }

    /// Whether the publication has come to an end.
    public var isOver: Bool { if case .over = step { true } else { false } }

    /// Handles an event.
    ///
    /// - Complexity: O(bytes) of a message.
    public mutating func handle(_ event: Event, at now: MonotonicInstant) -> [Effect] {
        switch event {
        case .tick:
            switch step {
            case .waiting(let until): return now >= until ? [look(at: now)] : []
            case .reading(_, let since), .publishing(_, let since):
                let isLate = now.elapsed(since: since) >= OwnerLimits.requestTimeout
                return isLate ? [look(at: now)] : []
            case .over: return []
            }
        case .reply(let ticket, let reply):
            switch step {
            case .reading(ticket, _): return read(reply, at: now)
            // Only what the engine stores counts, not its answer.
            case .publishing(ticket, _): return [look(at: now)]
            case .reading, .publishing, .waiting, .over: return []
            }
        }
    }

    /// Asks for what the subject of the item on its way has.
    private mutating func look(at now: MonotonicInstant) -> Effect {
        let ticket = take()
        step = .reading(ticket, since: now)
        defer { source = source == .leader ? .anyReplica : .leader }
        return .request(ticket, .last(subject: items[index].subject, source: source))
    }

    private mutating func read(_ reply: EngineReply, at now: MonotonicInstant) -> [Effect] {
        guard case .messages(let messages, _) = reply else {
            step = .waiting(until: now.advanced(by: backOff.next()))
            return []
        }
        if messages.last?.bytes == items[index].bytes { return advance(at: now) }
        if index == items.count - 1 {
            if let end = compare(messages.last) {
                step = .over
                return [end]
            }
        } else if let other = messages.last {
            step = .over
            return [
                .failed(
                    .otherChunk(RecordPlace(subject: other.subject, sequence: other.sequence)))
            ]
        }
        let ticket = take()
        step = .publishing(ticket, since: now)
        return [
            .request(
                ticket,
                .publish(
                    subject: items[index].subject, bytes: items[index].bytes,
                    expectedLast: messages.last?.sequence ?? 0))
        ]
    }

    /// Why a pointer that is there already ends the publication; nil where it is to be replaced.
    private func compare(_ message: EngineMessage?) -> Effect? {
        guard let message else { return nil }
        do throws(RecordError) {
            let other = try SnapshotPointer.decode(message.bytes, scope: pointer.scope)
            return other.anchor.number >= pointer.anchor.number ? .outdated(by: other) : nil
        } catch {
            return .failed(
                .pointer(
                    RecordPlace(subject: message.subject, sequence: message.sequence), error))
        }
    }

    private mutating func advance(at now: MonotonicInstant) -> [Effect] {
        backOff.reset()
        source = .leader
        guard index + 1 < items.count else {
            step = .over
            return [.stored(pointer)]
        }
        index += 1
        return [look(at: now)]
    }

    private mutating func take() -> EngineTicket {
        defer { nextTicket += 1 }
        return EngineTicket(shard: pointer.scope.shard, number: nextTicket)
    }
}

/// Why a snapshot can be neither published nor read.
public enum SnapshotFailure: Error, Equatable, Sendable, CustomStringConvertible {
    /// Another chunk is where the snapshot's is to be.
    case otherChunk(RecordPlace)
    /// The message at the pointer's place is no pointer.
    case pointer(RecordPlace, RecordError)
    /// The chunks are not those that the pointer was written for.
    case damaged(room: String, bytes: UInt64, expectedBytes: UInt64)

    /// The fault, its place, and what to do next.
    public var description: String {
        switch self {
        case .otherChunk(let place):
            "\(place): another snapshot's chunk is there; store a snapshot at a later record"
        case .pointer(let place, let error): "\(place): not a snapshot's pointer: \(error)"
        case .damaged(let room, let bytes, let expected):
            "the snapshot of room \(room) has \(bytes) bytes, or other ones than the \(expected) that were stored; restore the stream from a backup"
        }
    }
}
