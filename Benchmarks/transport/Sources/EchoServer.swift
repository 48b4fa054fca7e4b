import Synchronization
import WebSocketTransport

/// Our transport, sending back what comes; for test suites that speak WebSocket and nothing above
/// it.
struct EchoServer {
    let arguments: Arguments

    init(_ arguments: Arguments) { self.arguments = arguments }

    func run() throws {
        var configuration = ServerConfiguration(subprotocols: ["echo"])
        configuration.port = arguments.number("port", 0)
        configuration.messageBytesMaximum = 32 << 20
        configuration.outboxBytesMaximum = 64 << 20
        try Echo().serve(configuration)
    }

    private final class Echo: ServedHandler {
        let server = Mutex<WebSocketServer?>(nil)

        func connectionOpened(_ info: ConnectionInfo) {}

        func messageReceived(_ id: ConnectionID, _ kind: MessageKind, _ bytes: [UInt8]) {
            server.withLock { $0 }?.send(kind, bytes, to: id)
        }

        func connectionClosed(_ id: ConnectionID, code: UInt16?, reason: String) {}

        func httpRequest(_ request: HTTPRequest, _ responder: HTTPResponder) {
            responder(HTTPResponse(status: 404))
        }
    }
}
