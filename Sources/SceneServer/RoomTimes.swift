/// The processor time of a room's steps, by seconds of its thread's clock.
///
/// It is the guard behind the prices: a room whose steps take long goes to the slow lane whatever its units of work say, so
/// that a price that is too low harms the room alone. Belongs to the thread of its room.
final class RoomTimes {
    private var number: UInt64 = 0
    private var present: UInt64 = 0
    private var before: UInt64 = 0

    /// Adds the time of a step.
    ///
    /// - Parameter second: The present second of the thread's clock.
    func add(nanoseconds: UInt64, second: UInt64) {
        if second != number {
            before = second == number &+ 1 ? present : 0
            present = 0
            number = second
        }
        present &+= nanoseconds
    }

    /// Nanoseconds of the present second or of the one before, whichever is more.
    func nanoseconds(inSecond second: UInt64) -> UInt64 {
        switch second &- number {
        case 0: max(present, before)
        case 1: present
        default: 0
        }
    }

    /// Begins again on a thread with another clock.
    func reset() { (number, present, before) = (0, 0, 0) }
}
