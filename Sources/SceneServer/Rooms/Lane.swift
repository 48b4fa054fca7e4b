/// The role of a thread for its rooms.
///
/// All mail of a room goes to its home thread. A room that exceeds its slice would delay the
/// others, so it moves to the slow lane, a thread that leaves the cores to the others; the home
/// forwards its mail, in order, until the room returns.
enum Lane: Sendable {
    /// Rooms are at home here. Those that exceed their slice move to the slow lane, if there is
    /// one.
    case home(slow: SceneMailbox?)
    /// Rooms stay here while they exceed the slices of their homes.
    case slow(homes: RoomDirectory)

    /// Whether this is the slow lane.
    var isSlow: Bool {
        if case .slow = self { true } else { false }
    }
}
