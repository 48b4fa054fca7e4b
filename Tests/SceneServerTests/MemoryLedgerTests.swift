import SceneSession
import Testing
import WebSocketTransport

@testable import SceneServer

@Suite("The memory of the process")
struct MemoryLedgerTests {
    private func use(_ bytes: Int) -> MemoryUse {
        var use = MemoryUse()
        use.scene = bytes
        return use
    }

    @Test("is what rooms say that they take; a room that is gone takes nothing")
    func rooms() {
        // What other tests have on its way counts as well.
        let ledger = MemoryLedger(maximum: 1 << 40, base: 1_000)
        func sum(_ name: String) -> Int? { ledger.parts.first { $0.name == name }?.bytes }
        ledger.note("a", use(50))
        ledger.note("b", use(70))
        ledger.note("a", use(20))
        #expect(sum("scene") == 90)
        #expect(sum("base") == 1_000)
        #expect(ledger.use(of: "a") == use(20))
        ledger.forget("a")
        ledger.forget("a")
        #expect(sum("scene") == 70)
        #expect(ledger.use(of: "a") == nil)
        #expect(ledger.total >= 1_070)
    }

    @Test("is short beyond what it may be, and not any more once something is gone")
    func shortage() {
        let ledger = MemoryLedger(maximum: 1 << 40)
        ledger.note("a", use(1 << 40))
        ledger.note("b", use(1))
        #expect(ledger.isShort)
        ledger.forget("a")
        #expect(!ledger.isShort)
    }

    @Test("mail takes a quarter of it at most, and gives it back with the message")
    func mail() throws {
        let ledger = MemoryLedger(maximum: 40_000)
        var claims: [MailClaim] = []
        while let claim = ledger.admit(messageOf: 100), claims.count < 100 { claims.append(claim) }
        // 10,000 of 1,000 bytes each, and one more that was let in when there was room still.
        #expect(claims.count == 11)
        claims.removeLast(2)
        #expect(ledger.admit(messageOf: 100) != nil)
        claims = []
        #expect(ledger.parts.first { $0.name == "mail" }?.bytes == 0)
    }

    @Test("a framed message counts once, for as long as somebody has it")
    func framed() {
        let before = FramedMessage.liveByteCount
        var message: FramedMessage? = FramedMessage(
            .binary, [UInt8](repeating: 1, count: 50 << 20))
        let copies = [message, message]
        // Other tests send as well, but not as much.
        #expect((FramedMessage.liveByteCount - before) >> 20 == 50)
        message = nil
        withExtendedLifetime(copies) {}
    }

    @Test(
        "a control group's limit is a number of bytes, or there is none",
        arguments: [
            ("536870912\n", 536_870_912), ("max\n", nil), ("", nil), ("-1", nil), ("0", nil),
            ("9223372036854771712\n", 9_223_372_036_854_771_712),
        ])
    func controlGroup(_ text: String, _ limit: Int?) {
        #expect(MachineMemory.limit(text) == limit)
        #expect(MachineMemory.byteCount > 1 << 20)
    }
}
