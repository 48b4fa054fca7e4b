import CMalloc

/// Returns memory to the system some time after rooms were frozen: freed memory lies between memory
/// in use, and the allocator keeps it until asked to release it.
struct MemoryTrimmer {
    /// Seconds between two calls, each of which takes milliseconds.
    private static let intervalSeconds: UInt64 = 2

    private var lastTrim = ClockTick(0)
    private var hasFreedMemory = false

    /// Registers that much memory was freed.
    mutating func noteFreedMemory() { hasFreedMemory = true }

    /// Returns memory to the system, unless none was freed or the interval is not over.
    ///
    /// - Parameter rate: Ticks of the clock in a second.
    mutating func trimIfDue(_ now: ClockTick, rate: Int) {
        guard hasFreedMemory, now >= lastTrim + Self.intervalSeconds * UInt64(rate) else { return }
        hasFreedMemory = false
        lastTrim = now
        giveFreeMemoryBack()
    }
}
