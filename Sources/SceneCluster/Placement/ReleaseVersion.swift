/// The version of a program, of a node or a server of the engine.
///
/// Nodes tell by it who may have a shard next: a later version reads what an earlier one wrote, the
/// reverse is not promised.
public struct ReleaseVersion: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The first number.
    public var major: UInt16
    /// The second number.
    public var minor: UInt16
    /// The third number.
    public var patch: UInt16

    /// That of nodes that do not tell theirs: they are older than all that do.
    public static let untold = ReleaseVersion(major: 0, minor: 0, patch: 0)

    /// Makes a version.
    public init(major: UInt16, minor: UInt16, patch: UInt16) {
        self.major = major
        self.minor = minor
        self.patch = patch
    }

    /// Reads a version such as `0.1.0`; what follows a `-` or `+` does not count. `nil` for another
    /// text.
    public init?(_ text: String) {
        let numbers = text.prefix { $0 != "-" && $0 != "+" }
            .split(separator: ".", omittingEmptySubsequences: false).map { UInt16($0) }
        guard numbers.count == 3, let major = numbers[0], let minor = numbers[1],
            let patch = numbers[2]
        else { return nil }
        self.init(major: major, minor: minor, patch: patch)
    }

    /// Orders versions as numbers, the first one first.
    public static func < (left: ReleaseVersion, right: ReleaseVersion) -> Bool {
        (left.major, left.minor, left.patch) < (right.major, right.minor, right.patch)
    }

    /// As `0.1.0`, or words for a version that was not told.
    public var description: String {
        self == .untold ? "an earlier version" : "\(major).\(minor).\(patch)"
    }
}
