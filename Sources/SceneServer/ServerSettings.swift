import SceneSession
import Synchronization

/// The settings that a reload changes while the server runs, for later connections and rooms.
final class ServerSettings: Sendable {
    /// The settings of one moment; shared, so that a reader copies only a reference.
    final class Values: Sendable {
        let limits: ServerLimits
        /// `nil` without keys; then no identity can be verified.
        let authenticator: Authenticator?
        /// The other servers that welcomes name.
        let alternates: AlternateServers

        init(
            _ limits: ServerLimits, _ authenticator: Authenticator?, _ alternates: AlternateServers
        ) {
            self.limits = limits
            self.authenticator = authenticator
            self.alternates = alternates
        }

        /// The limits of a scene.
        var sceneLimits: SceneLimits {
            var limits = SceneLimits()
            limits.views = self.limits.views
            limits.constraints = self.limits.constraints
            limits.animationSeconds = Double(self.limits.animationSeconds)
            limits.animations = self.limits.animationsPerView * self.limits.views
            return limits
        }
    }

    private let values: Mutex<Values>

    init(
        _ limits: ServerLimits, _ authenticator: Authenticator?,
        _ alternates: AlternateServers = AlternateServers()
    ) {
        values = Mutex(Values(limits, authenticator, alternates))
    }

    /// The present settings.
    var current: Values { values.withLock { $0 } }

    /// Replaces the limits and the keys.
    func replace(_ limits: ServerLimits, _ authenticator: Authenticator?) {
        values.withLock { $0 = Values(limits, authenticator, $0.alternates) }
    }

    /// Replaces the other servers.
    func replace(_ alternates: AlternateServers) {
        values.withLock { $0 = Values($0.limits, $0.authenticator, alternates) }
    }
}
