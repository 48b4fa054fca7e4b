import CLibWebSockets
import CTransportShims

/// The library's virtual host behind a server's port: subprotocols, time-outs for silent peers,
/// TLS.
///
/// It keeps what the library's context reads for as long as that lives, and is used by one thread
/// at a time.
final class ServerHost {
    private let memory = ContextMemory()
    private var handle: OpaquePointer?
    /// OpenSSL's context behind the port, as the library shows it when it makes it.
    private var secureContext: UnsafeMutableRawPointer?
    /// What clients' certificates are held against; `nil` without TLS.
    private var material: TLSMaterial?
    /// Whether the context behind the port could not be made to ask for clients' certificates.
    private var hasFailed = false
    private var retry: UnsafeMutablePointer<lws_retry_bo_t>?

    /// Makes a context with this host.
    ///
    /// - Parameters:
    ///   - server: What `serverCallback` finds behind the context, which keeps it alive.
    /// - Throws: `TransportError.tls` or `.libraryFailed`.
    func makeContext(
        _ configuration: ServerConfiguration, for server: ServerLoop
    ) throws(TransportError) -> LibraryContext {
        var info = lws_context_creation_info()
        info.port = CONTEXT_PORT_NO_LISTEN
        info.options = ss_server_options(configuration.tls == nil ? 0 : 1)
        info.user = Unmanaged.passUnretained(server).toOpaque()
        info.timeout_secs = UInt32(clamping: configuration.handshakeTimeoutSeconds)
        info.pt_serv_buf_size = 64 << 10
        info.fd_limit_per_thread = 0
        if TransportLog.isSilent { ss_set_log(nil) }
        let (made, loop) = Self.makeContext(&info)
        guard let context = made else { throw .libraryFailed("no context could be made") }
        do {
            try makeHost(context, &info, configuration)
        } catch {
            lws_context_destroy(context)
            if let loop { ss_loop_free(loop) }
            free()
            throw error
        }
        return LibraryContext(context: context, loop: loop) { [self] in
            withExtendedLifetime(server) { free() }
        }
    }

    /// A context on libev's loop, which costs the same however many connections are silent; or on
    /// the library's own, which looks at every one at each wake-up, where libev's part of the
    /// library is not installed.
    private static func makeContext(
        _ info: inout lws_context_creation_info
    ) -> (context: OpaquePointer?, loop: UnsafeMutableRawPointer?) {
        if let loop = ss_loop_new() {
            var loops: [UnsafeMutableRawPointer?] = [loop]
            let context = loops.withUnsafeMutableBufferPointer { loops in
                info.options |= ss_libev_option()
                info.foreign_loops = loops.baseAddress
                defer {
                    info.options &= ~ss_libev_option()
                    info.foreign_loops = nil
                }
                return lws_create_context(&info)
            }
            if let context { return (context, loop) }
            ss_loop_free(loop)
        }
        return (lws_create_context(&info), nil)
    }

    private func makeHost(
        _ context: OpaquePointer, _ info: inout lws_context_creation_info,
        _ configuration: ServerConfiguration
    ) throws(TransportError) {
        info.port = CONTEXT_PORT_NO_LISTEN_SERVER
        // Protocol 0 takes plain HTTP; the others are the subprotocols.
        info.protocols = memory.protocols(["http"] + configuration.subprotocols, serverCallback)
        info.vhost_name = memory.cString("scenesync")
        info.alpn = memory.cString("http/1.1")
        let policy = UnsafeMutablePointer<lws_retry_bo_t>.allocate(capacity: 1)
        policy.initialize(to: lws_retry_bo_t())
        policy.pointee.secs_since_valid_ping = UInt16(clamping: configuration.pingIntervalSeconds)
        policy.pointee.secs_since_valid_hangup = UInt16(clamping: configuration.hangUpSeconds)
        retry = policy
        info.retry_and_idle_policy = UnsafePointer(policy)
        if let tls = configuration.tls {
            material = try TLSMaterial(tls)
            info.ssl_cert_filepath = memory.cString(tls.certificatePath)
            info.ssl_private_key_filepath = memory.cString(tls.privateKeyPath)
            info.ssl_options_set = ss_tls_options()
            // Forward secrecy and authenticated encryption alone; TLS 1.3 has nothing else.
            info.ssl_cipher_list = memory.cString("ECDHE+AESGCM:ECDHE+CHACHA20")
        }
        guard let handle = lws_create_vhost(context, &info) else {
            if configuration.tls != nil { throw .tls("the certificate or the key cannot be used") }
            throw .libraryFailed("no virtual host could be made")
        }
        guard !hasFailed else { throw .tls("clients cannot be asked for certificates") }
        self.handle = handle
    }

    /// Keeps OpenSSL's context and limits its memory. Called while the virtual host is made.
    func secured(_ context: UnsafeMutableRawPointer?) {
        guard let context else { return }
        secureContext = context
        ss_tls_prepare(OpaquePointer(context))
        if material?.askForCertificates(in: context) == false { hasFailed = true }
    }

    /// Serves another certificate from now on; connections that are open keep theirs.
    func install(_ certificate: TLSMaterial) {
        if let secureContext, !certificate.install(in: secureContext) {
            TransportLog.emit("a new certificate could not be installed")
        }
    }

    /// Gives a socket to the library, which closes it whatever goes wrong.
    ///
    /// - Parameter connection: What the library's handle refers to, unretained; kept by the caller.
    /// - Returns: The handle; `nil` when the library did not take the socket.
    func adopt(_ descriptor: Int32, for connection: Connection) -> OpaquePointer? {
        var info = lws_adopt_desc_t()
        info.vh = handle
        info.type = ss_adoption_type(connection.socketAddress == ListenAddress.unixPeer ? 0 : 1)
        info.fd.sockfd = descriptor
        info.opaque = Unmanaged.passUnretained(connection).toOpaque()
        return lws_adopt_descriptor_vhost_via_info(&info)
    }

    private func free() {
        memory.free()
        retry?.deallocate()
        retry = nil
    }
}
