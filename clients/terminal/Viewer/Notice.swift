/// A message that goes away by itself.
struct Notice: Hashable {
    var text: String
    var tone: Tone
    /// When it goes, in seconds of the viewer's clock.
    var end: Double
}
