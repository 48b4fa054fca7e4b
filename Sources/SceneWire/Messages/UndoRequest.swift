/// Asks to take back, or to do again, the sender's own last undo group. Answered by `result`.
public struct UndoRequest: Sendable, Equatable {
    /// Counts together with those of `ops`.
    public var clientSequence: UInt64 = 0

    /// Makes a request with the sequence 0.
    public init() {}
}

extension UndoRequest: WireValue {
    mutating func code<Coder: FieldCoder>(_ coder: inout Coder) throws(Coder.Failure) {
        try coder.u64("clientSequence", &clientSequence)
    }
}
