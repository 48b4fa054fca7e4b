import Digests
import SceneProtocol

/// The digest by which the journal tells a returning client by its secret, without holding the secret.
enum TokenDigest {
    /// The SHA-256 digest of a text, as 64 hexadecimal digits.
    ///
    /// - Complexity: O(bytes).
    static func hexadecimal(of text: String) -> String {
        Hexadecimal.text(SHA256Digest.of(Array(text.utf8)))
    }
}
