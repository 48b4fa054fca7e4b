import SceneDocument
import SceneWire

/// Whether a room may decide requests and write records, as far as its journal is concerned.
struct JournalGate {
    /// Whether changes are refused, because the journal cannot be written or the scene is lost.
    private(set) var isReadOnly = false
    /// The reason why nothing is decided at present, while the journal keeps nothing; `nil` while
    /// it does.
    private(set) var stall: String?
    /// Whether nothing is decided or written, because the room is about to be another process's.
    private(set) var isHeld = false

    /// Whether requests are decided at present. A read-only room decides them too: it refuses
    /// changes.
    var decides: Bool { stall == nil && !isHeld }
    /// Whether records are written at present.
    var writes: Bool { !isReadOnly && !isHeld }

    /// The journal cannot be written.
    mutating func close() { isReadOnly = true }

    /// The journal can be written again.
    ///
    /// - Returns: False if it could be all the time.
    mutating func reopen() -> Bool {
        defer { isReadOnly = false }
        return isReadOnly
    }

    /// The journal keeps nothing at present, or does again.
    mutating func stall(_ reason: String?) { stall = reason }

    /// The room is about to be another process's, or stays here after all.
    mutating func hold(_ isHeld: Bool) { self.isHeld = isHeld }

    /// The refusal of a change; `nil` if changes are accepted.
    var refusal: Refusal? {
        guard !isReadOnly, decides else {
            return Refusal(
                code: .storeFailed,
                message: isHeld
                    ? "the room is about to move to another node; ask again"
                    : "read-only: the journal cannot be written")
        }
        return nil
    }
}
