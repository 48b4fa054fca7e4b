import SceneWire

/// A client's connections, one after another: where the next one goes and when it begins, and when
/// the present one is given up. SPEC.md, sections 3.2, 3.5 and 3.6.
///
/// It knows of messages only what they mean for that.
struct Connector: Sendable {
    /// What is due at a moment.
    enum Due {
        case nothing
        case connect(url: String)
        case ping
        case giveUp(ClientSession.Ending)
    }

    private enum Stage {
        case idle
        /// Connects at that time, to the present address.
        case waiting(until: UInt64)
        case opening
        /// Hello was sent.
        case greeting
        case welcomed(since: UInt64)
        case ended
    }

    /// A connection that was welcomed and lasted so long, in nanoseconds, begins another pass when
    /// it ends. Shorter ones count as attempts: servers that admit clients and drop them at once
    /// are not tried without waiting.
    static let settledNanoseconds: UInt64 = 1_000_000_000
    /// The time that an attempt at one of several addresses may take in the first pass, in
    /// nanoseconds; doubled with each pass. The machine of an address may be gone, and another one
    /// is as good.
    static let firstOpeningNanoseconds: UInt64 = 2_000_000_000

    /// Whether the present connection is the last.
    private(set) var isEnding = false

    private let reconnects: Bool
    private var stage = Stage.idle
    private var wasWelcomed = false
    private var addresses: AddressList
    private var reconnection: Reconnection
    private var silence: SilenceWatch

    init(_ options: ClientSession.Options) {
        reconnects = options.reconnects
        addresses = AddressList(options.urls)
        reconnection = Reconnection(seed: options.seed)
        silence = SilenceWatch(options.patience)
    }

    /// Whether the server has admitted the client on the present connection.
    var isWelcomed: Bool {
        if case .welcomed = stage { true } else { false }
    }

    /// Whether hello was sent on the present connection, and nothing has come yet that answers it.
    var isGreeting: Bool {
        if case .greeting = stage { true } else { false }
    }

    /// The addresses known at present, in order.
    var urls: [String] { addresses.all }

    /// The moment at which `advance` has something to do, in nanoseconds; `nil` for never.
    var wakeTime: UInt64? {
        if case .waiting(let time) = stage { time } else { silence.wakeTime }
    }

    // MARK: What happens

    /// Begins the first connection.
    ///
    /// - Returns: Where to; `nil` if the client has begun before, or was told to end.
    mutating func connect(at now: UInt64) -> String? {
        guard case .idle = stage, !isEnding else { return nil }
        return open(addresses.present, at: now)
    }

    /// The connection is open, and hello is sent.
    mutating func opened(at now: UInt64) {
        stage = .greeting
        reconnection.begin()
        silence.opened(at: now)
    }

    /// The server admitted the client, and named other addresses.
    mutating func welcomed(_ alternates: [String], at now: UInt64) {
        stage = .welcomed(since: now)
        wasWelcomed = true
        reconnection.succeed()
        addresses.prove(alternates)
        silence.welcomed(at: now)
    }

    /// Bytes came over the present connection.
    mutating func heard(at now: UInt64) { silence.heard(at: now) }

    /// Notes what the server said about the next connection, if it did.
    mutating func note(_ error: ErrorMessage) { reconnection.note(error) }

    /// The client is to end: the present connection's end is the last.
    ///
    /// - Returns: Whether it has ended, since there is no connection that has yet to.
    mutating func end() -> Bool {
        isEnding = true
        switch stage {
        case .waiting, .ended: stage = .ended
        case .idle, .opening, .greeting, .welcomed: return false
        }
        return true
    }

    /// The present connection has ended, or the attempt at one.
    mutating func ended(code: UInt16?, at now: UInt64) -> ClientSession.Ending {
        silence.stop()
        var hasLasted = false
        if case .welcomed(let since) = stage, now >= since {
            hasLasted = now - since >= Self.settledNanoseconds
        }
        if hasLasted { addresses.settled() }
        stage = .ended
        // Trying the rest of the addresses is no reconnecting as long as none has worked.
        guard reconnects || !wasWelcomed, !isEnding, Reconnection.isRetryable(code) else {
            return .final
        }
        let told = reconnection.takeToldDelay()
        let url: String
        let delay: UInt64
        if hasLasted, code == CloseCode.ownerChanged.rawValue {
            // The room has another server behind the same one.
            (url, delay) = (addresses.present, told ?? 0)
        } else if let next = addresses.next() {
            (url, delay) = (next, told ?? 0)
        } else if wasWelcomed {
            delay = told ?? reconnection.takeDelay()
            url = addresses.nextPass()
        } else {
            return .final
        }
        stage = .waiting(until: now + delay)
        return .retry(url: url, afterNanoseconds: delay)
    }

    /// Does what is due at a moment.
    mutating func advance(to now: UInt64) -> Due {
        if case .waiting(let time) = stage {
            return time <= now ? .connect(url: open(addresses.present, at: now)) : .nothing
        }
        switch silence.advance(to: now) {
        case .nothing: return .nothing
        case .ping: return .ping
        case .giveUp: return .giveUp(ended(code: nil, at: now))
        }
    }

    private mutating func open(_ url: String, at now: UInt64) -> String {
        stage = .opening
        let isOneOfSeveral = addresses.all.count > 1
        silence.begin(
            at: now,
            openingWithin: isOneOfSeveral
                ? Self.firstOpeningNanoseconds << UInt64(reconnection.failedPasses) : .max)
        return url
    }
}
