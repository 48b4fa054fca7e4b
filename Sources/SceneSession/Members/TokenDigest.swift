import Bytes
import Digests

/// The digest by which the journal recognises a returning client's resume token, without containing
/// the token.
enum TokenDigest {
    /// The SHA-256 digest of a text, as 64 hexadecimal digits.
    ///
    /// - Complexity: O(bytes).
    static func hexadecimal(of text: String) -> String {
        Hexadecimal.text(SHA256Digest.of(Array(text.utf8)))
    }

    /// The digest of a token bound to one subject; for an empty subject, of the token alone.
    ///
    /// - Complexity: O(bytes).
    static func hexadecimal(of token: String, _ subject: String) -> String {
        guard !subject.isEmpty else { return hexadecimal(of: token) }
        // The prefix keeps the two forms apart: a client could send the text of a pair as its
        // token.
        return "s" + hexadecimal(of: hexadecimal(of: token) + subject)
    }
}
