import SceneCluster

/// The caller's name for a request.
public typealias RequestID = UInt64

/// The requests that have no answer yet: which messages they take, what answers them, and when the
/// time is up.
///
/// It performs no I/O and has no clock: requests, messages and moments go in, effects come out. A
/// request is answered once.
struct RequestTable {
    /// An effect.
    enum Effect: Equatable {
        case send(NATSOutgoing)
        case answer(RequestID, EngineReply)
    }

    /// The limits of a table.
    struct Limits {
        /// The time after which the outcome is unknown.
        var timeout: Duration
        /// The time after which a question to any replica is asked a second time.
        var hedgeAfter: Duration
        /// Requests without an answer.
        var requestsMaximum = 1 << 16
        /// Messages of one reply.
        var messagesMaximum = 1000
        /// Bytes of the messages of one reply; the first comes in any case.
        var bytesMaximum = 4 << 20
    }

    private let layout: ClusterLayout
    private let limits: Limits
    private var pending: [RequestID: PendingRequest] = [:]
    /// Which request a token belongs to.
    private var requests: [UInt64: RequestID] = [:]
    private var lastToken: UInt64 = 0
    /// Deadlines in their order, since each is as far off as any other; those of answered requests
    /// are passed over.
    private var timeouts = DeadlineQueue()
    private var hedges = DeadlineQueue()
    /// Requests that wait for a connection, in the order in which they came; nil while there is
    /// one.
    private var held: [RequestID]? = []

    /// Makes a table that has no connection yet.
    init(layout: ClusterLayout, limits: Limits) {
        self.layout = layout
        self.limits = limits
    }

    /// How many requests have no answer.
    var count: Int { pending.count }

    /// When `advance` has something to do; nil where no request waits.
    var nextDeadline: MonotonicInstant? {
        guard !pending.isEmpty else { return nil }
        return [timeouts.first, hedges.first].compactMap { $0 }.min()
    }

    /// Takes a request in. An id must not be used twice.
    mutating func begin(
        _ id: RequestID, _ request: EngineRequest, now: MonotonicInstant
    ) -> [Effect] {
        if let refusal = refusal(of: id, request) { return [.answer(id, .failed(refusal))] }
        guard let made = PendingRequest(request, layout: layout, limits: limits) else {
            return [
                .answer(
                    id,
                    .failed(
                        "no stream of the cluster \(layout.prefix) keeps \(request.subject); take a subject of this cluster"
                    ))
            ]
        }
        pending[id] = made
        timeouts.append(id, at: now.advanced(by: limits.timeout))
        if held != nil {
            held?.append(id)
            return []
        }
        return send(id, now: now)
    }

    private func refusal(of id: RequestID, _ request: EngineRequest) -> String? {
        guard pending[id] == nil else { return "the number \(id) is that of another request" }
        guard pending.count < limits.requestsMaximum else {
            return
                "\(pending.count) requests have no answer yet, which is the most; ask again later"
        }
        if case .purge(let subject, _) = request, subject.hasSuffix(".>"),
            NATSSubject.isLiteral(String(subject.dropLast(2)))
        {
            return nil
        }
        guard NATSSubject.isLiteral(request.subject) else {
            return "\"\(request.subject)\" is no subject to send to"
        }
        if case .read(_, _, let maximum, _) = request, maximum < 1 {
            return "a reading of \(maximum) messages was asked for, expected at least 1"
        }
        return nil
    }

    private mutating func send(_ id: RequestID, now: MonotonicInstant) -> [Effect] {
        guard let request = pending[id] else { return [] }
        lastToken += 1
        let token = lastToken
        requests[token] = id
        pending[id]?.began(token)
        if request.mayBeAskedTwice { hedges.append(id, at: now.advanced(by: limits.hedgeAfter)) }
        return [.send(request.outgoing(token))]
    }

    /// Takes an answer. Drops one whose request is gone.
    mutating func received(
        token: UInt64, _ message: NATSMessage, now: MonotonicInstant
    ) -> [Effect] {
        guard let id = requests[token], let progress = pending[id]?.take(message, token: token)
        else { return [] }
        switch progress {
        case .more: return []
        case .step:
            requests[token] = nil
            pending[id]?.ended(token)
            timeouts.append(id, at: now.advanced(by: limits.timeout))
            pending[id]?.extendedTimeouts += 1
            return send(id, now: now)
        case .reply(let reply): return answer(id, reply)
        case .fault(let reply):
            requests[token] = nil
            pending[id]?.ended(token)
            return faulted(id, reply, now: now)
        }
    }

    /// An attempt at a question to any replica brought nothing. Another replica may yet answer
    /// well: one that was asked already, or the next one, since servers need a moment to learn that
    /// one of them is gone.
    private mutating func faulted(
        _ id: RequestID, _ reply: EngineReply, now: MonotonicInstant
    ) -> [Effect] {
        guard case .unknown(let reason) = reply else {
            return pending[id]?.tokens.isEmpty == true ? answer(id, reply) : []
        }
        pending[id]?.fault = reason
        hedges.append(id, at: now.advanced(by: limits.hedgeAfter))
        return []
    }

    private mutating func answer(_ id: RequestID, _ reply: EngineReply) -> [Effect] {
        for token in pending.removeValue(forKey: id)?.tokens ?? [] { requests[token] = nil }
        return [.answer(id, reply)]
    }

    /// Answers what has had its time, and asks again what may be asked twice.
    mutating func advance(to now: MonotonicInstant) -> [Effect] {
        var effects: [Effect] = []
        while let id = timeouts.pop(until: now) {
            guard let request = pending[id] else { continue }
            guard request.extendedTimeouts == 0 else {
                pending[id]?.extendedTimeouts -= 1
                continue
            }
            let reason =
                request.fault
                ?? (request.tokens.isEmpty
                    ? "there is no connection to the engine" : "no answer came")
            effects += answer(id, .unknown("\(reason) within \(limits.timeout)"))
        }
        if !effects.isEmpty { held?.removeAll { pending[$0] == nil } }
        while let id = hedges.pop(until: now) {
            guard held == nil, let request = pending[id], request.tokens.count <= 1 else {
                continue
            }
            lastToken += 1
            requests[lastToken] = id
            pending[id]?.began(lastToken)
            effects.append(.send(request.outgoing(lastToken)))
        }
        return effects
    }

    /// A connection is there: sends what waits for one.
    mutating func connected(now: MonotonicInstant) -> [Effect] {
        let waiting = held ?? []
        held = nil
        return waiting.flatMap { send($0, now: now) }
    }

    /// The connection is lost: publishes and probes that were sent have an unknown outcome; other
    /// questions wait for the next connection.
    mutating func disconnected(_ reason: String) -> [Effect] {
        var effects: [Effect] = []
        var waiting = held ?? []
        for (id, request) in pending.sorted(by: { $0.key < $1.key }) where !request.tokens.isEmpty {
            if request.isSentOnce {
                effects += answer(id, .unknown("the connection was lost: \(reason)"))
            } else {
                for token in request.tokens { requests[token] = nil }
                pending[id]?.forgetAttempts()
                waiting.append(id)
            }
        }
        held = waiting
        return effects
    }

    /// A message could not be sent. The loss of the connection is reported separately; questions
    /// move to the next connection.
    mutating func sendingFailed(token: UInt64, _ reply: EngineReply) -> [Effect] {
        guard let id = requests[token], pending[id]?.isSentOnce == true else { return [] }
        return answer(id, reply)
    }

    /// Answers all requests, since no connection will come.
    mutating func close(_ reason: String) -> [Effect] {
        let ids = pending.keys.sorted()
        return ids.flatMap { answer($0, .unknown(reason)) }
    }
}

/// Moments that come in their order.
private struct DeadlineQueue {
    private var entries: [(id: RequestID, at: MonotonicInstant)] = []
    private var head = 0

    var first: MonotonicInstant? { head < entries.count ? entries[head].at : nil }

    mutating func append(_ id: RequestID, at moment: MonotonicInstant) {
        entries.append((id, moment))
    }

    /// The next whose moment has come.
    mutating func pop(until now: MonotonicInstant) -> RequestID? {
        guard head < entries.count, entries[head].at <= now else { return nil }
        defer {
            head += 1
            // What has been taken goes once it is the larger half, so that the queue stays as long
            // as what waits.
            if head > 1024, head > entries.count / 2 {
                entries.removeFirst(head)
                head = 0
            }
        }
        return entries[head].id
    }
}
