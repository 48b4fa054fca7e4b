import SceneCluster
private import Threads

/// Tries whether the engine fences: many publishers with the same condition at the same moment, of
/// which at most one may be taken. It writes to a stream of its own, which it creates and deletes.
public struct FenceRace: Equatable, Sendable {
    /// Rounds in which one publisher won.
    public var roundsWon = 0
    /// Rounds without a winner: all publishers had to retry or received no answer.
    public var roundsWithoutWinner = 0
    /// Rounds in which more than one was told to have won.
    public var doubled = 0
    /// Messages in the stream without an acknowledgement, and acknowledgements without a message.
    public var mismatches = 0
    /// Publishes without an answer.
    public var unknown = 0
    /// Why publishes were refused for another reason; each once.
    public var refusals: Set<String> = []
    /// The times from an uncontended publish to its acknowledgement, in order.
    public var commits: [Duration] = []

    /// The publishers of a round.
    public static let publishers = 24
    /// The rounds of a race.
    public static let rounds = 40
    /// The number of uncontended publishes.
    public static let commitCount = 40

    /// Runs a race over connections to each of the servers.
    ///
    /// - Throws: `NATSError`.
    public static func run(
        _ configuration: NATSConfiguration, layout: ClusterLayout, replicas: Int
    ) throws(NATSError) -> FenceRace {
        let administrator = try ClusterAdministrator(configuration, layout: layout)
        let name = layout.name(of: .selfTest)
        // An interrupted earlier race may have left messages.
        if try administrator.api.stream(name) != nil {
            _ = try administrator.api.ask("STREAM.DELETE.\(name)")
        }
        _ = try administrator.create(.selfTest, replicas: replicas)
        var outcome = Result<FenceRace, NATSError>.success(FenceRace())
        do throws(NATSError) {
            var race = FenceRace()
            let runners = try Runners(configuration, layout)
            race.run(with: runners, subject: layout.selfTest("race"))
            race.measure(with: runners, subject: layout.selfTest("commit"))
            runners.close()
            outcome = .success(race)
        } catch {
            outcome = .failure(error)
        }
        _ = try administrator.api.ask("STREAM.DELETE.\(name)")
        return try outcome.get()
    }

    private mutating func run(with runners: borrowing Runners, subject: String) {
        var last: UInt64 = 0
        var winners: [UInt64: [UInt8]] = [:]
        for round in 0..<Self.rounds {
            let contents = (0..<Self.publishers).map { Array("\(round) \($0)".utf8) }
            let replies = runners.perform(
                contents.map { .publish(subject: subject, bytes: $0, expectedLast: last) })
            var won = 0
            for (bytes, reply) in zip(contents, replies) {
                switch reply {
                case .kept(let sequence):
                    won += 1
                    winners[sequence] = bytes
                case .superseded, .busy: break
                case .unknown, .messages, .purged, .unheard: unknown += 1
                case .failed(let reason): refusals.insert(reason)
                }
            }
            if won == 1 { roundsWon += 1 }
            if won == 0 { roundsWithoutWinner += 1 }
            if won > 1 { doubled += 1 }
            // The next round begins with the stored message, independent of the answers.
            guard let kept = runners.last(subject) else { continue }
            last = kept.sequence
        }
        compare(winners, with: runners.all(subject))
    }

    private mutating func compare(_ winners: [UInt64: [UInt8]], with kept: [EngineMessage]) {
        for message in kept where winners[message.sequence] != message.bytes {
            // One without an answer may be kept all the same.
            if winners[message.sequence] != nil || unknown == 0 { mismatches += 1 }
        }
        let sequences = Set(kept.map(\.sequence))
        mismatches += winners.keys.count { !sequences.contains($0) }
    }

    private mutating func measure(with runners: borrowing Runners, subject: String) {
        var last: UInt64 = 0
        for number in 0..<Self.commitCount {
            let begun = ContinuousClock.now
            let replies = runners.perform([
                .publish(subject: subject, bytes: Array("\(number)".utf8), expectedLast: last)
            ])
            guard case .kept(let sequence)? = replies.first else { continue }
            last = sequence
            commits.append(ContinuousClock.now - begun)
        }
        commits.sort()
    }
}

/// An engine for each server, among which requests are dealt out; waits for all replies.
private struct Runners: ~Copyable {
    private let engines: [NATSEngine]
    private let replies = Monitor<[RequestID: EngineReply]>([:])
    /// The number of the next request.
    private let numbers = Monitor<RequestID>(0)

    init(_ configuration: NATSConfiguration, _ layout: ClusterLayout) throws(NATSError) {
        let replies = replies
        var made: [NATSEngine] = []
        var failure = NATSError.cannotConnect(
            addresses: configuration.addresses.map(\.description), reason: "none answers")
        for address in configuration.addresses {
            do throws(NATSError) {
                let engine = try NATSEngine(configuration.with(only: address), layout: layout) {
                    event in
                    guard case .replied(let id, let reply) = event else { return }
                    replies.withLock { $0[id] = reply }
                    replies.wake()
                }
                made.append(engine)
            } catch {
                failure = error
            }
        }
        guard !made.isEmpty else { throw failure }
        engines = made
    }

    /// Carries requests out at the same time; each is answered, by its time-out at the latest.
    borrowing func perform(_ requests: [EngineRequest]) -> [EngineReply] {
        let first = numbers.withLock { number in
            defer { number += RequestID(requests.count) }
            return number
        }
        var taken: [RequestID] = []
        for (index, request) in requests.enumerated() {
            let id = first + RequestID(index)
            if engines[index % engines.count].perform(request, as: id) { taken.append(id) }
        }
        let ids = taken
        return replies.wait { replies, _ in
            guard ids.allSatisfy({ replies[$0] != nil }) else { return .wait }
            let found = ids.compactMap { replies[$0] }
            replies = [:]
            return .finish(found)
        }
    }

    borrowing func last(_ subject: String) -> EngineMessage? {
        guard
            case .messages(let messages, _)? = perform([.last(subject: subject, source: .leader)])
                .first
        else { return nil }
        return messages.last
    }

    borrowing func all(_ subject: String) -> [EngineMessage] {
        let request = EngineRequest.read(
            subject: subject, from: 1, maximum: 1000, source: .leader)
        guard case .messages(let messages, _)? = perform([request]).first else { return [] }
        return messages
    }

    borrowing func close() { for engine in engines { engine.close() } }
}
