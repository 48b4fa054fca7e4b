import SceneCluster
import Testing

@testable import NATSEngine

@Suite("Requests without an answer")
struct RequestTableTests {
    private static let subject = "ss.j.0.3"

    private static func at(_ milliseconds: UInt64) -> MonotonicInstant {
        MonotonicInstant(nanoseconds: milliseconds * 1_000_000)
    }

    private static func table(isConnected: Bool = true) throws -> RequestTable {
        var table = RequestTable(
            layout: try ClusterLayout(),
            limits: .init(timeout: .milliseconds(1000), hedgeAfter: .milliseconds(50)))
        if isConnected { #expect(table.connected(now: at(0)).isEmpty) }
        return table
    }

    private static func acknowledgement(_ sequence: Int) -> NATSMessage {
        NATSMessage(
            subject: "", bytes: Array(#"{"stream":"ss-journal-0","seq":\#(sequence)}"#.utf8))
    }

    private static func leaderMessage(_ sequence: Int) -> NATSMessage {
        NATSMessage(
            subject: "",
            bytes: Array(
                #"{"message":{"subject":"\#(subject)","seq":\#(sequence),"data":"AQ=="}}"#.utf8))
    }

    private static func status(_ status: Int) -> NATSMessage {
        var message = NATSMessage(subject: "", bytes: [])
        message.headers.status = status
        return message
    }

    private static func kept(_ sequence: UInt64) -> EngineMessage {
        EngineMessage(subject: subject, sequence: sequence, bytes: [1])
    }

    private static let publish = EngineRequest.publish(
        subject: subject, bytes: [7], expectedLast: 4)

    /// The texts of what is sent, with the tokens.
    private static func sent(_ effects: [RequestTable.Effect]) -> [(UInt64?, String, String)] {
        effects.compactMap { effect in
            guard case .send(let message) = effect else { return nil }
            return (message.token, message.subject, String(decoding: message.bytes, as: UTF8.self))
        }
    }

    @Test(
        "a probe is answered where nobody listens, and asked once, for a later answer is about another moment"
    )
    func probes() throws {
        var table = try Self.table()
        let probe = EngineRequest.probe(subject: "ss.l.2")
        let effects = table.begin(1, probe, now: Self.at(0))
        #expect(Self.sent(effects).map { "\($0.0 ?? 0) \($0.1) \($0.2)" } == ["1 ss.l.2 "])
        #expect(table.advance(to: Self.at(100)).isEmpty)
        #expect(
            table.received(token: 1, Self.status(503), now: Self.at(100))
                == [.answer(1, .unheard)])
        _ = table.begin(2, probe, now: Self.at(200))
        #expect(
            table.disconnected("gone") == [.answer(2, .unknown("the connection was lost: gone"))])
        #expect(table.connected(now: Self.at(210)).isEmpty)
        _ = table.begin(3, probe, now: Self.at(300))
        #expect(
            table.advance(to: Self.at(1300))
                == [.answer(3, .unknown("no answer came within 1.0 seconds"))])
        #expect(table.count == 0)
    }

    @Test("a publish carries its condition and is answered once")
    func publishing() throws {
        var table = try Self.table()
        #expect(
            table.begin(1, Self.publish, now: Self.at(0))
                == [
                    .send(
                        NATSOutgoing(
                            subject: Self.subject, token: 1, expectedLast: 4, bytes: [7]))
                ])
        #expect(
            table.received(token: 1, Self.acknowledgement(5), now: Self.at(1))
                == [.answer(1, .kept(sequence: 5))])
        #expect(table.received(token: 1, Self.acknowledgement(6), now: Self.at(2)).isEmpty)
        #expect(table.advance(to: Self.at(5000)).isEmpty)
        #expect(table.count == 0)
    }

    @Test("without an answer within its time the outcome is unknown, and a late answer is dropped")
    func timeout() throws {
        var table = try Self.table()
        _ = table.begin(1, Self.publish, now: Self.at(10))
        #expect(table.nextDeadline == Self.at(1010))
        #expect(table.advance(to: Self.at(1009)).isEmpty)
        #expect(
            table.advance(to: Self.at(1010))
                == [.answer(1, .unknown("no answer came within 1.0 seconds"))])
        #expect(table.received(token: 1, Self.acknowledgement(5), now: Self.at(1011)).isEmpty)
        #expect(table.nextDeadline == nil)
    }

    @Test("the leader is asked step by step, each with its own time")
    func leader() throws {
        var table = try Self.table()
        let first = table.begin(
            1, .read(subject: Self.subject, from: 3, maximum: 3, source: .leader), now: Self.at(0))
        #expect(Self.sent(first).map(\.1) == ["$JS.API.STREAM.MSG.GET.ss-journal-0"])
        #expect(Self.sent(first).map(\.2) == [#"{"seq":3,"next_by_subj":"ss.j.0.3"}"#])
        let second = table.received(token: 1, Self.leaderMessage(4), now: Self.at(900))
        #expect(Self.sent(second).map(\.2) == [#"{"seq":5,"next_by_subj":"ss.j.0.3"}"#])
        // The first deadline has passed, the second step's has not.
        #expect(table.advance(to: Self.at(1500)).isEmpty)
        _ = table.received(token: 2, Self.leaderMessage(9), now: Self.at(1600))
        #expect(
            table.received(token: 3, Self.leaderMessage(10), now: Self.at(1700))
                == [
                    .answer(
                        1, .messages([Self.kept(4), Self.kept(9), Self.kept(10)], isEnd: false))
                ])
    }

    @Test("a leader that goes backwards is not followed")
    func backwards() throws {
        var table = try Self.table()
        _ = table.begin(
            1, .read(subject: Self.subject, from: 1, maximum: 100, source: .leader), now: Self.at(0)
        )
        _ = table.received(token: 1, Self.leaderMessage(4), now: Self.at(1))
        let effects = table.received(token: 2, Self.leaderMessage(4), now: Self.at(2))
        guard case .answer(1, .unknown)? = effects.first else {
            Issue.record("\(effects)")
            return
        }
    }

    @Test(
        "a replica that does not answer within 50 ms is asked a second time, the first answer counts"
    )
    func hedge() throws {
        var table = try Self.table()
        _ = table.begin(1, .last(subject: Self.subject, source: .anyReplica), now: Self.at(0))
        #expect(table.nextDeadline == Self.at(50))
        #expect(table.advance(to: Self.at(49)).isEmpty)
        #expect(Self.sent(table.advance(to: Self.at(50))).map(\.0) == [2])
        #expect(Self.sent(table.advance(to: Self.at(500))).isEmpty)
        #expect(
            table.received(token: 2, Self.status(404), now: Self.at(501))
                == [.answer(1, .messages([], isEnd: true))])
        #expect(table.received(token: 1, Self.status(404), now: Self.at(502)).isEmpty)
    }

    @Test(
        "a replica that is not there is passed over: another one is asked after 50 ms, until the time is up"
    )
    func absence() throws {
        var table = try Self.table()
        _ = table.begin(1, .last(subject: Self.subject, source: .anyReplica), now: Self.at(0))
        #expect(table.received(token: 1, Self.status(503), now: Self.at(10)).isEmpty)
        #expect(Self.sent(table.advance(to: Self.at(50))).map(\.0) == [2])
        #expect(table.received(token: 2, Self.status(503), now: Self.at(55)).isEmpty)
        #expect(Self.sent(table.advance(to: Self.at(60))).map(\.0) == [3])
        #expect(table.received(token: 3, Self.status(503), now: Self.at(990)).isEmpty)
        #expect(
            table.advance(to: Self.at(1000)).first
                == .answer(1, .unknown("no replica answers within 1.0 seconds")))
        #expect(table.count == 0)
    }

    @Test("a refusal by one replica counts only when no other is asked")
    func refusal() throws {
        for isHedged in [false, true] {
            var table = try Self.table()
            _ = table.begin(1, .last(subject: Self.subject, source: .anyReplica), now: Self.at(0))
            if isHedged { _ = table.advance(to: Self.at(50)) }
            let effects = table.received(token: 1, Self.status(408), now: Self.at(60))
            let refused = EngineReply.failed("the replica refuses the question: 408")
            #expect(effects == (isHedged ? [] : [.answer(1, refused)]))
            guard isHedged else { continue }
            #expect(
                table.received(token: 2, Self.status(404), now: Self.at(61))
                    == [.answer(1, .messages([], isEnd: true))])
        }
    }

    @Test("publishes and questions to the leader are never sent twice by themselves")
    func onlyOnce() throws {
        var table = try Self.table()
        _ = table.begin(1, Self.publish, now: Self.at(0))
        _ = table.begin(2, .last(subject: Self.subject, source: .leader), now: Self.at(0))
        for time in stride(from: UInt64(1), to: 1000, by: 1) {
            #expect(table.advance(to: Self.at(time)).isEmpty)
        }
    }

    @Test("without a connection requests wait in order; their time runs")
    func waiting() throws {
        var table = try Self.table(isConnected: false)
        for id in RequestID(1)...3 {
            #expect(table.begin(id, Self.publish, now: Self.at(id * 100)).isEmpty)
        }
        #expect(
            table.advance(to: Self.at(1100))
                == [
                    .answer(
                        1, .unknown("there is no connection to the engine within 1.0 seconds"))
                ])
        #expect(Self.sent(table.connected(now: Self.at(1150))).map(\.0) == [1, 2])
        #expect(
            table.received(token: 1, Self.acknowledgement(8), now: Self.at(1160))
                == [.answer(2, .kept(sequence: 8))])
    }

    @Test("with the connection publishes are lost to the unknown, questions are asked again")
    func disconnection() throws {
        var table = try Self.table()
        _ = table.begin(1, Self.publish, now: Self.at(0))
        _ = table.begin(2, .last(subject: Self.subject, source: .anyReplica), now: Self.at(0))
        _ = table.begin(3, .last(subject: Self.subject, source: .leader), now: Self.at(0))
        #expect(
            table.disconnected("gone")
                == [.answer(1, .unknown("the connection was lost: gone"))])
        // Answers of the old connection are not those of the new one's questions.
        #expect(table.received(token: 2, Self.status(404), now: Self.at(5)).isEmpty)
        #expect(Self.sent(table.connected(now: Self.at(10))).map(\.0) == [4, 5])
        #expect(
            table.received(token: 4, Self.status(404), now: Self.at(11))
                == [.answer(2, .messages([], isEnd: true))])
    }

    @Test("a number that waits for a reply, or too many requests, are refused")
    func refusals() throws {
        var table = RequestTable(
            layout: try ClusterLayout(),
            limits: .init(
                timeout: .seconds(1), hedgeAfter: .milliseconds(50), requestsMaximum: 2))
        _ = table.connected(now: Self.at(0))
        for (id, words) in [(1, nil), (1, "that of another request"), (2, nil), (3, "the most")]
            as [(RequestID, String?)]
        {
            let effects = table.begin(id, Self.publish, now: Self.at(0))
            switch effects.first {
            case .send?: #expect(words == nil)
            case .answer(_, .failed(let text))?: #expect(text.contains(words ?? "none"))
            default: Issue.record("\(effects)")
            }
        }
    }

    @Test("a message that could not be sent: the publish is answered, questions wait")
    func sendingFails() throws {
        var table = try Self.table()
        _ = table.begin(1, Self.publish, now: Self.at(0))
        _ = table.begin(2, .last(subject: Self.subject, source: .leader), now: Self.at(0))
        #expect(
            table.sendingFailed(token: 1, .failed("too long"))
                == [.answer(1, .failed("too long"))])
        #expect(table.sendingFailed(token: 2, .unknown("lost")).isEmpty)
        #expect(table.sendingFailed(token: 9, .unknown("lost")).isEmpty)
        #expect(table.count == 1)
        #expect(table.close("closed") == [.answer(2, .unknown("closed"))])
    }
}
