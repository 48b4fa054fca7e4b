import CharacterWidth
import JSON
import SceneDocument
import SceneWire

/// The state of the viewer: events, keys and the time are its input, a screen and commands its
/// output.
///
/// It owns no terminal, connection or clock. Times are seconds of a monotonic clock.
struct ViewerState {
    /// The action of the screen's owner after a key.
    enum Action: Hashable {
        case none
        case redraw
        case redrawEverything
        case quit
        case suspend
    }

    let address: RoomAddress
    var size: GridSize
    /// Commands for the connection, in order.
    private(set) var outbox: [ViewerCommand] = []

    // What is known.
    private(set) var connection = ConnectionState.connecting
    /// The time of the next attempt to connect.
    private(set) var reconnectTime: Double?
    private(set) var scene: ReceivedScene?
    var clock = TickClock()
    private(set) var meters = ConnectionMeters()
    private(set) var members = Members()
    private(set) var diagnostics = Diagnostics()
    private(set) var inspected = InspectedScene()
    var pictures: PictureShelf
    var trace = TraceLog()
    var log = OpLog()

    // What is looked at.
    var navigation: Navigation
    var devices: WatchedDevices
    /// The member whose pointer is kept visible.
    var followed: UInt32?
    /// The member that is followed because it asked everybody to.
    var spotlighted: UInt32?
    var selection: String?
    var showsHelp = false
    var panel: Panel?
    var panelHasFocus = false
    var prompt: Prompt?
    var timeline: Timeline?
    var timelineHasFocus = false
    var drag: EdgeDrag?
    var notice: Notice?
    /// The error in the previewed file. It stays until the file is correct.
    private(set) var documentProblem: String?
    /// The last search.
    var searched = ""

    // What was drawn.
    var canvas = SceneCanvas()
    var statusRow = StatusRow()
    var figures = FigureDisplay()

    // What was sent.
    var undoGroups: UndoGroups
    /// The time at which the user was told that quitting loses changes.
    private var quitTime: Double?
    var presence: OwnPresence

    /// - Parameter seed: The start of undo groups and of the presence's clock; differs between
    ///   processes, so that no client mistakes another one's for its own.
    init(
        url: String, name: String = "", fitsAtFirst: Bool = true, size: GridSize, seed: UInt32 = 1,
        device: DeviceChoice = .shared, beside: DeviceChoice? = nil,
        pictures: PictureShelf = PictureShelf()
    ) {
        self.pictures = pictures
        devices = WatchedDevices(device, beside: beside)
        address = RoomAddress(url)
        navigation = Navigation(zoom: fitsAtFirst ? nil : 1)
        self.size = size
        undoGroups = UndoGroups(seed: seed)
        presence = OwnPresence(name: name, clock: seed)
    }

    // MARK: What is allowed

    func has(_ capability: UInt64) -> Bool {
        scene.map { $0.welcome.capabilities & capability != 0 } ?? false
    }

    var canInspect: Bool { has(Capability.inspect) }

    var isEditor: Bool { scene?.welcome.role == .editor }

    // MARK: Commands

    /// Removes and returns the commands for the connection.
    mutating func takeCommands() -> [ViewerCommand] {
        defer { outbox.removeAll() }
        return outbox
    }

    /// Receives the client's number for the oldest command with a result that has none.
    mutating func note(sequence: UInt64) { log.number(sequence) }

    mutating func ask(_ command: ViewerCommand) { outbox.append(command) }

    /// Sends ops if that is allowed now; otherwise shows the reason.
    @discardableResult
    mutating func send(_ ops: [JSONValue], undoGroup: UInt32? = nil, now: Double) -> Bool {
        guard isEditor else {
            say("you came in as a viewer: start with --edit to change things", .warning, now)
            return false
        }
        guard timeline?.isLive ?? true else {
            say(
                "this is the past: End goes back to the present, which can be changed", .warning,
                now)
            return false
        }
        let group = undoGroup ?? undoGroups.begin()
        log.add(ops.map { $0.text() }.joined(separator: " "), undoGroup: group, now: now)
        ask(.ops(.array(ops), undoGroup: group))
        inspected.sceneChanged()
        return true
    }

    mutating func say(_ text: String, _ tone: Tone, _ now: Double, seconds: Double = 6) {
        notice = Notice(text: text, tone: tone, end: now + seconds)
    }

    // MARK: What waits for the server

    /// Seconds after which an unanswered change is called unsaved.
    private static let prompt = 1.0

    /// The number of changes that the server has not answered.
    var unsavedCount: Int {
        // A drag that was let go of and waits has sent nothing yet.
        log.waitingCount + (drag?.isReleased == true ? 1 : 0)
    }

    /// Whether one of them has waited longer than an answer takes.
    func isLate(now: Double) -> Bool {
        let since = [log.waitingSince, drag?.releaseTime].compactMap { $0 }.min()
        return since.map { now - $0 >= Self.prompt } ?? false
    }

    /// Whether the server can be asked for what makes no sense later.
    var isConnected: Bool {
        switch connection {
        case .live, .readOnly, .catchingUp: true
        case .connecting, .reconnecting, .ended: false
        }
    }

    /// Shows the past or the present, unless there is no connection.
    mutating func ask(_ seek: Seek, now: Double) {
        guard isConnected else {
            timeline?.becameLive()
            return say("no connection: the past cannot be shown now", .warning, now)
        }
        ask(.seek(seek))
    }

    /// Quits; while changes wait for a server that does not answer, only if that is asked for
    /// twice.
    mutating func quit(now: Double) -> Action {
        let count = unsavedCount
        if let quitTime, now - quitTime < 6 { return .quit }
        guard count > 0, isLate(now: now) || !isConnected else { return .quit }
        quitTime = now
        say(
            count == 1
                ? "1 change is not saved: q again quits without it"
                : "\(count) changes are not saved: q again quits without them", .warning, now)
        return .redraw
    }

    // MARK: Events

    mutating func take(_ event: ViewerEvent, now: Double) {
        switch event {
        case .mirror(let mirror, let welcome): take(mirror, welcome, now: now)
        case .connection(let state): take(connection: state, now: now)
        case .received(let bytes): meters.received(totalBytes: bytes, now: now)
        case .diagnostics(let value): diagnostics = value
        case .presence(let presence):
            guard !self.presence.isOwn(presence) else { return }
            followMembers(asking: members.note(presence, now: now), now: now)
        case .result(let result): take(result, now: now)
        case .trace(let value):
            trace.note(
                TraceLog.Cycle(
                    tick: value.tick, events: value.events, durations: value.durations))
        case .pong(let pong): meters.answered(pong.t0, now: now)
        case .inspection(let inspection, let request):
            take(inspection, request: request, now: now)
        case .device(let grant):
            devices.granted(grant)
            if grant.fit != .exact { say(grant.reason, .warning, now) }
        case .problem(let problem): take(problem, now: now)
        case .document(let problem): documentProblem = problem
        case .beside(let event): devices.take(event, now: now)
        case .picture(let hash, let result): pictures.take(result, of: hash, now: now)
        // The viewer looks into scenes; it does not use them.
        case .interactions, .eventResult: break
        }
    }

    private mutating func take(_ mirror: SceneMirror, _ welcome: Welcome, now: Double) {
        guard !mirror.needsSnapshot else { return }
        do throws(SceneMetrics.Failure) {
            let received = try ReceivedScene(mirror, welcome)
            if received.differs(from: scene) { inspected.sceneChanged() }
            scene = received
        } catch {
            scene = nil
            connection = .ended("the server's unit or cell cannot be used: \(error)")
            return
        }
        figures.stateChanged(now: now)
        meters.receivedFrame(now: now)
        timeline?.note(tick: mirror.tick, now: now)
        if let timeline, !timeline.isLive { clock.reset() }
        clock.note(tick: mirror.tick, rate: welcome.tickRate, now: now)
        if connection == .catchingUp || connection == .connecting {
            connection = .live
            presence.welcomed(as: welcome.client)
            // The answer for which a drag waits was lost with the connection before.
            if drag?.isReady == false { askForDocument() }
        }
        if let selected = selection, mirror.view(id: selected) == nil { selection = nil }
        follow()
    }

    private mutating func take(connection state: ConnectionState, now: Double) {
        connection = state
        reconnectTime = nil
        switch state {
        case .catchingUp, .live:
            meters.connected(now: now)
            presence.connected()
            members.removeAll()
            clock.reset()
            // A connection begins in the present, without a trace.
            if timeline?.isLive == false {
                say("the connection was cut: this is the present again", .warning, now)
            }
            timeline?.becameLive()
            if panel?.kind == .trace { requestTrace(true) }
        case .reconnecting(let seconds, _): reconnectTime = now + Double(seconds)
        case .ended(let reason):
            if let drag, drag.isReleased || drag.isReady {
                say("the drag was not sent: \(reason)", .bad, now, seconds: 12)
            }
            drag = nil
            log.end(reason)
        case .connecting, .readOnly: break
        }
    }

    private mutating func take(_ result: OpsResult, now: Double) {
        guard let entry = log.note(result) else { return }
        if let drag, drag.undoGroup == entry.undoGroup {
            self.drag?.answered()
            sendDrag(now: now)
        }
        inspected.opAnswered(isDragging: drag != nil, now: now)
        switch entry.outcome {
        case .refused(let code, let message, let conflicting):
            let against = conflicting.isEmpty ? "" : " (\(conflicting.joined(separator: ", ")))"
            say("\(code): \(message)\(against)", .bad, now, seconds: 12)
            if code == RefusalCode.storeFailed.rawValue { connection = .readOnly }
        case .committed: if connection == .readOnly { connection = .live }
        case .waiting: break
        }
    }

    private mutating func take(_ inspection: SceneInspection, request: UInt32, now: Double) {
        inspected.take(inspection, selection: selection)
        if inspection.document != nil { continueDrag(answer: request, now: now) }
    }

    private mutating func take(_ problem: ErrorMessage, now: Double) {
        // Perhaps the question that a drag waits for was not taken.
        if drag?.isReady == false { drag = nil }
        if problem.code == UInt32(CloseCode.noSuchTick.rawValue)
            || problem.code == UInt32(CloseCode.limit.rawValue)
        {
            timeline?.becameLive()
        }
        say(problem.text, .bad, now)
    }

    // MARK: Time

    /// The time of the next `pass` if no event comes before.
    func deadline(now: Double) -> Double {
        var deadline = meters.deadline
        if let notice { deadline = min(deadline, notice.end) }
        if unsavedCount > 0 { deadline = min(deadline, now + Self.prompt) }
        if let due = presence.deadline(now: now) { deadline = min(deadline, due) }
        if let due = figures.deadline { deadline = min(deadline, due) }
        if let due = pictures.deadline { deadline = min(deadline, due) }
        if needsInspection, let due = inspected.deadline(now: now) {
            deadline = min(deadline, due)
        }
        return deadline
    }

    /// Whether an animation is running, so that each picture differs from the one before.
    func isAnimating(now: Double) -> Bool {
        if layout.beside != nil, devices.beside?.isAnimating(now: now) == true { return true }
        guard let end = scene?.mirror.animations.endTick else { return false }
        return clock.tick(now) <= end
    }

    /// Does the due work.
    ///
    /// - Returns: Whether the screen may differ.
    mutating func pass(now: Double) -> Bool {
        var mayDiffer = false
        if let notice, now >= notice.end {
            self.notice = nil
            mayDiffer = true
        }
        if figures.takeDue(now: now) { mayDiffer = true }
        for hash in pictures.takeRequests(now: now) { ask(.picture(hash)) }
        if isLate(now: now) { mayDiffer = true }
        switch connection {
        case .live, .readOnly, .catchingUp:
            if let stamp = meters.takePing(now: now) {
                var ping = Ping()
                ping.t0 = stamp
                ask(.ping(ping))
                members.forgetSilent(now: now)
                // The status line has figures of the last seconds.
                mayDiffer = true
            }
            sendPresence(now: now)
            inspect(now: now)
            askForDevice()
        case .connecting, .reconnecting, .ended:
            // Counts the seconds down.
            if meters.takePing(now: now) != nil { mayDiffer = true }
        }
        return mayDiffer
    }

    // MARK: Inspection

    mutating func selectionChanged() {
        presence.selectionChanged()
        inspected.selectionChanged()
    }

    private var needsInspection: Bool {
        canInspect && (panel?.kind == .inspector || panel?.kind == .sets || selection != nil)
    }

    private mutating func inspect(now: Double) {
        guard needsInspection,
            let question = inspected.takeDueQuestion(of: selection, now: now)
        else { return }
        send(question)
    }

    /// Requests the document at once.
    mutating func askForDocument() { send(inspected.documentQuestion(of: selection)) }

    private mutating func send(_ question: Inspect) {
        ask(.inspect(question))
        if question.wantsDocument { drag?.asked(question.request) }
    }

    mutating func requestInspection() { inspected.askSoon() }

    mutating func requestTrace(_ isEnabled: Bool) {
        guard has(Capability.trace) else { return }
        var request = TraceRequest()
        request.isEnabled = isEnabled
        ask(.trace(request))
    }
}
