/// A remembered selection, for a receiver that was not there when it was first used.
public struct Select: Sendable, Equatable {
    /// Where it goes; the next new selection goes to the slot after it.
    public var slot: UInt8 = 0
    /// The selection.
    public var selection = Selection(mask: .x, numbers: [0])
    /// The deltas it was used with last, one for each bit of its mask.
    public var deltas: FieldDeltas = [0]

    /// Makes a message about view 0.
    public init() {}
}

extension Select: WireValue {
    mutating func code<Coder: FieldCoder>(_ coder: inout Coder) throws(Coder.Failure) {
        try coder.u8("slot", &slot)
        if slot >= SelectionRing.slotCount { try coder.invalid("slot", "0...63") }
        try coder.selection("selection", &selection)
        var values = (0..<selection.mask.count).map { deltas[$0] }
        try coder.integers("deltas", &values)
        deltas = FieldDeltas(values)
    }
}
