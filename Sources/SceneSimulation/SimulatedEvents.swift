import SceneClientSession
import SceneWire

/// What became of all events of a run: as their senders were told, and as their handlers dealt with
/// them. The two must agree.
///
/// An event is known by a number that its value carries, because a handler's number for it and its
/// sender's are their own.
struct SimulatedEvents {
    private struct Fate {
        var outcome: EventOutcome?
        /// How often a handler dealt with it, and how often one passed it on.
        var handled = 0
        var declined = 0
        /// Whether the client that sent it is one whose results count.
        var sender: Int
    }

    private var fates: [Fate] = []
    private(set) var faults: [String] = []

    /// Makes the value of another event.
    mutating func add(sender: Int) -> Int {
        fates.append(Fate(sender: sender))
        return fates.count - 1
    }

    /// Notes what a handler did with an event.
    mutating func deal(_ number: Int, isHandled: Bool) {
        guard fates.indices.contains(number) else { return }
        if isHandled { fates[number].handled += 1 } else { fates[number].declined += 1 }
    }

    /// Notes what a sender was told.
    mutating func tell(_ number: Int, _ outcome: EventOutcome) {
        guard fates.indices.contains(number) else { return }
        if let before = fates[number].outcome {
            faults.append("event \(number) came to \(before) and then to \(outcome)")
        }
        fates[number].outcome = outcome
    }

    /// Holds what senders were told against what handlers did, at the end.
    mutating func judge() {
        for (number, fate) in fates.enumerated() {
            let deals = fate.handled + fate.declined
            if deals > 1 { faults.append("event \(number) was dealt with \(deals) times") }
            switch fate.outcome {
            case nil: faults.append("event \(number) of client \(fate.sender) has no result")
            case .handled where fate.handled != 1:
                faults.append("event \(number) is handled, and no handler did")
            case .unhandled where fate.handled > 0:
                faults.append("event \(number) is unhandled, and a handler did")
            case .refused where deals > 0:
                faults.append("event \(number) was refused, and reached a handler")
            case .handled, .unhandled, .unknown, .refused: break
            }
        }
    }
}
