import SceneWire
import Testing

@testable import SceneServer

@Suite("Other servers of the same rooms")
struct AlternateServersTests {
    @Test("[CONN-36] a room's addresses are complete")
    func addresses() throws {
        let alternates = try AlternateServers(["ws://b:1", "wss://c/path//"])
        #expect(alternates.addresses(of: "demo")?.urls == ["ws://b:1/demo", "wss://c/path/demo"])
        #expect(AlternateServers().addresses(of: "demo") == nil)
        #expect(try AlternateServers([]).addresses(of: "demo") == nil)
    }

    @Test("the longest server and the longest room make an address that clients take")
    func longest() throws {
        let server = "wss://" + String(repeating: "b", count: AlternateServers.bytesMaximum - 6)
        let room = String(repeating: "r", count: 64)
        let urls = try #require(try AlternateServers([server]).addresses(of: room)?.urls)
        #expect(urls[0].utf8.count == Alternates.urlBytesMaximum)
        #expect(throws: ServerError.self) { try AlternateServers([server + "b"]) }
    }

    @Test(
        "what is no address, or would end a header's value, is refused",
        arguments: [
            "", "b:1", "http://b", "ws://", "ws://b/?x", "ws://b/#x", "ws://u@b", "ws://b;c",
            "ws://b,c", "ws://b'c", "ws://b\r\nx", "ws://b:0",
        ])
    func refused(url: String) {
        #expect(throws: ServerError.self) { try AlternateServers([url]) }
    }

    @Test("no more are named than a welcome holds")
    func many() throws {
        let urls = (1...9).map { "ws://b:\($0)" }
        #expect(throws: ServerError.self) { try AlternateServers(urls) }
        #expect(try AlternateServers(Array(urls.prefix(8))).addresses(of: "r")?.urls.count == 8)
    }
}
