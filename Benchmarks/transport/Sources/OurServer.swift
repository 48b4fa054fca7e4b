import Synchronization
import WebSocketTransport

/// Our transport, used as the server uses it: each round's frames are framed once into one buffer,
/// which is posted for all connections at once.
struct OurServer {
    let arguments: Arguments

    init(_ arguments: Arguments) { self.arguments = arguments }

    func run() throws {
        var configuration = ServerConfiguration(subprotocols: ["bench"])
        configuration.port = 0
        configuration.connectionsMaximum = 100_000
        configuration.requestsMaximum = 100_000
        // The clients throw away whatever comes, pings too, and traced a server is slow.
        configuration.pingIntervalSeconds = 3600
        configuration.hangUpSeconds = 7200
        configuration.loopThreads = arguments.number("loops", 1)
        if let directory = arguments.text("tls") {
            configuration.tls = try SelfSignedCertificate.make(directory: directory)
        }
        try Broadcaster(
            frames: arguments.number("frames", 1), bytes: arguments.number("bytes", 200)
        ).serve(configuration)
    }

    /// Sends a round to everybody when anybody says anything.
    private final class Broadcaster: ServedHandler {
        let server = Mutex<WebSocketServer?>(nil)
        private let ids = Mutex<[ConnectionID]>([])
        private let payloads: [[UInt8]]

        init(frames: Int, bytes: Int) {
            payloads = Array(
                repeating: [UInt8](repeating: 0x55, count: bytes), count: frames)
        }

        func connectionOpened(_ info: ConnectionInfo) { ids.withLock { $0.append(info.id) } }

        func messageReceived(_ id: ConnectionID, _ kind: MessageKind, _ bytes: [UInt8]) {
            let message = FramedMessage(.binary, payloads: payloads)
            server.withLock { $0 }?.send(message, to: ids.withLock { $0 })
        }

        func connectionClosed(_ id: ConnectionID, code: UInt16?, reason: String) {
            ids.withLock { $0.removeAll { $0 == id } }
        }

        func httpRequest(_ request: HTTPRequest, _ responder: HTTPResponder) {
            responder(HTTPResponse(status: 404))
        }
    }
}
