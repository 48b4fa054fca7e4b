import SceneCluster

/// The connections of an engine: the present one, and around the way back to the server that is named first one that is to take its place,
/// or the one before it. It belongs to the engine's thread.
final class EngineConnections {
    /// What an answer is, by the connection that it came on.
    enum Answer {
        /// That to what was sent with a token.
        case token(UInt64)
        /// The proof that another server is as good, whose connection is the present one now.
        case hasChanged(to: ServerIdentity)
        /// One of a connection that was dropped.
        case foreign
    }

    /// A connection to the server that is named first, which is to prove that messages of the present server reach it.
    private struct Candidate {
        var found: WayHome.Found
        var number: Int
        var until: MonotonicInstant
    }

    /// A connection that was left.
    private struct Former {
        var connection: NATSConnection
        /// Until then it hears what the present one does, for servers learn at different moments who is where.
        var hearsUntil: MonotonicInstant?
        /// Until then answers come.
        var until: MonotonicInstant
    }

    /// The token of a candidate's proof.
    private static let proofToken: UInt64 = 0

    /// The connection that requests go out on.
    private(set) var present: NATSConnection
    private let configuration: NATSConfiguration
    private let mailbox: EngineMailbox
    /// The number of the present connection, which notices of it have, and the highest that was given.
    private var number = 1
    private var lastNumber = 1
    private var subjects: [String] = []
    private var candidate: Candidate?
    private var former: Former?
    /// When the server that is named first is looked for; nil while it is, and at that server.
    private var searchAt: MonotonicInstant?
    /// Whether it answered the last time.
    private var answers = false

    /// Connects to the first server that answers; waits for it.
    ///
    /// - Throws: `NATSError`.
    init(_ configuration: NATSConfiguration, mailbox: EngineMailbox) throws(NATSError) {
        self.configuration = configuration
        self.mailbox = mailbox
        present = try NATSConnection(configuration, listener: Self.listener(1, mailbox))
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

    /// When `advance` has something to do; nil for never.
    var next: MonotonicInstant? {
        [searchAt, candidate?.until, former?.hearsUntil, former?.until].compactMap { $0 }.min()
    }

    /// Whether a notice is of the present connection; of others nothing is to be known.
    func isPresent(_ number: Int) -> Bool { number == self.number }

    // MARK: Subjects and answers

    /// Hears a subject from now on, whichever connection is the present one.
    ///
    /// - Throws: `NATSError` of the present connection.
    func subscribe(_ subject: String) throws(NATSError) {
        subjects.append(subject)
        if let candidate, (try? subscribe(subject, on: candidate.found.connection)) == nil {
            self.candidate = nil
        }
        try subscribe(subject, on: present)
    }

    private func subscribe(
        _ subject: String, on connection: NATSConnection
    ) throws(NATSError) {
        let mailbox = mailbox
        _ = try connection.subscribe(subject) { notice in
            switch notice {
            case .message(_, let message): mailbox.put(.heard(message))
            case .disconnected, .reconnected, .closed, .overrun: break
            }
        }
    }

    /// Says what an answer is, and changes the present connection where it is the proof that another one is as good.
    func take(_ message: NATSMessage, at now: MonotonicInstant) -> Answer {
        if let token = present.token(of: message.subject) { return .token(token) }
        if let token = former?.connection.token(of: message.subject) { return .token(token) }
        guard let candidate, candidate.found.connection.token(of: message.subject) != nil else {
            return .foreign
        }
        self.candidate = nil
        guard candidate.found.connection.isConnected else {
            searchAt = now.advanced(by: WayHome.interval)
            return .foreign
        }
        former = Former(
            connection: present, hearsUntil: now.advanced(by: WayHome.overlap),
            until: now.advanced(by: WayHome.farewell))
        (present, number) = (candidate.found.connection, candidate.number)
        return .hasChanged(to: candidate.found.identity)
    }

    // MARK: The server that is named first

    /// The present connection is of use, at a server that has said which one it is.
    func isReady(_ identity: ServerIdentity, at now: MonotonicInstant) {
        answers = false
        searchAt =
            identity.address == configuration.addresses.first?.description
            ? nil : now.advanced(by: WayHome.interval)
    }

    /// The present connection has lost its server.
    func isLost() {
        searchAt = nil
        candidate = nil
    }

    /// A search has come to its end.
    ///
    /// - Parameters:
    ///   - answers: Whether the server that is named first answers.
    ///   - found: A connection to it, with its number. It hears what the present one does from now on, and is sent a message by way of the
    ///     present server.
    func found(
        _ found: WayHome.Found?, number: Int, answers: Bool, at now: MonotonicInstant
    ) {
        guard candidate == nil else { return }
        self.answers = answers
        searchAt = now.advanced(by: WayHome.interval)
        guard let found else { return }
        do throws(NATSError) {
            for subject in subjects { try subscribe(subject, on: found.connection) }
            try present.send(found.connection.message(to: Self.proofToken))
        } catch {
            // One of both connections is lost, which is told on its own.
            return
        }
        candidate = Candidate(
            found: found, number: number, until: now.advanced(by: WayHome.patience))
        searchAt = nil
    }

    /// Does what is due.
    func advance(to now: MonotonicInstant) {
        if let moment = former?.hearsUntil, moment <= now {
            former?.hearsUntil = nil
            former?.connection.unsubscribe()
        }
        if let moment = former?.until, moment <= now { former = nil }
        if let moment = candidate?.until, moment <= now {
            candidate = nil
            searchAt = now.advanced(by: WayHome.interval)
        }
        guard let moment = searchAt, moment <= now else { return }
        searchAt = nil
        lastNumber += 1
        let (number, mailbox) = (lastNumber, mailbox)
        WayHome.search(
            configuration, connects: answers, listener: Self.listener(number, mailbox)
        ) { answers, found in
            mailbox.put(.home(answers: answers, found, number: number))
        }
    }
}
