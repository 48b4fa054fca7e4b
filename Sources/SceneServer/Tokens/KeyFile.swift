private import FoundationEssentials
import Signatures

/// A file that holds a key.
struct KeyFile {
    let path: String
    let bytes: [UInt8]

    /// Reads a file.
    ///
    /// - Throws: `TokenError.badKey`.
    init(_ path: String) throws(TokenError) {
        self.path = path
        do {
            bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        } catch {
            throw .badKey(file: path, reason: "cannot be read")
        }
    }

    /// The secret in the file, without trailing white space, which editors add.
    func secret() throws(TokenError) -> Secret {
        var secret = bytes
        while let last = secret.last, [0x0A, 0x0D, 0x20, 0x09].contains(last) {
            secret.removeLast()
        }
        return try reading { () throws(KeyError) in try Secret(secret) }
    }

    /// A sentence for a file with more than one PEM key, of which only the first is used; `nil` for
    /// others.
    var surplus: String? {
        let text = String(decoding: bytes, as: UTF8.self)
        let count = text.split(separator: "\n").count {
            $0.hasPrefix("-----BEGIN ") && $0.contains("PUBLIC KEY-----")
        }
        guard count > 1 else { return nil }
        return
            "\(path) holds \(count) keys, and only the first is used; give each a file of its own, or a key set"
    }

    /// The PEM public key in the file.
    func publicKey() throws(TokenError) -> PublicKey {
        try reading { () throws(KeyError) in try PublicKey(pem: bytes) }
    }

    /// The PEM private key in the file.
    func privateKey() throws(TokenError) -> PrivateKey {
        try reading { () throws(KeyError) in try PrivateKey(pem: bytes) }
    }

    private func reading<Key>(_ body: () throws(KeyError) -> Key) throws(TokenError) -> Key {
        do { return try body() } catch {
            throw .badKey(file: path, reason: error.description)
        }
    }
}
