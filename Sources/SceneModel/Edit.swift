public import SceneProtocol

/// A thing of a scene that ops change.
public enum EditObject: Hashable, Sendable {
    /// A view or a guide, which share one name space.
    case view(String)
    /// A constraint.
    case constraint(String)
    /// A constraint set.
    case set(String)
    /// The viewport, of which there is one.
    case viewport

    /// The object as one text, by which it can be written and sorted.
    public var key: String {
        switch self {
        case .view(let id): "v:\(id)"
        case .constraint(let id): "c:\(id)"
        case .set(let id): "s:\(id)"
        case .viewport: "p:"
        }
    }

    /// Reads a text that `key` made; `nil` for any other.
    public init?(key: String) {
        let id = String(key.dropFirst(2))
        switch key.prefix(2) {
        case "v:": self = .view(id)
        case "c:": self = .constraint(id)
        case "s:": self = .set(id)
        case "p:": self = .viewport
        default: return nil
        }
    }
}

/// One change that an op made, with what takes it back.
public struct Edit: Sendable, Equatable {
    /// What kind of change.
    public enum Kind: Sendable, Equatable {
        /// A property has another value.
        case wrote(EditObject, property: String)
        /// Objects are there that were not before.
        case added([EditObject])
        /// Objects are gone, with all that they were.
        case removed([EditObject])
    }

    /// What changed.
    public var kind: Kind
    /// The ops that bring the state before it back, in order.
    public var inverse: [Op]

    /// Makes an edit.
    public init(_ kind: Kind, inverse: [Op]) {
        self.kind = kind
        self.inverse = inverse
    }
}
