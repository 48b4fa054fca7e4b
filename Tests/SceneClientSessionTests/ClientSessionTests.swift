import JSON
import SceneClientSession
import SceneWire
import Testing

@Suite("A client's session, on a virtual clock")
struct ClientSessionTests {
    private static let second: UInt64 = 1_000_000_000

    /// A session and the virtual world around it: a clock, and what it has sent and reported.
    private struct World {
        var session: ClientSession
        var now: UInt64 = 0
        var sent: [ClientMessage] = []
        var closed: CloseCode?
        var connects: [String] = []
        var abandoned: ClientSession.Ending?
        /// Kinds of the events, in order.
        var events: [String] = []

        init(_ change: (inout ClientSession.Options) -> Void = { _ in }) {
            var options = ClientSession.Options(urls: ["ws://127.0.0.1:1001/demo"])
            change(&options)
            session = ClientSession(options)
        }

        mutating func carryOut(_ outputs: [ClientSession.Output]) {
            for output in outputs {
                switch output {
                case .send(let message): sent.append(message)
                case .close(let code): closed = code
                case .event(let event): events.append(Self.kind(event))
                case .connect(let url): connects.append(url)
                case .abandon(let ending): abandoned = ending
                }
            }
        }

        private static func kind(_ event: ClientSession.Event) -> String {
            switch event {
            case .welcomed: "welcomed"
            case .updated(let mirror): "updated \(mirror.tick)"
            case .checked: "checked"
            case .mismatch(let error): "mismatch \(error.code)"
            case .result(let result): "result \(result.clientSequence)"
            case .presence: "presence"
            case .diagnostics: "diagnostics"
            case .trace: "trace"
            case .pong: "pong"
            case .inspection(_, let request): "inspection \(request)"
            case .device(let grant): "device \(grant.name)"
            case .interactions(let table): "interactions \(table.ids.sorted())"
            case .annotations(let table): "annotations \(table.changes.map(\.id))"
            case .records(let part): "records \(part.tick)"
            case .event(let event): "event \(event.delivered.sequence)"
            case .eventResult(let result):
                "event \(result.eventSequence) \(result.outcome.rawValue)"
            case .failure: "failure"
            }
        }

        mutating func connect() { carryOut(session.connected(at: now)) }

        mutating func hear(_ message: ServerMessage, as format: Subprotocol = .binary) {
            carryOut(session.receive(message.encoded(as: format), as: format, at: now))
        }

        /// Ends the connection, or an attempt at one; returns how long the session waits then,
        /// `UInt64.max` for ever.
        mutating func cut(_ code: UInt16? = nil) -> UInt64 {
            guard case .retry(_, let nanoseconds) = session.disconnected(code: code, at: now) else {
                return .max
            }
            return nanoseconds
        }

        mutating func wait(_ nanoseconds: UInt64) {
            now += nanoseconds
            carryOut(session.advance(to: now))
        }

        /// The messages sent since the last call.
        mutating func takeSent() -> [ClientMessage] {
            defer { sent = [] }
            return sent
        }

        mutating func takeEvents() -> [String] {
            defer { events = [] }
            return events
        }

        /// The only message sent since the last call, which has to be a hello.
        mutating func takeHello() throws -> Hello {
            let messages = takeSent()
            guard messages.count == 1, case .hello(let hello)? = messages.first else {
                throw Unexpected(text: "\(messages)")
            }
            return hello
        }

        /// Connects for the first time and gets the scene at tick 0.
        mutating func join(epoch: UInt64 = 1) {
            connect()
            hear(ClientSessionTests.welcome(epoch: epoch))
            hear(ClientSessionTests.snapshot(epoch: epoch))
            sent = []
            events = []
        }

        mutating func apply(_ text: String) throws -> UInt64 {
            let (sequence, outputs) = session.apply(try JSONReader.read(Array(text.utf8)))
            carryOut(outputs)
            return sequence
        }
    }

    private struct Unexpected: Error {
        var text: String
    }

    private static func welcome(
        session: String = "me", epoch: UInt64 = 1, owing: UInt32 = 32
    ) -> ServerMessage {
        var welcome = Welcome()
        welcome.session = session
        welcome.resumeToken = "secret"
        welcome.capabilities = Capability.undo
        welcome.epoch = epoch
        welcome.limits.unacknowledgedFrames = owing
        return .welcome(welcome)
    }

    /// A scene of nothing but its root, in chunks of which only the first holds a view.
    private static func snapshot(
        epoch: UInt64 = 1, tick: UInt64 = 0, chunk: UInt32 = 0, of count: UInt32 = 1
    ) -> ServerMessage {
        let root = ViewRecord(
            number: ViewNumber(1), id: "root", parent: nil,
            frame: QuantisedFrame(x: 0, y: 0, width: 10, height: 10), content: ViewContent())
        var snapshot = Snapshot()
        snapshot.epoch = epoch
        snapshot.tick = tick
        snapshot.chunkIndex = chunk
        snapshot.chunkCount = count
        snapshot.views = chunk == 0 ? [root] : []
        snapshot.stateHash = SceneMirror.stateHash(of: [root])
        return .snapshot(snapshot)
    }

    private func frame(_ tick: UInt64, base: UInt64) -> ServerMessage {
        .frame(FrameDiff(tick: tick, baseTick: base, durableTick: 0))
    }

    private func result(_ sequence: UInt64) -> ServerMessage {
        var result = OpsResult()
        result.clientSequence = sequence
        return .result(result)
    }

    private func ack(_ tick: UInt64) -> ClientMessage {
        var ack = Ack()
        ack.tick = tick
        return .ack(ack)
    }

    // MARK: Connections

    @Test(
        "the first message is hello, with everything that was asked for",
        arguments: Subprotocol.allCases)
    func hello(format: Subprotocol) throws {
        var world = World {
            $0.role = .editor
            $0.format = format
            $0.token = "proof"
            $0.capabilities = Capability.undo
            $0.roots = ["a"]
            $0.frameRateMaximum = 12
        }
        world.connect()
        let hello = try world.takeHello()
        #expect(hello.role == .editor)
        #expect(hello.token == "proof")
        #expect(hello.capabilities == Capability.undo)
        #expect(hello.roots == ["a"])
        #expect(hello.frameRateMaximum == 12)
        #expect(hello.resume == nil)
        #expect(!world.session.isWelcomed)
        world.hear(Self.welcome(), as: format)
        world.hear(Self.snapshot(), as: format)
        #expect(world.session.isWelcomed)
        #expect(world.takeEvents() == ["welcomed", "checked", "updated 0"])
        #expect(world.takeSent() == [ack(0)])
    }

    @Test("[CONN-22] after a cut it names its session, and the epoch and tick of its mirror")
    func resumes() throws {
        var world = World()
        world.join(epoch: 4)
        world.hear(frame(3, base: 0))
        _ = world.session.disconnected(code: nil, at: world.now)
        world.connect()
        let hello = try world.takeHello()
        #expect(hello.resume?.session == "me")
        #expect(hello.resume?.token == "secret")
        #expect(hello.resume?.epoch == 4)
        #expect(hello.resume?.lastTick == 3)
        #expect(hello.capabilities & Capability.mergedResume != 0)
        // This connection ends before any state comes: the state is still the fourth epoch's.
        world.hear(Self.welcome(epoch: 5))
        _ = world.session.disconnected(code: nil, at: world.now)
        world.connect()
        #expect(try world.takeHello().resume?.epoch == 4)
        // A frame that fits leads into the connection's epoch.
        world.hear(Self.welcome(epoch: 5))
        world.hear(frame(9, base: 3))
        _ = world.session.disconnected(code: nil, at: world.now)
        world.connect()
        let last = try world.takeHello()
        #expect(last.resume?.epoch == 5)
        #expect(last.resume?.lastTick == 9)
    }

    @Test("[CONN-32] a state that no tick names is not gone on with")
    func brokenState() throws {
        var content = Content()
        content.tick = 1
        for (name, message) in [
            ("within a tick", ServerMessage.content(content)), ("lost", frame(9, base: 8)),
        ] {
            var world = World { $0.capabilities = Capability.mergedResume }
            world.join()
            world.hear(message)
            _ = world.session.disconnected(code: nil, at: world.now)
            world.sent = []
            world.connect()
            let hello = try world.takeHello()
            #expect(hello.resume?.session == "me", "\(name)")
            #expect(hello.capabilities & Capability.mergedResume == 0, "\(name)")
        }
    }

    @Test(
        "[CONN-32] a client that asked for the past begins anew, even if it asked for the present since"
    )
    func hasSought() throws {
        var world = World { $0.capabilities = Capability.mergedResume | Capability.seek }
        world.join()
        for isLive in [false, true] {
            var seek = Seek()
            seek.isLive = isLive
            world.carryOut(world.session.seek(seek))
        }
        #expect(world.takeSent().count == 2)
        #expect(!world.session.mirror.needsSnapshot)
        _ = world.session.disconnected(code: nil, at: world.now)
        world.connect()
        #expect(try world.takeHello().capabilities & Capability.mergedResume == 0)
        #expect(world.session.mirror.needsSnapshot)
        // The next connection has not asked for the past.
        world.hear(Self.welcome())
        world.hear(Self.snapshot(tick: 5))
        _ = world.session.disconnected(code: nil, at: world.now)
        world.sent = []
        world.connect()
        #expect(try world.takeHello().capabilities & Capability.mergedResume != 0)
    }

    @Test(
        "[CONN-33] it comes back after 0.25 s, twice as long after each failure up to 8 s, each up to a quarter less, and as soon as that once welcomed"
    )
    func backOff() {
        var world = World()
        world.join()
        for seconds in [0.25, 0.5, 1, 2, 4, 8, 8, 8] {
            let delay = world.cut()
            #expect(delay >= UInt64(seconds * 0.75e9) && delay <= UInt64(seconds * 1e9))
        }
        world.connect()
        world.hear(Self.welcome())
        let delay = world.cut(CloseCode.draining.rawValue)
        #expect(delay >= Self.second * 3 / 16 && delay <= Self.second / 4)
    }

    @Test("[CONN-33] the random part of waits follows from the seed, and differs between clients")
    func seeds() {
        func delays(_ seed: UInt64) -> [UInt64] {
            var world = World { $0.seed = seed }
            world.join()
            return (0..<6).map { _ in world.cut() }
        }
        #expect(delays(1) == delays(1))
        #expect(delays(1) != delays(2))
    }

    @Test(
        "it does not come back where the same would happen again, nothing was granted, or it was told to end"
    )
    func ends() {
        var refused = World()
        refused.connect()
        #expect(refused.session.disconnected(code: nil, at: refused.now) == .final)
        for code in CloseCode.allCases {
            var world = World()
            world.join()
            #expect(
                (world.session.disconnected(code: code.rawValue, at: world.now) != .final)
                    == code.isRetryable)
        }
        var once = World { $0.reconnects = false }
        once.join()
        #expect(once.session.disconnected(code: nil, at: once.now) == .final)
        var done = World()
        done.join()
        let hasEnded = done.session.end()
        #expect(!hasEnded)
        #expect(done.session.disconnected(code: nil, at: done.now) == .final)
    }

    // MARK: Requests

    private static func welcome(granting capabilities: UInt64) -> ServerMessage {
        guard case .welcome(var welcome) = welcome() else { return welcome() }
        welcome.capabilities = capabilities
        return .welcome(welcome)
    }

    /// The fault that this guards: an undo that waited while later ops went on was refused as
    /// decided before, though nobody had got it. The fault that this guards: an undo that waited
    /// while later ops went on was refused as decided before, though it was never sent.
    func undoWithoutCapability() throws {
        var world = World { $0.role = .editor }
        world.connect()
        world.hear(Self.welcome())
        _ = try world.takeHello()
        let (sent, outputs) = world.session.undo()
        world.carryOut(outputs)
        let undo = world.takeSent()
        #expect(undo == world.session.unanswered.map(\.message))
        _ = world.session.disconnected(code: nil, at: world.now)
        world.connect()
        world.sent = []
        world.hear(Self.welcome(granting: 0))
        let ops = try world.apply("[]")
        #expect(world.takeSent().isEmpty)
        #expect(world.session.unanswered.map(\.sequence) == [sent, ops])
        _ = world.session.disconnected(code: nil, at: world.now)
        world.connect()
        world.sent = []
        world.hear(Self.welcome())
        #expect(world.takeSent() == world.session.unanswered.map(\.message))
        world.hear(result(sent))
        world.hear(result(ops))
        _ = world.session.disconnected(code: nil, at: world.now)
        // Asked for between two connections, of which the second takes none.
        let unsent = world.session.undo()
        world.carryOut(unsent.outputs)
        let later = try world.apply("[]")
        world.connect()
        world.sent = []
        world.events = []
        world.hear(Self.welcome(granting: 0))
        #expect(world.takeSent() == world.session.unanswered.map(\.message))
        #expect(world.session.unanswered.map(\.sequence) == [later])
        #expect(world.takeEvents().contains("result \(unsent.sequence)"))
    }

    @Test("requests wait for welcome, and are sent again after each cut until they have a result")
    func requests() throws {
        var world = World { $0.role = .editor }
        let first = try world.apply("[]")
        world.connect()
        let second = try world.apply("[]")
        _ = try world.takeHello()
        world.hear(Self.welcome())
        let (third, outputs) = world.session.undo()
        world.carryOut(outputs)
        #expect([first, second, third] == [1, 2, 3])
        let sent = world.takeSent()
        #expect(sent == world.session.unanswered.map(\.message))
        world.hear(result(2))
        #expect(world.session.unanswered.map(\.sequence) == [1, 3])
        _ = world.session.disconnected(code: nil, at: world.now)
        world.connect()
        world.sent = []
        // Another name: the server has forgotten the client, and the sequences go on all the same.
        world.hear(Self.welcome(session: "other"))
        #expect(world.takeSent() == [sent[0], sent[2]])
        #expect(try world.apply("[]") == 4)
        world.hear(result(1))
        world.hear(result(3))
        world.hear(result(3))
        #expect(world.session.unanswered.map(\.sequence) == [4])
    }

    @Test("a batch names the tick that it was made at, also when it is sent again")
    func baseTick() throws {
        var world = World()
        world.join()
        world.hear(frame(6, base: 0))
        _ = try world.apply("[]")
        _ = world.session.disconnected(code: nil, at: world.now)
        world.connect()
        world.hear(Self.welcome())
        world.hear(frame(9, base: 6))
        let bases = world.sent.compactMap { message -> UInt64? in
            if case .ops(let ops) = message { ops.baseTick } else { nil }
        }
        #expect(bases == [6, 6])
    }

    @Test("what gets no result is dropped where no hello was said")
    func drops() {
        var world = World()
        world.carryOut(world.session.send(.presence(Presence())))
        #expect(world.takeSent().isEmpty)
        world.join()
        world.carryOut(world.session.send(.presence(Presence())))
        #expect(world.takeSent() == [.presence(Presence())])
        _ = world.session.disconnected(code: nil, at: world.now)
        world.carryOut(world.session.send(.presence(Presence())))
        #expect(world.takeSent().isEmpty)
    }

    @Test("a new token is told at once where that is possible, and at every later hello")
    func token() throws {
        var world = World { $0.token = "old" }
        world.carryOut(world.session.refresh(token: "new"))
        #expect(world.takeSent().isEmpty)
        world.connect()
        #expect(try world.takeHello().token == "new")
        world.hear(Self.welcome())
        world.carryOut(world.session.refresh(token: "newer"))
        #expect(try world.takeHello().token == "newer")
        _ = world.session.disconnected(code: nil, at: world.now)
        world.connect()
        #expect(try world.takeHello().token == "newer")
    }

    // MARK: State

    @Test(
        "[MSG-14] a quarter of the frames that it may owe is acknowledged at once",
        arguments: [4, 8, 32] as [UInt32])
    func acknowledges(owing: UInt32) {
        var world = World { $0.patience.silenceNanoseconds = 0 }
        world.connect()
        world.hear(Self.welcome(owing: owing))
        world.hear(Self.snapshot())
        world.sent = []
        let count = UInt64(owing / 4)
        for tick in 1...3 * count { world.hear(frame(tick, base: tick - 1)) }
        #expect(world.takeSent() == [ack(count), ack(2 * count), ack(3 * count)])
        #expect(world.session.wakeTime == nil)
    }

    @Test("a frame that no others follow is acknowledged within a second, once")
    func acknowledgesLate() {
        var world = World { $0.patience.silenceNanoseconds = 0 }
        world.join()
        world.now = 5 * Self.second
        world.hear(frame(1, base: 0))
        world.wait(Self.second / 2)
        world.hear(frame(2, base: 1))
        #expect(world.session.wakeTime == 6 * Self.second)
        world.wait(Self.second / 2 - 1)
        #expect(world.takeSent().isEmpty)
        world.wait(1)
        #expect(world.takeSent() == [ack(2)])
        #expect(world.session.wakeTime == nil)
        world.wait(10 * Self.second)
        #expect(world.takeSent().isEmpty)
        // None is owed to a connection that is gone.
        world.hear(frame(3, base: 2))
        let delay = world.cut()
        #expect(world.session.wakeTime == world.now + delay)
        world.wait(2 * Self.second)
        #expect(world.takeSent().isEmpty)
    }

    @Test(
        "[CONN-14] a state that does not fit is asked for once, and what follows is passed over until it begins"
    )
    func lost() {
        var world = World()
        world.join()
        world.hear(frame(9, base: 8))
        world.hear(frame(10, base: 9))
        world.hear(Self.snapshot(tick: 11, chunk: 1, of: 2))
        var resync = Resync()
        resync.hash = world.session.mirror.stateHash
        #expect(world.takeSent() == [.resync(resync)])
        #expect(world.takeEvents() == ["mismatch wrong-base"])
        world.hear(Self.snapshot(tick: 12, chunk: 0, of: 2))
        world.hear(Self.snapshot(tick: 12, chunk: 1, of: 2))
        #expect(world.takeSent() == [ack(12)])
        #expect(world.takeEvents() == ["checked", "updated 12"])
        world.hear(frame(13, base: 12))
        #expect(world.takeEvents() == ["updated 13"])
    }

    @Test("before the first snapshot a frame is no reason to ask for one, since it is on its way")
    func early() {
        var world = World()
        world.connect()
        world.hear(Self.welcome())
        world.sent = []
        world.hear(frame(1, base: 0))
        #expect(world.takeSent().isEmpty)
        world.hear(Self.snapshot())
        #expect(world.takeSent() == [ack(0)])
    }

    // MARK: Bad messages

    @Test("a message that cannot be read ends the client; one of a later version is passed over")
    func unreadable() {
        var world = World()
        world.join()
        world.carryOut(world.session.receive([0x90, 1, 2], as: .binary, at: 0))
        #expect(world.closed == nil)
        #expect(world.takeEvents().isEmpty)
        world.carryOut(world.session.receive([0x43], as: .binary, at: 0))
        #expect(world.closed == .badFrame)
        #expect(world.takeEvents() == ["failure"])
        #expect(world.session.disconnected(code: nil, at: world.now) == .final)
    }

    @Test(
        "an inspection is reported when its last part has come, and one out of order is a failure")
    func inspections() throws {
        var world = World()
        world.join()
        var part = Inspection()
        part.request = 3
        part.chunkIndex = 1
        part.chunkCount = 2
        world.hear(.inspection(part))
        #expect(world.takeEvents() == ["failure"])
        #expect(world.closed == nil)
    }
}
