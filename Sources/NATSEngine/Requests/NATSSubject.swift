/// Subjects of NATS: tokens that are separated by points.
enum NATSSubject {
    /// The longest that this module sends; the server's line of control takes 4096 bytes with
    /// everything else.
    static let bytesMaximum = 1024

    /// Whether a message can be sent to it: no token is empty, a wildcard, or has white space or
    /// control characters.
    static func isLiteral(_ subject: String) -> Bool {
        guard 1...bytesMaximum ~= subject.utf8.count,
            subject.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F })
        else { return false }
        return subject.split(separator: ".", omittingEmptySubsequences: false)
            .allSatisfy { !$0.isEmpty && $0 != "*" && $0 != ">" }
    }
}
