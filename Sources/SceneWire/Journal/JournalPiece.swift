/// A contiguous run of readable records in a damaged journal.
public struct JournalPiece: Equatable, Sendable {
    /// The records, oldest first; at least one.
    public var records: [JournalRecord]
    /// The sequence of the snapshot that alone is missing before this part and repeats the scene;
    /// `nil` if something else, or nothing, is.
    public var lostSnapshot: UInt64?
    /// Whether something other than a repeated scene may be lost behind it; only of the last part.
    public var lacksEnd: Bool

    /// Makes a part.
    public init(records: [JournalRecord], lostSnapshot: UInt64? = nil, lacksEnd: Bool = false) {
        self.records = records
        self.lostSnapshot = lostSnapshot
        self.lacksEnd = lacksEnd
    }
}
