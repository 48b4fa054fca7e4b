import SceneCluster

/// What a simulated node has of one shard: its rooms as they are worked on, and as they are in the
/// journal.
struct SimulatedShard {
    /// A commit that waits for the journal, and what is told then.
    struct Waiting {
        var number: UInt64
        var room: String
        /// The op that it keeps; nil for a refusal that waits to be proved.
        var op: SimulatedOp?
        var session: UInt16
        var opNumber: UInt32
        /// The connection that it came over last.
        var link: Int
        var isTold = false
    }

    var epoch: UInt64?
    var isStalled = false
    /// Grows with each frame of an epoch.
    var frameTick: UInt64 = 0
    private(set) var working: [String: SimulatedRoom] = [:]
    private(set) var durable: [String: SimulatedRoom] = [:]
    var waiting: [Waiting] = []
    /// The numbers that were refused, for each session: what comes twice is refused twice. Not the
    /// highest alone, for a lower one may have been sent to another node.
    private var refused: [UInt16: Set<UInt32>] = [:]

    /// Takes what another owner wrote.
    mutating func load(_ records: [LoadedRecord]) {
        for loaded in records {
            guard case .group(let entries) = loaded.record.content else { continue }
            for entry in entries {
                guard let op = SimulatedOp(entry.bytes) else { continue }
                durable[entry.room, default: .init()].apply(op)
            }
        }
        working = durable
    }

    mutating func refuse(_ number: UInt32, of session: UInt16) {
        refused[session, default: []].insert(number)
    }

    func hasRefused(_ number: UInt32, of session: UInt16) -> Bool {
        refused[session]?.contains(number) == true
    }

    mutating func work(_ op: SimulatedOp, in room: String) {
        working[room, default: .init()].apply(op)
    }

    /// Commits up to a number are in the journal.
    ///
    /// - Returns: What they were.
    mutating func commit(through number: UInt64) -> [Waiting] {
        let count = waiting.prefix { $0.number <= number }.count
        let committed = Array(waiting.prefix(count))
        waiting.removeFirst(count)
        for commit in committed {
            if let op = commit.op {
                durable[commit.room, default: .init()].apply(op)
            } else {
                refuse(commit.opNumber, of: commit.session)
            }
        }
        return committed
    }
}
