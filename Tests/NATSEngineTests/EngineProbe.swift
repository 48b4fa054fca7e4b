import Foundation
import NATSEngine
import SceneCluster
import Synchronization
import Testing
import Threads

/// An engine whose events a test takes in order.
final class EngineProbe: Sendable {
    private struct Inbox {
        var replies: [RequestID: [EngineReply]] = [:]
        var others: [EngineEvent] = []
    }

    let engine: NATSEngine
    private let inbox: Monitor<Inbox>
    private let last = Atomic<UInt64>(0)

    /// A fault, and nothing else, takes longer.
    private static let patienceNanoseconds: UInt64 = 30_000_000_000
    /// For so long a request is sent again: a leader is elected within it, also on a machine that
    /// is short of time.
    private static let electionPatience = Duration.seconds(180)
    /// Servers without a leader answer at once.
    private static let pauseMicroseconds: UInt32 = 20_000

    init(_ configuration: NATSConfiguration, layout: ClusterLayout) throws {
        let inbox = Monitor(Inbox())
        self.inbox = inbox
        engine = try NATSEngine(configuration, layout: layout) { event in
            inbox.withLock { inbox in
                if case .replied(let id, let reply) = event {
                    inbox.replies[id, default: []].append(reply)
                } else {
                    inbox.others.append(event)
                }
            }
            inbox.wakeAll()
        }
    }

    deinit { engine.close() }

    /// Sends a request; its replies are taken by `reply`.
    func begin(_ request: EngineRequest) -> RequestID {
        let id = last.add(1, ordering: .relaxed).newValue
        engine.perform(request, as: id)
        return id
    }

    /// Waits for the reply to a request; nil after the patience.
    func reply(to id: RequestID) -> EngineReply? {
        inbox.wait { inbox, hasTimedOut in
            if let reply = inbox.replies[id]?.first { return .finish(reply) }
            return hasTimedOut
                ? .finish(nil) : .waitAtMost(nanoseconds: Self.patienceNanoseconds)
        }
    }

    /// Sends a request and waits for its reply.
    ///
    /// A leader that is short of time now and then answers that a subject is busy although it has
    /// acknowledged the publish before. It keeps nothing of the request that it answers so, which
    /// is sent again.
    func perform(_ request: EngineRequest) -> EngineReply? {
        let start = ContinuousClock.now
        while true {
            let reply = reply(to: begin(request))
            guard reply == .busy, start.duration(to: .now) < Self.electionPatience else {
                return reply
            }
            usleep(Self.pauseMicroseconds)
        }
    }

    /// Publishes until the message is kept; nil after some minutes.
    ///
    /// A machine that is short of time leaves outcomes open. The publish is then repeated, unless
    /// the subject's last message is this one.
    func keep(_ bytes: [UInt8], at subject: String, after expectedLast: UInt64) -> UInt64? {
        let start = ContinuousClock.now
        while start.duration(to: .now) < Self.electionPatience {
            switch perform(.publish(subject: subject, bytes: bytes, expectedLast: expectedLast)) {
            case .kept(let sequence)?: return sequence
            case .unknown?, .superseded?:
                if case .messages(let found, _)? = perform(
                    .last(subject: subject, source: .leader)), let last = found.last,
                    last.sequence > expectedLast
                {
                    return last.bytes == bytes ? last.sequence : nil
                }
            case let reply:
                Issue.record("expected kept, found \(String(describing: reply))")
                return nil
            }
            usleep(Self.pauseMicroseconds)
        }
        return nil
    }

    /// How many replies a request has had.
    func replyCount(of id: RequestID) -> Int { inbox.withLock { $0.replies[id]?.count ?? 0 } }

    /// Waits for an event that fits; nil after the patience. Events before it are taken as well.
    func event(_ fits: @Sendable (EngineEvent) -> Bool) -> EngineEvent? {
        inbox.wait { inbox, hasTimedOut in
            if let index = inbox.others.firstIndex(where: fits) {
                let found = inbox.others[index]
                inbox.others.removeFirst(index + 1)
                return .finish(found)
            }
            return hasTimedOut
                ? .finish(nil) : .waitAtMost(nanoseconds: Self.patienceNanoseconds)
        }
    }

    /// Whether an event has come; waits for so long at most.
    func hasHeard(_ event: EngineEvent, nanoseconds: UInt64) -> Bool {
        inbox.wait { inbox, hasTimedOut in
            if inbox.others.contains(event) { return .finish(true) }
            return hasTimedOut ? .finish(false) : .waitAtMost(nanoseconds: nanoseconds)
        }
    }
}
