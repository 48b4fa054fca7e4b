/// Follows the chain of a shard's journal, record by record, in the order of the stream.
///
/// The stream may hold more than the chain: an engine whose condition two publishers passed at once
/// holds both records, and one that was asked twice may hold a record twice. The first that fits
/// the chain's end is its next, and every reader comes to the same decision, because all read in
/// the same order. A record whose number the chain has already passed has lost and is skipped. What
/// cannot be explained in this way stops the reader.
public struct ShardChain: Equatable, Sendable {
    /// The result of reading a record.
    public enum Step: Equatable, Sendable {
        /// The next record of the chain.
        case next(ChainRecord)
        /// It is no part of the chain: another one came before it.
        case skipped
    }

    /// Cluster and shard.
    public let scope: RecordScope
    /// The subject of the journal, for errors.
    public let subject: String
    /// The chain's end; nil while it is empty.
    public private(set) var head: ChainAnchor?
    /// The sequence number of the last record that was read, of the chain or not; 0 before the
    /// first. A publisher expects it to be the subject's last one.
    public private(set) var lastSequence: UInt64

    /// Starts at the beginning of a journal, or at an anchor.
    public init(scope: RecordScope, subject: String, from anchor: ChainAnchor? = nil) {
        self.scope = scope
        self.subject = subject
        head = anchor
        lastSequence = anchor?.sequence ?? 0
    }

    /// Reads the record after `lastSequence`.
    ///
    /// - Throws: `ChainError` where the shard has to stop; the chain stays as it was.
    /// - Complexity: O(bytes).
    public mutating func read(
        _ bytes: [UInt8], at sequence: UInt64
    ) throws(ChainError) -> Step {
        let place = RecordPlace(subject: subject, sequence: sequence)
        guard sequence > lastSequence else { throw ChainError(place: place, reason: .rewritten) }
        let record: ChainRecord
        let checksum: RecordChecksum
        do throws(RecordError) {
            (record, checksum) = try ChainRecord.decode(bytes, scope: scope)
        } catch { throw ChainError(place: place, reason: .record(error)) }
        let expected = (head?.number ?? 0) &+ 1
        guard record.number >= expected else {
            lastSequence = sequence
            return .skipped
        }
        if let reason = misfit(of: record, expected: expected) {
            throw ChainError(place: place, reason: reason)
        }
        head = anchor(after: record, checksum: checksum, sequence: sequence)
        lastSequence = sequence
        return .next(record)
    }

    /// The reason why a record is not the next of the chain.
    private func misfit(of record: ChainRecord, expected: UInt64) -> ChainError.Reason? {
        guard record.number == expected else {
            return .gap(found: record.number, expected: expected)
        }
        let previous = head?.checksum ?? .none
        guard record.previous == previous else {
            return .unknownPredecessor(found: record.previous, expected: previous)
        }
        switch record.content {
        case .seal:
            let next = (head?.epoch ?? 0) &+ 1
            return record.epoch == next
                ? nil : .epochOutOfOrder(found: record.epoch, expected: next)
        case .group, .handOver:
            guard let head, record.epoch == head.epoch else {
                return .epochOutOfOrder(found: record.epoch, expected: head?.epoch ?? 0)
            }
            return record.author == head.owner
                ? nil : .authorNotOwner(found: record.author, expected: head.owner)
        }
    }

    private func anchor(
        after record: ChainRecord, checksum: RecordChecksum, sequence: UInt64
    ) -> ChainAnchor {
        let (epoch, owner) =
            switch record.content {
            case .group, .seal: (record.epoch, record.author)
            case .handOver(let receiver, _): (record.epoch &+ 1, receiver)
            }
        return ChainAnchor(
            sequence: sequence, number: record.number, checksum: checksum, epoch: epoch,
            owner: owner)
    }

    /// The record that would be the chain's next.
    ///
    /// - Precondition: Only a seal comes first, and only an owner writes anything else.
    public func next(_ content: ChainRecord.Content, by author: NodeLife) -> ChainRecord {
        let epoch = head?.epoch ?? 0
        return ChainRecord(
            scope: scope, epoch: content == .seal ? epoch &+ 1 : epoch, author: author,
            number: (head?.number ?? 0) &+ 1, previous: head?.checksum ?? .none, content: content)
    }
}
