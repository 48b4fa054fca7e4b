import Annotations
import JSON
import LayoutValues
import SceneDocument
import SceneWire

/// Requests that are decided at ticks: in order of arrival while a tick can take all of them, and
/// fairly among members while it cannot.
struct Inbox {
    enum Request {
        case ops(Ops)
        case history(UndoLedger.Direction, clientSequence: UInt64)
        /// An op that merges the scene with that of another room, which was read for it.
        case merge(Ops, OtherScene)

        var clientSequence: UInt64 {
            switch self {
            case .ops(let ops), .merge(let ops, _): ops.clientSequence
            case .history(_, let sequence): sequence
            }
        }

        /// The number of ops that it counts as; one for a request that is not a list of ops.
        fileprivate var opCount: Int {
            guard case .ops(let message) = self, let ops = message.ops.array else {
                return 1
            }
            return max(1, ops.count)
        }

        /// Whether it is a document that replaces the scene.
        var isDocument: Bool {
            guard case .ops(let message) = self, let ops = message.ops.array,
                ops.count == 1, let members = ops[0].members
            else { return false }
            // A document by itself denotes that op.
            let name = members.first { $0.key == "op" }?.value
            return name == nil || name == .string(Op.Name.setScene.rawValue)
        }

        /// Whether it brings a version back.
        var restoresVersion: Bool {
            if case .ops(let message) = self {
                AnnotationOp.restoresVersion(message.ops)
            } else {
                false
            }
        }

        /// Whether it replaces the scene, unless it is refused.
        var replacesScene: Bool {
            switch self {
            case .ops: isDocument || restoresVersion
            case .history: false
            case .merge: true
            }
        }

        /// Whether its ops are about annotations.
        var isAboutAnnotations: Bool {
            switch self {
            case .ops(let message): AnnotationOp.begins(message.ops)
            case .merge: true
            case .history: false
            }
        }

        /// The approximate memory in bytes.
        var byteEstimate: Int {
            let scene = if case .merge(_, let scene) = self { scene.byteEstimate } else { 0 }
            return 200 + weight.byteEstimate + scene
        }

        /// The weight of its values.
        fileprivate var weight: JSONWeight {
            switch self {
            case .ops(let message), .merge(let message, _): JSONWeight(of: message.ops)
            case .history: JSONWeight()
            }
        }
    }

    /// A waiting request with its member.
    struct Entry {
        let member: MemberID
        let request: Request
        /// Units of work to parse it, even if it is refused.
        let readingWork: UInt64
        fileprivate let size: Size

        init(member: MemberID, request: Request) {
            self.member = member
            self.request = request
            let weight = request.weight
            readingWork =
                weight.readingWork + (request.isDocument ? weight.languageWork : 0)
            size = Size(requests: 1, ops: request.opCount, bytes: request.byteEstimate)
        }

        /// Whether it certainly needs more than a slice of a tick, because parsing it takes long,
        /// or so large a part of it that it is better read elsewhere: parsing does not stop
        /// half-way.
        func isLong(within slice: UInt64) -> Bool {
            if readingWork > max(slice / 4, min(slice, 65_536)) { return true }
            guard case .ops(let message) = request, let ops = message.ops.array else {
                return false
            }
            guard request.isDocument, let members = ops.first?.members else {
                return ops.count > Self.quickCount
            }
            return members.contains { member in
                if let parts = member.value.array {
                    parts.count > Self.quickCount
                } else {
                    false
                }
            }
        }

        /// The number of ops, or views of a document, that certainly fit into a slice.
        private static let quickCount = 200
    }

    /// The size of the waiting requests.
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

        /// Whether it exceeds the limits of an inbox.
        fileprivate var isTooMuch: Bool {
            requests > Limits.standard.opMaximum || ops > 5 * Limits.standard.opMaximum
                || bytes > 32 << 20
        }
    }

    /// The cost of one member's requests while some had to wait.
    private struct Cost {
        var spent: UInt64 = 0
        var count: UInt64 = 0
    }

    /// In the order of decision.
    private var entries: ArraySlice<Entry> = []
    /// The size of all waiting requests, and of each member's.
    private var size = Size()
    private var sizes: [MemberID: Size] = [:]
    /// The cost of members' requests since one first had to wait; empty while none waits.
    private var costs: [MemberID: Cost] = [:]
    private var hasBacklog = false

    /// Whether nothing waits.
    var isEmpty: Bool { entries.isEmpty }
    /// The approximate bytes of all waiting requests, and of one member's.
    var byteCount: Int { size.bytes }
    func byteCount(of member: MemberID) -> Int { sizes[member]?.bytes ?? 0 }
    /// The number of waiting requests.
    var count: Int { entries.count }

    /// Adds a request. If the inbox is full, the latest requests of the members with the most
    /// waiting are removed.
    ///
    /// - Returns: The requests to refuse: the new one itself if no other member has more waiting.
    /// - Complexity: O(1); if requests must be removed, O(n) in the waiting requests.
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

    /// Begins a tick's turn. Requests that an earlier tick left are ordered so that each member
    /// comes when those before it would have cost as much as its own (fair queueing, by the cost of
    /// each member's requests so far); each member's requests keep their order.
    ///
    /// - Complexity: O(n log n) if an earlier tick left something, else O(1).
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

    /// Removes and returns the next request.
    mutating func takeNext() -> Entry? {
        guard let entry = entries.popFirst() else { return nil }
        exclude(entry)
        return entry
    }

    /// Returns requests that were taken and not decided.
    mutating func putBack(_ returned: [Entry]) {
        for entry in returned { include(entry) }
        entries = ArraySlice(returned + entries)
    }

    /// Charges a member for a request.
    mutating func note(_ units: UInt64, of member: MemberID) {
        costs[member, default: Cost()].spent &+= units
        costs[member, default: Cost()].count += 1
    }

    /// Ends a tick's turn: once no request waits, all costs are reset.
    mutating func endTurn() {
        hasBacklog = !entries.isEmpty
        guard !hasBacklog else { return }
        costs.removeAll(keepingCapacity: true)
        entries = []
    }

    /// Releases the memory of an empty inbox.
    mutating func release() {
        guard entries.isEmpty else { return }
        entries = []
        costs = [:]
    }
}

extension Inbox.Size {
    /// Its share of an inbox's limits, in millionths.
    fileprivate var share: Int {
        max(
            requests.saturatingMultiply(by: 1_000_000) / Limits.standard.opMaximum,
            ops.saturatingMultiply(by: 200_000) / Limits.standard.opMaximum, bytes / 33)
    }
}
