import SceneDocument

/// Something went wrong that is no answer to an op.
public struct ErrorMessage: Sendable, Equatable {
    /// A close code.
    public var code: UInt32 = 0
    /// Whether to try again makes sense.
    public var isRetryable = false
    /// When.
    public var retryAfterMilliseconds: UInt32 = 0
    /// For people.
    public var text = ""

    /// Makes an error without a code.
    public init() {}
}

extension ErrorMessage: WireValue {
    mutating func code<Coder: FieldCoder>(_ coder: inout Coder) throws(Coder.Failure) {
        try coder.u32("code", &code)
        try coder.bool("retryable", &isRetryable)
        try coder.u32("retryAfterMilliseconds", &retryAfterMilliseconds)
        try coder.text("text", &text, maximum: coder.limits.textBytesMaximum)
    }
}
