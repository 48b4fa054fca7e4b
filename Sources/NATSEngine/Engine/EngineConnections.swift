import SceneCluster

/// Owns the connections of an engine: the present one, and while it returns to the preferred server
/// a candidate for its place, or the former one. Belongs to the engine's thread.
final class EngineConnections {
    /// The meaning of an answer, by the connection that received it.
    enum Answer {
        /// The answer to the request with this token.
        case token(UInt64)
        /// The candidate's proof; its connection is the present one now.
        case hasChanged(to: ServerIdentity)
        /// The answer belongs to a connection that was dropped.
        case foreign
    }

    /// A connection to the preferred server. Its proof is a message that the present connection
    /// sends to it.
    private struct Candidate {
        var found: PreferredServerSearch.Found
        var number: Int
        var until: MonotonicInstant
    }

    /// The connection before the present one.
    private struct Former {
        var connection: NATSConnection
        /// Until then it keeps its subscriptions, because servers learn of the new ones at
        /// different times.
        var hearsUntil: MonotonicInstant?
        /// Until then it receives answers.
        var until: MonotonicInstant
    }

    /// The token of a candidate's proof.
    private static let proofToken: UInt64 = 0

    /// The connection that requests go out on.
    private(set) var present: NATSConnection
    private let configuration: NATSConfiguration
    private let mailbox: EngineMailbox
    /// The number of the present connection, which notices of it have, and the highest that was
    /// given.
    private var number = 1
    private var lastNumber = 1
    private var subjects: [String] = []
    private var candidate: Candidate?
    private var former: Former?
    /// The time of the next search for the preferred server; nil during a search, and at that
    /// server.
    private var searchAt: MonotonicInstant?
    /// Whether the preferred server answered the last search.
    private var answers = false

    /// Connects to the first server that answers; waits for it.
    ///
    /// - Throws: `NATSError`.
    init(_ configuration: NATSConfiguration, mailbox: EngineMailbox) throws(NATSError) {
        self.configuration = configuration
        self.mailbox = mailbox
        present = try NATSConnection(configuration, listener: Self.listener(1, mailbox))
    }

    /// Changes of a connection, and its answers, as mail.
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

    /// Tells what an answer means. The candidate's proof makes its connection the present one.
    func take(_ message: NATSMessage, at now: MonotonicInstant) -> Answer {
        if let token = present.token(of: message.subject) { return .token(token) }
        if let token = former?.connection.token(of: message.subject) { return .token(token) }
        guard let candidate, candidate.found.connection.token(of: message.subject) != nil else {
            return .foreign
        }
        self.candidate = nil
        guard candidate.found.connection.isConnected else {
            searchAt = now.advanced(by: PreferredServerSearch.interval)
            return .foreign
        }
        former = Former(
            connection: present, hearsUntil: now.advanced(by: PreferredServerSearch.overlap),
            until: now.advanced(by: PreferredServerSearch.farewell))
        (present, number) = (candidate.found.connection, candidate.number)
        return .hasChanged(to: candidate.found.identity)
    }

    // MARK: The preferred server

    /// The present connection is ready, at a server that has identified itself.
    func isReady(_ identity: ServerIdentity, at now: MonotonicInstant) {
        answers = false
        searchAt =
            identity.address == configuration.addresses.first?.description
            ? nil : now.advanced(by: PreferredServerSearch.interval)
    }

    /// The present connection has lost its server.
    func isLost() {
        searchAt = nil
        candidate = nil
    }

    /// Takes the result of a search. A connection that was found gets all subscriptions, and the
    /// present one sends it a message as proof.
    ///
    /// - Parameters:
    ///   - found: The connection, with its number; nil for none.
    ///   - answers: Whether the preferred server answered.
    func found(
        _ found: PreferredServerSearch.Found?, number: Int, answers: Bool, at now: MonotonicInstant
    ) {
        guard candidate == nil else { return }
        self.answers = answers
        searchAt = now.advanced(by: PreferredServerSearch.interval)
        guard let found else { return }
        do throws(NATSError) {
            for subject in subjects { try subscribe(subject, on: found.connection) }
            try present.send(found.connection.message(to: Self.proofToken))
        } catch {
            // One of the connections is lost, which is reported separately.
            return
        }
        candidate = Candidate(
            found: found, number: number, until: now.advanced(by: PreferredServerSearch.patience))
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
            searchAt = now.advanced(by: PreferredServerSearch.interval)
        }
        guard let moment = searchAt, moment <= now else { return }
        searchAt = nil
        lastNumber += 1
        let (number, mailbox) = (lastNumber, mailbox)
        PreferredServerSearch.search(
            configuration, connects: answers, listener: Self.listener(number, mailbox)
        ) { answers, found in
            mailbox.put(.searched(answers: answers, found, number: number))
        }
    }
}
