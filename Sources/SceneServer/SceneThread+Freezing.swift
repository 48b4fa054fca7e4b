import CMalloc
import SceneSession

/// Rooms in which nothing happens hold little memory.
extension SceneThread {
    /// Seconds between two times that memory is given back to the system.
    private static let trimSeconds: UInt64 = 2

    /// Freezes a room that nothing has happened in for a while: one at a time, since a large one takes as long as a tick.
    func freezeOneRoom(_ now: UInt64) {
        for name in order {
            guard let room = rooms[name], let due = room.freezeTick, due <= now else { continue }
            carryOut(room.session.step(.freeze), room: name)
            hasFrozen = hasFrozen || room.session.isFrozen
            break
        }
        // What was freed lies between what is still used, and the allocator keeps it unless it is told not to.
        guard hasFrozen, now >= lastTrim + Self.trimSeconds * UInt64(clock.rate) else { return }
        hasFrozen = false
        lastTrim = now
        giveFreeMemoryBack()
    }
}
