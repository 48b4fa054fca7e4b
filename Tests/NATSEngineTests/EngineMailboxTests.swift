import SceneCluster
import Testing

@testable import NATSEngine

@Suite("The way to the engine's thread")
struct EngineMailboxTests {
    private static func heard(_ bytes: Int) -> EngineMail {
        .heard(NATSMessage(subject: "ss.n.beat", bytes: [UInt8](repeating: 0, count: bytes)))
    }

    @Test("mail comes out in order, once")
    func order() {
        let mailbox = EngineMailbox()
        for number in 0..<5 {
            #expect(mailbox.put(.perform(RequestID(number), .last(subject: "s", source: .leader))))
        }
        let ids = mailbox.take(atMost: nil).mail.map { mail in
            if case .perform(let id, _) = mail { id } else { RequestID.max }
        }
        #expect(ids == [0, 1, 2, 3, 4])
        #expect(mailbox.take(atMost: 0).mail.isEmpty)
    }

    @Test(
        "what is heard is dropped beyond 8192 messages or 64 MiB, and counted; requests still come in"
    )
    func heard() {
        for (bytes, taken) in [(10, 8192), (1 << 20, 64)] {
            let mailbox = EngineMailbox()
            for number in 0..<taken {
                #expect(mailbox.put(Self.heard(bytes)), "\(number)")
            }
            #expect(!mailbox.put(Self.heard(bytes)))
            #expect(!mailbox.put(Self.heard(bytes)))
            #expect(mailbox.put(.perform(1, .last(subject: "s", source: .leader))))
            #expect(mailbox.put(.stop))
            let (mail, dropped) = mailbox.take(atMost: nil)
            #expect(mail.count == taken + 2)
            #expect(dropped == 2)
            #expect(mailbox.put(Self.heard(bytes)))
        }
    }

    @Test("requests are refused beyond 65536 or 256 MiB, and not counted as dropped")
    func requests() {
        let mailbox = EngineMailbox()
        let bytes = [UInt8](repeating: 0, count: 1 << 20)
        let request = EngineRequest.publish(subject: "s", bytes: bytes, expectedLast: 0)
        for number in 0..<256 { #expect(mailbox.put(.perform(RequestID(number), request))) }
        #expect(!mailbox.put(.perform(256, request)))
        #expect(!mailbox.put(.publish(subject: "s", bytes: bytes)))
        let (mail, dropped) = mailbox.take(atMost: nil)
        #expect(mail.count == 256 && dropped == 0)
    }
}
