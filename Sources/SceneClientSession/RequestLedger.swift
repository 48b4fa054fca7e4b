import SceneWire

/// A client's requests: each has a number of its own, and is kept until it has a result.
///
/// A server decides requests in the order of their numbers. An `undo` or `redo` that was sent
/// before and that the present connection does not grant therefore waits for one that does, with
/// everything behind it. One that was never sent is given up instead: the scene holds nothing of
/// it. SPEC.md, CONN-24.
struct RequestLedger: Sendable {
    /// Requests without a result, oldest first.
    private(set) var unanswered: [ClientSession.Request] = []
    /// The number of the last request that was sent on any connection; 0 for none. Requests are
    /// sent in order.
    private var lastSent: UInt64 = 0
    private var nextSequence: UInt64 = 1

    /// Notes another request.
    ///
    /// - Parameter make: Makes the message under the number that it has from now on.
    mutating func add(_ make: (UInt64) -> ClientMessage) -> ClientSession.Request {
        let request = ClientSession.Request(sequence: nextSequence, message: make(nextSequence))
        nextSequence += 1
        unanswered.append(request)
        return request
    }

    /// Forgets a request that has its result.
    mutating func remove(_ sequence: UInt64) {
        unanswered.removeAll { $0.sequence == sequence }
    }

    /// Requests to send on a connection, and those that are given up.
    struct Turn: Sendable {
        /// Messages to send, in order.
        var sent: [ClientMessage] = []
        /// Numbers of requests that were given up; they are forgotten.
        var givenUp: [UInt64] = []
    }

    /// Takes the requests that are to be sent after a welcome: all of them, again.
    ///
    /// - Parameter granted: The capabilities of the connection.
    mutating func resume(granted: UInt64) -> Turn { send(after: 0, granted: granted) }

    /// Takes the requests that are to be sent and have not been.
    ///
    /// - Parameter granted: The capabilities of the connection; `nil` before its welcome.
    mutating func proceed(granted: UInt64?) -> Turn {
        guard let granted else { return Turn() }
        return send(after: lastSent, granted: granted)
    }

    private mutating func send(after last: UInt64, granted: UInt64) -> Turn {
        var turn = Turn()
        for request in unanswered {
            guard Self.isGranted(request.message, granted) else {
                // What was sent before may be in the scene, and a later request would overtake it.
                if request.sequence <= lastSent { break }
                turn.givenUp.append(request.sequence)
                continue
            }
            if request.sequence > last { turn.sent.append(request.message) }
            lastSent = max(lastSent, request.sequence)
        }
        for sequence in turn.givenUp { remove(sequence) }
        return turn
    }

    private static func isGranted(_ message: ClientMessage, _ granted: UInt64) -> Bool {
        switch message {
        case .undo, .redo: granted & Capability.undo != 0
        case .hello, .ack, .ops, .resync, .ping, .presence, .subscribe, .seek, .trace, .inspect,
            .device, .follow, .event, .handle, .handled:
            true
        }
    }
}
