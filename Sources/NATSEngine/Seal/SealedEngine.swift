private import Essentials
private import FoundationEssentials
public import SceneCluster
private import Synchronization

/// An engine whose messages between nodes carry proofs of the cluster's key. What a stream keeps
/// carries none: who may write there is for the permissions of NATS.
public final class SealedEngine: ClusterEngine {
    private let engine: any ClusterEngine
    private let keys: ClusterKeys

    init(_ engine: any ClusterEngine, _ keys: ClusterKeys) {
        self.engine = engine
        self.keys = keys
    }

    /// Carries a request out; see `ClusterEngine`.
    public func ask(_ request: EngineRequest, as id: UInt64) -> Bool {
        engine.ask(request, as: id)
    }

    /// Sends a message with a proof.
    public func send(_ bytes: [UInt8], to subject: String) {
        engine.send(
            SealedMessage.seal(bytes, to: subject, at: SealCheck.milliseconds, keys), to: subject)
    }

    /// Hears messages; those without a proof are refused where the engine was connected.
    public func hear(_ subject: String) { engine.hear(subject) }

    /// Ends the connection.
    public func close() { engine.close() }
}

/// Opens the messages that an engine hears, and tells of those that it refuses, a few at a time.
/// Safe from any thread.
final class SealCheck: Sendable {
    /// An order is obeyed within this time, by the clocks of both sides.
    private static let orderMilliseconds: UInt64 = 60_000
    /// The shortest time between two reports of refused messages; a report has their number.
    private static let tellMilliseconds: UInt64 = 10_000

    private let keys: ClusterKeys
    private let orders: String
    private let refused = Mutex((count: 0, toldAt: UInt64(0)))

    init(_ keys: ClusterKeys, _ subjects: ClusterSubjects) {
        self.keys = keys
        orders = subjects.order
    }

    static var milliseconds: UInt64 {
        UInt64(max(0, Date().timeIntervalSince1970 * 1000))
    }

    /// The news with the message alone; `nil` for a message that was refused.
    func open(_ news: EngineNews, at now: UInt64 = SealCheck.milliseconds) -> [EngineNews] {
        guard case .heard(let subject, let bytes) = news else { return [news] }
        // An empty message is a probe, which says nothing.
        guard !bytes.isEmpty else { return [news] }
        switch SealedMessage.open(bytes, of: subject, keys) {
        case .message(let message, let sealedAt):
            if subject == orders, let sealedAt {
                let age = max(now, sealedAt) - min(now, sealedAt)
                guard age <= Self.orderMilliseconds else {
                    return tell(
                        subject,
                        "of a clock \(age / 1000) s away: an order that was sent again, or clocks that differ",
                        now)
                }
            }
            return [.heard(subject: subject, bytes: message)]
        case .refused(let reason): return tell(subject, reason, now)
        }
    }

    private func tell(_ subject: String, _ reason: String, _ now: UInt64) -> [EngineNews] {
        let count = refused.withLock { refused -> Int? in
            refused.count += 1
            guard now >= refused.toldAt + Self.tellMilliseconds || refused.toldAt == 0 else {
                return nil
            }
            refused.toldAt = max(now, 1)
            defer { refused.count = 0 }
            return refused.count
        }
        guard let count else { return [] }
        return [
            .trouble(
                "\(count) messages were refused, the last on \(subject) \(reason); give all nodes the same --cluster-key, and find out what else publishes there"
            )
        ]
    }
}
