import NATSEngine
import Testing

@Suite("Addresses and configuration of the engine")
struct NATSAddressTests {
    @Test("the first address names the scheme, the others may")
    func list() throws {
        let found = try NATSAddress.list("nats://a.example:4000,b,nats://10.0.0.1:1,[::1]:7")
        #expect(found.map(\.description) == ["a.example:4000", "b:4222", "10.0.0.1:1", "[::1]:7"])
        #expect(found.map(\.isLoopback) == [false, false, false, true])
        #expect(try NATSAddress.list("tls://a,b").map(\.asksForTLS) == [true, true])
    }

    @Test(
        "what is no list of addresses is refused",
        arguments: [
            "", "a", "a:4222", "http://a", "nats://", "nats://a,", "nats://a,,b", "nats://a:0",
            "nats://a:65536", "nats://a:x", "nats://a:", "nats://user:secret@a", "nats://a/b",
            "nats://a b", "nats://[::1", "nats://a,a:4222", "nats://\u{0}", "nats://::1",
            "nats://" + (0..<65).map { "h\($0)" }.joined(separator: ","),
        ])
    func refused(_ text: String) {
        #expect(throws: NATSError.self) { try NATSAddress.list(text) }
    }

    @Test(
        "loopback is 127.0.0.0/8, ::1 and localhost",
        arguments: [
            ("127.0.0.1", true), ("127.255.3.4", true), ("[::1]", true), ("localhost", true),
            ("128.0.0.1", false), ("127.0.0.1.example", false), ("127.0.0", false),
            ("127.0.0.256", false), ("localhost.example", false), ("[::2]", false),
        ])
    func loopback(_ host: String, _ isLoopback: Bool) throws {
        #expect(try NATSAddress.list("nats://\(host)").map(\.isLoopback) == [isLoopback])
    }

    @Test("a plain connection beyond loopback is refused, whichever address it is")
    func plain() throws {
        _ = try NATSConfiguration(addresses: "nats://127.0.0.1,localhost:4223,[::1]")
        #expect(throws: NATSError.plainBeyondLoopback(address: "10.0.0.1:4222")) {
            try NATSConfiguration(addresses: "nats://127.0.0.1,10.0.0.1")
        }
        let error = NATSError.plainBeyondLoopback(address: "10.0.0.1:4222")
        #expect(error.description.contains("would not be encrypted; give the engine's CA file"))
    }

    @Test("tls:// without a CA file is refused, and so is a CA file that is not there")
    func authority() throws {
        #expect(throws: NATSError.self) { try NATSConfiguration(addresses: "tls://127.0.0.1") }
        #expect(
            throws: NATSError.unreadableFile("/none/ca.pem", reason: "No such file or directory")
        ) { try NATSConfiguration(addresses: "nats://a", caFile: "/none/ca.pem") }
    }

    @Test(
        "a prefix is one token of letters, digits, - and _",
        arguments: [
            ("ss", true), ("Team_1-b", true), (String(repeating: "a", count: 32), true),
            ("", false), ("a.b", false), ("*", false), (">", false), ("a b", false), ("é", false),
            (String(repeating: "a", count: 33), false),
        ])
    func prefix(_ text: String, _ isTaken: Bool) {
        #expect(((try? ClusterLayout(prefix: text)) != nil) == isTaken)
    }
}
