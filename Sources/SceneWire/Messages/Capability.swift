/// Bits of `Hello.capabilities`, what a client understands, and of `Welcome.capabilities`, what
/// both ends do.
public enum Capability {
    /// `diagnostics` after the snapshot and when they change.
    public static let diagnostics: UInt64 = 1 << 0
    /// `anim` in place of each tick's frames.
    public static let animations: UInt64 = 1 << 1
    /// `undo` and `redo`.
    public static let undo: UInt64 = 1 << 2
    /// `subscribe`, and `hello.roots`.
    public static let subscribe: UInt64 = 1 << 3
    /// `seek`.
    public static let seek: UInt64 = 1 << 4
    /// `trace`.
    public static let trace: UInt64 = 1 << 5
    /// `keyframe`.
    public static let keyframes: UInt64 = 1 << 6
    /// A merged frame in place of the snapshot for a client that comes back.
    public static let mergedResume: UInt64 = 1 << 7
    /// `inspect`.
    public static let inspect: UInt64 = 1 << 8
    /// `device`, and `hello.device`.
    public static let devices: UInt64 = 1 << 9
    /// `interactions`, `event`, `handle`, `handled` and `eventResults`, and the role `participant`.
    public static let events: UInt64 = 1 << 10
    /// `fittings` of `inspect`.
    public static let fitting: UInt64 = 1 << 11
    /// `insets`.
    public static let insets: UInt64 = 1 << 12
    /// `annotations`.
    public static let annotations: UInt64 = 1 << 13
    /// `follow` and `records`.
    public static let follow: UInt64 = 1 << 14
    /// Annotations of the kind `suggestion`.
    public static let suggestions: UInt64 = 1 << 15
}
