import Dispatch
import Foundation
import Synchronization
import WebSocketTransport

/// A handler that needs its server to answer.
protocol ServedHandler: TransportHandler, AnyObject {
    var server: Mutex<WebSocketServer?> { get }
}

extension ServedHandler {
    /// Serves until the process ends; says on standard output which port was taken.
    func serve(_ configuration: ServerConfiguration) throws {
        let made = try WebSocketServer(configuration: configuration)
        server.withLock { $0 = made }
        try made.start(handler: self)
        print("listening on \(made.port)")
        fflush(nil)
        DispatchSemaphore(value: 0).wait()
    }
}
