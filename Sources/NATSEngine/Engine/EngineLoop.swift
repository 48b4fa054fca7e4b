import SceneCluster

/// What runs on the engine's thread: the connection, the requests without an answer, and the time.
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

    /// A connection to the server that is named first, which is to prove that messages of the present server reach it.
    private struct Candidate {
        var found: WayHome.Found
        var number: Int
        var until: MonotonicInstant
    }

    /// A connection that was left for one to the server that is named first.
    private struct Former {
        var connection: NATSConnection
        /// Until then it hears what the present one does, for servers learn at different moments who is where.
        var hearsUntil: MonotonicInstant?
        /// Until then answers come.
        var until: MonotonicInstant
    }

    private let configuration: NATSConfiguration
    private var connection: NATSConnection
    /// The number of the connection, which notices of it have.
    private var number = 1
    private var lastNumber = 1
    private var subjects: [String] = []
    /// When the server that is named first is looked for; nil while it is, and at that server.
    private var homeAt: MonotonicInstant?
    private var homeAnswers = false
    private var candidate: Candidate?
    /// The connection before this one, for answers that are on their way.
    private var former: Former?
    private let mailbox: EngineMailbox
    private let deliver: @Sendable (EngineEvent) -> Void
    private let clock = MonotonicClock()
    private let patience: Duration
    private var table: RequestTable
    private var phase = Phase.disconnected

    /// The token of the question which server it is, and of a candidate's proof; those of requests begin at 1.
    private static let identityToken: UInt64 = 0
    /// What headers of a publish take of a server's largest message, at most.
    private static let headerBytes = 128

    /// Connects, and finds out which server it is; waits for both.
    ///
    /// - Throws: `NATSError`.
    init(
        _ configuration: NATSConfiguration, layout: ClusterLayout, mailbox: EngineMailbox,
        deliver: @escaping @Sendable (EngineEvent) -> Void
    ) throws(NATSError) {
        let connection = try NATSConnection(
            configuration, listener: Self.listener(1, mailbox))
        let answer: NATSMessage
        do {
            answer = try connection.request(
                ServerIdentity.question, timeout: configuration.requestTimeout)
        } catch {
            throw .noVersion(address: connection.address, reason: error.description)
        }
        let identity = try ServerIdentity(address: connection.address, answer)
        self.configuration = configuration
        self.connection = connection
        self.mailbox = mailbox
        self.deliver = deliver
        patience = configuration.requestTimeout
        table = RequestTable(
            layout: layout,
            limits: .init(
                timeout: configuration.requestTimeout, hedgeAfter: configuration.hedgeAfter))
        isReady(identity)
    }

    /// Works until it is told to stop.
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

    /// What becomes of a connection, and its answers, as mail.
    private static func listener(
        _ number: Int, _ mailbox: EngineMailbox
    ) -> ConnectionListeners.Listener {
        { notice in
            switch notice {
            case .message(_, let message): mailbox.put(.answer(message))
            case .disconnected(let reason):
                mailbox.put(.disconnected(connection: number, reason: reason))
            case .reconnected(let address):
                mailbox.put(.reconnected(connection: number, address: address))
            case .closed(let reason): mailbox.put(.closed(connection: number, reason: reason))
            case .overrun: mailbox.overrun()
            }
        }
    }

    private var nanosecondsToWait: UInt64? {
        var moments = [
            table.nextDeadline, homeAt, candidate?.until, former?.until, former?.hearsUntil,
        ]
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
        case .subscribe(let subject):
            subjects.append(subject)
            subscribe(subject, on: connection)
            if let candidate { subscribe(subject, on: candidate.found.connection) }
        case .answer(let message): takeAnswer(message)
        case .heard(let message):
            deliver(.heard(subject: message.subject, bytes: message.bytes))
        // Of another connection than the present one nothing is to be known.
        case .disconnected(let other, _) where other != number: break
        case .reconnected(let other, _) where other != number: break
        case .closed(let other, _) where other != number: break
        case .disconnected(_, let reason):
            phase = .disconnected
            homeAt = nil
            candidate = nil
            deliver(.disconnected(reason: reason))
            carryOut(table.disconnected(reason))
        case .reconnected(_, let address): identify(address)
        case .home(let answers, let found, let number): foundHome(answers, found, number)
        case .closed(_, let reason):
            phase = .closed
            deliver(.closed(reason: reason))
            carryOut(table.close("the connection to the engine is closed: \(reason)"))
        case .stop: break
        }
    }

    private func takeAnswer(_ message: NATSMessage) {
        if let candidate, candidate.found.connection.token(of: message.subject) != nil {
            return goHome(candidate)
        }
        guard
            let token = connection.token(of: message.subject)
                ?? former?.connection.token(of: message.subject)
        else { return }
        if token == Self.identityToken { return identified(message) }
        carryOut(table.received(token: token, message, now: clock.now))
    }

    private func advance() {
        let now = clock.now
        carryOut(table.advance(to: now))
        if let moment = former?.hearsUntil, moment <= now {
            former?.hearsUntil = nil
            former?.connection.unsubscribe()
        }
        if let former, former.until <= now { self.former = nil }
        if let candidate, candidate.until <= now {
            self.candidate = nil
            homeAt = now.advanced(by: WayHome.interval)
        }
        if let homeAt, homeAt <= now { searchHome() }
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
            try connection.send(question)
        } catch {
            // The loss of the connection is told on its own.
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
        homeAnswers = false
        homeAt =
            identity.address == configuration.addresses.first?.description
            ? nil : clock.now.advanced(by: WayHome.interval)
        deliver(.connected(identity))
        carryOut(table.connected(now: clock.now))
    }

    private func refuse(_ error: NATSError) {
        phase = .refused
        deliver(.refused(error))
    }

    // MARK: The server that is named first

    private func searchHome() {
        homeAt = nil
        lastNumber += 1
        let (number, mailbox) = (lastNumber, mailbox)
        WayHome.search(
            configuration, connects: homeAnswers, listener: Self.listener(number, mailbox)
        ) { answers, found in
            mailbox.put(.home(answers: answers, found, number: number))
        }
    }

    /// A connection is there: it hears what the present one does, and is sent a message by way of the present server.
    private func foundHome(_ answers: Bool, _ found: WayHome.Found?, _ number: Int) {
        guard case .ready = phase, candidate == nil else { return }
        homeAnswers = answers
        guard let found else { return homeAt = clock.now.advanced(by: WayHome.interval) }
        candidate = Candidate(
            found: found, number: number, until: clock.now.advanced(by: WayHome.patience))
        for subject in subjects { subscribe(subject, on: found.connection) }
        do {
            try connection.send(found.connection.message(to: Self.identityToken))
        } catch {
            // No proof comes, and it is looked for again.
        }
    }

    /// The message has come: the connection becomes the present one. Answers that are on their way come to the former.
    private func goHome(_ candidate: Candidate) {
        self.candidate = nil
        guard candidate.found.connection.isConnected else {
            return homeAt = clock.now.advanced(by: WayHome.interval)
        }
        let now = clock.now
        former = Former(
            connection: connection, hearsUntil: now.advanced(by: WayHome.overlap),
            until: now.advanced(by: WayHome.farewell))
        (connection, number) = (candidate.found.connection, candidate.number)
        isReady(candidate.found.identity)
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
        let maximum = connection.payloadMaximum - Self.headerBytes
        guard message.bytes.count <= maximum else {
            return carryOut(
                table.sendingFailed(
                    token: token,
                    .failed(
                        "the message has \(message.bytes.count) bytes, the server takes \(maximum); raise its max_payload"
                    )))
        }
        do {
            try connection.send(message)
        } catch {
            carryOut(table.sendingFailed(token: token, .unknown(error.description)))
        }
    }

    private func publish(_ subject: String, _ bytes: [UInt8]) {
        guard case .ready = phase, NATSSubject.isLiteral(subject) else { return }
        do {
            try connection.send(NATSOutgoing(subject: subject, bytes: bytes))
        } catch {
            // At most once: beats that are not sent are not heard, which their receivers are there for.
        }
    }

    private func subscribe(_ subject: String, on connection: NATSConnection) {
        let mailbox = mailbox
        do {
            _ = try connection.subscribe(subject) { notice in
                switch notice {
                case .message(_, let message): mailbox.put(.heard(message))
                case .disconnected, .reconnected, .closed, .overrun: break
                }
            }
        } catch {
            refuse(error)
        }
    }
}
