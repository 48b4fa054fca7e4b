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

    /// The most that is written at once, in bytes, unless a single message is longer: what the socket does not take
    /// of it is kept by the library, outside of every limit of ours.
    private static let writeBytesMaximum = 256 << 10

    /// The oldest messages that may be written at once, joined behind the padding that the library asks for.
    private func takeJoined(padding: Int) -> [UInt8] {
        var joined = [UInt8](repeating: 0, count: padding)
        joined.reserveCapacity(padding + min(outboxBytes, Self.writeBytesMaximum))
        var count = 0
        for message in outbox {
            guard count == 0 || joined.count - padding + message.byteCount <= Self.writeBytesMaximum
            else { break }
            joined += message.bytes
            count += 1
        }
        outboxBytes -= joined.count - padding
        outbox.removeFirst(count)
        return joined
    }

    func dropOutbox() {
        outbox.removeAll()
        outboxBytes = 0
    }

    /// Writes what waits in one go, unless an earlier write is still on its way.
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
        var joined = takeJoined(padding: padding)
        let count = joined.count - padding
        let written = joined.withUnsafeMutableBufferPointer { buffer -> Int32 in
            guard let base = buffer.baseAddress else { return 0 }
            // The bytes are framed already, so they go out as they are.
            return lws_write(wsi, base + padding, count, ss_write_raw())
        }
        guard written >= count else { return false }
        if lws_partial_buffered(wsi) != 0 || !outbox.isEmpty {
            isBlocked = true
            lws_callback_on_writable(wsi)
        }
        return true
    }
}
