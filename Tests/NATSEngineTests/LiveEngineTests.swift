import NATSEngine
import SceneCluster
import SceneTestSupport
import Testing
import Threads

/// Three servers on loopback, real ones; the tests run one after another, since some of them end a
/// server.
@Suite("An engine on three NATS servers", .serialized)
final class LiveEngineTests {
    private static let servers = Result { try NATSServers() }

    private let servers: NATSServers
    private let layout: ClusterLayout

    init() throws {
        servers = try Self.servers.get()
        layout = try ClusterLayout()
        let administrator = try ClusterAdministrator(
            NATSConfiguration(addresses: servers.address), layout: layout)
        _ = try administrator.create(
            shards: ShardMap(count: 64), replicas: 3, version: "test")
    }

    private func probe(
        at address: String? = nil, _ change: (inout NATSConfiguration) -> Void = { _ in }
    ) throws -> EngineProbe {
        var configuration = try NATSConfiguration(addresses: address ?? servers.address)
        change(&configuration)
        return try EngineProbe(configuration, layout: layout)
    }

    private struct Unexpected: Error {}

    @Test("a publish is kept, the next one with the same condition is superseded")
    func fences() throws {
        let probe = try probe()
        let subject = layout.records(of: ShardID(1))
        let first = try #require(probe.keep([1], at: subject, after: 0))
        #expect(
            probe.perform(.publish(subject: subject, bytes: [2], expectedLast: 0)) == .superseded)
        let second = try #require(probe.keep([3], at: subject, after: first))
        #expect(second > first)
        let expected = [
            EngineMessage(subject: subject, sequence: first, bytes: [1]),
            EngineMessage(subject: subject, sequence: second, bytes: [3]),
        ]
        #expect(
            probe.perform(.read(subject: subject, from: 1, maximum: 10, source: .leader))
                == .messages(expected, isEnd: true))
        #expect(
            probe.perform(.read(subject: subject, from: first + 1, maximum: 1, source: .leader))
                == .messages([expected[1]], isEnd: false))
        #expect(
            probe.perform(.last(subject: subject, source: .leader))
                == .messages([expected[1]], isEnd: true))
    }

    @Test("any replica answers with what it has, in batches, at the latest after a while with all")
    func replicas() throws {
        let probe = try probe()
        let subject = layout.records(of: ShardID(4))
        // Of another shard in the same stream, between the others.
        let neighbour = layout.records(of: ShardID(7))
        var expected: [EngineMessage] = []
        var last: (mine: UInt64, other: UInt64) = (0, 0)
        for number in 0..<20 {
            let bytes = [UInt8](repeating: UInt8(number), count: number * 100)
            last.mine = try #require(probe.keep(bytes, at: subject, after: last.mine))
            last.other = try #require(probe.keep([9], at: neighbour, after: last.other))
            expected.append(EngineMessage(subject: subject, sequence: last.mine, bytes: bytes))
        }
        // Replicas lag: each answer is a part of what is there, from the beginning; in the end all
        // of it.
        var found: [EngineMessage] = []
        for _ in 0..<1000 where found.count < expected.count {
            let reply = probe.perform(
                .read(subject: subject, from: 1, maximum: 100, source: .anyReplica))
            guard case .messages(let messages, let isEnd)? = reply else {
                Issue.record("found \(String(describing: reply))")
                return
            }
            #expect(isEnd)
            #expect(messages == Array(expected.prefix(messages.count)))
            found = messages
        }
        #expect(found == expected)
        let part = probe.perform(
            .read(subject: subject, from: expected[3].sequence, maximum: 5, source: .anyReplica))
        guard case .messages(let messages, isEnd: false)? = part else {
            Issue.record("found \(String(describing: part))")
            return
        }
        #expect(messages == Array(expected[3..<8]))
    }

    @Test("a purge removes what is below a number, of one subject or of all that begin alike")
    func purges() throws {
        let probe = try probe()
        let subjects = ClusterSubjects()
        let (shard, neighbour) = (ShardID(46), ShardID(49))
        let subject = layout.records(of: shard)
        var kept: [UInt64] = []
        for number in UInt8(0)..<3 {
            kept.append(
                try #require(probe.keep([number], at: subject, after: kept.last ?? 0)))
        }
        let other = layout.records(of: neighbour)
        let beside = try #require(probe.keep([9], at: other, after: 0))
        #expect(probe.perform(.purge(subject: subject, below: kept[2])) == .purged)
        #expect(
            probe.perform(.read(subject: subject, from: 1, maximum: 10, source: .leader))
                == .messages(
                    [EngineMessage(subject: subject, sequence: kept[2], bytes: [2])], isEnd: true))
        #expect(
            probe.perform(.last(subject: other, source: .leader))
                == .messages(
                    [EngineMessage(subject: other, sequence: beside, bytes: [9])], isEnd: true))
        // The condition still holds the next record to the last one.
        #expect(
            probe.perform(.publish(subject: subject, bytes: [3], expectedLast: 0)) == .superseded)
        _ = try #require(probe.keep([3], at: subject, after: kept[2]))
        for place in [UInt64(5), 50] {
            for chunk in 0..<2 {
                _ = try #require(
                    probe.keep(
                        [1], at: subjects.chunk(chunk, of: "a.b", in: shard, at: place), after: 0))
            }
        }
        #expect(
            probe.perform(
                .purge(subject: subjects.chunks(of: "a.b", in: shard, at: 5), below: .max))
                == .purged)
        for (place, count) in [(UInt64(5), 0), (50, 1)] {
            let reply = probe.perform(
                .last(
                    subject: subjects.chunk(1, of: "a.b", in: shard, at: place), source: .leader))
            guard case .messages(let messages, _)? = reply else {
                Issue.record("found \(String(describing: reply))")
                return
            }
            #expect(messages.count == count)
        }
    }

    @Test("a subject without messages has no last one, by the leader and by replicas")
    func nothing() throws {
        let probe = try probe()
        let subject = layout.records(of: ShardID(10))
        for source in [EngineRequest.Source.leader, .anyReplica] {
            #expect(
                probe.perform(.last(subject: subject, source: source))
                    == .messages([], isEnd: true))
            #expect(
                probe.perform(.read(subject: subject, from: 1, maximum: 3, source: source))
                    == .messages([], isEnd: true))
        }
    }

    @Test("of many publishers with the same condition one wins, over connections to all servers")
    func race() throws {
        let probes = try servers.ports.map { try probe(at: "nats://127.0.0.1:\($0)") }
        let subject = layout.records(of: ShardID(13))
        var last: UInt64 = 0
        for round in 0..<10 {
            let begun = (0..<24).map { index in
                let probe = probes[index % probes.count]
                return (
                    probe, index,
                    probe.begin(
                        .publish(
                            subject: subject, bytes: [UInt8(round), UInt8(index)],
                            expectedLast: last))
                )
            }
            var winners: [(UInt64, [UInt8])] = []
            for (probe, index, id) in begun {
                switch probe.reply(to: id) {
                case .kept(let sequence)?:
                    winners.append((sequence, [UInt8(round), UInt8(index)]))
                case .superseded?, .busy?: break
                case let reply: Issue.record("found \(String(describing: reply))")
                }
            }
            #expect(winners.count == 1, "round \(round)")
            let winner = try #require(winners.first)
            #expect(
                probes[0].perform(.last(subject: subject, source: .leader))
                    == .messages(
                        [EngineMessage(subject: subject, sequence: winner.0, bytes: winner.1)],
                        isEnd: true))
            last = winner.0
        }
    }

    @Test("beats are heard by all who subscribed, also by the sender")
    func beats() throws {
        let (left, right) = (try probe(), try probe(at: "nats://127.0.0.1:\(servers.ports[2])"))
        for probe in [left, right] { probe.engine.subscribe(to: layout.beats) }
        // A subscription reaches the other servers a little later than the next call.
        let wanted = EngineEvent.heard(subject: layout.beats, bytes: [7])
        let begun = ContinuousClock.now
        var isHeard = false
        while !isHeard, ContinuousClock.now - begun < .seconds(20) {
            left.engine.publish([7], to: layout.beats)
            isHeard = right.hasHeard(wanted, nanoseconds: 20_000_000)
        }
        #expect(isHeard)
        #expect(left.event { $0 == wanted } != nil)
    }

    @Test("the servers tell at once that nobody listens any more, also for one at another server")
    func listeners() throws {
        let addresses = servers.ports.map { "nats://127.0.0.1:\($0)" }
        let asking = try probe(at: addresses[0]) { $0.requestTimeout = .milliseconds(300) }
        let subject = ClusterSubjects().link(to: NodeID(77))
        #expect(asking.perform(.probe(subject: subject)) == .unheard)
        do {
            let listening = try probe(at: addresses[1])
            listening.engine.subscribe(to: subject)
            // Servers need a moment to tell one another.
            var reply = asking.perform(.probe(subject: subject))
            for _ in 0..<1000 where reply == .unheard {
                reply = asking.perform(.probe(subject: subject))
            }
            guard case .unknown? = reply else {
                Issue.record("found \(String(describing: reply))")
                return
            }
            listening.engine.close()
        }
        var reply = asking.perform(.probe(subject: subject))
        for _ in 0..<100 where reply != .unheard {
            reply = asking.perform(.probe(subject: subject))
        }
        #expect(reply == .unheard)
    }

    @Test("what no stream keeps, what is too long and what is no subject is refused with words")
    func refusals() throws {
        let probe = try probe()
        let subject = layout.records(of: ShardID(16))
        let long = [UInt8](repeating: 0, count: 1 << 20)
        let cases: [(EngineRequest, String)] = [
            (
                .publish(subject: "other.x", bytes: [], expectedLast: 0),
                "no stream of the cluster ss keeps other.x"
            ),
            (.publish(subject: subject, bytes: long, expectedLast: 0), "raise its max_payload"),
            (.publish(subject: "ss.j.0.a b", bytes: [], expectedLast: 0), "is no subject"),
            (.publish(subject: "ss.j.0.*", bytes: [], expectedLast: 0), "is no subject"),
            (.read(subject: subject, from: 1, maximum: 0, source: .leader), "expected at least 1"),
        ]
        for (request, words) in cases {
            guard case .failed(let text)? = probe.perform(request) else {
                Issue.record("expected a refusal: \(words)")
                continue
            }
            #expect(text.contains(words), "\(text)")
        }
    }

    @Test(
        "a killed server: what was on its way is unknown, a look tells, the same bytes are kept at most once"
    )
    func kill() throws {
        let probe = try probe { $0.requestTimeout = .milliseconds(500) }
        let subject = layout.records(of: ShardID(19))
        var last: (sequence: UInt64, bytes: [UInt8]) = (0, [])
        func step(_ number: UInt8) throws -> Int {
            // Publish; where the outcome is unknown, look, and publish the same bytes again.
            let bytes = [number]
            var attempt = 0
            // An election takes some seconds, and a stream without a leader answers at once.
            let end = ContinuousClock.now.advanced(by: .seconds(60))
            while ContinuousClock.now < end {
                attempt += 1
                switch probe.perform(
                    .publish(subject: subject, bytes: bytes, expectedLast: last.sequence))
                {
                case .kept(let sequence)?:
                    last = (sequence, bytes)
                    return attempt
                case .unknown?, .busy?, .superseded?:
                    if case .messages(let found, _)? = probe.perform(
                        .last(subject: subject, source: .leader)), let found = found.last,
                        found.bytes == bytes
                    {
                        last = (found.sequence, bytes)
                        return attempt
                    }
                case let reply:
                    Issue.record("found \(String(describing: reply))")
                    throw Unexpected()
                }
            }
            throw Unexpected()
        }
        #expect(try step(0) == 1)
        let administrator = try ClusterAdministrator(
            NATSConfiguration(addresses: servers.address), layout: layout)
        let status = try administrator.status(
            of: NATSConfiguration(addresses: servers.address).addresses)
        // Servers are called n1, n2, n3; the leader of the stream is the one whose death is felt.
        let stream = try #require(
            status.streams.first { $0.name == layout.streamName(ofSubject: subject) })
        let leader = try #require(stream.leader.flatMap { Int($0.dropFirst()) }) - 1
        try servers.kill(leader)
        defer { try? servers.start(leader) }
        // Replicas answer while the stream has no leader, which takes four seconds at least. Two of
        // three have what is kept, and the one that is asked may be the third.
        let first = EngineMessage(subject: subject, sequence: last.sequence, bytes: last.bytes)
        let election = ContinuousClock.now.advanced(by: .seconds(4))
        var reply: EngineReply?
        repeat {
            reply = probe.perform(
                .read(subject: subject, from: 1, maximum: 9, source: .anyReplica))
        } while reply != .messages([first], isEnd: true) && ContinuousClock.now < election
        #expect(reply == .messages([first], isEnd: true))
        #expect(try step(1) > 1)
        for number in UInt8(2)..<10 { #expect(try step(number) == 1) }
        guard
            case .messages(let all, isEnd: true)? = probe.perform(
                .read(subject: subject, from: 1, maximum: 100, source: .leader))
        else {
            Issue.record("the stream cannot be read")
            return
        }
        #expect(all.map(\.bytes) == (UInt8(0)..<10).map { [$0] })
    }

    @Test("nodes get numbers in order, a name keeps its own, also when several register at once")
    func nodes() throws {
        let configuration = try NATSConfiguration(addresses: servers.address)
        let administrator = try ClusterAdministrator(configuration, layout: layout)
        #expect(try administrator.register("west") == NodeID(1))
        #expect(try administrator.register("east") == NodeID(2))
        #expect(try administrator.register("west") == NodeID(1))
        let layout = layout
        let found = Monitor<[String: NodeID]>([:])
        let threads = (0..<6).map { index in
            let thread = OwnedThread(name: "node \(index)")
            thread.start {
                // Two threads have each name.
                let name = "n\(index / 2)"
                do {
                    let number = try ClusterAdministrator(configuration, layout: layout)
                        .register(name)
                    found.withLock { found in
                        if let known = found[name] { #expect(known == number) }
                        found[name] = number
                    }
                } catch {
                    Issue.record("\(name): \(error)")
                }
            }
            return thread
        }
        for thread in threads { thread.join() }
        let numbers = found.withLock { $0 }
        #expect(Set(numbers.keys) == ["n0", "n1", "n2"])
        #expect(Set(numbers.values) == [NodeID(3), NodeID(4), NodeID(5)])
        let names = try administrator.nodes()
        #expect(names.count == 5)
        for (name, number) in numbers { #expect(names[number] == name) }
    }

    /// Publishes go on all the time: each is kept, and none has an unknown outcome once the first
    /// one at the other server was kept.
    @Test(
        "a connection that lost the server which is named first goes back to it, and no request is lost"
    )
    func goesHome() throws {
        let home = "127.0.0.1:\(servers.ports[1])"
        let others = servers.ports.indices.filter { $0 != 1 }.map {
            "127.0.0.1:\(servers.ports[$0])"
        }
        let probe = try probe(at: "nats://" + ([home] + others).joined(separator: ","))
        func connected() throws -> String {
            guard
                case .connected(let server)? = probe.event({
                    if case .connected = $0 { true } else { false }
                })
            else { throw Unexpected() }
            return server.address
        }
        #expect(try connected() == home)
        // A core message tells that subscriptions go along.
        probe.engine.subscribe(to: "test.home")
        try servers.kill(1)
        let away = try connected()
        #expect(others.contains(away))
        let subject = layout.records(of: ShardID(43))
        func publish(_ last: UInt64, _ byte: UInt8) -> EngineReply? {
            probe.perform(.publish(subject: subject, bytes: [byte], expectedLast: last))
        }
        // The stream may have lost its leader.
        var last: UInt64 = 0
        for _ in 0..<30 where last == 0 {
            if case .kept(let sequence)? = publish(0, 1) { last = sequence }
            if case .messages(let found, _)? = probe.perform(
                .last(subject: subject, source: .leader))
            {
                last = found.last?.sequence ?? last
            }
        }
        try #require(last > 0)
        try servers.start(1)
        let hasReturned = Monitor<Bool?>(nil)
        let watcher = OwnedThread(name: "watcher")
        watcher.start {
            let event = probe.event {
                if case .connected(let server) = $0 { server.address == home } else { false }
            }
            hasReturned.withLock { $0 = event != nil }
        }
        // One more after it has returned, on the connection that it has then.
        var outcome: Bool?
        var count = 0
        while outcome == nil {
            outcome = hasReturned.withLock { $0 }
            let reply = publish(last, 2)
            guard case .kept(let sequence)? = reply else {
                Issue.record("publish \(count) is not kept: \(String(describing: reply))")
                break
            }
            last = sequence
            count += 1
        }
        watcher.join()
        #expect(outcome == true)
        // The connection that was left hears the subject for a moment still; without its server
        // only the present one can.
        let left = try #require(servers.ports.firstIndex { "127.0.0.1:\($0)" == away })
        try servers.kill(left)
        defer { try? servers.start(left) }
        probe.engine.publish([7], to: "test.home")
        #expect(
            probe.event { if case .heard("test.home", [7]) = $0 { true } else { false } } != nil)
    }

    @Test("a server whose threads stop is left for another one, and requests go on there")
    func pause() throws {
        let probe = try probe()
        guard
            case .connected(let first)? = probe.event({
                if case .connected = $0 { true } else { false }
            })
        else {
            Issue.record("no server has taken the connection")
            return
        }
        let number = try #require(
            servers.ports.firstIndex { "127.0.0.1:\($0)" == first.address })
        try servers.pause(number)
        defer { try? servers.resume(number) }
        #expect(probe.event { if case .disconnected = $0 { true } else { false } } != nil)
        guard
            case .connected(let second)? = probe.event({
                if case .connected = $0 { true } else { false }
            })
        else {
            Issue.record("no other server has taken the connection")
            return
        }
        #expect(second.address != first.address)
        // A question to any replica may go to the one that stands still, which nobody has noticed
        // yet; another one answers.
        let read = EngineRequest.read(
            subject: layout.records(of: ShardID(40)), from: 1, maximum: 1, source: .anyReplica)
        var reply = probe.perform(read)
        for _ in 0..<10 {
            guard case .unknown? = reply else { break }
            reply = probe.perform(read)
        }
        #expect(reply == .messages([], isEnd: true))
    }
}
