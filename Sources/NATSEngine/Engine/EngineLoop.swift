import SceneCluster

/// The work of the engine's thread: the connection, the requests without an answer, and the time.
final class EngineLoop {
    /// How far the connection is.
    private enum Phase {
        /// There is none.
        case disconnected
        /// A server has taken it, and is asked which one it is.
        case identifying(address: String, until: MonotonicInstant)
        /// Requests go out.
        case ready
        /// The server cannot be used.
        case refused
        /// The library has given up.
        case closed
    }

    private let connections: EngineConnections
    private let mailbox: EngineMailbox
    private let deliver: @Sendable (EngineEvent) -> Void
    private let clock = MonotonicClock()
    private let patience: Duration
    private var table: RequestTable
    private var phase = Phase.disconnected

    /// The token of the question which server it is; those of requests begin at 1.
    private static let identityToken: UInt64 = 0
    /// The maximum size of a publish's headers within a server's largest message.
    private static let headerBytes = 128

    /// Connects, and finds out which server it is; waits for both.
    ///
    /// - Throws: `NATSError`.
    init(
        _ configuration: NATSConfiguration, layout: ClusterLayout, mailbox: EngineMailbox,
        deliver: @escaping @Sendable (EngineEvent) -> Void
    ) throws(NATSError) {
        let connections = try EngineConnections(configuration, mailbox: mailbox)
        let connection = connections.present
        let answer: NATSMessage
        do {
            answer = try connection.request(
                ServerIdentity.question, timeout: configuration.requestTimeout)
        } catch {
            throw .noVersion(address: connection.address, reason: error.description)
        }
        let identity = try ServerIdentity(address: connection.address, answer)
        self.connections = connections
        self.mailbox = mailbox
        self.deliver = deliver
        patience = configuration.requestTimeout
        table = RequestTable(
            layout: layout,
            limits: .init(
                timeout: configuration.requestTimeout, hedgeAfter: configuration.hedgeAfter))
        isReady(identity)
    }

    /// Runs until `stop`.
    func run() {
        while true {
            let (mail, dropped) = mailbox.take(atMost: nanosecondsToWait)
            if dropped > 0 { deliver(.dropped(messages: dropped)) }
            for each in mail {
                if case .stop = each { return carryOut(table.close("the engine was closed")) }
                take(each)
            }
            advance()
        }
    }

    private var nanosecondsToWait: UInt64? {
        var moments = [table.nextDeadline, connections.next]
        if case .identifying(_, let until) = phase { moments.append(until) }
        guard let next = moments.compactMap({ $0 }).min() else { return nil }
        let now = clock.now
        return next > now ? next.nanoseconds - now.nanoseconds : 0
    }

    private func take(_ mail: EngineMail) {
        switch mail {
        case .perform(let id, let request):
            if case .closed = phase {
                return deliver(.replied(id, .unknown("the connection to the engine is closed")))
            }
            carryOut(table.begin(id, request, now: clock.now))
        case .publish(let subject, let bytes): publish(subject, bytes)
        case .subscribe(let subject): subscribe(subject)
        case .answer(let message): takeAnswer(message)
        case .heard(let message):
            deliver(.heard(subject: message.subject, bytes: message.bytes))
        case .disconnected(let number, _) where !connections.isPresent(number): break
        case .reconnected(let number, _) where !connections.isPresent(number): break
        case .closed(let number, _) where !connections.isPresent(number): break
        case .disconnected(_, let reason):
            phase = .disconnected
            connections.isLost()
            deliver(.disconnected(reason: reason))
            carryOut(table.disconnected(reason))
        case .reconnected(_, let address): identify(address)
        case .searched(let answers, let found, let number):
            guard case .ready = phase else { break }
            connections.found(found, number: number, answers: answers, at: clock.now)
        case .closed(_, let reason):
            phase = .closed
            deliver(.closed(reason: reason))
            carryOut(table.close("the connection to the engine is closed: \(reason)"))
        case .stop: break
        }
    }

    private func takeAnswer(_ message: NATSMessage) {
        switch connections.take(message, at: clock.now) {
        case .token(Self.identityToken): identified(message)
        case .token(let token):
            carryOut(table.received(token: token, message, now: clock.now))
        case .hasChanged(let identity): isReady(identity)
        case .foreign: break
        }
    }

    private func advance() {
        let now = clock.now
        carryOut(table.advance(to: now))
        connections.advance(to: now)
        if case .identifying(let address, let until) = phase, until <= now {
            refuse(
                .noVersion(
                    address: address, reason: "no answer on \(ServerIdentity.subject)"))
        }
    }

    // MARK: Which server it is

    private func identify(_ address: String) {
        phase = .identifying(address: address, until: clock.now.advanced(by: patience))
        do {
            var question = ServerIdentity.question
            question.token = Self.identityToken
            try connections.present.send(question)
        } catch {
            // The loss of the connection is reported separately.
        }
    }

    private func identified(_ message: NATSMessage) {
        guard case .identifying(let address, _) = phase else { return }
        do {
            isReady(try ServerIdentity(address: address, message))
        } catch {
            refuse(error)
        }
    }

    private func isReady(_ identity: ServerIdentity) {
        phase = .ready
        connections.isReady(identity, at: clock.now)
        deliver(.connected(identity))
        carryOut(table.connected(now: clock.now))
    }

    private func refuse(_ error: NATSError) {
        phase = .refused
        deliver(.refused(error))
    }

    // MARK: Sending

    private func carryOut(_ effects: [RequestTable.Effect]) {
        // Sending can fail, which has effects of its own: an answer, which ends there.
        for effect in effects {
            switch effect {
            case .send(let message): send(message)
            case .answer(let id, let reply): deliver(.replied(id, reply))
            }
        }
    }

    private func send(_ message: NATSOutgoing) {
        guard let token = message.token else { return }
        let maximum = connections.present.payloadMaximum - Self.headerBytes
        guard message.bytes.count <= maximum else {
            return carryOut(
                table.sendingFailed(
                    token: token,
                    .failed(
                        "the message has \(message.bytes.count) bytes, the server takes \(maximum); raise its max_payload"
                    )))
        }
        do {
            try connections.present.send(message)
        } catch {
            carryOut(table.sendingFailed(token: token, .unknown(error.description)))
        }
    }

    private func publish(_ subject: String, _ bytes: [UInt8]) {
        guard case .ready = phase, NATSSubject.isLiteral(subject) else { return }
        do {
            try connections.present.send(NATSOutgoing(subject: subject, bytes: bytes))
        } catch {
            // At most once: beats that are not sent are not heard, which their receivers are there
            // for.
        }
    }

    private func subscribe(_ subject: String) {
        do {
            try connections.subscribe(subject)
        } catch {
            refuse(error)
        }
    }
}
