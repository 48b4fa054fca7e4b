import CLibWebSockets
import CTransportShims

/// One connection of a server, on its loop's thread.
final class Connection {
    let id: ConnectionID
    let wsi: OpaquePointer
    /// What has to leave, oldest first.
    private(set) var outbox: [FramedMessage] = []
    private(set) var outboxBytes = 0
    /// The fragments of the message that is coming in.
    var incoming: [UInt8] = []
    /// Whether the library still holds bytes of an earlier write, so that nothing may be written now.
    var isBlocked = false
    /// Set when the connection is to end as soon as its outbox is empty.
    var closing: (code: UInt16, reason: String)?
    /// What the peer said when it closed.
    var peerClose: (code: UInt16, reason: String)?

    init(id: ConnectionID, wsi: OpaquePointer) {
        self.id = id
        self.wsi = wsi
    }

    func enqueue(_ message: FramedMessage) {
        outbox.append(message)
        outboxBytes += message.byteCount
    }

    func dropOutbox() {
        outbox.removeAll()
        outboxBytes = 0
    }

    /// Writes all that waits in one go, unless an earlier write is still on its way.
    ///
    /// The library queues what the socket does not take, without bound, so nothing is written before that is gone.
    /// - Returns: False when the connection is broken.
    func flush() -> Bool {
        guard !outbox.isEmpty else { return true }
        guard lws_partial_buffered(wsi) == 0, lws_send_pipe_choked(wsi) == 0 else {
            isBlocked = true
            lws_callback_on_writable(wsi)
            return true
        }
        let padding = Int(ss_lws_pre())
        var joined = [UInt8](repeating: 0, count: padding)
        joined.reserveCapacity(padding + outboxBytes)
        for message in outbox { joined += message.bytes }
        dropOutbox()
        let count = joined.count - padding
        let written = joined.withUnsafeMutableBufferPointer { buffer -> Int32 in
            guard let base = buffer.baseAddress else { return 0 }
            // The bytes are framed already, so they go out as they are.
            return lws_write(wsi, base + padding, count, ss_write_raw())
        }
        guard written >= count else { return false }
        if lws_partial_buffered(wsi) != 0 {
            isBlocked = true
            lws_callback_on_writable(wsi)
        }
        return true
    }
}
