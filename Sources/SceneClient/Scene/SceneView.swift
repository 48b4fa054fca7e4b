public import SceneDocument
public import SceneWire

/// A view of a scene by its name, whether it is there yet or not: what it looks like now, and the
/// ops that change it.
///
/// Its methods only make ops; `Scene.apply` and `Scene.animate` send them.
public struct SceneView: Sendable {
    /// The view's name.
    public let id: String
    private let mirror: SceneMirror

    init(_ id: String, _ mirror: SceneMirror) {
        self.id = id
        self.mirror = mirror
    }

    // MARK: As it was when it was asked for

    /// Where it is and what is drawn of it; nil where there is no such view.
    public var record: ViewRecord? { mirror.view(id: id) }

    /// The names of the views in it, the last in front.
    public var subviews: [String] {
        guard let number = mirror.number(id: id) else { return [] }
        return mirror.subviews(of: number).compactMap { mirror.view($0)?.id }
    }

    /// Its lines as they are shown, with line feeds between them.
    public var text: String {
        record?.content.lines.map(\.text).joined(separator: "\n") ?? ""
    }

    // MARK: Ops

    /// Changes properties.
    public func set(_ change: (inout ViewProperties) -> Void) -> Op {
        var properties = ViewProperties()
        change(&properties)
        return .setView(id: id, properties)
    }

    /// Puts properties back to their defaults.
    public func reset(_ keys: ViewKey...) -> Op { .resetView(id: id, keys: keys) }

    /// Adds a view, with those in it, as the last in this one.
    public func append(_ view: NewView) -> [Op] { view.ops(in: id) }

    /// Adds a view, with those in it, at a place among this one's subviews, from 0.
    public func insert(_ view: NewView, at index: Int) -> [Op] { view.ops(in: id, at: index) }

    /// Gives the view another superview, another place among its siblings, or both.
    public func move(to parent: String? = nil, at index: Int? = nil) -> Op {
        .moveView(id: id, parent: parent, index: index)
    }

    /// Removes the view and those in it.
    public func remove() -> Op { .removeView(id: id) }

    /// Removes the views that were in it when it was asked for.
    public func clear() -> [Op] { subviews.map { .removeView(id: $0) } }
}
