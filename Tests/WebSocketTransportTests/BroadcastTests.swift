import Testing

@testable import WebSocketTransport

@Suite("Messages to many")
struct BroadcastTests {
    /// Fewer, as many, and more receivers than are written to at once.
    @Test(
        "everything arrives in its order, however often others have their turn",
        arguments: [3, 4, 8, 11])
    func order(count: Int) throws {
        let test = try TestServer(echoes: false) { $0.writesAtOnce = 4 }
        defer { test.server.stop() }
        let sockets = try (0..<count).map { _ in try #require(RawSocket.open(test.server.port)) }
        let ids = try sockets.map { _ in try #require(test.handler.nextOpened()).id }
        let chosen = [0, count - 1]
        func message(_ text: String) -> FramedMessage { FramedMessage(.text, Array(text.utf8)) }
        test.server.send(message("before"), to: chosen.map { ids[$0] })
        test.server.send(message("to all"), to: ids)
        test.server.send(message("after"), to: chosen.map { ids[$0] })
        test.server.send(message("to all again"), to: ids)
        for id in ids { test.server.close(id, code: 4321, reason: "") }
        test.server.send(message("too late"), to: ids)
        for (index, socket) in sockets.enumerated() {
            var expected = ["to all", "to all again"].map { WireFrame.text($0) }
            if chosen.contains(index) {
                expected.insert(.text("before"), at: 0)
                expected.insert(.text("after"), at: 2)
            }
            for frame in expected { #expect(socket.readFrame() == frame, "receiver \(index)") }
            #expect(socket.readFrame()?.closeCode == 4321)
        }
    }
}
