import JSON
import SceneClientSession
import SceneDocument
import SceneWire
import SeededRandom

/// The client that ships, between a simulated network and a judge of what it is told; or one that
/// lies.
final class SimulatedClient {
    let number: Int
    let role: Role
    let format: Subprotocol
    let capabilities: UInt64
    let roots: [String]
    let lies: Bool

    private var session: ClientSession
    private(set) var isConnected = false
    /// The earliest moment of the simulation at which a call of `wake` is on its way.
    var plannedWake: Int?
    /// Whether the client has given its connection up, since it heard nothing for too long.
    private(set) var hasGivenUp = false
    /// Whether the server has died since the last welcome, perhaps with what this client saw not on
    /// disk yet.
    private var hasOutlivedServer = false
    /// Whether the client goes on with the state of a server that died, so that it may turn out to
    /// differ; a cut alone is no reason to.
    private var mayDiffer = false
    /// Whether the past was asked for, and the present was not since. A refusal changes nothing: it
    /// may be the answer to an earlier seek than the last.
    private(set) var isWatchingPast = false
    /// Ops of each batch that was sent.
    private var opCounts: [UInt64: Int] = [:]
    /// Sequences by their results.
    private(set) var committed: Set<UInt64> = []
    private(set) var refused: Set<UInt64> = []
    /// Sequences that were committed though each of their ops was refused.
    private(set) var empty: Set<UInt64> = []
    /// Every session that it was.
    private(set) var sessions: [String] = []
    private(set) var faults: [String] = []
    private var presenceClock: UInt32 = 0
    /// Events that it has not dealt with, and results that it has not been asked for.
    private var received: [ClientSession.ReceivedEvent] = []
    private var eventResults: [EventResults.Result] = []
    /// Inspections that this connection has not been answered.
    private(set) var inspections: Set<UInt32> = []
    private var lastInspection: UInt32 = 0
    /// The numbers of its events by their sequences.
    private var eventNumbers: [UInt64: Int] = [:]

    init(
        number: Int, role: Role, format: Subprotocol, capabilities: UInt64, roots: [String],
        rate: UInt32, device: DeviceRequest?, lies: Bool
    ) {
        self.number = number
        self.role = role
        self.format = format
        self.capabilities = capabilities
        self.roots = roots
        self.lies = lies
        var options = ClientSession.Options(urls: ["ws://room.simulated/room"])
        options.role = role
        options.format = format
        options.capabilities = capabilities
        options.roots = roots
        options.frameRateMaximum = rate
        options.device = device
        // So short that readers who pause are given up now and then, within the few seconds of a
        // run.
        options.patience.silenceNanoseconds = 250_000_000
        options.patience.answerNanoseconds = 500_000_000
        session = ClientSession(options)
    }

    var mirror: SceneMirror { session.mirror }

    /// What it knows of what people say about the scene.
    var annotations: AnnotationTable { session.annotations }

    var isWelcomed: Bool { session.isWelcomed }

    /// Sequences without a result.
    var unanswered: [UInt64] { session.unanswered.map(\.sequence) }

    /// The moment at which it has something to do, in nanoseconds.
    var wakeTime: UInt64? { session.wakeTime }

    // MARK: Connections and time

    /// Begins a connection; returns its first messages.
    func connected(at now: UInt64) -> [ClientMessage] {
        isConnected = true
        hasGivenUp = false
        return carryOut(session.connected(at: now))
    }

    func disconnected(at now: UInt64) {
        isConnected = false
        isWatchingPast = false
        inspections = []
        // A session that gave up knows it. The simulation decides when it comes back.
        if !hasGivenUp { _ = session.disconnected(code: nil, at: now) }
    }

    func serverDied() { hasOutlivedServer = true }

    /// Does what is due; returns the messages to send.
    func wake(at now: UInt64) -> [ClientMessage] { carryOut(session.advance(to: now)) }

    // MARK: Requests

    func ops(_ text: String, group: UInt32, isAtomic: Bool) -> [ClientMessage] {
        guard let value = try? JSONReader.read(Array(text.utf8)) else { return [] }
        let (sequence, outputs) = session.apply(value, atomic: isAtomic, undoGroup: group)
        if let list = value.array { opCounts[sequence] = list.count }
        return carryOut(outputs)
    }

    /// Says something about the scene.
    ///
    /// - Returns: The message's sequence, and what is to be sent.
    func annotate(_ text: String) -> (sequence: UInt64, messages: [ClientMessage]) {
        let value = (try? JSONReader.read(Array(text.utf8))) ?? .null
        let (sequence, outputs) = session.apply(value, atomic: false, undoGroup: 0)
        if let list = value.array { opCounts[sequence] = list.count }
        return (sequence, carryOut(outputs))
    }

    func takeBack(isUndo: Bool) -> [ClientMessage] {
        carryOut((isUndo ? session.undo() : session.redo()).outputs)
    }

    func seek(_ seek: Seek) -> [ClientMessage] {
        isWatchingPast = !seek.isLive
        return carryOut(session.seek(seek))
    }

    /// Says that it handles all events, or none.
    func handle(_ isHandler: Bool) -> [ClientMessage] {
        carryOut(session.handle(isHandler ? ["root"] : []))
    }

    /// Sends an event under a number that tells it from all others.
    func event(_ number: Int) -> [ClientMessage] {
        var event = UserEvent()
        event.kind = .message
        event.view = "root"
        event.value = .number(Double(number))
        let (sequence, outputs) = session.send(event)
        eventNumbers[sequence] = number
        return carryOut(outputs)
    }

    /// Deals with one event that came, if there is one.
    ///
    /// - Parameter choose: Which of so many.
    func dealWithEvent(
        isHandled: Bool, _ choose: (Int) -> Int
    ) -> (number: Int?, messages: [ClientMessage]) {
        guard !received.isEmpty else { return (nil, []) }
        let event = received.remove(at: choose(received.count))
        guard let number = event.delivered.event.value.number else { return (nil, []) }
        return (Int(number), carryOut(session.answer(event, isHandled: isHandled)))
    }

    /// Whether there are events to deal with.
    var hasEvents: Bool { !received.isEmpty }

    /// What became of its events since the last call.
    func takeEventResults() -> [(number: Int, outcome: EventOutcome)] {
        defer { eventResults = [] }
        return eventResults.compactMap { result in
            eventNumbers[result.eventSequence].map { ($0, result.outcome) }
        }
    }

    /// Asks what the scene has, in whole.
    func inspect() -> [ClientMessage] {
        lastInspection += 1
        inspections.insert(lastInspection)
        var inspect = Inspect()
        inspect.request = lastInspection
        inspect.wantsDocument = true
        return carryOut(session.send(.inspect(inspect)))
    }

    func presence() -> [ClientMessage] {
        presenceClock += 1
        var presence = Presence()
        presence.clock = presenceClock
        presence.name = "client \(number)"
        return carryOut(session.send(.presence(presence)))
    }

    /// What a client sends that means no good.
    func lie(_ random: inout SplitMix64) -> ClientMessage {
        switch random.below(7) {
        case 6:
            var inspect = Inspect()
            inspect.request = UInt32(truncatingIfNeeded: random.next())
            inspect.wantsDocument = random.below(4) == 0
            inspect.views = (0...random.below(3)).map { "v\($0 + random.below(4))" }
            return .inspect(inspect)
        case 0:
            var ack = Ack()
            ack.tick = random.below(2) == 0 ? .max : UInt64(random.below(1000))
            return .ack(ack)
        case 1:
            var resync = Resync()
            resync.hash = random.next()
            return .resync(resync)
        case 2:
            var ops = Ops()
            ops.clientSequence = UInt64(random.below(9))
            ops.ops = .string("no list")
            return .ops(ops)
        case 3:
            var seek = Seek()
            seek.tick = random.below(2) == 0 ? .max : UInt64(random.below(200))
            seek.speed = [1e300, -1e300, 0, -1, 1][random.below(5)]
            seek.isLive = random.below(2) == 0
            return .seek(seek)
        case 4:
            var subscribe = Subscribe()
            subscribe.roots = (0...random.below(3)).map { "v\($0 + random.below(4))" }
            subscribe.frameRateMaximum = UInt32(random.below(100))
            return .subscribe(subscribe)
        default:
            var request = UndoRequest()
            request.clientSequence = random.next()
            return .undo(request)
        }
    }

    /// Asks for another device, as a window that is resized does.
    func change(device: DeviceRequest) -> [ClientMessage] {
        carryOut(session.change(device: device))
    }

    // MARK: The server's messages

    /// Takes a message in; returns the messages to send.
    func receive(_ payload: [UInt8], at now: UInt64) -> [ClientMessage] {
        carryOut(session.receive(payload, as: format, at: now))
    }

    private func carryOut(_ outputs: [ClientSession.Output]) -> [ClientMessage] {
        var messages: [ClientMessage] = []
        for output in outputs {
            switch output {
            case .send(let message): messages.append(message)
            case .event(let event): judge(event)
            case .close: faults.append("a message cannot be read")
            case .abandon(.retry): hasGivenUp = true
            case .abandon(.final): faults.append("the client gave up for good")
            case .connect(let url): faults.append("the client connects to \(url) by itself")
            }
        }
        return messages
    }

    private func judge(_ event: ClientSession.Event) {
        switch event {
        case .welcomed(let welcome):
            mayDiffer = mayDiffer || hasOutlivedServer && !sessions.isEmpty
            hasOutlivedServer = false
            if sessions.last != welcome.session { sessions.append(welcome.session) }
        case .checked: mayDiffer = false
        case .mismatch(let error):
            if !mayDiffer, !lies {
                faults.append("at tick \(mirror.tick): \(error.code) (\(error))")
            }
            mayDiffer = false
        case .result(let result): note(result)
        case .event(let event): received.append(event)
        case .eventResult(let result): eventResults.append(result)
        case .inspection(_, let request): inspections.remove(request)
        case .updated, .presence, .diagnostics, .trace, .pong, .device, .interactions,
            .annotations, .records, .failure:
            break
        }
    }

    private func note(_ result: OpsResult) {
        let sequence = result.clientSequence
        switch result.outcome {
        case .committed(let commit):
            if commit.refusals.count == opCounts[sequence] { empty.insert(sequence) }
            committed.insert(sequence)
            if refused.contains(sequence) {
                faults.append("\(sequence) was refused and then committed")
            }
        case .refused(let refusal):
            // After a failure of the store the outcome is unknown; the refusal says no more than
            // that.
            guard refusal.code != .storeFailed, refusal.code != .conflict else { return }
            refused.insert(sequence)
            if committed.contains(sequence) {
                faults.append("\(sequence) was committed and then refused: \(refusal.message)")
            }
        }
    }
}
