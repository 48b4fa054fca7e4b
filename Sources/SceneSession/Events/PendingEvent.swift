import SceneProtocol

/// An event that waits for its result.
struct PendingEvent {
    /// The session of the client that sent it, and its number there.
    let sender: String
    let eventSequence: UInt64
    /// What its handler is told, but for the number.
    var delivery: DeliveredEvent
    /// Whether it is for the one member that it named.
    let isDirect: Bool

    /// About how many bytes it takes.
    var byteEstimate: Int {
        300 + delivery.event.view.utf8.count + delivery.subject.utf8.count + valueBytes
    }
    private let valueBytes: Int

    init(_ event: SentEvent, from sender: String, client: UInt32, subject: String) {
        self.sender = sender
        eventSequence = event.eventSequence
        delivery = DeliveredEvent()
        delivery.client = client
        // A token's subject may have as many characters.
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
