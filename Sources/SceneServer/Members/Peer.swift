import JSON
import SceneDocument
import SceneWire
import WebSocketTransport

/// A gateway's state of one connection, and its verdict on each message. A value: the holder of the
/// table's lock requests a verdict, and executes it after releasing the lock.
struct Peer {
    /// The stages of a connection.
    enum Stage {
        /// Waits for the hello.
        case greeting
        /// Its token is being verified; messages that arrive meanwhile wait.
        case verifying
        /// Its room has been notified and may welcome it at any time; waiting messages are being
        /// forwarded, in order.
        case entering
        /// A member of a room.
        case joined
        /// Refused; the connection is closing.
        case ended
    }

    /// The treatment of a message.
    enum Verdict {
        case nothing
        /// Verify the token, then admit the connection.
        case verify(Hello)
        /// Verify the token that replaces the present one.
        case refresh(String)
        case answer(Ping)
        case pass
        /// Refuse these ops without parsing them.
        case refuseOps(Ops, Refusal)
        case refuse(CloseCode, String, retryAfterMilliseconds: UInt32 = 0)
    }

    let info: ConnectionInfo
    let format: Subprotocol
    let room: String
    var stage = Stage.greeting
    /// Messages that arrived while the token was verified, or while earlier ones were forwarded.
    var waiting: [ClientMessage] = []
    var grant = Grant()
    /// Whether the room was notified of the connection, and therefore must be notified of its end.
    var wasMember = false
    /// Whether the room was another node's when it joined, so that its messages go through the
    /// relay.
    var isRelayed = false
    var hello = Hello()
    /// The last verified token; empty without keys.
    var token = ""

    /// The identity for bans, if tokens provide one.
    var person: Bans.Person? { Bans.Person(grant, token: token) }
    /// The times at which the connection opened and last received anything, in nanoseconds.
    let openedAt: UInt64
    var heardAt: UInt64
    /// Bytes that arrived before admission.
    private var unadmittedBytes = 0
    private var bytes: TokenBucket
    private var messages: TokenBucket
    private var ops: TokenBucket
    private var events: TokenBucket
    private var others: TokenBucket
    private var renewals: TokenBucket

    /// Tokens that a member may renew at once; then one in `renewalSeconds`.
    private static let renewalBurst = 3
    private static let renewalSeconds = 10

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
        // The room refuses each event beyond the limit; here the connection is closed.
        events = TokenBucket(
            perSecond: 4 * limits.eventsPerSecond, brim: 8 * limits.eventsPerSecond, now: now)
        others = TokenBucket(
            perSecond: limits.otherMessagesPerSecond, brim: 2 * limits.otherMessagesPerSecond,
            now: now)
        // A renewal takes `renewalSeconds`, and the bucket gains one a second.
        renewals = TokenBucket(
            perSecond: 1, brim: Self.renewalBurst * Self.renewalSeconds, now: now)
    }

    /// The maximum number of messages that wait for the verification of a token.
    private static let waitingMaximum = 64

    /// Charges a message by its bytes, before it is parsed.
    ///
    /// - Returns: `.pass` to parse it.
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

    /// The next messages to forward to the room; after an empty result the connection is a member.
    mutating func handOver() -> [ClientMessage] {
        guard stage == .entering else { return [] }
        if waiting.isEmpty { stage = .joined }
        defer { waiting = [] }
        return waiting
    }

    /// Handles a message of a kind that only later versions know, which is ignored.
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

    /// Handles a message.
    ///
    /// - Parameter needsToken: Whether there are keys to verify tokens with.
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
        case (.entering, .hello(let hello)) where !hello.token.isEmpty,
            (.joined, .hello(let hello)) where !hello.token.isEmpty:
            if let refusal = charge(message, limits, now) { return refusal }
            // A client renews its token whether or not the server has keys, which it cannot know.
            return needsToken ? renewal(hello.token, now) : .nothing
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

    /// Handles a token that replaces the present one. Verifying one can take a tenth of a
    /// millisecond, so it has a rate of its own; the present one again costs nothing.
    private mutating func renewal(_ token: String, _ now: UInt64) -> Verdict {
        guard !token.utf8.elementsEqual(self.token.utf8) else { return .nothing }
        let wait = renewals.take(Self.renewalSeconds, now: now)
        guard wait > 0 else { return .refresh(token) }
        return .refuse(
            .rateLimited, "too many new tokens",
            retryAfterMilliseconds: UInt32(clamping: wait / 1_000_000 + 1))
    }

    /// Charges a message to the limits; `nil` if it is within them.
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
            .follow, .handle:
            wait = others.take(now: now)
        }
        return Self.verdict(afterWait: wait)
    }
}

/// The size of a list of ops. Complexity: O(ops and their values).
struct OpsSize {
    /// Ops, including those within animations.
    var ops = 0
    /// Bytes of the longest text.
    var longestText = 0

    init(_ list: JSONValue) {
        if let elements = list.array {
            for element in elements { count(element) }
        }
    }

    /// The exceeded limit, as a sentence; `nil` for none.
    func complaint(_ limits: ServerLimits) -> String? {
        if ops > limits.opsPerMessage {
            return "\(ops) ops in a message; at most \(limits.opsPerMessage)"
        }
        guard longestText > limits.textBytes else { return nil }
        return "a text of \(longestText) bytes; at most \(limits.textBytes)"
    }

    private mutating func count(_ op: JSONValue) {
        ops += 1
        guard let members = op.members else { return }
        for member in members {
            if member.key == "ops", let inner = member.value.array {
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
