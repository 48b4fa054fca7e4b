import COpenSSL
import CTransportShims
import Essentials
import FoundationEssentials

/// A certificate that this machine signs for itself, for development: browsers and clients have to
/// be told to trust it.
public enum SelfSignedCertificate {
    /// Makes a P-256 key and a certificate for `localhost` and the loopback addresses, valid for a
    /// year, in a directory, which is made if it is missing. The files can be read by their owner
    /// only.
    ///
    /// - Throws: `TransportError.tls`.
    public static func make(
        commonName: String = "localhost", directory: String
    ) throws(TransportError) -> TLSConfiguration {
        guard let key = ss_make_p256_key() else { throw failure("no key could be made") }
        defer { EVP_PKEY_free(key) }
        guard let certificate = X509_new() else { throw failure("no certificate could be made") }
        defer { X509_free(certificate) }
        try fill(certificate, key, commonName)
        guard X509_sign(certificate, key, EVP_sha256()) > 0 else {
            throw failure("the certificate could not be signed")
        }
        let configuration = TLSConfiguration(
            certificatePath: directory + "/certificate.pem",
            privateKeyPath: directory + "/private-key.pem")
        do {
            try FileManager.default.createDirectory(
                atPath: directory, withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
        } catch {
            throw .tls("cannot make \(directory): \(FileFailure.reason(of: error))")
        }
        try write(to: configuration.certificatePath) { PEM_write_bio_X509($0, certificate) }
        try write(to: configuration.privateKeyPath) {
            PEM_write_bio_PrivateKey($0, key, nil, nil, 0, nil, nil)
        }
        return configuration
    }

    private static func fill(
        _ certificate: OpaquePointer, _ key: OpaquePointer, _ name: String
    ) throws(TransportError) {
        guard let serial = randomBytes(8) else { throw failure("no random numbers") }
        var number: Int64 = 0
        for byte in serial { number = (number << 8 | Int64(byte)) & Int64.max }
        X509_set_version(certificate, 2)
        ASN1_INTEGER_set_int64(X509_get_serialNumber(certificate), number)
        X509_gmtime_adj(X509_getm_notBefore(certificate), -300)
        X509_gmtime_adj(X509_getm_notAfter(certificate), 365 * 24 * 3600)
        X509_set_pubkey(certificate, key)
        let subject = X509_get_subject_name(certificate)
        X509_NAME_add_entry_by_txt(
            subject, "CN", 0x1000 | 1, Array(name.utf8), Int32(name.utf8.count), -1, 0)
        X509_set_issuer_name(certificate, subject)
        for (kind, value) in [
            (NID_basic_constraints, "critical,CA:TRUE"),
            (NID_subject_alt_name, "DNS:localhost,IP:127.0.0.1,IP:0:0:0:0:0:0:0:1"),
            (NID_ext_key_usage, "serverAuth"),
        ] {
            guard let part = X509V3_EXT_conf_nid(nil, nil, kind, value) else {
                throw failure("the extension \(value) could not be made")
            }
            X509_add_ext(certificate, part, -1)
            X509_EXTENSION_free(part)
        }
    }

    private static func write(
        to path: String, _ body: (OpaquePointer) -> Int32
    ) throws(TransportError) {
        guard let memory = BIO_new(BIO_s_mem()) else { throw failure("out of memory") }
        defer { BIO_free(memory) }
        guard body(memory) == 1 else { throw failure("\(path) could not be written") }
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = BIO_read(memory, &piece, Int32(piece.count))
            guard count > 0 else { break }
            bytes += piece.prefix(Int(count))
        }
        guard
            FileManager.default.createFile(
                atPath: path, contents: Data(bytes), attributes: [.posixPermissions: 0o600])
        else { throw failure("\(path) could not be written") }
    }

    private static func failure(_ what: String) -> TransportError { .tls(what) }
}
