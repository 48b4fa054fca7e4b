/// The reason why a token was refused.
public enum TokenError: Error, Equatable, Sendable, CustomStringConvertible {
    /// There is no token.
    case missing
    /// The text is not a token, or none of the keys signed it.
    case invalid
    /// It has expired.
    case expired
    /// It is not valid yet.
    case notYet
    /// Its lifetime exceeds the server's maximum.
    case tooLong(seconds: Int)
    /// Its subject exceeds 256 bytes.
    case subjectTooLong(bytes: Int)
    /// Its issuer or its audience differs from the server's.
    case notForHere
    /// Its claims about views are no patterns.
    case badPatterns
    /// A key file cannot be used.
    case badKey(file: String, reason: String)

    /// The text for people; never contains the token.
    public var description: String {
        switch self {
        case .missing: "a token is needed"
        case .invalid: "the token is not valid"
        case .expired: "the token has expired"
        case .notYet: "the token is not valid yet"
        case .tooLong(let seconds): "the token is valid for more than \(seconds) s"
        case .subjectTooLong(let bytes):
            "the token's subject has \(bytes) bytes; at most \(Subject.byteMaximum) are allowed"
        case .notForHere: "the token is for another issuer or audience"
        case .badPatterns:
            "the token's claims edit and handle are lists of 1 to 64 patterns such as sidebar, sidebar/*, * or !secrets"
        case .badKey(let file, let reason): "\(file): \(reason)"
        }
    }
}
