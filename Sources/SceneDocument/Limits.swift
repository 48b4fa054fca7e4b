/// The most that input from outside may ask for. Checked before memory is taken.
public struct Limits: Hashable, Sendable {
    /// Views of one scene, `root` not counted.
    public var viewMaximum = 10_000
    /// Levels of views below `root`.
    public var depthMaximum = 512
    /// Rules of one scene, those of its sets and visual formats included.
    public var constraintMaximum = 50_000
    /// Bytes of one text.
    public var textBytesMaximum = 65_536
    /// Ops of one list, those of animations included.
    public var opMaximum = 10_000
    /// Bytes of one message.
    public var messageBytesMaximum = 1 << 20
    /// Bytes that a deflated block of a message may inflate to.
    public var inflatedBytesMaximum = 1 << 22
    /// The largest magnitude of a length, a constant or a multiplier.
    public static let numberMaximum = 1e6
    /// The longest side of a viewport, in points.
    public static let viewportMaximum = 1e5
    /// Pixels per point.
    public static let scaleRange = 0.1...16.0
    /// The sizes of fonts, in points.
    static let fontSizeRange = 1.0...512.0
    /// The widest blur of a shadow, in points.
    static let blurMaximum = 1_000.0
    /// The largest factor that a transform scales by.
    static let factorMaximum = 1_000.0
    /// Seconds of an animation, and of its delay.
    public static let secondsMaximum = 3600.0
    /// View numbers are smaller than this, so that a table indexed by them stays small.
    public static let viewNumberMaximum = 1 << 20

    /// Chunks of one snapshot.
    public static let chunkMaximum = 1024

    /// The limits that hold where no others are announced.
    public static let standard = Limits()

    /// Makes the standard limits.
    public init() {}
}
