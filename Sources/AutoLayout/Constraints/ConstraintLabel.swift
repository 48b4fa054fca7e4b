/// A constraint's name and multiplier, and a priority that its rank cannot say.
///
/// Nearly all constraints have a multiplier of 1 and a priority in round numbers. The others have
/// an object for it, so that these take no room for it: a layout has four constraints for each
/// view.
enum ConstraintLabel {
    case plain(String)
    case unusual(Unusual)

    /// What few constraints have.
    final class Unusual {
        var identifier: String
        var multiplier = 1.0
        var priority = LayoutPriority.required

        init(identifier: String) { self.identifier = identifier }
    }

    /// A name for diagnostics, conflicts and documents.
    var identifier: String {
        get {
            switch self {
            case .plain(let identifier): identifier
            case .unusual(let parts): parts.identifier
            }
        }
        set {
            switch self {
            case .plain: self = .plain(newValue)
            case .unusual(let parts): parts.identifier = newValue
            }
        }
    }

    /// The factor of the second attribute.
    var multiplier: Double {
        @inline(__always) get {
            guard case .unusual(let parts) = self else { return 1 }
            return parts.multiplier
        }
        set { if newValue != multiplier { unusual().multiplier = newValue } }
    }

    /// The priority, where the rank does not have it.
    var priority: LayoutPriority {
        get {
            guard case .unusual(let parts) = self else { return .required }
            return parts.priority
        }
        set { unusual().priority = newValue }
    }

    /// The object for what few constraints have, made now if need be.
    private mutating func unusual() -> Unusual {
        if case .unusual(let parts) = self { return parts }
        let parts = Unusual(identifier: identifier)
        self = .unusual(parts)
        return parts
    }
}
