import SceneProtocol

/// What members ask for that is decided at ticks: in order of arrival where a tick has room for all of it, and fairly,
/// member by member, while more waits than a tick can take.
struct Inbox {
    enum Request {
        case ops(Ops)
        case step(UndoLedger.Direction, clientSequence: UInt64)

        var clientSequence: UInt64 {
            switch self {
            case .ops(let ops): ops.clientSequence
            case .step(_, let sequence): sequence
            }
        }

        /// The ops that it counts as; one for a request that is no list of ops.
        fileprivate var opCount: Int {
            guard case .ops(let message) = self, case .array(let ops) = message.ops.kind else {
                return 1
            }
            return max(1, ops.count)
        }
    }

    /// A request that waits, and whose it is.
    struct Entry {
        var member: MemberID
        var request: Request

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

    /// What the requests of one member have cost while some had to wait.
    private struct Cost {
        var spent: UInt64 = 0
        var count: UInt64 = 0
    }

    /// Requests that wait at most, and ops in all of them.
    private static let requestMaximum = Limits.standard.opMaximum
    private static let opMaximum = 5 * Limits.standard.opMaximum

    /// In the order in which they are handed out.
    private var entries: ArraySlice<Entry> = []
    private var opCount = 0
    /// What members' requests have cost since one first had to wait; empty while none does.
    private var costs: [MemberID: Cost] = [:]
    private var hasBacklog = false

    /// Whether nothing waits.
    var isEmpty: Bool { entries.isEmpty }
    /// How many requests wait.
    var count: Int { entries.count }

    /// Takes a request in; false when the inbox is full.
    mutating func accept(_ request: Request, from member: MemberID) -> Bool {
        let count = request.opCount
        guard entries.count < Self.requestMaximum, opCount + count <= Self.opMaximum else {
            return false
        }
        opCount += count
        entries.append(Entry(member: member, request: request))
        return true
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
        opCount -= entry.request.opCount
        return entry
    }

    /// Takes requests back that were handed out and not decided.
    mutating func putBack(_ returned: [Entry]) {
        for entry in returned { opCount += entry.request.opCount }
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
