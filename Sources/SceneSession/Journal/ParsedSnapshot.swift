import SceneDocument
import SceneWire

/// A snapshot of a journal, parsed: what a scene is built from.
///
/// To go back after a refusal, a session builds its scene from the same snapshot again and again,
/// of which parsing is the larger part.
struct ParsedSnapshot {
    /// The record that it was.
    let record: JournalRecord
    let payload: SnapshotPayload
    let ledger: UndoLedger?
    /// Units of work that parsing it takes.
    let readingWork: UInt64
    /// A sentence for each part that could not be read.
    let notes: [String]

    /// Parses a record.
    ///
    /// - Parameter undoMaximum: The number of steps for a ledger that does not say how many it
    ///   keeps; `nil` for no ledger.
    /// - Throws: `JournalPlayer.Failure` if not even the parts that can be left out make it a
    ///   snapshot.
    init(_ record: JournalRecord, undoMaximum: Int?) throws(JournalPlayer.Failure) {
        self.record = record
        var (read, notes): (SnapshotPayload.Read, [String])
        do throws(DocumentError) {
            (read, notes) = (
                try SnapshotPayload.read(record.payload, undoMaximum: undoMaximum), []
            )
        } catch let fault {
            do throws(DocumentError) {
                (read, notes) = try SnapshotPayload.readLeniently(
                    record.payload, undoMaximum: undoMaximum)
            } catch {
                throw .badPayload(sequence: record.sequence, reason: fault.description)
            }
        }
        ledger = read.ledger
        // It is parsed.
        read.payload.ledger = nil
        payload = read.payload
        readingWork = read.readingWork
        self.notes = notes.map { "record \(record.sequence): \($0)" }
    }

    /// The memory that it takes, in bytes, about: parsed text takes several times its length.
    var byteEstimate: Int { 4 * record.payload.count }
}
