import Bytes
import JSON
import Signatures

/// A JSON Web Key Set. RFC 7517, section 5.
///
/// Uses the keys that can verify supported tokens and skips others: of other kinds or curves, for
/// encryption, or for another algorithm. An invalid key of a supported kind is an error. A set is
/// public, so secrets in it are skipped as well.
enum KeySet {
    /// Parses a set.
    ///
    /// - Throws: `TokenError.badKey`.
    static func keys(_ bytes: [UInt8], file: String) throws(TokenError) -> [ProvingKey] {
        func bad(_ reason: String) -> TokenError { .badKey(file: file, reason: reason) }
        let set: JSONValue
        do throws(JSONError) { set = try JSONReader.read(bytes) } catch {
            throw bad("it is not valid JSON: \(error)")
        }
        guard let entries = set["keys"]?.array else {
            throw bad("it is not a JSON Web Key Set: it has no array \"keys\"")
        }
        var keys: [ProvingKey] = []
        for (index, entry) in entries.enumerated() {
            guard case .object = entry.kind else { throw bad("keys[\(index)] is not an object") }
            let key: PublicKey?
            do throws(KeyError) { key = try Self.key(entry) } catch {
                throw bad("keys[\(index)]: \(error)")
            }
            guard let key else { continue }
            guard let id = entry["kid"]?.string, !id.isEmpty else {
                throw bad("keys[\(index)] has no kid, by which tokens name it")
            }
            keys.append(ProvingKey(key, id: id))
        }
        guard !keys.isEmpty else { throw bad("no key of P-256, RSA or Ed25519 in the set") }
        return keys
    }

    /// The operations of keys for encryption, which a set may have beside others. RFC 7517, section
    /// 4.3.
    private static let encrypting: Set<String> = [
        "encrypt", "decrypt", "wrapKey", "unwrapKey", "deriveKey", "deriveBits",
    ]

    /// Whether a key verifies signatures by its `key_ops`; false for one that encrypts.
    ///
    /// - Throws: `KeyError.notForVerifying` for any other use.
    private static func isForVerifying(_ entry: JSONValue) throws(KeyError) -> Bool {
        guard let operations = entry["key_ops"] else { return true }
        guard let values = operations.array else { throw .notForVerifying }
        let names = values.map { value in
            value.string ?? ""
        }
        if names.contains("verify") { return true }
        guard !names.isEmpty, names.allSatisfy(encrypting.contains) else {
            throw .notForVerifying
        }
        return false
    }

    /// A key of a supported kind; `nil` for others.
    private static func key(_ entry: JSONValue) throws(KeyError) -> PublicKey? {
        func text(_ key: String) -> String? {
            entry[key]?.string
        }
        func bytes(_ key: String) throws(KeyError) -> [UInt8] {
            guard let text = text(key), let bytes = Base64URL.bytes(text[...].utf8) else {
                throw .malformed
            }
            return bytes
        }
        // A set is public: whoever published this gave the key away.
        guard entry["d"] == nil else { throw .isPrivate }
        if let use = text("use"), use != "sig" { return nil }
        guard try isForVerifying(entry) else { return nil }
        let key: PublicKey
        switch (text("kty"), text("crv")) {
        case ("EC", "P-256"): key = try PublicKey(p256: bytes("x"), bytes("y"))
        case ("OKP", "Ed25519"): key = try PublicKey(ed25519: bytes("x"))
        case ("RSA", _): key = try PublicKey(rsaModulus: bytes("n"), exponent: bytes("e"))
        default: return nil
        }
        if let algorithm = text("alg"), algorithm != key.algorithm.rawValue { return nil }
        return key
    }
}
