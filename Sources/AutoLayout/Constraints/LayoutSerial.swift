import Synchronization

/// Numbers constraints in the order in which they are made.
///
/// Only the order among the constraints of one hierarchy decides anything, and one hierarchy is
/// used from one thread; the counter is atomic because several hierarchies may live on several
/// threads.
enum LayoutSerial {
    private static let counter = Atomic<UInt64>(0)

    static func next() -> UInt64 {
        counter.add(1, ordering: .relaxed).newValue
    }
}
