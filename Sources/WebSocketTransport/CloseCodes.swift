/// The close codes to which the protocol itself gives a meaning. RFC 6455, section 7.4.1.
public enum StandardCloseCode {
    /// The purpose of the connection is fulfilled.
    public static let normal: UInt16 = 1000
    /// The endpoint goes away.
    public static let goingAway: UInt16 = 1001
    /// The peer broke the protocol.
    public static let protocolError: UInt16 = 1002
    /// The payload is not what its kind demands, such as text that is not UTF-8.
    public static let invalidPayload: UInt16 = 1007
    /// The peer broke a rule that has no code of its own.
    public static let policyViolation: UInt16 = 1008
    /// A message is longer than the endpoint takes.
    public static let messageTooBig: UInt16 = 1009
}

/// The code and reason in a close frame's payload; `nil` for an empty one. RFC 6455, section 5.5.1.
func closeReason(_ pointer: UnsafeMutableRawPointer?, _ length: Int) -> (
    code: UInt16, reason: String
)? {
    guard let pointer, length >= 2 else { return nil }
    let bytes = UnsafeRawBufferPointer(start: pointer, count: length)
    return (
        UInt16(bytes[0]) << 8 | UInt16(bytes[1]),
        String(decoding: bytes.dropFirst(2), as: UTF8.self)
    )
}
