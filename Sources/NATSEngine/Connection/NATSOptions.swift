internal import CNATS

/// Owns the library's options of a connection.
final class NATSOptions {
    let handle: OpaquePointer

    /// Writes that a server does not take within this time fail.
    private static let writeDeadlineMilliseconds: Int64 = 2000
    /// Between two tries to reach the same server.
    private static let reconnectWaitMilliseconds: Int64 = 50
    private static let pingsOutMaximum: Int32 = 3

    /// Makes options.
    ///
    /// - Parameter listener: The number of the listener that receives changes of the connection.
    /// - Throws: `NATSError`.
    init(_ configuration: NATSConfiguration, listener: UInt?) throws(NATSError) {
        var made: OpaquePointer?
        try NATSStatus.check(natsOptions_Create(&made), "natsOptions_Create")
        guard let made else {
            throw .libraryFailed(call: "natsOptions_Create", reason: "no memory")
        }
        handle = made
        try setAddresses(configuration)
        try setTimes(configuration)
        try setSecurity(configuration)
        try setCallbacks(listener)
    }

    deinit { natsOptions_Destroy(handle) }

    private func setAddresses(_ configuration: NATSConfiguration) throws(NATSError) {
        let scheme = configuration.usesTLS ? "tls" : "nats"
        // The list must hold C strings during the call; the library copies them.
        let texts = configuration.addresses.map { Array("\(scheme)://\($0)\0".utf8CString) }
        let all = texts.flatMap { $0 }
        let status = all.withUnsafeBufferPointer { buffer in
            var pointers: [UnsafePointer<CChar>?] = []
            var offset = 0
            for text in texts {
                pointers.append(buffer.baseAddress.map { $0 + offset })
                offset += text.count
            }
            return natsOptions_SetServers(handle, &pointers, Int32(pointers.count))
        }
        try NATSStatus.check(status, "natsOptions_SetServers")
        try NATSStatus.check(
            natsOptions_SetName(handle, configuration.name), "natsOptions_SetName")
        // As they are given: the nearest server is named first. With servers in an order by chance,
        // the loss of one machine cuts nodes of others off for a moment.
        try NATSStatus.check(
            natsOptions_SetNoRandomize(handle, true), "natsOptions_SetNoRandomize")
        // Servers name others of their cluster, which might not be on this machine: only addresses
        // that were checked are used.
        try NATSStatus.check(
            natsOptions_SetIgnoreDiscoveredServers(handle, true),
            "natsOptions_SetIgnoreDiscoveredServers")
    }

    private func setTimes(_ configuration: NATSConfiguration) throws(NATSError) {
        let settings: [(String, natsStatus)] = [
            (
                "natsOptions_SetTimeout",
                natsOptions_SetTimeout(handle, configuration.connectTimeout.milliseconds)
            ),
            (
                "natsOptions_SetPingInterval",
                natsOptions_SetPingInterval(handle, configuration.pingInterval.milliseconds)
            ),
            (
                "natsOptions_SetMaxPingsOut",
                natsOptions_SetMaxPingsOut(handle, Self.pingsOutMaximum)
            ),
            (
                "natsOptions_SetWriteDeadline",
                natsOptions_SetWriteDeadline(handle, Self.writeDeadlineMilliseconds)
            ),
            // For ever: the process decides when to give up.
            ("natsOptions_SetMaxReconnect", natsOptions_SetMaxReconnect(handle, -1)),
            (
                "natsOptions_SetReconnectWait",
                natsOptions_SetReconnectWait(handle, Self.reconnectWaitMilliseconds)
            ),
            (
                "natsOptions_SetReconnectJitter",
                natsOptions_SetReconnectJitter(
                    handle, Self.reconnectWaitMilliseconds, Self.reconnectWaitMilliseconds)
            ),
            // Nothing is sent later than it was meant: requests wait in the table, which knows
            // their deadlines.
            ("natsOptions_SetReconnectBufSize", natsOptions_SetReconnectBufSize(handle, 1)),
            ("natsOptions_SetSendAsap", natsOptions_SetSendAsap(handle, true)),
        ]
        for (call, status) in settings { try NATSStatus.check(status, call) }
    }

    private func setSecurity(_ configuration: NATSConfiguration) throws(NATSError) {
        if let caFile = configuration.caFile {
            try NATSStatus.check(natsOptions_SetSecure(handle, true), "natsOptions_SetSecure")
            let status = natsOptions_LoadCATrustedCertificates(handle, caFile)
            guard status == NATS_OK else {
                throw .unreadableFile(caFile, reason: "it has no certificate that OpenSSL reads")
            }
        }
        guard let nkey = configuration.nkey else { return }
        // The listener's closure is the seed's number: the library asks for a signature with every
        // connection.
        let closure = UnsafeMutableRawPointer(bitPattern: NKeySigners.number(of: nkey))
        try NATSStatus.check(
            natsOptions_SetNKey(
                handle, nkey.publicKey,
                { error, signature, length, nonce, closure in
                    NKeySigners.sign(error, signature, length, nonce, closure)
                }, closure), "natsOptions_SetNKey")
    }

    private func setCallbacks(_ listener: UInt?) throws(NATSError) {
        guard let listener else { return }
        let closure = UnsafeMutableRawPointer(bitPattern: listener)
        let settings: [(String, natsStatus)] = [
            (
                "natsOptions_SetDisconnectedCB",
                natsOptions_SetDisconnectedCB(
                    handle, { ConnectionListeners.disconnected($0, $1) }, closure)
            ),
            (
                "natsOptions_SetReconnectedCB",
                natsOptions_SetReconnectedCB(
                    handle, { ConnectionListeners.reconnected($0, $1) }, closure)
            ),
            (
                "natsOptions_SetClosedCB",
                natsOptions_SetClosedCB(handle, { ConnectionListeners.closed($0, $1) }, closure)
            ),
            (
                "natsOptions_SetErrorHandler",
                natsOptions_SetErrorHandler(
                    handle, { ConnectionListeners.failed($0, $1, $2, $3) }, closure)
            ),
        ]
        for (call, status) in settings { try NATSStatus.check(status, call) }
    }
}

extension Duration {
    /// Whole milliseconds, at least one.
    var milliseconds: Int64 {
        let (seconds, attoseconds) = components
        let (product, overflows) = seconds.multipliedReportingOverflow(by: 1000)
        guard !overflows else { return .max }
        return Swift.max(1, product &+ attoseconds / 1_000_000_000_000_000)
    }
}
