import SceneWire
import Synchronization

/// Counts how often a server told that it, or the room, goes away: in a cluster any case may be cut
/// off by that, through no fault of the server's.
final class RoomDepartures: Sendable {
    private let told = Atomic<Int>(0)

    var count: Int { told.load(ordering: .relaxed) }

    /// Notes the code of an error or of a connection's end.
    func note(_ code: UInt32?) {
        guard let code, let code = UInt16(exactly: code).flatMap(CloseCode.init(rawValue:)),
            code == .draining || code == .ownerChanged
        else { return }
        told.add(1, ordering: .relaxed)
    }
}
