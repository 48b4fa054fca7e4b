import SceneCluster
import Testing

@testable import NATSEngine

/// Parts as a server of version 2.15.1 gave them.
@Suite("Batches of a replica")
struct DirectBatchTests {
    private static let subject = "ss.j.0.3"

    private static func part(
        _ sequence: UInt64, after last: UInt64, pending: UInt64 = 0, subject: String = subject
    ) -> NATSMessage {
        var message = NATSMessage(subject: "_INBOX.a.1", bytes: [UInt8(sequence)])
        message.headers.storedSubject = subject
        message.headers.sequence = sequence
        message.headers.lastSequence = last
        message.headers.pending = pending
        return message
    }

    private static func end(_ status: Int, last: UInt64? = nil, pending: UInt64? = nil)
        -> NATSMessage
    {
        var message = NATSMessage(subject: "_INBOX.a.1", bytes: [])
        message.headers.status = status
        message.headers.lastSequence = last
        message.headers.pending = pending
        return message
    }

    private static func reply(_ parts: [NATSMessage], isSingle: Bool = false) -> EngineReply? {
        var batch =
            isSingle
            ? DirectBatch(subject: subject)
            : DirectBatch(subject: subject, messagesMaximum: 3, bytesMaximum: 100)
        for part in parts {
            if let reply = batch.take(part) { return reply }
        }
        return nil
    }

    private static func kept(_ sequence: UInt64) -> EngineMessage {
        EngineMessage(subject: subject, sequence: sequence, bytes: [UInt8(sequence)])
    }

    @Test("messages, then the end; more that wait are told")
    func whole() {
        let parts = [Self.part(2, after: 0, pending: 3), Self.part(5, after: 2, pending: 2)]
        #expect(Self.reply(parts) == nil)
        #expect(
            Self.reply(parts + [Self.end(204, last: 5, pending: 2)])
                == .messages([Self.kept(2), Self.kept(5)], isEnd: false))
        #expect(
            Self.reply(parts + [Self.end(204, last: 5, pending: 0)])
                == .messages([Self.kept(2), Self.kept(5)], isEnd: true))
        #expect(Self.reply([Self.end(404)]) == .messages([], isEnd: true))
    }

    @Test("the last message comes alone")
    func single() {
        var message = Self.part(9, after: 0)
        message.headers.lastSequence = nil
        message.headers.pending = nil
        #expect(
            Self.reply([message], isSingle: true) == .messages([Self.kept(9)], isEnd: true))
    }

    @Test("a part that is missing, comes twice or out of order, or is foreign, is seen")
    func gaps() {
        let (first, second, third) = (
            Self.part(2, after: 0), Self.part(5, after: 2), Self.part(6, after: 5)
        )
        let end = Self.end(204, last: 6, pending: 0)
        var noSequence = first
        noSequence.headers.sequence = nil
        let wrong: [[NATSMessage]] = [
            [second, third, end], [first, third, end], [first, second, end], [end],
            [first, first, second, third, end], [second, first, third, end], [noSequence],
            [first, second, third, Self.end(204)], [Self.part(2, after: 0, subject: "ss.j.0.4")],
            [Self.part(0, after: 0)],
        ]
        for (index, parts) in wrong.enumerated() {
            guard case .unknown? = Self.reply(parts) else {
                Issue.record("case \(index): \(String(describing: Self.reply(parts)))")
                continue
            }
        }
        #expect(
            Self.reply([first, second, third, end])
                == .messages([Self.kept(2), Self.kept(5), Self.kept(6)], isEnd: true))
    }

    @Test("nobody who answers is unknown, a question that is refused has failed")
    func statuses() {
        #expect(Self.reply([Self.end(503)]) == .unknown("no replica answers"))
        #expect(Self.reply([Self.end(408)]) == .failed("the replica refuses the question: 408"))
    }

    @Test("a replica that sends more messages or bytes than it was asked for is not believed")
    func tooMuch() {
        let reply = EngineReply.unknown("the replica sends more than it was asked for")
        #expect(
            Self.reply([
                Self.part(1, after: 0), Self.part(2, after: 1), Self.part(3, after: 2),
                Self.part(4, after: 3),
            ]) == reply)
        var long = Self.part(1, after: 0)
        long.bytes = [UInt8](repeating: 0, count: 101)
        // The message that exceeds the bytes is the last one.
        #expect(Self.reply([long]) == nil)
        #expect(Self.reply([long, Self.part(2, after: 1)]) == reply)
    }
}
