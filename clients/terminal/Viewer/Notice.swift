/// A message that disappears after some time.
struct Notice: Hashable {
    var text: String
    var tone: Tone
    /// The time of its disappearance, in seconds of the viewer's clock.
    var end: Double
}
