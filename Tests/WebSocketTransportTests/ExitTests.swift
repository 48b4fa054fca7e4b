import Foundation
import SceneTestSupport
import Synchronization
import Testing

@testable import WebSocketTransport

@Suite("The end of the process")
struct ExitTests {
    @Test("OpenSSL outlives the exit handlers, under which a client's thread may free its context")
    func exitDuringDestruction() async {
        await #expect(processExitsWith: .exitCode(7)) {
            // Run last of what `exit` runs, since it is registered first: after all that OpenSSL
            // registers.
            atexit {
                if randomBytes(8) == nil { _exit(1) }
                ExitScene.mayEnd.signal()
                ExitScene.client.withLock { $0 }?.events.join()
            }
            let client = try WebSocketClient(
                .init(url: "wss://127.0.0.1:1/", subprotocols: ["echo.v1"]), handler: Blocked())
            ExitScene.client.withLock { $0 = client }
            client.connect()
            ExitScene.reached.wait()
            exit(7)
        }
    }
}

@Suite("Threads of the transport")
struct ThreadOwnershipTests {
    /// The client is connecting, or has failed to: in both cases the loop is no longer the test's.
    @Test("a loop's state is touched by its own thread alone, or the process ends")
    func trespass() async {
        await #expect(processExitsWith: .failure) {
            let client = try WebSocketClient(
                .init(url: "ws://127.0.0.1:1/", subprotocols: ["echo.v1"]), handler: Silent())
            client.connect()
            _ = client.events.take()
        }
        await #expect(processExitsWith: .exitCode(7)) {
            let client = try WebSocketClient(
                .init(url: "ws://127.0.0.1:1/", subprotocols: ["echo.v1"]), handler: Silent())
            _ = client.events.take()
            exit(7)
        }
    }
}

@Suite("Memory of clients")
struct ClientMemoryTests {
    /// Each has read the system's certificates, more than half a megabyte.
    @Test("clients that encrypt leave no memory behind, also when several are there at once")
    func several() async {
        await #expect(processExitsWith: .success) {
            func connectTen() throws {
                let made = try (0..<10).map { _ in
                    let events = TestClient()
                    let client = try WebSocketClient(
                        .init(url: "wss://127.0.0.1:1/", subprotocols: ["echo.v1"]), handler: events
                    )
                    client.connect()
                    return (client: client, events: events)
                }
                for (client, events) in made {
                    guard case .closed? = events.events.next() else { exit(2) }
                    client.events.join()
                }
            }
            try connectTen()
            let (_, bytes) = try allocating { for _ in 0..<4 { try connectTen() } }
            exit(bytes < 4 << 20 ? 0 : 1)
        }
    }
}

private final class Silent: WebSocketClientHandler {
    func opened(subprotocol: String) {}
    func received(_ kind: MessageKind, _ bytes: [UInt8]) {}
    func closed(code: UInt16?, reason: String, error: TransportError?) {}
}

/// What the exit handler, which can capture nothing, has to know.
private enum ExitScene {
    static let client = Mutex<WebSocketClient?>(nil)
    static let reached = DispatchSemaphore(value: 0)
    static let mayEnd = DispatchSemaphore(value: 0)
}

/// Holds the client's thread in its last call, before it frees the context.
private final class Blocked: WebSocketClientHandler {
    func opened(subprotocol: String) {}
    func received(_ kind: MessageKind, _ bytes: [UInt8]) {}

    func closed(code: UInt16?, reason: String, error: TransportError?) {
        ExitScene.reached.signal()
        ExitScene.mayEnd.wait()
    }
}
