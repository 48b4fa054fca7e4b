import SceneProtocol

/// What members ask for that is decided at ticks: in order of arrival where a tick has room for all of it, and fairly,
/// member by member, while more waits than a tick can take.
struct Inbox {
    enum Request {
        case ops(Ops)
        case history(UndoLedger.Direction, clientSequence: UInt64)

        var clientSequence: UInt64 {
            switch self {
            case .ops(let ops): ops.clientSequence
            case .history(_, let sequence): sequence
            }
        }

        /// The ops that it counts as; one for a request that is no list of ops.
        fileprivate var opCount: Int {
            guard case .ops(let message) = self, case .array(let ops) = message.ops.kind else {
                return 1
            }
            return max(1, ops.count)
        }

        /// About how many bytes it takes.
        var byteEstimate: Int { 200 + weight.byteEstimate }

        /// What its values come to.
        fileprivate var weight: JSONWeight {
            if case .ops(let message) = self { JSONWeight(of: message.ops) } else { JSONWeight() }
        }
    }

    /// A request that waits, and whose it is.
    struct Entry {
        let member: MemberID
        let request: Request
        /// Units of work that it takes to read it, whatever comes of it.
        let readingWork: UInt64
        fileprivate let size: Size

        init(member: MemberID, request: Request) {
            self.member = member
            self.request = request
            let weight = request.weight
            readingWork = weight.readingWork
            size = Size(requests: 1, ops: request.opCount, bytes: 200 + weight.byteEstimate)
        }

        /// Whether it surely takes more than a slice of a tick: already to read it takes long.
        var isLong: Bool {
            guard case .ops(let message) = request, case .array(let ops) = message.ops.kind else {
                return false
            }
            guard isWholeScene, case .object(let members)? = ops.first?.kind else {
                return ops.count > Self.quickCount
            }
            return members.contains { member in
                if case .array(let parts) = member.value.kind {
                    parts.count > Self.quickCount
                } else {
                    false
                }
            }
        }

        /// Ops, or views of a scene, that are surely dealt with in a slice.
        private static let quickCount = 200

        /// Whether it is a document for the place of the scene.
        var isWholeScene: Bool {
            guard case .ops(let message) = request, case .array(let ops) = message.ops.kind,
                ops.count == 1, case .object(let members) = ops[0].kind
            else { return false }
            // A document by itself means that op.
            let name = members.first { $0.key == "op" }?.value
            return name == nil || name == .string(Op.Name.setScene.rawValue)
        }
    }

    /// How much waits.
    struct Size: Equatable {
        var requests = 0
        var ops = 0
        var bytes = 0

        static func += (size: inout Self, more: Self) {
            size.requests += more.requests
            size.ops += more.ops
            size.bytes += more.bytes
        }

        static func -= (size: inout Self, less: Self) {
            size.requests -= less.requests
            size.ops -= less.ops
            size.bytes -= less.bytes
        }

        /// Whether it is more than an inbox takes.
        fileprivate var isTooMuch: Bool {
            requests > Limits.standard.opMaximum || ops > 5 * Limits.standard.opMaximum
                || bytes > 32 << 20
        }
    }

    /// What the requests of one member have cost while some had to wait.
    private struct Cost {
        var spent: UInt64 = 0
        var count: UInt64 = 0
    }

    /// In the order in which they are handed out.
    private var entries: ArraySlice<Entry> = []
    /// How much waits in all, and of each member.
    private var size = Size()
    private var sizes: [MemberID: Size] = [:]
    /// What members' requests have cost since one first had to wait; empty while none does.
    private var costs: [MemberID: Cost] = [:]
    private var hasBacklog = false

    /// Whether nothing waits.
    var isEmpty: Bool { entries.isEmpty }
    /// About how many bytes wait, in all and of one member.
    var byteCount: Int { size.bytes }
    func byteCount(of member: MemberID) -> Int { sizes[member]?.bytes ?? 0 }
    /// How many requests wait.
    var count: Int { entries.count }

    /// Takes a request in. Where that is too much, the members that have most waiting make room, by their latest.
    ///
    /// - Returns: What has to be refused: the request itself, if nobody has more waiting than its own member.
    /// - Complexity: O(1); where room has to be made, O(n) in what waits.
    mutating func accept(_ request: Request, from member: MemberID) -> [Entry] {
        let entry = Entry(member: member, request: request)
        var evicted: [Entry] = []
        var total = size
        total += entry.size
        while total.isTooMuch {
            let most = sizes.max { ($0.value.share, $1.key) < ($1.value.share, $0.key) }
            var own = sizes[member] ?? Size()
            own += entry.size
            guard let most, most.key != member, most.value.share > own.share,
                let latest = entries.lastIndex(where: { $0.member == most.key })
            else {
                for entry in evicted.reversed() { append(entry) }
                return [entry]
            }
            evicted.append(remove(at: latest))
            total -= evicted[evicted.count - 1].size
        }
        append(entry)
        return evicted
    }

    private mutating func append(_ entry: Entry) {
        entries.append(entry)
        include(entry)
    }

    private mutating func remove(at index: Int) -> Entry {
        let entry = entries.remove(at: index)
        exclude(entry)
        return entry
    }

    private mutating func include(_ entry: Entry) {
        size += entry.size
        sizes[entry.member, default: Size()] += entry.size
    }

    private mutating func exclude(_ entry: Entry) {
        size -= entry.size
        sizes[entry.member]? -= entry.size
        if sizes[entry.member]?.requests == 0 { sizes[entry.member] = nil }
    }

    // MARK: A tick's turn

    /// Begins a tick in which some requests are handed out. What an earlier tick left is arranged so that each member comes
    /// when those before it would have cost as much as its own (fair queueing, by what each one's requests cost so far), and
    /// each member's requests stay in their order.
    ///
    /// - Complexity: O(n log n) where an earlier tick left something, else O(1).
    mutating func beginTurn() {
        guard hasBacklog else { return }
        var finish: [MemberID: UInt64] = [:]
        var keyed: [(key: UInt64, place: Int, entry: Entry)] = []
        keyed.reserveCapacity(entries.count)
        for (place, entry) in entries.enumerated() {
            let cost = costs[entry.member] ?? Cost()
            let expected = cost.count == 0 ? 0 : cost.spent / cost.count
            let key = finish[entry.member] ?? cost.spent
            finish[entry.member] = key &+ max(1, expected)
            keyed.append((key, place, entry))
        }
        keyed.sort { ($0.key, $0.place) < ($1.key, $1.place) }
        entries = ArraySlice(keyed.map(\.entry))
    }

    /// Hands the next request out.
    mutating func takeNext() -> Entry? {
        guard let entry = entries.popFirst() else { return nil }
        exclude(entry)
        return entry
    }

    /// Takes requests back that were handed out and not decided.
    mutating func putBack(_ returned: [Entry]) {
        for entry in returned { include(entry) }
        entries = ArraySlice(returned + entries)
    }

    /// Notes what a request has cost its member.
    mutating func note(_ units: UInt64, of member: MemberID) {
        costs[member, default: Cost()].spent &+= units
        costs[member, default: Cost()].count += 1
    }

    /// Ends a tick's turn: once nothing waits any more, all members are even.
    mutating func endTurn() {
        hasBacklog = !entries.isEmpty
        guard !hasBacklog else { return }
        costs.removeAll(keepingCapacity: true)
        entries = []
    }

    /// Gives back the memory that an empty inbox holds.
    mutating func release() {
        guard entries.isEmpty else { return }
        entries = []
        costs = [:]
    }
}

extension Inbox.Size {
    /// How much of an inbox it is, in millionths.
    fileprivate var share: Int {
        max(
            requests * 1_000_000 / Limits.standard.opMaximum,
            ops * 200_000 / Limits.standard.opMaximum, bytes / 33)
    }
}
