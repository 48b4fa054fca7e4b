/// Where a constraint stands among others: its place in the order of creation, and its priority if
/// that is in 64ths. Eight bytes.
struct ConstraintRank {
    /// The number in the upper 48 bits, which no process comes to the end of, and the priority in
    /// 64ths below; 0 for another one.
    private var bits: UInt64

    init(serial: UInt64) { bits = serial << 16 }

    var serial: UInt64 { bits >> 16 }

    /// The priority; nil if it is not in 64ths.
    var priority: LayoutPriority? {
        @inline(__always) get {
            let parts = UInt16(truncatingIfNeeded: bits)
            return parts == 0 ? nil : LayoutPriority(Double(parts) / 64)
        }
    }

    /// Notes a priority; returns whether it is in 64ths.
    @inline(__always)
    mutating func setPriority(_ priority: LayoutPriority) -> Bool {
        // A priority is from 1 to 1000.
        let scaled = priority.rawValue * 64
        let parts = UInt16(scaled)
        let isExact = Double(parts) == scaled
        bits = bits & ~0xFFFF | (isExact ? UInt64(parts) : 0)
        return isExact
    }
}
