internal import CNATS

/// The results of the library's calls.
enum NATSStatus {
    /// Throws unless a call has succeeded.
    static func check(_ status: natsStatus, _ call: String) throws(NATSError) {
        guard status == NATS_OK else { throw .libraryFailed(call: call, reason: text(status)) }
    }

    /// The library's words for a status, such as `Timeout`.
    static func text(_ status: natsStatus) -> String {
        natsStatus_GetText(status).map { String(cString: $0) } ?? "status \(status.rawValue)"
    }

    /// The library's words for the last error of this thread, where it has any.
    static var lastError: String? {
        var status = NATS_OK
        guard let text = nats_GetLastError(&status), status != NATS_OK else { return nil }
        // It begins with the place in the library's source, as `(conn.c:2088): `.
        let words = String(cString: text)
        guard words.first == "(", let end = words.firstRange(of: "): ") else {
            return words.isEmpty ? nil : words
        }
        return String(words[end.upperBound...])
    }
}
