internal import COpenSSL

/// Owns a key of OpenSSL's.
///
/// Sendable: nothing changes the key after it was made, and OpenSSL counts references to it
/// atomically; each operation has a context of its own.
final class KeyHandle: @unchecked Sendable {
    let key: OpaquePointer
    let algorithm: SignatureAlgorithm

    /// The shortest modulus of RSA. RFC 7518, section 3.3.
    private static let rsaBitsMinimum = 2048
    /// The longest, which OpenSSL also draws.
    private static let rsaBitsMaximum = 16_384

    /// Takes over a key, whatever becomes of it.
    init(_ key: OpaquePointer) throws(KeyError) {
        self.key = key
        // Set before anything is thrown, so that `deinit` frees the key.
        algorithm =
            if EVP_PKEY_is_a(key, "ED25519") == 1 {
                .edDSA
            } else if EVP_PKEY_is_a(key, "RSA") == 1 {
                .rs256
            } else {
                .es256
            }
        switch algorithm {
        case .hs256: break
        case .edDSA:
            var bytes = [UInt8](repeating: 0, count: 32)
            var count = bytes.count
            guard EVP_PKEY_get_raw_public_key(key, &bytes, &count) == 1 else { throw .malformed }
            guard !SmallOrderPoints.contains(bytes) else { throw .smallOrder }
        case .rs256:
            let bits = Int(EVP_PKEY_get_bits(key))
            guard bits >= Self.rsaBitsMinimum else {
                throw .tooShort(bits: bits, minimum: Self.rsaBitsMinimum)
            }
            guard bits <= Self.rsaBitsMaximum else { throw .unsupported(kind: "RSA, \(bits) bits") }
        case .es256:
            let kind = Self.kind(of: key)
            guard kind == "prime256v1" else { throw .unsupported(kind: kind) }
        }
    }

    deinit { EVP_PKEY_free(key) }

    /// The curve's name, or that of the kind.
    private static func kind(of key: OpaquePointer) -> String {
        var count = 0
        let name = [CChar](unsafeUninitializedCapacity: 64) { buffer, written in
            if EVP_PKEY_get_group_name(key, buffer.baseAddress, buffer.count, &count) == 1 {
                written = count
            }
        }
        if !name.isEmpty {
            return String(decoding: name.map(UInt8.init(bitPattern:)), as: UTF8.self)
        }
        return EVP_PKEY_get0_type_name(key).map { String(cString: $0) } ?? "an unknown kind"
    }

    /// The function that digests a message; Ed25519 has its own.
    var digest: OpaquePointer? { algorithm == .edDSA ? nil : EVP_sha256() }

    // MARK: PEM

    /// Reads a key with one of OpenSSL's functions, without a passphrase: an encrypted key fails
    /// instead of prompting.
    static func read(
        _ pem: [UInt8],
        _ function: (OpaquePointer) -> OpaquePointer?
    ) -> OpaquePointer? {
        defer { forgetErrors() }
        guard let count = Int32(exactly: pem.count) else { return nil }
        return pem.withUnsafeBytes { raw in
            guard let bytes = BIO_new_mem_buf(raw.baseAddress, count) else { return nil }
            defer { BIO_free(bytes) }
            return function(bytes)
        }
    }

    /// Empties the thread's queue of errors: TLS asks it after each of its own operations, and
    /// would take ours for its own.
    static func forgetErrors() { ERR_clear_error() }
}
