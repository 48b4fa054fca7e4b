import JSON
import SceneWire

/// An event without a result.
struct PendingEvent {
    /// The session of the sender, and the number that the sender gave to the event.
    let sender: String
    let eventSequence: UInt64
    /// The delivery; its number is set when it is delivered.
    var delivery: DeliveredEvent
    /// Whether it is a message to one member.
    let isDirect: Bool

    /// The approximate memory in bytes.
    var byteEstimate: Int {
        300 + delivery.event.view.utf8.count + delivery.subject.utf8.count + valueBytes
    }
    private let valueBytes: Int

    init(_ event: SentEvent, from sender: String, client: UInt32, subject: String) {
        self.sender = sender
        eventSequence = event.eventSequence
        delivery = DeliveredEvent()
        delivery.client = client
        // A subject of a token may have 256 characters, which can be more bytes.
        delivery.subject = subject
        while delivery.subject.utf8.count > DeliveredEvent.subjectByteMaximum {
            delivery.subject.removeLast()
        }
        delivery.event = event.event
        isDirect = event.to != 0
        // A tree takes some twenty times as much as its text.
        valueBytes = event.event.value == .null ? 0 : 20 * event.event.value.text().utf8.count
    }
}
