import SceneProtocol

/// What members ask for that is decided at the tick, in order of arrival.
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

    /// Requests that wait at most, and ops in all of them.
    private static let requestMaximum = Limits.standard.opMaximum
    private static let opMaximum = 5 * Limits.standard.opMaximum

    private var requests: [(member: MemberID, request: Request)] = []
    private var opCount = 0

    /// Whether nothing waits.
    var isEmpty: Bool { requests.isEmpty }

    /// Takes a request in; false when the inbox is full.
    mutating func accept(_ request: Request, from member: MemberID) -> Bool {
        let count = request.opCount
        guard requests.count < Self.requestMaximum, opCount + count <= Self.opMaximum else {
            return false
        }
        opCount += count
        requests.append((member, request))
        return true
    }

    /// Hands all requests out, in order of arrival.
    mutating func take() -> [(member: MemberID, request: Request)] {
        defer {
            requests.removeAll(keepingCapacity: true)
            opCount = 0
        }
        return requests
    }

    /// Gives back the memory that an empty inbox holds.
    mutating func release() { if requests.isEmpty { requests = [] } }
}
