/// The properties that decide which messages a member receives.
struct StreamKey: Hashable {
    /// Whether its members animate locally: they receive final frames, and `anim`.
    var animatesLocally = false
    /// The watched subtrees, sorted; empty for the whole scene.
    var roots: [String] = []
    /// The views that its members see; `nil` for all.
    var sight: ViewPatterns?
    /// The device; 0 for the main one.
    var device: UInt32 = 0

    /// Whether the stream covers the whole scene.
    var isWhole: Bool { roots.isEmpty && sight == nil }

    /// The stream of the whole scene that this one is a part of.
    var whole: StreamKey { StreamKey(animatesLocally: animatesLocally, device: device) }
}
