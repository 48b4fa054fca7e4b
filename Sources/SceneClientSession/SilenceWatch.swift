/// Notices a server that has fallen silent: pings it, and gives the connection up if nothing comes
/// then either. SPEC.md, CONN-39 and CONN-40.
struct SilenceWatch: Sendable {
    /// What is due.
    enum Due { case nothing, ping, giveUp }

    private enum Stage {
        case off
        /// The connection has to be open by then.
        case opening(until: UInt64)
        /// Hello was sent; welcome, or a part of it, has to come by then.
        case greeting(until: UInt64)
        /// Pings at that time unless something comes.
        case listening(until: UInt64)
        /// Has pinged, and gives up at that time unless something comes.
        case asking(until: UInt64, isSecond: Bool)
    }

    private let patience: ClientSession.Patience
    private var stage = Stage.off

    init(_ patience: ClientSession.Patience) { self.patience = patience }

    /// The moment at which something is due; `nil` for never.
    var wakeTime: UInt64? {
        switch stage {
        case .off: nil
        case .opening(let time), .greeting(let time), .listening(let time),
            .asking(let time, _):
            time
        }
    }

    /// Begins with an attempt at a connection.
    ///
    /// - Parameter maximum: The time that it may take, in nanoseconds, where that is less than a
    ///   client's patience.
    mutating func begin(at now: UInt64, openingWithin maximum: UInt64 = .max) {
        let patience = min(patience.openNanoseconds, maximum)
        stage = Self.time(now, patience).map { .opening(until: $0) } ?? .off
    }

    /// The connection is open.
    mutating func opened(at now: UInt64) {
        stage = Self.time(now, patience.welcomeNanoseconds).map { .greeting(until: $0) } ?? .off
    }

    /// The client was welcomed.
    mutating func welcomed(at now: UInt64) {
        stage = Self.time(now, patience.silenceNanoseconds).map { .listening(until: $0) } ?? .off
    }

    /// Bytes came, whatever they are.
    mutating func heard(at now: UInt64) {
        switch stage {
        case .off, .opening: break
        case .greeting: opened(at: now)
        case .listening, .asking: welcomed(at: now)
        }
    }

    /// There is no connection to watch.
    mutating func stop() { stage = .off }

    /// Does what is due at a moment.
    mutating func advance(to now: UInt64) -> Due {
        guard let due = wakeTime, due <= now else { return .nothing }
        switch stage {
        case .off: return .nothing
        case .listening: return ask(at: now, isSecond: false)
        case .asking(_, isSecond: false) where now - due > patience.answerNanoseconds / 2:
            // So late a call means that this process or machine stood still, and the answer may
            // wait to be read.
            return ask(at: now, isSecond: true)
        case .opening, .greeting, .asking:
            stop()
            return .giveUp
        }
    }

    private mutating func ask(at now: UInt64, isSecond: Bool) -> Due {
        let until = Self.time(now, max(1, patience.answerNanoseconds)) ?? .max
        stage = .asking(until: until, isSecond: isSecond)
        return .ping
    }

    /// The moment so many nanoseconds later; `nil` for 0, which stands for never.
    private static func time(_ now: UInt64, _ nanoseconds: UInt64) -> UInt64? {
        guard nanoseconds > 0 else { return nil }
        let (sum, isOver) = now.addingReportingOverflow(nanoseconds)
        return isOver ? .max : sum
    }
}
