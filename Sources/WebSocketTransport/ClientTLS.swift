import CLibWebSockets
import CTransportShims

/// The certificates that a client trusts: the system's, and those of a file.
///
/// The library can make this itself, but it never frees what it made while the process has a second
/// context.
final class ClientTLS {
    private let context: OpaquePointer

    /// Reads the system's certificates, and those of a PEM file; nil when the file has none, or the
    /// identity cannot be used.
    ///
    /// - Parameters:
    ///   - trustsAnyCertificate: Whether none of them is asked for.
    ///   - identity: The certificate by which the client shows who it is.
    init?(caFile: String?, trustsAnyCertificate: Bool, identity: TLSConfiguration? = nil) {
        guard let context = ss_tls_trust(caFile, trustsAnyCertificate ? 1 : 0) else { return nil }
        self.context = context
        guard let identity else { return }
        guard ss_tls_present(context, identity.certificatePath, identity.privateKeyPath) == 1 else {
            return nil
        }
    }

    deinit { ss_tls_forget(context) }

    /// Has a context of the library use the certificates; it must be destroyed first.
    func install(in info: inout lws_context_creation_info) {
        info.provided_client_ssl_ctx = context
    }
}
