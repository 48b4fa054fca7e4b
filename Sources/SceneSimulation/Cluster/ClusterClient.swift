/// A client that writes to one room, and sends what is unanswered again to another node when its
/// own is gone.
struct ClusterClient {
    /// An op without a result.
    struct Unanswered {
        var op: SimulatedOp
        var sentAt: Int
        var isSent: Bool
    }

    /// What a client was told of an op.
    enum Answer: Equatable {
        case acknowledged
        case refused
    }

    /// How many ops are under way at a time.
    static let unansweredMaximum = 4
    /// After so many microseconds without an answer a client tries another node.
    static let patience = 2_500_000

    let session: UInt16
    let room: String
    let shard: Int
    private(set) var unanswered: [Unanswered] = []
    private(set) var answers: [UInt32: Answer] = [:]
    /// The highest number that was sent over an earlier connection.
    private(set) var sentThrough: UInt32 = 0
    /// The node to try next.
    var nextNode: Int
    private var lastNumber: UInt32 = 0

    init(session: UInt16, room: String, shard: Int, node: Int) {
        self.session = session
        self.room = room
        self.shard = shard
        nextNode = node
    }

    var canAct: Bool { unanswered.count < Self.unansweredMaximum }

    /// Makes a new op, to be sent now or when there is a connection.
    mutating func act(value: UInt32, isConnected: Bool, at time: Int) -> SimulatedOp {
        lastNumber += 1
        let op = SimulatedOp(session: session, number: lastNumber, value: value)
        unanswered.append(Unanswered(op: op, sentAt: time, isSent: isConnected))
        return op
    }

    /// A node takes the client.
    ///
    /// - Returns: What is to be sent, and whether it was sent before.
    mutating func welcomed(at time: Int) -> [(op: SimulatedOp, isResent: Bool)] {
        unanswered.indices.map { index in
            defer {
                unanswered[index].isSent = true
                unanswered[index].sentAt = time
            }
            return (unanswered[index].op, unanswered[index].isSent)
        }
    }

    /// The connection is gone.
    mutating func disconnected() {
        sentThrough = unanswered.last { $0.isSent }?.op.number ?? sentThrough
    }

    /// Takes an answer.
    ///
    /// - Returns: Whether it was the first for this op.
    mutating func take(_ answer: Answer, for number: UInt32) -> Bool {
        guard let index = unanswered.firstIndex(where: { $0.op.number == number }) else {
            return false
        }
        unanswered.remove(at: index)
        answers[number] = answer
        return true
    }

    /// Whether the client has lost patience with its node.
    func isImpatient(at time: Int) -> Bool {
        unanswered.contains { $0.isSent && time - $0.sentAt > Self.patience }
    }
}
