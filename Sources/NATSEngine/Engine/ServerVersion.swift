/// The version of a NATS server.
public struct ServerVersion: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The parts of `2.11.4`.
    public let major: Int
    /// The second part.
    public let minor: Int
    /// The third part.
    public let patch: Int

    /// The first version whose conditional publishes fence: 2.9.10 took both of two that ran at the same time.
    public static let least = ServerVersion(major: 2, minor: 11, patch: 0)

    /// Makes a version.
    public init(major: Int, minor: Int, patch: Int) {
        self.major = major
        self.minor = minor
        self.patch = patch
    }

    /// Reads `2.11.4` or `2.12.0-RC.1`; nil for another text.
    public init?(_ text: String) {
        let release = text.prefix { $0 != "-" && $0 != "+" }
        let parts = release.split(separator: ".", omittingEmptySubsequences: false)
            .map { UInt16($0) }
        guard parts.count == 3, let major = parts[0], let minor = parts[1], let patch = parts[2]
        else { return nil }
        self.init(major: Int(major), minor: Int(minor), patch: Int(patch))
    }

    /// Orders versions.
    public static func < (left: ServerVersion, right: ServerVersion) -> Bool {
        (left.major, left.minor, left.patch) < (right.major, right.minor, right.patch)
    }

    /// Whether the server fences.
    public var fences: Bool { self >= Self.least }

    /// The parts, separated by points.
    public var description: String { "\(major).\(minor).\(patch)" }
}
