/// A fault that is planted in a simulated room, so that it is known that the checks would find it.
public enum RoomPlant: String, CaseIterable, Sendable {
    /// A damaged journal is cut where the damage begins, and written on.
    case cutDamage = "cut-damage"
    /// Another process writes to the directory of a server.
    case sharedDirectory = "shared-directory"
    /// The lock of a server that died keeps the next one out.
    case staleLock = "stale-lock"
    /// Time stands still in a room that nobody watches.
    case standingTime = "standing-time"
    /// A room that nobody watches ticks on.
    case tickingAlone = "ticking-alone"

    /// Within so many seeds from 0 on, the checks find the fault.
    public var seedsToFind: UInt64 { self == .tickingAlone ? 200 : 100 }
}
