public import JSON
import SceneClientSession
public import SceneDocument
public import SceneWire
import Synchronization

/// A user's action on a view that the program handles, or a message to the program.
///
/// Its sender receives the result once: `handled` by `accept()`, and `unhandled` by `decline()` or
/// when the program drops the event without either.
public final class SceneEvent: Sendable {
    private let received: SceneClient.ReceivedEvent
    private let client: SceneClient
    private let isAnswered = Atomic<Bool>(false)

    init(_ received: SceneClient.ReceivedEvent, _ client: SceneClient) {
        self.received = received
        self.client = client
    }

    deinit { answer(isHandled: false) }

    /// The kind of action.
    public var kind: EventKind { received.delivered.event.kind }
    /// The view that it happened to, which may lie in the one that is handled; empty for a message
    /// that is about none.
    public var view: String { received.delivered.event.view }
    /// The sender's number in presence.
    public var sender: UInt32 { received.delivered.client }
    /// The authenticated subject of the sender; empty without authentication.
    public var subject: String { received.delivered.subject }
    /// Its value, see `EventKind`; `null` for none.
    public var value: JSONValue { received.delivered.event.value }
    /// Its value, if that is a string: a text, a key, the phase of a press.
    public var text: String? { value.string }
    /// Its value, if that is a number: of a slider, or the index of a segment.
    public var number: Double? { value.number }
    /// Its value, if that is a Boolean: of a switch, or whether the pointer entered.
    public var flag: Bool? { value.bool }
    /// All of it.
    public var event: UserEvent { received.delivered.event }

    /// Says that the program has dealt with it.
    public func accept() { answer(isHandled: true) }

    /// Says that the program does not deal with it.
    public func decline() { answer(isHandled: false) }

    private func answer(isHandled: Bool) {
        guard !isAnswered.exchange(true, ordering: .relaxed) else { return }
        client.answer(received, isHandled: isHandled)
    }
}
