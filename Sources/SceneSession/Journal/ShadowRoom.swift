public import SceneWire

/// A room that is replayed here while its journal still grows, so that it can be opened at once
/// when this process comes to own it. `JournalReplay` makes of it what a session goes on with; the
/// result is the same as that of a replay of all records at once.
///
/// Belongs to one thread at a time.
public final class ShadowRoom {
    /// The reason why a journal cannot be replayed.
    public typealias Failure = JournalPlayer.Failure

    let player: JournalPlayer
    private(set) var recorder: StreamRecorder
    /// The last record.
    public private(set) var last: JournalRecord

    /// Replays records, oldest first; records before the last snapshot are only checked for
    /// integrity. If that snapshot is unreadable, the replay starts at the one before it, if the
    /// records include it.
    ///
    /// - Parameters:
    ///   - recalls: The number of last ticks whose changes are kept, for members that resume.
    ///   - workLimit: Units of work for the replay, also of what is followed later.
    /// - Throws: `Failure` for records that do not follow one another or cannot be read, and for a
    ///   replay that is too dear.
    /// - Complexity: That of the cycles that the records led to.
    public convenience init(
        _ records: [JournalRecord], options: SessionOptions, recalls: UInt64 = 600,
        workLimit: UInt64 = .max
    ) throws(Failure) {
        try self.init(
            records, through: nil, options: options, recalls: recalls, workLimit: workLimit)
    }

    init(
        _ records: [JournalRecord], through: UInt64?, options: SessionOptions, recalls: UInt64,
        workLimit: UInt64
    ) throws(Failure) {
        let wanted = records.filter { $0.tick <= through ?? .max }
        for index in wanted.indices.dropFirst() {
            guard wanted[index].follows(wanted[index - 1]) else {
                throw .brokenChain(sequence: wanted[index].sequence)
            }
        }
        player = try Self.player(wanted, undoMaximum: options.undoMaximum, workLimit: workLimit)
        last = wanted[wanted.count - 1]
        let target = through ?? last.tick
        recorder = StreamRecorder(
            epoch: last.epoch + 1,
            from: recalls == 0 ? .max : (target > recalls ? target - recalls : 0), options)
        try advance(before: target)
    }

    /// Replays what was written since.
    ///
    /// - Parameter records: Records of the room, oldest first, of which those that were replayed
    ///   already are passed over.
    /// - Returns: Whether they are of the journal that the room was replayed from; if not, the room
    ///   cannot be used any more.
    /// - Throws: `Failure`; then the room cannot be used any more either.
    /// - Complexity: That of the cycles that the records led to.
    public func follow(_ records: [JournalRecord]) throws(Failure) -> Bool {
        let more = records.filter { $0.sequence > last.sequence }
        let known = records.last { $0.sequence <= last.sequence }
        guard known.map({ $0.sequence < last.sequence || $0 == last }) ?? true else { return false }
        guard let end = more.last else { return true }
        guard more[0].follows(last) else { return false }
        player.append(more)
        last = end
        recorder.enter(epoch: end.epoch + 1)
        try advance(before: end.tick)
        return true
    }

    /// Replays up to a tick, whose cycle is not run: further records of it may be on their way.
    private func advance(before tick: UInt64) throws(Failure) {
        if tick > 0 { try advance(to: tick - 1) }
    }

    /// Runs the cycles up to a tick, after which nothing is followed.
    func advance(to tick: UInt64) throws(Failure) {
        var budget = Int.max
        try player.advance(to: tick, budget: &budget, observing: recorder.start) { tick, model in
            recorder.note(model, tick)
        }
    }

    /// Returns a player at the last readable snapshot.
    private static func player(
        _ records: [JournalRecord], undoMaximum: Int, workLimit: UInt64
    ) throws(Failure) -> JournalPlayer {
        var first = Failure.noSnapshot
        for start in records.indices.reversed() where records[start].kind == .snapshot {
            do throws(Failure) {
                return try JournalPlayer(
                    Array(records[start...]), tracksUndo: true, undoMaximum: undoMaximum,
                    workLimit: workLimit)
            } catch {
                guard error != .tooExpensive else { throw error }
                if first == .noSnapshot { first = error }
            }
        }
        throw first
    }
}
