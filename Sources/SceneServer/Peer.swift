import SceneProtocol
import WebSocketTransport

/// A gateway's knowledge of one connection, and its decision on each message. A value: the holder of the table's lock asks
/// for a verdict, and carries it out when the lock is released.
struct Peer {
    /// The stages of a connection.
    enum Stage {
        /// Waits for `hello`.
        case greeting
        /// Waits for its token to be proved; messages that come meanwhile are kept.
        case verifying
        /// Its room has been told of it, and may welcome it at any moment; what came before is being handed over, in order.
        case entering
        /// Is a member of a room.
        case joined
        /// Was refused, and is being closed.
        case ended
    }

    /// The decision on a message.
    enum Verdict {
        case nothing
        /// Prove the token, then admit the connection.
        case verify(Hello)
        /// Prove the token, which takes the place of the old one.
        case refresh(String)
        case answer(Ping)
        case pass
        /// Refuse these ops without reading them.
        case refuseOps(Ops, Refusal)
        case refuse(CloseCode, String, retryAfterMilliseconds: UInt32 = 0)
    }

    let info: ConnectionInfo
    let format: Subprotocol
    let room: String
    var stage = Stage.greeting
    /// Messages that came while the token was being proved, or while those before them were handed over.
    var waiting: [ClientMessage] = []
    var grant = Grant()
    /// Whether the room was told of the connection, and so has to be told of its end.
    var wasMember = false
    var hello = Hello()
    /// The token that was proved last; empty where there are no keys.
    var token = ""

    /// Who it is, where tokens tell.
    var person: Bans.Person? { Bans.Person(grant, token: token) }
    /// The moments at which the connection opened and was last heard, in nanoseconds.
    let openedAt: UInt64
    var heardAt: UInt64
    /// Bytes that came before it was admitted.
    private var unadmittedBytes = 0
    private var bytes: TokenBucket
    private var messages: TokenBucket
    private var ops: TokenBucket
    private var events: TokenBucket
    private var others: TokenBucket

    init(info: ConnectionInfo, limits: ServerLimits, now: UInt64) {
        self.info = info
        format = Subprotocol(rawValue: info.subprotocol) ?? .binary
        room = String(info.path.drop { $0 == "/" })
        openedAt = now
        heardAt = now
        bytes = TokenBucket(
            perSecond: limits.bytesPerSecond,
            brim: max(2 * limits.bytesPerSecond, limits.messageBytes), now: now)
        messages = TokenBucket(
            perSecond: limits.messagesPerSecond, brim: 2 * limits.messagesPerSecond, now: now)
        ops = TokenBucket(
            perSecond: limits.opsPerSecond,
            brim: max(limits.opsPerSecond, limits.opsPerMessage), now: now)
        // The room refuses events beyond the limit, each by itself; here the connection ends.
        events = TokenBucket(
            perSecond: 4 * limits.eventsPerSecond, brim: 8 * limits.eventsPerSecond, now: now)
        others = TokenBucket(
            perSecond: limits.otherMessagesPerSecond, brim: 2 * limits.otherMessagesPerSecond,
            now: now)
    }

    /// The most messages that are kept while a token is being proved.
    private static let waitingMaximum = 64

    /// Charges a message by its bytes, before it is read.
    ///
    /// - Returns: `.pass` to read it.
    mutating func charge(bytes count: Int, now: UInt64) -> Verdict {
        switch stage {
        case .ended: return .nothing
        case .greeting, .verifying:
            unadmittedBytes += count
            return unadmittedBytes <= 2 * ServerLimits.firstMessageBytes
                ? .pass
                : .refuse(
                    .rateLimited, "too many bytes before welcome", retryAfterMilliseconds: 1000)
        case .entering, .joined:
            return Self.verdict(afterWait: bytes.take(count, now: now)) ?? .pass
        }
    }

    /// The messages to hand to its room next; when there are none, it is a member of it.
    mutating func handOver() -> [ClientMessage] {
        guard stage == .entering else { return [] }
        if waiting.isEmpty { stage = .joined }
        defer { waiting = [] }
        return waiting
    }

    /// Takes in a message of a kind that only later versions know, which is passed over.
    mutating func takeUnknown(now: UInt64) -> Verdict {
        heardAt = now
        guard stage != .greeting else { return Self.isNoHello }
        return Self.verdict(afterWait: others.take(now: now)) ?? .nothing
    }

    private static let isNoHello = Verdict.refuse(
        .unauthenticated, "the first message has to be hello")

    private static func verdict(afterWait nanoseconds: UInt64) -> Verdict? {
        guard nanoseconds > 0 else { return nil }
        return .refuse(
            .rateLimited, "too many messages",
            retryAfterMilliseconds: UInt32(clamping: nanoseconds / 1_000_000 + 1))
    }

    /// Takes a message in.
    ///
    /// - Parameter needsToken: Whether there are keys to prove tokens with.
    mutating func take(
        _ message: ClientMessage, limits: ServerLimits, needsToken: Bool, now: UInt64
    ) -> Verdict {
        heardAt = now
        switch (stage, message) {
        case (.ended, _): return .nothing
        case (.greeting, .hello(let hello)):
            stage = .verifying
            self.hello = hello
            return .verify(hello)
        case (.greeting, _): return Self.isNoHello
        case (.entering, .hello(let hello)) where needsToken && !hello.token.isEmpty,
            (.joined, .hello(let hello)) where needsToken && !hello.token.isEmpty:
            return charge(message, limits, now) ?? .refresh(hello.token)
        case (.verifying, _), (.entering, _), (.joined, _):
            if let refusal = charge(message, limits, now) { return refusal }
            if case .ping(let ping) = message { return .answer(ping) }
            guard stage != .joined else { return .pass }
            guard stage == .entering || waiting.count < Self.waitingMaximum else {
                return .refuse(
                    .rateLimited, "more than \(Self.waitingMaximum) messages before welcome",
                    retryAfterMilliseconds: 1000)
            }
            waiting.append(message)
            return .nothing
        }
    }

    /// Charges a message to the limits; `nil` where it keeps them.
    private mutating func charge(
        _ message: ClientMessage, _ limits: ServerLimits, _ now: UInt64
    ) -> Verdict? {
        var wait: UInt64
        switch message {
        case .ops(let batch):
            let size = OpsSize(batch.ops)
            wait = messages.take(now: now)
            if wait == 0 { wait = ops.take(size.ops, now: now) }
            if wait == 0, let complaint = size.complaint(limits) {
                return .refuseOps(batch, Refusal(code: .limit, message: complaint))
            }
        case .undo, .redo: wait = messages.take(now: now)
        case .event, .handled: wait = events.take(now: now)
        case .hello, .ack, .resync, .ping, .presence, .subscribe, .seek, .trace, .inspect, .device,
            .handle:
            wait = others.take(now: now)
        }
        return Self.verdict(afterWait: wait)
    }
}

/// The size of a list of ops. Complexity: O(ops and their values).
struct OpsSize {
    /// Ops, those within animations included.
    var ops = 0
    /// Bytes of the longest text.
    var longestText = 0

    init(_ list: JSONValue) {
        if case .array(let elements) = list.kind {
            for element in elements { count(element) }
        }
    }

    /// The limit that it breaks, as a sentence for people; `nil` for none.
    func complaint(_ limits: ServerLimits) -> String? {
        if ops > limits.opsPerMessage {
            return "\(ops) ops in a message, the most are \(limits.opsPerMessage)"
        }
        guard longestText > limits.textBytes else { return nil }
        return "a text of \(longestText) bytes, the longest may have \(limits.textBytes)"
    }

    private mutating func count(_ op: JSONValue) {
        ops += 1
        guard case .object(let members) = op.kind else { return }
        for member in members {
            if member.key == "ops", case .array(let inner) = member.value.kind {
                for element in inner { count(element) }
            } else {
                measure(member.value)
            }
        }
    }

    private mutating func measure(_ value: JSONValue) {
        switch value.kind {
        case .string(let text): longestText = max(longestText, text.utf8.count)
        case .array(let elements): for element in elements { measure(element) }
        case .object(let members):
            for member in members {
                longestText = max(longestText, member.key.utf8.count)
                measure(member.value)
            }
        case .null, .bool, .number: break
        }
    }
}
