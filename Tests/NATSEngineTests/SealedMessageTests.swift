import Foundation
import SceneCluster
import Testing

@testable import NATSEngine

@Suite("Messages with a proof of the cluster's key")
struct SealedMessageTests {
    private let path = NSTemporaryDirectory() + "cluster-key-" + UUID().uuidString
    private static let key = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"
    private static let other = String(repeating: "ab", count: 32)
    private static let time: UInt64 = 1_800_000_000_123

    private func keys(_ lines: String...) throws -> ClusterKeys {
        try Data(lines.joined(separator: "\n").utf8).write(to: URL(fileURLWithPath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        return try ClusterKeys(file: path)
    }

    private func bytes(_ hexadecimal: String) -> [UInt8] {
        stride(from: 0, to: hexadecimal.utf8.count, by: 2).compactMap {
            UInt8(hexadecimal.dropFirst($0).prefix(2), radix: 16)
        }
    }

    /// Computed with hmac of Python's library.
    @Test("a message is sealed as the format says")
    func format() throws {
        let sealed = bytes("53534353017b505c18a30100005050f5d33cc601716c0c73f64aa6e0a468656c6c6f")
        let message = Array("hello".utf8)
        let keys = try keys(Self.key)
        #expect(SealedMessage.seal(message, to: "ss.n.beat", at: Self.time, keys) == sealed)
        #expect(
            SealedMessage.open(sealed, of: "ss.n.beat", keys)
                == .message(message, sealedAt: Self.time))
    }

    @Test("another subject, another byte anywhere, another key and none are refused")
    func refused() throws {
        let keys = try keys(Self.key)
        let sealed = SealedMessage.seal([1, 2, 3], to: "ss.n.order", at: Self.time, keys)
        func isRefused(_ bytes: [UInt8], _ subject: String = "ss.n.order") -> Bool {
            if case .refused = SealedMessage.open(bytes, of: subject, keys) { true } else { false }
        }
        #expect(!isRefused(sealed))
        #expect(isRefused(sealed, "ss.n.orde"))
        #expect(isRefused(sealed, "ss.n.beat"))
        for index in sealed.indices {
            var changed = sealed
            changed[index] ^= 0x40
            #expect(isRefused(changed), "byte \(index)")
        }
        for length in 0..<sealed.count { #expect(isRefused(Array(sealed.prefix(length)))) }
        #expect(isRefused([1, 2, 3]))
        let others = try self.keys(Self.other)
        #expect(
            isRefused(SealedMessage.seal([1], to: "ss.n.order", at: Self.time, others)))
    }

    @Test(
        "messages are sent with the first line and taken with any, so that keys change without a stop"
    )
    func rotation() throws {
        let steps = [
            try keys("open"), try keys("open", Self.key), try keys(Self.key, "open"),
            try keys(Self.key), try keys(Self.key, Self.other), try keys(Self.other, Self.key),
            try keys("# new", Self.other, ""),
        ]
        for (before, after) in zip(steps, steps.dropFirst()) {
            for (sender, receiver) in [(before, after), (after, before), (after, after)] {
                let sent = SealedMessage.seal([7], to: "s", at: 5, sender)
                guard case .message([7], _) = SealedMessage.open(sent, of: "s", receiver) else {
                    Issue.record("a step of the change is not understood")
                    return
                }
            }
        }
    }

    @Test(
        "files that hold no keys are refused in words",
        arguments: ["", "# nothing", "xyz", "abc", "0011", "open\nopen\nopen\nopen\nopen"])
    func badFiles(_ text: String) throws {
        #expect(throws: NATSError.self) { _ = try keys(text) }
        #expect(throws: NATSError.self) { _ = try ClusterKeys(file: "/nowhere/key") }
    }

    @Test("an order is obeyed within a minute, other messages at any time; probes pass")
    func orders() throws {
        let keys = try keys(Self.key)
        let check = SealCheck(keys, ClusterSubjects())
        func heard(_ subject: String, _ age: UInt64) -> [EngineNews] {
            let sealed = SealedMessage.seal([9], to: subject, at: Self.time, keys)
            return check.open(.heard(subject: subject, bytes: sealed), at: Self.time + age)
        }
        #expect(heard("ss.n.order", 59_000) == [.heard(subject: "ss.n.order", bytes: [9])])
        guard case .trouble(let text)? = heard("ss.n.order", 61_000).first else {
            Issue.record("an old order is obeyed")
            return
        }
        #expect(text.contains("61 s away"))
        #expect(heard("ss.n.beat", 1 << 40) == [.heard(subject: "ss.n.beat", bytes: [9])])
        let probe = EngineNews.heard(subject: "ss.l.1", bytes: [])
        #expect(check.open(probe) == [probe])
        #expect(check.open(.connected(server: "a")) == [.connected(server: "a")])
    }

    @Test("refused messages are told of now and then, with their number")
    func flood() throws {
        let check = SealCheck(try keys(Self.key), ClusterSubjects())
        var told: [String] = []
        for index in 0..<1000 {
            let news = check.open(
                .heard(subject: "ss.n.beat", bytes: [1]), at: Self.time + UInt64(index) * 100)
            for case .trouble(let text) in news { told.append(text) }
        }
        #expect(told.count == 10)
        #expect(told.last?.hasPrefix("100 messages were refused, the last on ss.n.beat") == true)
    }
}
