import COpenSSL

/// Unpredictable bytes, from OpenSSL's cryptographic generator.
///
/// - Returns: `nil` when the generator could not be seeded; nothing secret must be made then.
public func randomBytes(_ count: Int) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: max(count, 0))
    guard RAND_bytes(&bytes, Int32(clamping: bytes.count)) == 1 else { return nil }
    return bytes
}
