/// What a thread is to its rooms.
///
/// All mail for a room goes to its home. A room that needs more time than a tick has, so that it would hold the others up,
/// goes to the slow lane, a thread that runs when no other wants to; its home forwards its mail, in order, until it comes back.
enum Lane: Sendable {
    /// Rooms are at home here. Those that hold others up go to another thread, if there is one.
    case home(slow: SceneMailbox?)
    /// Rooms are here while they need more time than their homes have.
    case slow(homes: RoomDirectory)

    /// Whether this is the slow lane.
    var isSlow: Bool {
        if case .slow = self { true } else { false }
    }
}
