/// A fault that is planted in a simulated cluster of rooms, to prove that the checks find it.
public enum JournalPlant: String, CaseIterable, Sendable {
    /// The directory of snapshots stands further on in the journal than it says.
    case directoryAhead = "directory-ahead"
    /// A former owner hands over another state than its rooms came to.
    case otherState = "other-state"
    /// Something that a room tells a member at another node is lost now and then.
    case deliveryLost = "delivery-lost"
    /// The owner takes the requests of a member at another node twice.
    case requestTwice = "request-twice"
    /// A commit is told twice, the second time for the entries that wait behind its own.
    case toldTwice = "told-twice"

    /// The checks find the fault within so many seeds from 0.
    public var seedsToFind: UInt64 { 60 }
}
