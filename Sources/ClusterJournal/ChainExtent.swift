import SceneCluster

/// How far a shard's chain reaches, as far as it was taken here, and where its directory stands.
struct ChainExtent {
    /// A place at which the directory may stand.
    private struct Mark {
        var anchor: ChainAnchor
        /// The bytes of all records up to it since the node has read the shard.
        var bytes: Int
    }

    /// The distance between two marks, in bytes.
    private static let markBytes = 4 << 10

    /// Where the chain ends.
    private(set) var head: ChainAnchor?
    private var marks: [Mark] = []
    private var bytes = 0
    private var floorMark: Mark?

    /// A chain of which nothing was read.
    init() {}

    /// A chain that begins where the directory stands.
    init(from floor: ChainAnchor) {
        floorMark = Mark(anchor: floor, bytes: 0)
        head = floor
    }

    /// Where the directory stands.
    var floor: ChainAnchor? { floorMark?.anchor }
    /// The bytes of the records behind the directory.
    var bytesBehindFloor: Int { bytes - (floorMark?.bytes ?? 0) }

    /// Adds a record.
    mutating func note(_ anchor: ChainAnchor, bytes count: Int) {
        head = anchor
        bytes += count
        if bytes - (marks.last?.bytes ?? 0) >= Self.markBytes {
            marks.append(Mark(anchor: anchor, bytes: bytes))
        }
    }

    /// The last place before a record at which the directory may stand, with the bytes between that
    /// and where it stands.
    func mark(before number: UInt64) -> (anchor: ChainAnchor, bytes: Int)? {
        guard let mark = marks.last(where: { $0.anchor.number < number }) else { return nil }
        return (mark.anchor, mark.bytes - (floorMark?.bytes ?? 0))
    }

    /// The directory stands at another place.
    mutating func moveFloor(to anchor: ChainAnchor) {
        let passed = marks.last { $0.anchor.number <= anchor.number }
        floorMark = Mark(anchor: anchor, bytes: passed?.bytes ?? bytes)
        marks.removeAll { $0.anchor.number <= anchor.number }
    }
}
