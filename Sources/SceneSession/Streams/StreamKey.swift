/// What decides which messages a member gets.
struct StreamKey: Hashable {
    /// Whether its members animate by themselves, so that they are told where views end, and `anim`.
    var animatesLocally = false
    /// The subtrees that they watch, sorted; none for the whole scene.
    var roots: [String] = []

    /// The device that they watch it on; 0 for the main one.
    var device: UInt32 = 0

    /// Whether the stream tells of the whole scene.
    var isWhole: Bool { roots.isEmpty }

    /// The stream of the whole scene that this one is a part of.
    var whole: StreamKey { StreamKey(animatesLocally: animatesLocally, device: device) }
}
