import SceneCluster
import SeededRandom
import Testing

@testable import NATSEngine

/// Requests, answers, losses and time in random order. The oracle is a list of the requests that
/// have no answer yet, kept beside the table, with the moment by which each must have one.
@Suite("Requests in a random world")
struct RequestTablePropertyTests {
    private static let timeout: UInt64 = 1000

    private static func request(_ random: inout SplitMix64) -> EngineRequest {
        let subject = "ss.j.\(random.below(3)).\(random.below(4))"
        let source = random.pick([EngineRequest.Source.leader, .anyReplica])
        switch random.below(3) {
        case 0: return .publish(subject: subject, bytes: [1], expectedLast: random.next() % 9)
        case 1:
            return .read(
                subject: subject, from: random.next() % 9, maximum: 1 + random.below(4),
                source: source)
        default: return .last(subject: subject, source: source)
        }
    }

    /// An answer that may fit the question or not.
    private static func answer(
        to question: NATSOutgoing, _ random: inout SplitMix64
    ) -> NATSMessage {
        var message = NATSMessage(subject: "", bytes: [])
        let sequence = 1 + random.below(9)
        switch random.below(6) {
        case 0: message.headers.status = random.pick([204, 404, 408, 503])
        case 1:
            message.headers.sequence = UInt64(sequence)
            message.headers.storedSubject = "ss.j.0.\(random.below(4))"
            message.headers.lastSequence = UInt64(random.below(9))
            message.headers.pending = UInt64(random.below(3))
        case 2:
            message.bytes = Array(
                #"{"stream":"ss-journal-\#(random.below(3))","seq":\#(sequence)}"#.utf8)
        case 3:
            message.bytes = Array(
                #"{"message":{"subject":"ss.j.\#(random.below(3)).\#(random.below(4))","seq":\#(sequence),"data":"AQ=="}}"#
                    .utf8)
        case 4:
            message.bytes = Array(
                #"{"error":{"code":400,"err_code":\#(random.pick([10037, 10071, 10164, 10060]))}}"#
                    .utf8)
        default:
            message.bytes = (0..<random.below(20)).map { _ in
                UInt8.random(in: 0...255, using: &random)
            }
        }
        return message
    }

    @Test("each request is answered once, in time, whatever comes", arguments: 0..<200)
    func once(_ seed: Int) throws {
        var random = SplitMix64(seed: UInt64(seed))
        var table = RequestTable(
            layout: try ClusterLayout(),
            limits: .init(timeout: .milliseconds(1000), hedgeAfter: .milliseconds(50)))
        var now: UInt64 = 0
        var waiting: [RequestID: (begun: UInt64, isPublish: Bool)] = [:]
        var sent: [NATSOutgoing] = []
        var tokens: Set<UInt64> = []
        var publishes = 0
        var next: RequestID = 0
        var isConnected = false

        func take(_ effects: [RequestTable.Effect]) {
            for effect in effects {
                switch effect {
                case .send(let message):
                    #expect(isConnected, "seed \(seed): sent without a connection")
                    let isNew = message.token.map { tokens.insert($0).inserted } ?? false
                    #expect(isNew, "seed \(seed): a token twice")
                    if message.expectedLast != nil { publishes += 1 }
                    sent.append(message)
                case .answer(let id, _):
                    #expect(waiting.removeValue(forKey: id) != nil, "seed \(seed): \(id) twice")
                }
            }
        }

        func at(_ time: UInt64) -> MonotonicInstant {
            MonotonicInstant(nanoseconds: time * 1_000_000)
        }
        var asked = 0
        for _ in 0..<400 {
            switch random.below(8) {
            case 0...2:
                next += 1
                let request = Self.request(&random)
                var isPublish = false
                if case .publish = request { isPublish = true }
                asked += isPublish ? 1 : 0
                waiting[next] = (now, isPublish)
                take(table.begin(next, request, now: at(now)))
            case 3...4:
                guard !sent.isEmpty else { continue }
                let question = random.pick(sent)
                take(
                    table.received(
                        token: question.token ?? 0, Self.answer(to: question, &random),
                        now: at(now)))
            case 5:
                if isConnected {
                    isConnected = false
                    take(table.disconnected("cut"))
                    // Nothing that was sent can be known any more.
                    #expect(!waiting.values.contains { $0.isPublish }, "seed \(seed)")
                } else {
                    isConnected = true
                    take(table.connected(now: at(now)))
                }
            default:
                now += UInt64(random.below(300))
                take(table.advance(to: at(now)))
                // A question to the leader has four steps at most, each with a time of its own.
                let overdue = waiting.filter {
                    now >= $0.value.begun + Self.timeout * ($0.value.isPublish ? 1 : 5)
                }
                #expect(overdue.isEmpty, "seed \(seed)")
            }
            #expect(table.count == waiting.count, "seed \(seed)")
        }
        #expect(publishes <= asked, "seed \(seed): a publish was sent twice")
        take(table.close("end"))
        #expect(waiting.isEmpty, "seed \(seed)")
    }
}
