import SceneProtocol

/// A client's requests: each has a number of its own, and is kept until it has a result.
struct RequestLedger: Sendable {
    /// Requests without a result, oldest first.
    private(set) var unanswered: [ClientSession.Request] = []
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

    /// What may be sent, on a connection where so much was granted.
    func sendable(granted: UInt64?) -> [ClientSession.Request] {
        unanswered.filter { Self.canSend($0, granted: granted) }
    }

    /// Whether a request may be sent on this connection; what was not granted waits for another. SPEC.md, CONN-24.
    static func canSend(_ request: ClientSession.Request, granted: UInt64?) -> Bool {
        guard let granted else { return false }
        return switch request.message {
        case .undo, .redo: granted & Capability.undo != 0
        case .hello, .ack, .ops, .resync, .ping, .presence, .subscribe, .seek, .trace, .inspect,
            .device, .event, .handle, .handled:
            true
        }
    }
}
