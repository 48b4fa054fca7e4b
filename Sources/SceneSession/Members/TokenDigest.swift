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

    /// The digest of a token that is good for one subject only; where that is empty, of the token alone.
    ///
    /// - Complexity: O(bytes).
    static func hexadecimal(of token: String, _ subject: String) -> String {
        guard !subject.isEmpty else { return hexadecimal(of: token) }
        // The letter in front keeps the two apart: a client could send the text of a pair as its token.
        return "s" + hexadecimal(of: hexadecimal(of: token) + subject)
    }
}
