import SceneModel
public import SceneProtocol

/// Brings a room back from its journal.
public struct JournalReplay {
    /// The scene as it was when the last record was taken in.
    public let timeline: SceneTimeline
    /// The epoch that was last in force.
    public let epoch: UInt64
    /// The tick of the last record, whose cycle has run.
    public let tick: UInt64
    /// The last record's sequence and checksum, which the next one continues.
    public let last: (sequence: UInt64, checksum: UInt64)
    /// The highest sequence of each author's ops, so that none is applied twice.
    public let clientSequences: [(author: String, sequence: UInt64)]

    /// Why a journal cannot be replayed.
    public enum Failure: Error, Equatable, Sendable {
        /// There is no record, or the first is no snapshot.
        case noSnapshot
        /// A record does not follow the one before it.
        case brokenChain(sequence: UInt64)
        /// A record's payload cannot be read.
        case badPayload(sequence: UInt64, reason: String)
        /// A recorded scene or op was refused, so this is not the engine that wrote it.
        case refused(sequence: UInt64, reason: String)
    }

    /// Replays records, oldest first; what comes before the last snapshot is skipped.
    ///
    /// - Parameter through: The last tick to replay; `nil` means all.
    /// - Throws: `Failure`.
    public init(_ records: [JournalRecord], through: UInt64? = nil) throws(Failure) {
        let wanted = records.filter { $0.tick <= through ?? .max }
        guard let start = wanted.lastIndex(where: { $0.kind == .snapshot }) else {
            throw .noSnapshot
        }
        var sequences: [String: UInt64] = [:]
        var authors: [String] = []
        var timeline: SceneTimeline?
        var clock = wanted[start].tick
        var previous: JournalRecord?
        for (index, record) in wanted.enumerated() {
            if let previous {
                guard record.sequence == previous.sequence + 1,
                    record.previous == previous.checksum
                else { throw .brokenChain(sequence: record.sequence) }
            }
            previous = record
            let payload: JournalPayload
            do {
                payload = try JournalPayload(record)
            } catch {
                throw .badPayload(sequence: record.sequence, reason: error.description)
            }
            switch payload {
            case .snapshot(let snapshot, _, let author, let sequence):
                Self.note(author, sequence, &sequences, &authors)
                guard index == start else { continue }
                do {
                    timeline = SceneTimeline(try SceneModel(snapshot))
                } catch {
                    throw .refused(sequence: record.sequence, reason: error.message)
                }
            case .batch(let author, let sequence, let atomic, let ops):
                Self.note(author, sequence, &sequences, &authors)
                guard index > start, let timeline else { continue }
                Self.run(timeline, from: &clock, to: record.tick)
                let outcome = timeline.apply(ops, author: author, atomic: atomic)
                if let refusal = outcome.refusals.first {
                    throw .refused(sequence: record.sequence, reason: refusal.message)
                }
            }
        }
        guard let timeline, let previous else { throw .noSnapshot }
        timeline.runCycle()
        clock += 1
        if let through { Self.run(timeline, from: &clock, to: through + 1) }
        self.timeline = timeline
        epoch = previous.epoch
        tick = max(clock - 1, previous.tick)
        last = (previous.sequence, previous.checksum)
        clientSequences = authors.map { ($0, sequences[$0] ?? 0) }
    }

    /// Runs the cycles of all ticks from `clock` to the one before `tick`; once nothing is pending, those left would do nothing.
    private static func run(_ timeline: SceneTimeline, from clock: inout UInt64, to tick: UInt64) {
        while clock < tick {
            guard timeline.model.hasPendingWork else {
                clock = tick
                return
            }
            timeline.runCycle()
            clock += 1
        }
    }

    private static func note(
        _ author: String, _ sequence: UInt64, _ sequences: inout [String: UInt64],
        _ authors: inout [String]
    ) {
        guard !author.isEmpty else { return }
        if sequences[author] == nil { authors.append(author) }
        sequences[author] = max(sequences[author] ?? 0, sequence)
    }
}
