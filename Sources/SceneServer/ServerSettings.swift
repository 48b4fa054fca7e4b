import SceneSession
import Synchronization

/// The settings that a reload changes while the server runs, for later connections and rooms.
final class ServerSettings: Sendable {
    /// The settings of one moment; shared, so that a reader copies only a reference.
    final class Values: Sendable {
        let limits: ServerLimits
        /// `nil` without keys; then no identity can be verified.
        let authenticator: Authenticator?

        init(_ limits: ServerLimits, _ authenticator: Authenticator?) {
            self.limits = limits
            self.authenticator = authenticator
        }

        /// The limits of a scene.
        var sceneLimits: SceneLimits {
            var limits = SceneLimits()
            limits.views = self.limits.views
            limits.constraints = self.limits.constraints
            return limits
        }
    }

    private let values: Mutex<Values>

    init(_ limits: ServerLimits, _ authenticator: Authenticator?) {
        values = Mutex(Values(limits, authenticator))
    }

    /// The present settings.
    var current: Values { values.withLock { $0 } }

    /// Replaces the settings.
    func replace(_ limits: ServerLimits, _ authenticator: Authenticator?) {
        values.withLock { $0 = Values(limits, authenticator) }
    }
}
