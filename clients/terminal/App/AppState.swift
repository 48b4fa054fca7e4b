import JSON
import SceneDocument
import SceneWire

/// The state of an application's screen: the scene, its interactions, and the keyboard focus.
///
/// It owns no terminal, connection or clock. Times are seconds of a monotonic clock.
struct AppState: TerminalScreen {
    /// A chosen value that the scene does not have yet.
    struct Choice {
        var value: JSONValue
        /// The event that carries it; `nil` until the client has numbered it.
        var sequence: UInt64?
        /// The time until which it is shown after it was handled.
        var end: Double?
    }

    /// Seconds for which a handled value is shown before the scene must have it.
    static let patience = 1.0

    let url: String
    var size: GridSize
    /// The last received scene.
    var received: ReceivedScene?
    var clock = TickClock()
    var interactions = InteractionTable()
    var pictures: PictureShelf
    /// Whether some view asks to be told when the pointer comes and goes.
    private(set) var wantsMotion = false
    /// The view with the keyboard focus.
    var focus: String?
    /// The text being edited in the focused text field.
    var editor: LineEditor?
    /// The target of the pressed mouse button.
    var held: Held?
    /// The view that was told that the pointer came.
    var hovered: String?
    var choices: [String: Choice] = [:]
    var offsets: [String: (x: Int32, y: Int32)] = [:]
    private var device: DeviceSelection
    private var connection = ConnectionState.connecting
    private var reconnectTime: Double?
    private var problem: (text: String, end: Double)?
    private var outbox: [ViewerCommand] = []
    /// An event that was sent and not numbered yet.
    private struct Sent {
        /// The view whose value it carries.
        var choice: String?
        /// The time at which it was sent, where its loss matters.
        var time: Double?
    }

    private var unnumbered: [Sent] = []
    /// The times of the events without a result, by their numbers; oldest first.
    private var waiting: [(sequence: UInt64, time: Double)] = []
    private var now = 0.0
    private var quitTime: Double?

    /// - Parameter device: The device to watch the scene on.
    init(
        url: String, size: GridSize, device: DeviceChoice,
        pictures: PictureShelf = PictureShelf()
    ) {
        self.pictures = pictures
        self.url = url
        self.size = size
        self.device = DeviceSelection(device)
    }

    /// Notes the time, which events that are sent now have.
    mutating func keep(time: Double) { now = time }

    // MARK: Commands

    mutating func takeCommands() -> [ViewerCommand] {
        defer { outbox.removeAll() }
        return outbox
    }

    mutating func note(sequence: UInt64) {
        guard !unnumbered.isEmpty else { return }
        let sent = unnumbered.removeFirst()
        if let time = sent.time { waiting.append((sequence, time)) }
        if let id = sent.choice { choices[id]?.sequence = sequence }
    }

    /// Sends an event.
    ///
    /// - Parameter choice: The view whose value it carries.
    mutating func send(
        _ kind: EventKind, _ id: String, x: Double = 0, y: Double = 0, value: JSONValue = .null,
        choice: String? = nil
    ) {
        var event = UserEvent()
        event.kind = kind
        event.view = id
        event.tick = received?.mirror.tick ?? 0
        (event.x, event.y) = (x, y)
        event.value = value
        outbox.append(.event(event))
        // Where the pointer was means nothing later.
        unnumbered.append(Sent(choice: choice, time: kind == .hover ? nil : now))
    }

    // MARK: Events

    mutating func take(_ event: ViewerEvent, now: Double) {
        self.now = now
        switch event {
        case .mirror(let mirror, let welcome): take(mirror, welcome, now: now)
        case .connection(let state):
            connection = state
            reconnectTime = nil
            if case .ended = state { waiting.removeAll() }
            if case .reconnecting(let seconds, _) = state { reconnectTime = now + Double(seconds) }
        case .interactions(let table): take(table)
        case .eventResult(let result): take(result, now: now)
        case .device(let grant): device.granted(grant)
        case .problem(let message): problem = (message.text, now + 6)
        case .picture(let hash, let result): pictures.take(result, of: hash, now: now)
        case .received, .diagnostics, .presence, .result, .trace, .pong, .inspection, .document,
            .beside:
            break
        }
    }

    private mutating func take(_ mirror: SceneMirror, _ welcome: Welcome, now: Double) {
        guard !mirror.needsSnapshot else { return }
        do throws(SceneMetrics.Failure) {
            received = try ReceivedScene(mirror, welcome)
        } catch {
            received = nil
            connection = .ended("the server's unit or cell cannot be used: \(error)")
            return
        }
        clock.note(tick: mirror.tick, rate: welcome.tickRate, now: now)
        if connection == .catchingUp || connection == .connecting { connection = .live }
        offsets = offsets.filter { mirror.number(id: $0.key) != nil }
        forgetHover()
    }

    private mutating func take(_ table: InteractionTable) {
        let before = interactions
        interactions = table
        wantsMotion = table.ids.contains { table[$0]?.events.contains(.hover) == true }
        // What the scene says goes before what was chosen here.
        for (id, choice) in choices {
            let now = table[id]?.value
            if now != before[id]?.value || now == choice.value { drop(id) }
        }
        if let focus, editor != nil, !canFocus(focus) { (self.focus, editor) = (nil, nil) }
        forgetHover()
        guard let focus, let editor, let value = table[focus]?.value,
            value != before[focus]?.value, JSONValue.string(editor.text) == before[focus]?.value
        else { return }
        self.editor = LineEditor(Self.text(of: value))
    }

    private mutating func take(_ result: EventResults.Result, now: Double) {
        if let index = waiting.firstIndex(where: { $0.sequence == result.eventSequence }) {
            waiting.remove(at: index)
            tellLoss(result, now: now)
        }
        guard let id = choices.first(where: { $0.value.sequence == result.eventSequence })?.key
        else { return }
        if result.outcome == .handled {
            choices[id]?.end = now + Self.patience
        } else {
            drop(id)
        }
    }

    /// Says that an event is lost, or may be.
    private mutating func tellLoss(_ result: EventResults.Result, now: Double) {
        if result.outcome == .unknown {
            problem = (
                "the connection was cut: what you did last may not have arrived", now + 12
            )
        } else if result.code == RefusalCode.limit.rawValue {
            problem = ("what you did last was not sent: \(result.message)", now + 12)
        }
    }

    // MARK: Leaving

    /// Quits; while events wait for a server that does not answer, only if that is asked for twice.
    mutating func quit(now: Double) -> ViewerState.Action {
        if let quitTime, now - quitTime < 6 { return .quit }
        guard !waiting.isEmpty, isLate(now: now) || reconnectTime != nil else { return .quit }
        quitTime = now
        problem = ("what you did last waits for the server: q again quits without it", now + 6)
        return .redraw
    }

    /// Whether an event has waited for its result longer than an answer takes.
    private func isLate(now: Double) -> Bool {
        waiting.first.map { now - $0.time >= Self.patience } ?? false
    }

    /// Shows the scene's value of a view again, also in the focused text field unless more was
    /// typed.
    private mutating func drop(_ id: String) {
        guard let choice = choices.removeValue(forKey: id), focus == id, let editor,
            JSONValue.string(editor.text) == choice.value
        else { return }
        self.editor = LineEditor(Self.text(of: interactions[id]?.value ?? .null))
    }

    static func text(of value: JSONValue) -> String {
        value.string ?? ""
    }

    // MARK: Time

    func deadline(now: Double) -> Double {
        let ends = choices.values.compactMap(\.end)
        let countdown = reconnectTime.map { max(now + 0.2, min($0, now + 1)) } ?? .infinity
        let late = waiting.isEmpty ? .infinity : now + Self.patience
        return min(
            ends.min() ?? .infinity, problem?.end ?? .infinity, countdown, late,
            pictures.deadline ?? .infinity)
    }

    func isAnimating(now: Double) -> Bool {
        guard let end = received?.mirror.animations.endTick else { return false }
        return clock.tick(now) <= end
    }

    mutating func pass(now: Double) -> Bool {
        self.now = now
        var mayDiffer = reconnectTime != nil || isLate(now: now)
        for hash in pictures.takeRequests(now: now) { outbox.append(.picture(hash)) }
        if let problem, now >= problem.end {
            self.problem = nil
            mayDiffer = true
        }
        for (id, choice) in choices {
            guard let end = choice.end, now >= end else { continue }
            drop(id)
            mayDiffer = true
        }
        if let request = device.takeRequest(in: size) { outbox.append(.device(request)) }
        return mayDiffer
    }

    mutating func clampPanel() {}

    // MARK: What is shown

    /// The scene as shown at a time; nil before the first state.
    func scene(now: Double) -> AppScene? {
        guard let received else { return nil }
        var own = AppScene.Own(offsets: offsets)
        for (id, choice) in choices {
            guard let interaction = interactions[id],
                let line = received.mirror.view(id: id)?.content.lines.first
            else { continue }
            own.lines[id] = ControlLines(interaction, line.text).text(with: choice.value)
        }
        return AppScene(
            received.mirror, received.metrics, own, size: size, tick: clock.tick(now))
    }

    /// The present error as text; nil if there is none.
    func complaint(now: Double) -> String? {
        switch connection {
        case .live, .readOnly:
            return problem?.text
                ?? (isLate(now: now) ? "no answer yet: what you did last waits" : nil)
        case .reconnecting(_, let url):
            let seconds = reconnectTime.map { Int(max(0, $0 - now).rounded(.up)) } ?? 0
            let text = ConnectionState.reconnecting(inSeconds: seconds, to: url).text
            // What the user was told last stays to be read.
            return problem?.text ?? (waiting.isEmpty ? text : text + ": what you did last waits")
        case .connecting, .catchingUp: return received == nil ? "\(connection.text) \(url)" : nil
        case .ended: return connection.text
        }
    }
}
