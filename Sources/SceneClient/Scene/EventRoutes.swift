import SceneDocument
import SceneWire

/// Which handler an event belongs to: the one of its kind that is nearest to its view, going up.
struct EventRoutes: Sendable {
    typealias Handler = @Sendable (SceneEvent) async throws -> Void

    /// Where events go.
    enum Route: Sendable {
        case handler(Handler)
        case stream(AsyncStream<SceneEvent>.Continuation)
    }

    private struct Key: Hashable {
        var kind: EventKind
        var view: String
    }

    private struct Entry {
        var route: Route
        /// Tells it from one that took its place.
        var number: Int
    }

    private var entries: [Key: Entry] = [:]
    private var count = 0

    /// Sends events elsewhere from now on.
    ///
    /// - Returns: The number by which the route is taken back, and the route whose place it took.
    ///   That one is to be released where no lock is held: a stream tells of its end.
    mutating func add(
        _ route: Route, _ kind: EventKind, _ view: String
    ) -> (number: Int, replaced: Route?) {
        count += 1
        let before = entries.updateValue(
            Entry(route: route, number: count), forKey: Key(kind: kind, view: view))
        return (count, before?.route)
    }

    /// Takes a route back, unless another took its place.
    ///
    /// - Returns: The route, to be released where no lock is held.
    mutating func remove(_ number: Int) -> Route? {
        guard let key = entries.first(where: { $0.value.number == number })?.key else {
            return nil
        }
        return entries.removeValue(forKey: key)?.route
    }

    /// The views to announce to the server: those with handlers, or the root alone where there
    /// are more than it takes.
    var roots: [String] {
        let views = Set(entries.keys.map(\.view))
        return views.count <= HandleRequest.rootMaximum ? views.sorted() : ["root"]
    }

    /// All streams of events.
    var streams: [AsyncStream<SceneEvent>.Continuation] {
        entries.values.compactMap {
            if case .stream(let stream) = $0.route { stream } else { nil }
        }
    }

    /// The route of an event; `nil` if no handler matches.
    ///
    /// - Complexity: O(depth).
    func route(_ kind: EventKind, _ view: String, _ mirror: SceneMirror) -> Route? {
        var record = mirror.view(id: view)
        // A message may be about no view, and a view may be gone already.
        guard record != nil else {
            return (entries[Key(kind: kind, view: view)] ?? entries[Key(kind: kind, view: "root")])?
                .route
        }
        while let view = record {
            if let entry = entries[Key(kind: kind, view: view.id)] { return entry.route }
            record = view.parent.flatMap { mirror.view($0) }
        }
        return nil
    }
}
