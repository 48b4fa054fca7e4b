import SceneCluster
import SeededRandom

/// A stream of three servers: what the leader decides is a log, and each server has applied a part
/// of it, purges among the rest. One that lags shows messages that are gone, and lacks those that
/// are new.
struct ReplicatedStream {
    private enum Step {
        case append(EngineMessage)
        case purge(subject: String, below: UInt64)
    }

    /// What a server shows.
    private struct Server {
        var applied = 0
        var messages: [EngineMessage] = []

        mutating func apply(_ step: Step) {
            applied += 1
            switch step {
            case .append(let message): messages.append(message)
            case .purge(let subject, let below):
                messages.removeAll { message in
                    let fits =
                        subject.hasSuffix(".>")
                        ? message.subject.hasPrefix(subject.dropLast())
                        : message.subject == subject
                    return fits && message.sequence < below
                }
            }
        }
    }

    private var log: [Step] = []
    private var servers = [Server](repeating: Server(), count: 3)
    /// The server that leads; nil during an election.
    private(set) var leader: Int? = 0
    /// A leader that was replaced and answers all the same.
    private var oldLeader: Int?
    private var lastSequence: UInt64 = 0
    /// How many purges of journals were carried out.
    private(set) var purges = 0

    /// What the leader would show, once there is one.
    func messages(of subject: String) -> [EngineMessage] {
        var whole = servers[leader ?? 0]
        for step in log[whole.applied...] { whole.apply(step) }
        return whole.messages.filter { $0.subject == subject }
    }

    /// Carries a request out.
    mutating func carryOut(_ request: EngineRequest, _ random: inout SplitMix64) -> EngineReply {
        switch request {
        case .publish(let subject, let bytes, let expectedLast):
            guard let leader else { return .unknown("no leader") }
            let last = servers[leader].messages.last { $0.subject == subject }?.sequence ?? 0
            guard last == expectedLast else { return .superseded }
            lastSequence += 1
            decide(
                .append(EngineMessage(subject: subject, sequence: lastSequence, bytes: bytes)))
            return .kept(sequence: lastSequence)
        case .read(let subject, let from, let maximum, let source):
            guard let server = server(source, &random) else { return .unknown("no leader") }
            let found = servers[server].messages.filter {
                $0.subject == subject && $0.sequence >= from
            }
            return .messages(Array(found.prefix(maximum)), isEnd: found.count <= maximum)
        case .last(let subject, let source):
            guard let server = server(source, &random) else { return .unknown("no leader") }
            return .messages(
                servers[server].messages.filter { $0.subject == subject }.suffix(1), isEnd: true)
        case .purge(let subject, let below):
            guard leader != nil else { return .unknown("no leader") }
            if subject.hasPrefix("ss.j.") { purges += 1 }
            decide(.purge(subject: subject, below: below))
            return .purged
        // Who listens is known to the world of the nodes.
        case .probe: return .unknown("somebody may listen")
        }
    }

    private func server(_ source: EngineRequest.Source, _ random: inout SplitMix64) -> Int? {
        switch source {
        case .anyReplica: random.below(servers.count)
        case .leader:
            if let oldLeader, leader == nil || random.below(2) == 0 { oldLeader } else { leader }
        }
    }

    private mutating func decide(_ step: Step) {
        guard let leader else { return }
        log.append(step)
        servers[leader].apply(step)
    }

    // MARK: Servers

    /// A server applies more of the log.
    mutating func replicate(to server: Int, atMost count: Int) {
        for step in log[servers[server].applied...].prefix(count) { servers[server].apply(step) }
    }

    /// The leader is gone, and may not know it.
    mutating func loseLeader(staysOn: Bool) {
        oldLeader = staysOn ? leader : nil
        leader = nil
    }

    /// A server leads from here on; it has everything.
    mutating func elect(_ server: Int) {
        replicate(to: server, atMost: log.count)
        leader = server
    }

    /// A leader that was replaced learns of it.
    mutating func retireOldLeader() { oldLeader = nil }
}
