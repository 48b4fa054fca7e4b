import SceneWire
import SeededRandom

/// Events in a simulated room: members send them, handle them or pass them on, late and in another
/// order, and come and go meanwhile.
extension Simulation {
    /// Has a client send, deal with, or begin to handle events.
    func actWithEvents(_ actor: SimulatedClient, over id: Int) {
        noteEventResults(actor)
        guard actor.capabilities & Capability.events != 0 else { return }
        if actor.role == .editor, eventRandom.chance(1, of: 12) {
            send(actor.handle(eventRandom.below(4) > 0), over: id)
        }
        if actor.role != .viewer {
            for _ in 0..<eventRandom.below(4) {
                send(actor.event(events.add(sender: actor.number)), over: id)
            }
        }
        if eventRandom.chance(2, of: 3) { dealWithEvent(actor, over: id) }
    }

    /// Has a client deal with all that waits for it.
    func dealWithEvents(_ actor: SimulatedClient, over id: Int) {
        while actor.hasEvents { dealWithEvent(actor, over: id) }
        noteEventResults(actor)
    }

    private func dealWithEvent(_ actor: SimulatedClient, over id: Int) {
        let isHandled = eventRandom.below(5) > 0
        let (number, messages) = actor.dealWithEvent(isHandled: isHandled) {
            eventRandom.below($0)
        }
        if let number { events.deal(number, isHandled: isHandled) }
        send(messages, over: id)
    }

    private func noteEventResults(_ actor: SimulatedClient) {
        for (number, outcome) in actor.takeEventResults() { events.tell(number, outcome) }
    }

    /// Holds all events' fates against one another.
    func judgeEvents() {
        for client in clients { noteEventResults(client) }
        events.judge()
        faults += events.faults
    }
}
