/// What a peer said in its close frame. RFC 6455, sections 5.5.1 and 7.4.
enum PeerClose {
    /// An empty payload.
    case silent
    case code(UInt16, reason: String)
    /// A payload that is not allowed: the connection has to fail with a close code and a reason.
    case invalid(code: UInt16, reason: String)

    /// - Parameter bytes: The payload of the close frame.
    init(_ bytes: UnsafeRawBufferPointer) {
        guard !bytes.isEmpty else {
            self = .silent
            return
        }
        guard bytes.count >= 2 else {
            self = .invalid(code: StandardCloseCode.protocolError, reason: "half a code")
            return
        }
        let text = UnsafeRawBufferPointer(rebasing: bytes[2...])
        var checker = UTF8Checker()
        guard checker.take(text), checker.isComplete else {
            self = .invalid(code: StandardCloseCode.invalidPayload, reason: "not UTF-8")
            return
        }
        let code = UInt16(bytes[0]) << 8 | UInt16(bytes[1])
        guard code < 5000 else {
            self = .invalid(code: StandardCloseCode.protocolError, reason: "no such code")
            return
        }
        self = .code(code, reason: String(decoding: text, as: UTF8.self))
    }
}
