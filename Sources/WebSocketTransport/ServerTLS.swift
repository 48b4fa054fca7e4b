import COpenSSL
import CTransportShims
import FoundationEssentials

/// A certificate and its key, read and found to belong together.
///
/// `@unchecked Sendable`: the OpenSSL context behind it is not changed once it is made, and its
/// reference counts are safe from any thread.
final class TLSMaterial: @unchecked Sendable {
    private let context: OpaquePointer
    /// The file of certificates that sign clients' ones, if these are asked for.
    private let authorities: String?
    private let requiresCertificate: Bool

    /// Reads the files.
    ///
    /// - Throws: `TransportError.tls` when one cannot be read or they do not belong together.
    init(_ configuration: TLSConfiguration) throws(TransportError) {
        for path in [configuration.certificatePath, configuration.privateKeyPath]
        where !FileManager.default.isReadableFile(atPath: path) {
            throw .tls("cannot read \(path)")
        }
        guard
            let context = ss_tls_load(
                configuration.certificatePath, configuration.privateKeyPath)
        else {
            throw .tls(
                "\(configuration.certificatePath) and \(configuration.privateKeyPath) are no "
                    + "certificate and its key")
        }
        self.context = context
        guard let authorities = configuration.clientAuthoritiesPath else {
            (self.authorities, requiresCertificate) = (nil, false)
            return
        }
        (self.authorities, requiresCertificate) = (
            authorities, configuration.requiresClientCertificate
        )
        guard ss_tls_ask(context, authorities, requiresCertificate ? 1 : 0) == 1 else {
            throw .tls("\(authorities) has no certificates that can be read")
        }
    }

    deinit { SSL_CTX_free(context) }

    /// Puts the certificate into a server's context; connections that exist keep the one they have.
    func install(in target: UnsafeMutableRawPointer) -> Bool {
        ss_tls_adopt(OpaquePointer(target), context) == 1 && askForCertificates(in: target)
    }

    /// Has a server's context ask clients for certificates, if the configuration says so.
    func askForCertificates(in target: UnsafeMutableRawPointer) -> Bool {
        guard let authorities else { return true }
        return ss_tls_ask(OpaquePointer(target), authorities, requiresCertificate ? 1 : 0) == 1
    }
}

extension TLSConfiguration {
    /// Reads the files and finds out when the certificate expires.
    ///
    /// - Returns: The last moment, in seconds since 1970.
    /// - Throws: `TransportError.tls`.
    public func check() throws(TransportError) -> Int {
        _ = try TLSMaterial(self)
        let end = ss_tls_certificate_end(certificatePath)
        guard end > 0 else { throw .tls("\(certificatePath) has no end that can be read") }
        return Int(end)
    }
}
