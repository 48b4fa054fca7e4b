import CLibWebSockets
import CTransportShims

/// One socket of a server, on its loop's thread: at first a request or an opening handshake, then
/// perhaps a WebSocket connection.
///
/// The library's handle refers to it, unretained; the loop's table keeps it for as long as the
/// handle lives.
final class Connection {
    // What every write looks at stands first, so that it comes into the processor's cache with the
    // object's first lines.

    let id: ConnectionID
    var wsi: OpaquePointer?
    /// Messages that wait to be written, oldest first.
    private(set) var outbox: [FramedMessage] = []
    /// The moment at which the peer was last heard, in nanoseconds.
    var heardAt: UInt64 = 0
    /// Whether the opening handshake is done.
    var isOpen = false
    /// Whether the library still holds bytes of an earlier write, so that nothing may be written
    /// now.
    var isBlocked = false
    /// Set when the connection is to end as soon as its outbox is empty.
    var closing: (code: UInt16, reason: String)?

    /// Of the socket, or as a trusted proxy named it.
    var address: String
    /// Of the socket.
    let socketAddress: String
    /// Whether the socket's other end is on this machine.
    let isLocal: Bool
    /// Whether it counts among its address's connections.
    var isCounted = false
    /// Whether the server's owner knows who is behind it, so that it may send messages of any
    /// length that is taken.
    var isAdmitted = false
    /// When it came, or last got on with a request; in seconds of the sweeps.
    var requestSince: UInt32
    /// The values of the opening handshake's headers, which the library frees when it is done.
    var handshake: ConnectionInfo?
    /// A request that is being read or answered.
    var exchange: Exchange?

    private(set) var outboxBytes = 0
    /// When something last left while something waited; in seconds of the sweeps.
    var blockedSince: UInt32 = 0
    var incoming = IncomingMessage()
    /// Whether the peer closed, so that later bytes are ignored.
    var hasPeerClosed = false
    /// Whether the handler knows that the connection is over.
    var isTold = false
    /// Set while the peer's answer to the close frame is awaited; in seconds of the sweeps.
    private(set) var closeSentAt: UInt32?
    /// What was read and dropped since the connection is to end, in bytes.
    var discardedBytes = 0

    init(id: ConnectionID, address: String, now: UInt32) {
        self.id = id
        requestSince = now
        self.address = address
        socketAddress = address
        isLocal = isLoopbackAddress(address)
    }

    /// One HTTP request and its answer.
    struct Exchange {
        var request: HTTPRequest
        /// What is done with the body.
        enum Body {
            /// There is none, or the request with it was given to the handler.
            case none
            /// The handler has not decided. What was read with the head is kept, and nothing more
            /// is read.
            case announced
            case taken
            /// It is read to its end, since what follows is the next request, and answered with
            /// this then.
            case refused(HTTPResponse)
        }
        var body = Body.none
        /// Bytes of body that are still to come.
        var missingBytes = 0
        /// Whether the connection ends with the answer.
        var closes = false
        /// The rest of the response's body; `nil` until there is a response.
        var rest: ArraySlice<UInt8>?
        /// Distinguishes the response to this request from one that comes too late.
        var serial: UInt64
    }

    /// Whether a message is to be sent: not one that can be dropped while as much waits as
    /// `lagBytes`.
    func takes(_ message: FramedMessage, lagBytes: Int) -> Bool {
        guard message.isDroppable, outboxBytes + message.byteCount > lagBytes else { return true }
        FramedMessage.noteDrop()
        return false
    }

    /// Adds to the outbox.
    func enqueue(_ message: FramedMessage) {
        outbox.append(message)
        outboxBytes += message.byteCount
    }

    /// The most that is written at once, in bytes, unless a single message is longer: what the
    /// socket does not take of it is kept by the library, outside of every limit of ours.
    private static let writeBytesMaximum = 256 << 10

    func dropOutbox() {
        outbox.removeAll()
        outboxBytes = 0
    }

    /// How long after it heard a peer the library may still owe it a pong, in nanoseconds: that
    /// leaves with the next wake-up of the loop, and no message may overtake it.
    private static let pongNanoseconds: UInt64 = 1_000_000

    /// Whether a message may be written at once.
    private func isFree(_ wsi: OpaquePointer, _ moment: UInt64) -> Bool {
        !isBlocked && moment &- heardAt > Self.pongNanoseconds && lws_partial_buffered(wsi) == 0
    }

    /// Has the processor fetch what writing looks at, while it has other things to do: a `send` to
    /// another connection leaves none of it in the nearest cache.
    func prefetch() {
        if let wsi { ss_prefetch(wsi) }
    }

    /// Writes a message, or keeps it while an earlier write is still on its way.
    ///
    /// - Parameters:
    ///   - now: Seconds of the sweeps.
    ///   - moment: Nanoseconds.
    /// - Returns: False when the connection is broken.
    func write(_ message: FramedMessage, now: UInt32, moment: UInt64) -> Bool {
        guard outbox.isEmpty, let wsi, isFree(wsi, moment) else {
            enqueue(message)
            block(now)
            return true
        }
        guard put(message, wsi) else { return false }
        if lws_partial_buffered(wsi) != 0 { block(now) }
        return true
    }

    /// Writes the outbox, or leaves that to the loop.
    func startFlush(_ joined: inout JoinedMessages, now: UInt32, moment: UInt64) -> Bool {
        guard !isBlocked else { return true }
        guard let wsi, isFree(wsi, moment) else {
            block(now)
            return true
        }
        return flush(&joined, now: now)
    }

    /// Writes the outbox at once, unless an earlier write is still on its way.
    ///
    /// The library queues bytes that the socket does not take, without bound, so nothing is written
    /// while any are left. Whether the socket takes more is found out by writing: to ask would cost
    /// a system call each time.
    /// - Returns: False when the connection is broken.
    func flush(_ joined: inout JoinedMessages, now: UInt32) -> Bool {
        guard !outbox.isEmpty else { return true }
        guard let wsi, lws_partial_buffered(wsi) == 0 else {
            block(now)
            return true
        }
        var count = 0
        var bytes = 0
        for message in outbox {
            guard count == 0 || bytes + message.byteCount <= Self.writeBytesMaximum else { break }
            bytes += message.byteCount
            count += 1
        }
        let message = joined.join(outbox[..<count])
        outboxBytes -= bytes
        outbox.removeFirst(count)
        guard put(message, wsi) else { return false }
        if lws_partial_buffered(wsi) != 0 || !outbox.isEmpty { block(now) }
        return true
    }

    /// Writes the close frame, behind which nothing else may follow.
    ///
    /// - Returns: False when the connection is broken.
    func putClose(_ code: UInt16, _ reason: String, now: UInt32) -> Bool {
        guard let wsi else { return false }
        closeSentAt = now
        return put(FramedMessage(closing: code, reason), wsi)
    }

    /// The bytes are framed already, so they go out as they are; the library reads them only, and
    /// copies what the socket does not take.
    private func put(_ message: FramedMessage, _ wsi: OpaquePointer) -> Bool {
        message.bytes.withUnsafeBufferPointer { buffer -> Bool in
            guard let base = buffer.baseAddress else { return true }
            return lws_write(
                wsi, UnsafeMutablePointer(mutating: base), buffer.count, ss_write_raw())
                >= buffer.count
        }
    }

    private func block(_ now: UInt32) {
        if !isBlocked { blockedSince = now }
        isBlocked = true
        if let wsi { lws_callback_on_writable(wsi) }
    }
}
