import CLibWebSockets

/// The closing handshake. RFC 6455, section 7.
///
/// Where the server begins it, the library would close the socket right after the close frame. The
/// system then answers whatever the peer is still writing with a reset, and the peer loses the code
/// and the reason. So the frame is written here, and the socket stays until the peer has answered,
/// for a bounded time. What comes meanwhile is read, because some libraries do not look at a close
/// frame before their message has left, but no more of it than costs little.
extension ServerLoop {
    /// Seconds in which what waits for a peer, and the close frame behind it, have to leave.
    private static let closeSendSeconds: Int32 = 5
    /// Seconds in which a peer has to answer a close frame.
    private static let closeAnswerSeconds: UInt32 = 2

    /// The most that is read of one peer whose connection is to end, in bytes; such as the rest of
    /// a message that was too long.
    private static let discardedBytesMaximum = 16 << 20
    /// The most that is read of all of them, in bytes a second: a fiftieth of what a thread can
    /// read.
    static let discardedBytesPerSecond = 16 << 20
    /// What a piece costs beyond its bytes, as if these were bytes too.
    private static let discardedPieceBytes = 64

    /// Drops what a peer sent that has not heard yet that its connection is to end.
    ///
    /// - Returns: Whether the connection goes on: false where this peer, or all of them, have sent
    ///   too much.
    func discard(_ count: Int, of connection: Connection) -> Bool {
        let price = count + Self.discardedPieceBytes
        connection.discardedBytes += price
        return connection.discardedBytes <= Self.discardedBytesMaximum
            && discards.take(price, now: MonotonicClock.nanoseconds) == 0
    }

    /// Ends a connection as soon as its outbox is empty. What the peer sends from now on is
    /// dropped.
    func beginClose(_ connection: Connection, _ code: UInt16, _ reason: String) {
        connection.closing = (code, reason)
        guard let wsi = connection.wsi else { return }
        lws_callback_on_writable(wsi)
        lws_set_timeout(wsi, PENDING_TIMEOUT_CLOSE_SEND, Self.closeSendSeconds)
    }

    /// Writes the close frame of a connection that is to end and has nothing left to write.
    ///
    /// - Returns: Whether the connection goes on, if only to wait for the answer.
    func sendCloseIfDue(_ connection: Connection) -> Bool {
        guard let closing = connection.closing, connection.closeSentAt == nil else { return true }
        tellClosed(connection)
        guard connection.putClose(closing.code, closing.reason, now: now) else { return false }
        if let wsi = connection.wsi {
            lws_set_timeout(wsi, PENDING_TIMEOUT_CLOSE_ACK, Int32(Self.closeAnswerSeconds))
        }
        return true
    }

    /// Tells the handler, once, that a connection is over. A peer that sees a close frame may come
    /// again, or look at the server's figures, so this comes before the server's own frame, or its
    /// answer, leaves.
    func tellClosed(_ connection: Connection, _ code: UInt16? = nil, _ reason: String = "") {
        guard connection.isOpen, !connection.isTold else { return }
        connection.isTold = true
        handler.connectionClosed(connection.id, code: code, reason: reason)
    }

    /// Whether a peer has not answered the close frame in time, while the library, busy with what
    /// the peer sends, has not ended the connection.
    func isOverdue(_ connection: Connection) -> Bool {
        connection.closeSentAt.map { now &- $0 > Self.closeAnswerSeconds } ?? false
    }

    /// Takes the peer's close frame: the answer to the server's, which ends the connection, or the
    /// first, whose code and reason are told and which the library answers.
    ///
    /// - Returns: Whether the connection goes on.
    func peerCloses(_ wsi: OpaquePointer, _ bytes: UnsafeRawBufferPointer) -> Bool {
        guard let connection = connection(wsi) else { return true }
        connection.hasPeerClosed = true
        guard connection.closeSentAt == nil else { return false }
        switch PeerClose(bytes) {
        case .silent:
            tellClosed(connection)
            return true
        case .code(let code, let reason):
            tellClosed(connection, code, reason)
            return true
        case .invalid(let code, let reason):
            tellClosed(connection)
            // The library writes this close frame, and closes.
            var text = Array(reason.utf8)
            lws_close_reason(wsi, lws_close_status(UInt32(code)), &text, text.count)
            return false
        }
    }
}
