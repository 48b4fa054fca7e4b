public import JSON
public import SceneDocument
public import SceneWire
import Synchronization

extension Scene {
    /// Handles a kind of event of a view and those in it; the handler of the nearest view is
    /// called.
    ///
    /// Handlers run one after another, in the order in which events came, as on UIKit's main
    /// thread: what takes long belongs into a task of its own. An event is `handled` when its
    /// handler returns, and `unhandled` when it throws or declines. A second handler of the same
    /// kind and view takes the first one's place.
    public func on(
        _ kind: EventKind, _ view: String = "root",
        _ handler: @escaping @Sendable (SceneEvent) async throws -> Void
    ) {
        _ = handle(.handler(handler), kind, view)
    }

    /// The events of a kind of one view and those in it, from now on, as a sequence.
    public func events(_ kind: EventKind, of view: String = "root") -> SceneEvents {
        let (stream, continuation) = AsyncStream.makeStream(of: SceneEvent.self)
        guard let number = handle(.stream(continuation), kind, view) else {
            continuation.finish()
            return SceneEvents(stream: stream)
        }
        continuation.onTermination = { [weak self] _ in self?.stopHandling(number) }
        return SceneEvents(stream: stream)
    }

    /// Waits until the server knows of all handlers and sequences there are; what is sent before is
    /// `unhandled`.
    ///
    /// - Throws: `SceneError.ended` or `cancelled`.
    public nonisolated(nonsending) func handlesAll() async throws(SceneError) {
        // The server takes messages in order, and answers this one.
        try await apply([.setNeedsLayout(id: "root")])
    }

    /// Sends a message to a member, to `SentEvent.everyone`, or to the program that handles a view.
    ///
    /// - Parameters:
    ///   - value: At most 4,096 bytes as JSON.
    ///   - member: The member's number in presence; 0 for the program that handles `view`.
    ///   - view: What it is about; empty for nothing in particular.
    /// - Returns: `handled`, `unhandled`, or `unknown` where its receiver was told and did not come
    ///   back.
    /// - Throws: `SceneError.refused`, `ended` or `cancelled`.
    @discardableResult
    public nonisolated(nonsending) func send(
        _ value: JSONValue, to member: UInt32 = 0, about view: String = ""
    ) async throws(SceneError) -> EventOutcome {
        var event = UserEvent()
        event.kind = .message
        event.view = view
        event.value = value
        return try await send(event, to: member)
    }

    /// Sends a user's action on a view, as a renderer does.
    ///
    /// - Throws: `SceneError.refused`, `ended` or `cancelled`.
    @discardableResult
    public nonisolated(nonsending) func send(
        _ event: UserEvent, to member: UInt32 = 0
    ) async throws(SceneError) -> EventOutcome {
        let client = client
        let result = try await answer(\.outcomes) { client.send(event, to: member) }
        guard result.outcome != .refused else {
            throw .refused(
                Refusal(
                    code: RefusalCode(rawValue: result.code) ?? .other, message: result.message))
        }
        return result.outcome
    }

    /// Adds a route and tells the server.
    ///
    /// - Returns: Its number; nil when the scene has ended.
    private func handle(
        _ route: EventRoutes.Route, _ kind: EventKind, _ view: String
    ) -> Int? {
        // Under one lock, so that requests reach the server in the order of the routes; the client
        // only queues them.
        let added = state.withLock { state -> (number: Int, replaced: EventRoutes.Route?)? in
            guard state.end == nil else { return nil }
            let added = state.routes.add(route, kind, view)
            client.handle(state.routes.roots)
            return added
        }
        if case .stream(let stream)? = added?.replaced { stream.finish() }
        return added?.number
    }

    private func stopHandling(_ number: Int) {
        let removed = state.withLock { state -> EventRoutes.Route? in
            let removed = state.routes.remove(number)
            if removed != nil, state.end == nil { client.handle(state.routes.roots) }
            return removed
        }
        if case .stream(let stream)? = removed { stream.finish() }
    }
}
