public import JSON
import SceneDocument
public import SceneWire

/// One client of a room, over all of its connections, as a state machine without I/O: bytes and
/// time in, messages and events out.
///
/// It decides where to connect and when, keeps the mirror, says hello, resumes after a cut,
/// acknowledges, notices a silent server, asks for a snapshot when the state does not fit, and
/// sends requests again until they have a result. It has no socket, clock or thread, and the same
/// calls give the same outputs. Its driver carries the outputs out in order, and calls `advance` at
/// `wakeTime`.
public struct ClientSession: Sendable {
    /// A request that gets a result.
    public struct Request: Sendable, Equatable {
        /// The sequence that the result names.
        public let sequence: UInt64
        /// The message, which is sent again after a cut as it was.
        public let message: ClientMessage
    }

    /// The state of the scene as far as it has come.
    public var mirror: SceneMirror { state.mirror }
    /// Requests without a result, oldest first.
    public var unanswered: [Request] { requests.unanswered }
    /// Whether the present connection is the last, because the client was told to end or cannot
    /// read the server.
    public var isEnding: Bool { connector.isEnding }
    /// The addresses known at present: the user's, then those that the last welcome named.
    public var urls: [String] { connector.urls }
    /// The moment at which `advance` has something to do, in nanoseconds; `nil` for never.
    public var wakeTime: UInt64? {
        switch (state.wakeTime, connector.wakeTime) {
        case (let state?, let connector?): min(state, connector)
        case (let time, nil), (nil, let time): time
        }
    }

    private let options: Options
    private var token: String
    /// The token of the present connection's hello: one that came since is sent after the welcome.
    private var greetingToken = ""
    private var connector: Connector
    private var welcome: Welcome?
    private var requests = RequestLedger()
    private var state = FollowedState()
    /// Whether the mirror is of no use to the next connection: the past was asked for on this one,
    /// which it may show even if the present was asked for since, or the states differed again and
    /// again. SPEC.md, CONN-32.
    private var beginsAnew = false
    /// The stamp of the session's own ping that has no answer, in microseconds.
    private var openPing: UInt64?
    private var inspections = InspectionReader()
    var events = EventLedger()
    /// What people can do with the scene's views.
    public private(set) var interactions = InteractionTable()
    /// What people say about the scene, as the server told it last.
    public private(set) var annotations = AnnotationTable()
    /// The device that was asked for last, for this connection and later ones.
    private var device: DeviceRequest?

    /// Makes a client that is not connected.
    public init(_ options: Options) {
        self.options = options
        token = options.token
        device = options.device
        connector = Connector(options)
    }

    /// Whether the server has admitted the client on the present connection.
    public var isWelcomed: Bool { connector.isWelcomed }

    // MARK: Connections

    /// Begins the first connection.
    ///
    /// - Parameter now: Nanoseconds of a clock that only goes forward.
    public mutating func connect(at now: UInt64) -> [Output] {
        connector.connect(at: now).map { [.connect(url: $0)] } ?? []
    }

    /// Begins a connection that is open: says hello, with what it takes to go on where the last
    /// connection ended.
    ///
    /// - Parameter now: Nanoseconds of a clock that only goes forward.
    public mutating func connected(at now: UInt64) -> [Output] {
        connector.opened(at: now)
        openPing = nil
        state.begin(anew: beginsAnew)
        beginsAnew = false
        greetingToken = token
        return [.send(.hello(hello()))]
    }

    private func hello() -> Hello {
        var hello = Hello()
        var wanted = options.capabilities
        if device != nil { wanted |= Capability.devices }
        hello.device = device
        hello.capabilities = wanted & ~Capability.mergedResume
        hello.role = options.role
        hello.token = token
        hello.roots = options.roots
        hello.frameRateMaximum = options.frameRateMaximum
        guard let welcome else {
            hello.capabilities = wanted
            return hello
        }
        // A mirror that is whole is gone on with; without one there is no tick to name. SPEC.md,
        // CONN-32.
        if !mirror.needsSnapshot, !mirror.isWithinTick {
            hello.capabilities |= Capability.mergedResume
        }
        var resume = Resume()
        resume.session = welcome.session
        resume.token = welcome.resumeToken
        // The mirror's and not the last welcome's: a connection may end between its welcome and its
        // first state.
        resume.epoch = mirror.epoch
        resume.lastTick = mirror.tick
        hello.resume = resume
        return hello
    }

    /// Ends a connection, or an attempt at one.
    ///
    /// - Parameters:
    ///   - code: The peer's close code; `nil` where there was none.
    ///   - now: Nanoseconds of a clock that only goes forward.
    public mutating func disconnected(code: UInt16?, at now: UInt64) -> Ending {
        state.pause()
        if code == CloseCode.hashMismatch.rawValue { beginsAnew = true }
        return connector.ended(code: code, at: now)
    }

    /// Notes that the client is to end: the present connection's end is the last.
    ///
    /// - Returns: Whether it has ended, since it waits for its next connection; else the end of the
    ///   present one ends it.
    public mutating func end() -> Bool { connector.end() }

    // MARK: Requests

    /// Asks for ops as one batch; sent again after a cut, and applied once however often they are
    /// sent.
    ///
    /// - Parameters:
    ///   - ops: A list of ops as JSON.
    ///   - atomic: Whether all or none are applied.
    ///   - undoGroup: Batches of one number are undone together; 0 for one alone.
    /// - Returns: The sequence that the result names, and what to do.
    public mutating func apply(
        _ ops: JSONValue, atomic: Bool = false, undoGroup: UInt32 = 0
    ) -> (sequence: UInt64, outputs: [Output]) {
        request { sequence, mirror in
            var message = Ops()
            message.clientSequence = sequence
            message.baseTick = mirror.tick
            message.undoGroup = undoGroup
            message.isAtomic = atomic
            message.ops = ops
            return .ops(message)
        }
    }

    /// Asks for the client's own last batch to be undone.
    public mutating func undo() -> (sequence: UInt64, outputs: [Output]) {
        request { sequence, _ in
            var request = UndoRequest()
            request.clientSequence = sequence
            return .undo(request)
        }
    }

    /// Asks for the batch that was undone last to be done again.
    public mutating func redo() -> (sequence: UInt64, outputs: [Output]) {
        request { sequence, _ in
            var request = UndoRequest()
            request.clientSequence = sequence
            return .redo(request)
        }
    }

    /// Sends a request now, or when the server has admitted the client. A request that the
    /// connection does not grant is refused.
    private mutating func request(
        _ make: (UInt64, SceneMirror) -> ClientMessage
    ) -> (sequence: UInt64, outputs: [Output]) {
        let mirror = mirror
        let request = requests.add { make($0, mirror) }
        return (request.sequence, Self.outputs(requests.proceed(granted: granted)))
    }

    /// Sends what may be sent, and refuses what was given up.
    private static func outputs(_ turn: RequestLedger.Turn) -> [Output] {
        turn.sent.map { .send($0) }
            + turn.givenUp.map { sequence in
                var result = OpsResult()
                result.clientSequence = sequence
                result.outcome = .refused(
                    Refusal(
                        code: .forbidden,
                        message: "this server does not take undo and redo: it was not sent"))
                return .event(.result(result))
            }
    }

    /// What the server granted on the present connection; `nil` before its welcome.
    private var granted: UInt64? { isWelcomed ? welcome?.capabilities : nil }

    /// Whether events may be sent on the present connection.
    var exchangesEvents: Bool { granted.map { $0 & Capability.events != 0 } ?? false }

    // MARK: Messages without a result

    /// Shows the past, or the present again.
    public mutating func seek(_ seek: Seek) -> [Output] {
        if !seek.isLive { beginsAnew = true }
        return send(.seek(seek))
    }

    /// Asks for another device, on this connection and later ones.
    public mutating func change(device: DeviceRequest) -> [Output] {
        self.device = device
        guard let granted, granted & Capability.devices != 0 else { return [] }
        return [.send(.device(device))]
    }

    /// Sends a message that gets no result and is not sent again; dropped where no hello was said.
    public func send(_ message: ClientMessage) -> [Output] {
        connector.isGreeting || isWelcomed ? [.send(message)] : []
    }

    /// Takes a new token, for this connection and later ones.
    public mutating func refresh(token: String) -> [Output] {
        self.token = token
        guard isWelcomed else { return [] }
        var hello = Hello()
        hello.token = token
        hello.role = options.role
        return [.send(.hello(hello))]
    }

    // MARK: Time

    /// Does what is due at a moment.
    ///
    /// - Parameter now: Nanoseconds of a clock that only goes forward.
    public mutating func advance(to now: UInt64) -> [Output] {
        let outputs = state.advance(to: now, isWelcomed: isWelcomed)
        switch connector.advance(to: now) {
        case .nothing: return outputs
        case .connect(let url): return outputs + [.connect(url: url)]
        case .ping:
            var ping = Ping()
            ping.t0 = now / 1000
            openPing = ping.t0
            return outputs + [.send(.ping(ping))]
        case .giveUp(let ending):
            state.pause()
            return outputs + [.abandon(ending)]
        }
    }

    /// Notes that bytes of a message came which is not complete yet: the server is not silent.
    ///
    /// - Parameter now: Nanoseconds of a clock that only goes forward.
    public mutating func heard(at now: UInt64) { connector.heard(at: now) }

    // MARK: The server's messages

    /// Takes one message of the server's.
    ///
    /// - Parameters:
    ///   - bytes: The message, as it came.
    ///   - format: The format that the WebSocket message announced: text is JSON.
    ///   - now: Nanoseconds of a clock that only goes forward.
    public mutating func receive(
        _ bytes: [UInt8], as format: Subprotocol, at now: UInt64
    ) -> [Output] {
        connector.heard(at: now)
        guard format == options.format else {
            return end("the server sent a WebSocket message of the other subprotocol's kind")
        }
        let message: ServerMessage
        do throws(DecodeError) {
            switch format {
            case .binary: message = try ServerMessage.decode(bytes)
            case .json: message = try ServerMessage.decode(json: bytes)
            }
        } catch  where error.isIgnorable {
            return []
        } catch {
            return end("the server's message cannot be read: \(error)")
        }
        return take(message, now)
    }

    /// Ends the connection, the last, because of a fault of the server's.
    private mutating func end(_ fault: String) -> [Output] {
        _ = connector.end()
        return [.event(.failure(Self.failure(fault))), .close(.badFrame)]
    }

    private mutating func take(_ message: ServerMessage, _ now: UInt64) -> [Output] {
        switch message {
        case .welcome(let welcome):
            // One connection has one welcome; what was sent since the first would be sent again.
            guard connector.isGreeting else { return end("the server's second welcome") }
            return admit(welcome, at: now)
        case .result(let result):
            requests.remove(result.clientSequence)
            return [.event(.result(result))]
        case .error(let error):
            connector.note(error)
            return [.event(.failure(error))]
        case .presence(let presence): return [.event(.presence(presence))]
        case .diagnostics(let diagnostics): return [.event(.diagnostics(diagnostics))]
        case .trace(let trace): return [.event(.trace(trace))]
        case .pong(let pong):
            guard pong.t0 != openPing else {
                openPing = nil
                return []
            }
            return [.event(.pong(pong))]
        case .inspection(let part): return take(part)
        case .device(let grant): return [.event(.device(grant))]
        case .interactions(let message):
            interactions.apply(message)
            return [.event(.interactions(interactions))]
        case .annotations(let message):
            annotations.apply(message)
            return [.event(.annotations(annotations))]
        case .records(let part): return [.event(.records(part))]
        case .event(let event): return events.receive(event)
        case .eventResults(let results): return events.take(results)
        case .snapshot, .frame, .select, .tree, .content, .hash, .anim, .keyframe, .insets:
            return state.update(message, at: now)
        }
    }

    private static func failure(_ text: String) -> ErrorMessage {
        var failure = ErrorMessage()
        failure.code = UInt32(CloseCode.badFrame.rawValue)
        failure.text = text
        return failure
    }

    private mutating func take(_ part: Inspection) -> [Output] {
        do throws(DocumentError) {
            guard let answer = try inspections.take(part) else { return [] }
            return [.event(.inspection(answer.inspection, request: answer.request))]
        } catch {
            return [
                .event(.failure(Self.failure("the server's inspection cannot be read: \(error)")))
            ]
        }
    }

    /// Requests without a result are sent again: the server may have lost them, and applies none
    /// twice. Another session's name means that it knows nothing of them; the sequences go on all
    /// the same.
    private mutating func admit(_ welcome: Welcome, at now: UInt64) -> [Output] {
        self.welcome = welcome
        connector.welcomed(welcome.alternates?.urls ?? [], at: now)
        inspections = InspectionReader()
        state.admit(welcome)
        return [.event(.welcomed(welcome))]
            + (token == greetingToken ? [] : refresh(token: token))
            + Self.outputs(requests.resume(granted: welcome.capabilities))
            + events.admit(welcome)
    }
}
