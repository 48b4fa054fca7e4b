import SceneProtocol
import WebSocketTransport

/// What a gateway knows of one connection, and what it makes of each message. A value: whoever holds the table's lock
/// asks it what to do, and does it when the lock is released.
struct Peer {
    /// How far a connection has come.
    enum Stage {
        /// Waits for `hello`.
        case greeting
        /// Waits for its token to be proved; what it says meanwhile is kept.
        case verifying
        /// Belongs to a room.
        case joined
        /// Was refused; only its end is missing.
        case ended
    }

    /// What is to be done about a message.
    enum Verdict {
        case nothing
        /// Prove the token, then let in.
        case verify(Hello)
        /// Prove the token, which takes the place of the old one.
        case refresh(String)
        case answer(Ping)
        case pass
        /// Say that these ops are not even looked at.
        case refuseOps(Ops, Refusal)
        case refuse(CloseCode, String, retryAfterMilliseconds: UInt32 = 0)
    }

    let info: ConnectionInfo
    let format: Subprotocol
    let room: String
    var stage = Stage.greeting
    /// What came while the token was being proved.
    var waiting: [ClientMessage] = []
    var grant = Grant()
    /// Whether the room was told of it, and so has to be told of its end.
    var wasMember = false
    var hello = Hello()
    /// When the connection opened and when it last said something, in nanoseconds.
    let openedAt: UInt64
    var heardAt: UInt64
    private var messages: TokenBucket
    private var ops: TokenBucket
    private var others: TokenBucket

    init(info: ConnectionInfo, limits: ServerLimits, now: UInt64) {
        self.info = info
        format = Subprotocol(rawValue: info.subprotocol) ?? .binary
        room = String(info.path.drop { $0 == "/" })
        openedAt = now
        heardAt = now
        messages = TokenBucket(
            perSecond: limits.messagesPerSecond, brim: 2 * limits.messagesPerSecond, now: now)
        ops = TokenBucket(
            perSecond: limits.opsPerSecond,
            brim: max(limits.opsPerSecond, limits.opsPerMessage), now: now)
        others = TokenBucket(
            perSecond: limits.otherMessagesPerSecond, brim: 2 * limits.otherMessagesPerSecond,
            now: now)
    }

    /// The most messages that are kept while a token is being proved.
    private static let waitingMaximum = 64

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
        case (.greeting, _): return .refuse(.unauthenticated, "the first message has to be hello")
        case (.joined, .hello(let hello)) where needsToken && !hello.token.isEmpty:
            return charge(message, limits, now) ?? .refresh(hello.token)
        case (.verifying, _), (.joined, _):
            if let refusal = charge(message, limits, now) { return refusal }
            if case .ping(let ping) = message { return .answer(ping) }
            guard stage == .verifying else { return .pass }
            guard waiting.count < Self.waitingMaximum else {
                return .refuse(
                    .rateLimited, "more than \(Self.waitingMaximum) messages before welcome",
                    retryAfterMilliseconds: 1000)
            }
            waiting.append(message)
            return .nothing
        }
    }

    /// Holds a message against the limits; `nil` when it keeps them.
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
        default: wait = others.take(now: now)
        }
        guard wait > 0 else { return nil }
        return .refuse(
            .rateLimited, "too many messages",
            retryAfterMilliseconds: UInt32(clamping: wait / 1_000_000 + 1))
    }
}

/// How much a list of ops asks for. Complexity: O(its size).
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

    /// What is too much of it, in words.
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
        default: break
        }
    }
}
