import ConstraintLanguage

/// Changes what a member gets: as the fields of the same names in `hello`.
public struct Subscribe: Sendable, Equatable {
    /// The subtrees that the client subscribes to; empty for the whole scene.
    public var roots: [String] = []
    /// The most frames a second; 0 leaves it to the server.
    public var frameRateMaximum: UInt32 = 0

    /// Asks for everything.
    public init() {}
}

extension Subscribe: WireValue {
    mutating func code<Coder: FieldCoder>(_ coder: inout Coder) throws(Coder.Failure) {
        try coder.texts(
            "roots", &roots, maximum: 64, textMaximum: Identifier.byteMaximum)
        try coder.u32("frameRateMaximum", &frameRateMaximum)
    }
}
