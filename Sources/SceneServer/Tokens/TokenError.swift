/// The reason for which a token was refused.
public enum TokenError: Error, Equatable, Sendable, CustomStringConvertible {
    /// There is no token.
    case missing
    /// The text is no token, or none of the keys signed it.
    case invalid
    /// It has expired.
    case expired
    /// Its validity has not begun.
    case notYet
    /// It holds for longer than the server allows.
    case tooLong(seconds: Int)
    /// Its issuer or its audience is not the one that the server wants.
    case notForHere
    /// A key file cannot be used.
    case badKey(file: String, reason: String)

    /// The text for people, which never shows the token.
    public var description: String {
        switch self {
        case .missing: "a token is needed"
        case .invalid: "the token is not valid"
        case .expired: "the token has expired"
        case .notYet: "the token does not hold yet"
        case .tooLong(let seconds): "the token holds for more than \(seconds) s"
        case .notForHere: "the token's issuer or audience is another"
        case .badKey(let file, let reason): "\(file): \(reason)"
        }
    }
}
