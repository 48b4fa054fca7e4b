import Synchronization

/// Numbers that no two states of the process share, so that a copy of a part of a mirror can be
/// checked against the mirror.
enum ContentStamp {
    private static let last = Atomic<UInt64>(0)

    /// A number that was never given before.
    static func next() -> UInt64 { last.wrappingAdd(1, ordering: .relaxed).newValue }
}
