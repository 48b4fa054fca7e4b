import SceneSession
import Synchronization

/// The settings that a reload changes while the server runs, for connections and rooms that come from then on.
final class ServerSettings: Sendable {
    /// The settings of one moment; shared, so that a reader takes no more than a reference.
    final class Values: Sendable {
        let limits: ServerLimits
        /// `nil` when there are no keys, so that no identity can be proved.
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

    /// The settings in force.
    var current: Values { values.withLock { $0 } }

    /// Puts others in force.
    func replace(_ limits: ServerLimits, _ authenticator: Authenticator?) {
        values.withLock { $0 = Values(limits, authenticator) }
    }
}
