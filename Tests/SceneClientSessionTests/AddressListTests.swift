import Testing

@testable import SceneClientSession

@Suite("The addresses that a client knows")
struct AddressListTests {
    @Test(
        "[CONN-34] a pass tries each once, in order and around, and begins after the last one tried"
    )
    func passes() {
        var list = AddressList(["ws://a/r", "ws://b/r", "ws://c/r"])
        #expect(list.present == "ws://a/r")
        #expect(list.next() == "ws://b/r")
        #expect(list.next() == "ws://c/r")
        #expect(list.next() == nil)
        #expect(list.nextPass() == "ws://a/r")
        #expect(list.next() == "ws://b/r")
        // A connection to b lasted: the pass that its end begins leaves b for the end.
        list.settled()
        #expect(list.next() == "ws://c/r")
        #expect(list.next() == "ws://a/r")
        #expect(list.next() == nil)
        #expect(list.nextPass() == "ws://b/r")
    }

    @Test("one address, or the same twice, is a pass of one")
    func one() {
        for given in [["ws://a/r"], ["ws://a/r", "ws://a/r"]] {
            var list = AddressList(given)
            #expect(list.next() == nil)
            #expect(list.nextPass() == "ws://a/r")
            #expect(list.next() == nil)
        }
    }

    @Test("[CONN-37] alternates come after the user's, and in place of those named before")
    func alternates() {
        var list = AddressList(["ws://a/r", "ws://b/r"])
        list.prove(["ws://c/r", "ws://a/r"])
        #expect(list.all == ["ws://a/r", "ws://b/r", "ws://c/r"])
        list.prove(["ws://d/r"])
        #expect(list.all == ["ws://a/r", "ws://b/r", "ws://d/r"])
        list.prove([])
        #expect(list.all == ["ws://a/r", "ws://b/r"])
    }

    @Test("[CONN-37] an alternate that works stays though its server does not name itself")
    func proven() {
        var list = AddressList(["ws://a/r"])
        list.prove(["ws://b/r"])
        #expect(list.next() == "ws://b/r")
        list.prove(["ws://c/r"])
        #expect(list.all == ["ws://a/r", "ws://c/r", "ws://b/r"])
        list.settled()
        #expect(list.next() == "ws://a/r")
        #expect(list.next() == "ws://c/r")
        #expect(list.next() == nil)
        #expect(list.nextPass() == "ws://b/r")
    }

    @Test(
        "[CONN-38] what is no address is passed over, and so is an open one where the user gave a private one",
        arguments: [
            ("wss://b/r", true, true), ("ws://b/r", false, true),
            ("ws://127.0.0.1:7/r", true, true),
            ("ws://127.9.9.9/r", true, true), ("ws://[::1]/r", true, true),
            ("ws+unix:///run/x:/r", false, false),
            ("ws://LOCALHOST:1/r", true, true), ("ws://127.0.0.1.evil.example/r", false, true),
            ("ws://127.1/r", false, true), ("ws://127.0.0.256/r", false, true),
            ("ws://0127.0.0.1/r", false, true), ("ws://128.0.0.1/r", false, true),
            ("ws://localhost.evil.example/r", false, true), ("ws://[::2]/r", false, true),
            ("http://b/r", false, false), ("wss://", false, false), ("", false, false),
            ("wss://user@b/r", false, false), ("wss://b/r#x", false, false),
            ("wss://b:99999/r", false, false), ("wss://b/\u{1}", false, false),
            ("wss://b/" + String(repeating: "r", count: 504), true, true),
            ("wss://b/" + String(repeating: "r", count: 505), false, false),
        ] as [(String, Bool, Bool)])
    func security(url: String, isTakenWherePrivate: Bool, isTakenWhereOpen: Bool) {
        for given in ["wss://a/r", "ws://127.0.0.1:1/r", "ws://[::1]:1/r", "ws://localhost/r"] {
            var list = AddressList(["ws://open.example/r", given])
            list.prove([url])
            #expect(list.all.contains(url) == isTakenWherePrivate, "\(given)")
        }
        var list = AddressList(["ws://open.example/r"])
        list.prove([url])
        #expect(list.all.contains(url) == isTakenWhereOpen)
    }

    @Test("no more are taken than a welcome may name")
    func many() {
        var list = AddressList(["ws://a/r"])
        list.prove((0..<20).map { "ws://b\($0)/r" })
        #expect(list.all.count == 9)
    }
}
