public import SceneDocument

/// An object of a scene that ops change.
public enum EditObject: Hashable, Sendable {
    /// A view or a guide, which share one name space.
    case view(String)
    /// A constraint.
    case constraint(String)
    /// A constraint set.
    case set(String)
    /// The viewport, of which there is one.
    case viewport

    /// The object as text, for storage and sorting.
    public var key: String {
        switch self {
        case .view(let id): "v:\(id)"
        case .constraint(let id): "c:\(id)"
        case .set(let id): "s:\(id)"
        case .viewport: "p:"
        }
    }

    /// Parses the text of `key`; `nil` for any other text.
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

/// One change of an op, with its inverse.
public struct Edit: Sendable, Equatable {
    /// The kind of a change.
    public enum Kind: Sendable, Equatable {
        /// A property has a new value.
        case wrote(EditObject, property: String)
        /// Objects were added.
        case added([EditObject])
        /// Objects were removed, with all their properties.
        case removed([EditObject])
    }

    /// The change.
    public var kind: Kind
    /// The ops that restore the former state, in order.
    public var inverse: [Op]

    /// Makes an edit.
    public init(_ kind: Kind, inverse: [Op]) {
        self.kind = kind
        self.inverse = inverse
    }
}
