/// The way of the oldest records into segments, a part of it with each commit.
///
/// All at once it held up a commit of a thousand rooms, and those behind it, more than anything
/// else did.
struct IndexSweep {
    /// The commits over which the records are sorted by room, and those over which the segments are
    /// written.
    static let gatheringCommits = 32
    static let writingCommits = 32

    /// How many records and groups there are.
    let recordCount: Int
    let groupCount: Int
    private let lastGroup: Int64
    /// How many of the records are sorted, and into what.
    private var gathered = 0
    private var indices: [Int64: RoomIndex] = [:]
    /// The rooms, in order, once all records are sorted; and how many of their segments are
    /// written.
    private var rooms: [Int64]?
    private var written = 0

    init(records recordCount: Int, groups groupCount: Int, through lastGroup: Int64) {
        self.recordCount = recordCount
        self.groupCount = groupCount
        self.lastGroup = lastGroup
    }

    private static func share(of count: Int, over commits: Int) -> Int {
        (count + commits - 1) / commits
    }

    /// What the next commit is to write; `nil` while records are still to be sorted, some of which
    /// is done now.
    ///
    /// - Parameter note: Adds a record to the index of its room.
    /// - Complexity: O(records / `gatheringCommits`), or O(their segments / `writingCommits`).
    mutating func next(_ note: (Int, inout [Int64: RoomIndex]) -> Void) -> IndexSlice? {
        guard let rooms else {
            let share = Self.share(of: recordCount, over: Self.gatheringCommits)
            let end = min(recordCount, gathered + share)
            for record in gathered..<end { note(record, &indices) }
            gathered = end
            if gathered == recordCount { self.rooms = indices.keys.sorted() }
            return nil
        }
        let share = Self.share(of: rooms.count, over: Self.writingCommits)
        let part = rooms[written..<min(rooms.count, written + share)]
        return IndexSlice(
            segments: part.map { ($0, indices[$0] ?? RoomIndex()) },
            indexedThrough: part.endIndex == rooms.count ? lastGroup : nil)
    }

    /// The slice is in the database. Returns whether it was the last.
    mutating func didWrite(_ slice: IndexSlice) -> Bool {
        written += slice.segments.count
        return slice.indexedThrough != nil
    }
}
