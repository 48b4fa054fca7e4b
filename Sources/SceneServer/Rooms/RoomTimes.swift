/// The processor time of a room's steps, by seconds of its thread's clock.
///
/// It is the guard behind the prices: a room whose steps take long goes to the slow lane whatever
/// its units of work say, so that a price that is too low harms the room alone. Belongs to the
/// thread of its room.
final class RoomTimes {
    private struct Second {
        var nanoseconds: UInt64 = 0
        /// Ticks that ran, and those that did not since the thread was late.
        var ticks: UInt64 = 0
        var missedTicks: UInt64 = 0

        /// What it would have taken on time: a thread that is starved must not make its rooms look
        /// light.
        var onTime: UInt64 {
            guard ticks > 0 else { return nanoseconds }
            return nanoseconds &+ nanoseconds / ticks &* missedTicks
        }
    }

    /// Whether the room had work for the next tick when its last one ended.
    var wantsEachTick = false
    private var number: UInt64 = 0
    private var present = Second()
    private var before = Second()

    /// Adds the time of a step.
    ///
    /// - Parameters:
    ///   - second: The present second of the thread's clock.
    ///   - missedTicks: For a tick, how many were due before it and did not run; `nil` for other
    ///     steps.
    func add(nanoseconds: UInt64, second: UInt64, missedTicks: UInt64? = nil) {
        if second != number {
            before = second == number &+ 1 ? present : Second()
            present = Second()
            number = second
        }
        present.nanoseconds &+= nanoseconds
        guard let missedTicks else { return }
        present.ticks &+= 1
        present.missedTicks &+= missedTicks
    }

    /// Nanoseconds that the present second's steps would take on time, or those of the second
    /// before, whichever is more.
    func nanoseconds(inSecond second: UInt64) -> UInt64 {
        switch second &- number {
        case 0: max(present.onTime, before.onTime)
        case 1: present.onTime
        default: 0
        }
    }
}
