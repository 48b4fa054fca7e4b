import SceneCluster
import Testing

@testable import NATSEngine

/// Answers as a server of version 2.15.1 gave them, and others that none should give.
@Suite("Answers of JetStream")
struct JetStreamAnswerTests {
    private static func publish(_ text: String, status: Int? = nil) -> EngineReply {
        var message = NATSMessage(subject: "_INBOX.a.1", bytes: Array(text.utf8))
        message.headers.status = status
        return JetStreamAnswer.publish(message, stream: "ss-journal-0")
    }

    private static func error(_ code: Int, _ number: Int) -> String {
        #"{"error":{"code":\#(code),"err_code":\#(number),"description":"words"},"stream":"ss-journal-0","seq":0}"#
    }

    @Test("an acknowledgement has the sequence number")
    func kept() {
        #expect(Self.publish(#"{"stream":"ss-journal-0","seq":17}"#) == .kept(sequence: 17))
        #expect(
            Self.publish(#"{"stream":"ss-journal-0","domain":"x","seq":1,"new":[1]}"#)
                == .kept(sequence: 1))
    }

    @Test("10071 is superseded, 10164 busy, a server that cannot answer unknown, all others failed")
    func errors() {
        #expect(Self.publish(Self.error(400, 10071)) == .superseded)
        #expect(Self.publish(Self.error(400, 10164)) == .busy)
        #expect(
            Self.publish(Self.error(503, 10008))
                == .unknown("the stream ss-journal-0 refuses the message: words"))
        #expect(
            Self.publish(Self.error(400, 10060))
                == .failed("the stream ss-journal-0 refuses the message: words (error 10060)"))
        #expect(
            Self.publish(Self.error(404, 10059))
                == .failed(
                    "the stream ss-journal-0 refuses the message: words (error 10059); create it: scenesync cluster init"
                ))
    }

    @Test("no server that takes messages leaves the outcome unknown")
    func nobody() {
        #expect(
            Self.publish("", status: 503)
                == .unknown("no server takes messages for the stream ss-journal-0 (503)"))
    }

    @Test(
        "an acknowledgement that cannot be read leaves the outcome unknown",
        arguments: [
            "", "{", "[]", "7", "null", #"{"stream":"ss-journal-0"}"#,
            #"{"stream":"ss-journal-0","seq":0}"#,
            #"{"stream":"ss-journal-0","seq":-1}"#, #"{"stream":"ss-journal-0","seq":1.5}"#,
            #"{"stream":"ss-journal-0","seq":1e300}"#, #"{"stream":"ss-journal-0","seq":"1"}"#,
        ])
    func unreadable(_ text: String) {
        guard case .unknown = Self.publish(text) else {
            Issue.record("\(Self.publish(text))")
            return
        }
    }

    @Test(
        "another stream that has taken it, and a duplicate that was dropped, are failures with words"
    )
    func elsewhere() {
        for (text, words) in [
            (#"{"stream":"other","seq":1}"#, "the stream other has taken the message"),
            (#"{"seq":1}"#, "the stream ? has taken the message"),
            (
                #"{"stream":"ss-journal-0","seq":1,"duplicate":true}"#,
                "for a duplicate and dropped it"
            ),
        ] {
            guard case .failed(let found) = Self.publish(text) else {
                Issue.record("\(text)")
                continue
            }
            #expect(found.contains(words))
        }
    }

    private static func get(_ text: String) -> JetStreamAnswer.Step {
        JetStreamAnswer.get(
            NATSMessage(subject: "_INBOX.a.1", bytes: Array(text.utf8)), subject: "ss.j.0.3",
            stream: "ss-journal-0")
    }

    @Test("a message of the leader's, its absence, and errors")
    func get() {
        #expect(
            Self.get(
                #"{"type":"io.nats.jetstream.api.v1.stream_msg_get_response","message":{"subject":"ss.j.0.3","seq":2,"hdrs":"TkFUUy8xLjANCg0K","data":"eDE=","time":"2026-11-24T22:17:54Z"}}"#
            )
                == .message(
                    EngineMessage(subject: "ss.j.0.3", sequence: 2, bytes: Array("x1".utf8))))
        // An empty message has no data.
        #expect(
            Self.get(#"{"message":{"subject":"ss.j.0.3","seq":2}}"#)
                == .message(EngineMessage(subject: "ss.j.0.3", sequence: 2, bytes: [])))
        #expect(Self.get(Self.error(404, 10037)) == .end)
        #expect(
            Self.get(Self.error(404, 10059))
                == .answer(
                    .failed(
                        "the stream ss-journal-0 cannot be read: words (error 10059); create it: scenesync cluster init"
                    )))
    }

    @Test(
        "an answer of the leader's that cannot be read, or is for another subject, is unknown",
        arguments: [
            "", "{}", #"{"message":{}}"#, #"{"message":{"subject":"ss.j.0.3","seq":0}}"#,
            #"{"message":{"subject":"ss.j.0.4","seq":1}}"#,
            #"{"message":{"subject":"ss.j.0.3","seq":1,"data":"%%%"}}"#,
            #"{"error":{"code":503,"err_code":10008}}"#,
        ])
    func unreadableGet(_ text: String) {
        guard case .answer(.unknown) = Self.get(text) else {
            Issue.record("\(Self.get(text))")
            return
        }
    }
}
