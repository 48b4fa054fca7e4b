import Bytes
import JSON
import Signatures

/// A token in its compact form: three parts, of which the first names the algorithm, and the third
/// signs the first two. RFC 7515, section 7.1; RFC 7519.
struct JSONWebToken {
    /// The maximum bytes of a token; a cookie or a header holds no more.
    static let byteMaximum = 8192

    /// The algorithm that the token names; the key decides whether it is acceptable.
    let algorithm: SignatureAlgorithm
    /// The id of the signing key, if the token names one.
    let keyID: String?
    /// The claims, before their signature is verified.
    let payload: [UInt8]
    /// The signed bytes.
    let signed: [UInt8]
    let signature: [UInt8]

    /// Parses a token; `nil` for an invalid one, or one that requires more than is supported:
    /// another algorithm (above all `none`, RFC 8725, section 3.1), or a critical extension (RFC
    /// 7515, section 4.1.11).
    init?(_ text: String) {
        guard text.utf8.count <= Self.byteMaximum else { return nil }
        let parts = text.split(separator: ".", maxSplits: 3, omittingEmptySubsequences: false)
        guard parts.count == 3, let head = Base64URL.bytes(parts[0].utf8),
            let payload = Base64URL.bytes(parts[1].utf8),
            let signature = Base64URL.bytes(parts[2].utf8),
            let header = try? JSONReader.read(head), header["crit"] == nil,
            let name = header["alg"]?.string,
            let algorithm = SignatureAlgorithm(rawValue: name)
        else { return nil }
        switch header["kid"]?.kind {
        case nil: keyID = nil
        case .string(let id): keyID = id
        default: return nil
        }
        self.algorithm = algorithm
        self.payload = payload
        self.signature = signature
        signed = Array("\(parts[0]).\(parts[1])".utf8)
    }

    /// Builds a token.
    ///
    /// - Parameter sign: Returns the signature of its argument, or `nil`.
    static func text(
        _ algorithm: SignatureAlgorithm, _ claims: JSONValue, sign: ([UInt8]) -> [UInt8]?
    ) -> String? {
        let header = JSONValue.object([
            JSONMember("alg", .string(algorithm.rawValue)), JSONMember("typ", .string("JWT")),
        ])
        let parts = [header, claims].map { value in
            var bytes: [UInt8] = []
            value.append(to: &bytes)
            return Base64URL.text(bytes)
        }
        let signed = parts.joined(separator: ".")
        return sign(Array(signed.utf8)).map { signed + "." + Base64URL.text($0) }
    }
}
