public import ConstraintLanguage
public import JSON

// This module holds what goes over the wire and into files: scene documents, ops, scenarios,
// messages, and the frame diffs with the mirror that applies them; binary and JSON codecs. It must
// not know the layout engine, sockets, clocks or files. Everything is a value or a pure function,
// so any thread may call it.

/// A guide of a document: a rectangle that constraints can name and that is not drawn.
public struct GuideSpec: Sendable, Equatable {
    /// Its name, in one name space with the views.
    public var id: String
    /// The view that owns it.
    public var parent: String

    /// Makes a guide.
    public init(id: String, parent: String = "root") {
        self.id = id
        self.parent = parent
    }
}

/// Constraints that are switched together.
public struct ConstraintSetSpec: Sendable, Equatable {
    /// Its name.
    public var id: String
    /// When it is active; without a condition it starts inactive.
    public var when: Condition?
    /// What it switches.
    public var constraints: [ConstraintSpec]

    /// Makes a set.
    public init(id: String, when: Condition? = nil, constraints: [ConstraintSpec]) {
        self.id = id
        self.when = when
        self.constraints = constraints
    }
}

/// A scene as people write it, import it and export it.
public struct SceneDocument: Sendable, Equatable {
    /// The area it is laid out in: the main device, which decides what is accepted.
    public var viewport: Viewport
    /// The other devices that it is made for, in the document's order.
    public var devices: [DeviceSpec] = []
    /// The faces that text is set in where the typography asks for faces, in the order in which
    /// characters look for a glyph; empty for those that ship with the program.
    public var faces: [FaceSpec] = []
    /// Every view but `root`; a parent may come later than its children.
    public var views: [ViewSpec]
    /// The guides.
    public var guides: [GuideSpec]
    /// The constraints outside of sets.
    public var constraints: [ConstraintSpec]
    /// The constraint sets, in the document's order.
    public var sets: [ConstraintSetSpec]

    /// Makes a document; nothing is checked, unlike in `parse`.
    public init(
        viewport: Viewport, views: [ViewSpec] = [], guides: [GuideSpec] = [],
        constraints: [ConstraintSpec] = [], sets: [ConstraintSetSpec] = []
    ) {
        self.viewport = viewport
        self.views = views
        self.guides = guides
        self.constraints = constraints
        self.sets = sets
    }

    /// Reads a document and checks everything that needs no engine.
    ///
    /// - Throws: `DocumentError` for the first fault: JSON, keys, types, values, names, rules,
    ///   limits.
    /// - Complexity: O(bytes).
    public static func parse(_ utf8: [UInt8]) throws(DocumentError) -> SceneDocument {
        let value: JSONValue
        do throws(JSONError) { value = try JSONReader.read(utf8) } catch {
            throw DocumentError(error)
        }
        return try parse(value)
    }

    /// The same for a value that was read already.
    ///
    /// - Parameter path: Where the value stands, for errors.
    /// - Throws: `DocumentError` for the first fault.
    public static func parse(
        _ value: JSONValue, path: String = ""
    ) throws(DocumentError) -> SceneDocument {
        try parse(value, path: path, limits: .standard)
    }

    /// The same under other limits than those for what comes from outside.
    package static func parse(
        _ value: JSONValue, path: String, limits: Limits
    ) throws(DocumentError) -> SceneDocument {
        var fields = try JSONCursor(value, path: path).object()
        let document = try SceneDocument(&fields, limits: limits)
        try fields.finish()
        return document
    }

    /// The document as JSON; `parse` reads it back as an equal value.
    public func json(pretty: Bool = false) -> String { json.text(pretty: pretty) }
}
