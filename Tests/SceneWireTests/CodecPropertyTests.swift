import JSON
import SceneDocument
import SceneWire
import Testing

/// Messages of every kind with random fields.
extension Generator {
    mutating func u64() -> UInt64 { next() >> UInt64(int(0...63)) }
    mutating func u32() -> UInt32 { UInt32(truncatingIfNeeded: next() >> UInt64(int(32...63))) }
    mutating func double() -> Double { Double(int(-9999...9999)) / 8 }
    mutating func text() -> String {
        pick(["", "x", "Ünï\u{0}\n", String(repeating: "y", count: 200)])
    }
    mutating func number() -> ViewNumber { ViewNumber(UInt32(int(0...(1 << 20) - 1))) }

    mutating func selection() -> Selection {
        let step = int(1...4)
        var numbers = Set((0..<int(1...40)).map { _ in UInt32(int(0...300) * step) })
        if bool() { numbers = Set(numbers.map { $0 * 701 }) }
        return Selection(
            mask: FieldMask(rawValue: UInt8(int(1...15))), numbers: numbers.sorted())
    }

    mutating func deltas(_ count: Int) -> FieldDeltas {
        FieldDeltas(
            (0..<count).map { _ in Int32(truncatingIfNeeded: next() >> UInt64(int(32...63))) })
    }

    mutating func rows() -> [FrameBody.Row] {
        let common = bool() ? UInt8(int(1...15)) : nil
        let span = pick([40, 4000, (1 << 20) - 1])
        return Set((0..<int(0...9)).map { _ in UInt32(int(0...span)) }).sorted().map { number in
            let mask = FieldMask(rawValue: common ?? UInt8(int(1...15)))
            return FrameBody.Row(number: number, mask: mask, deltas: deltas(mask.count))
        }
    }

    mutating func body() -> FrameBody {
        var body = FrameBody()
        // Each slot once.
        for slot in Set((0..<int(0...4)).map { _ in UInt8(int(0...63)) }).sorted() {
            body.citations.append(FrameBody.Citation(slot: slot, deltas: deltas(int(1...4))))
        }
        for _ in 0..<int(0...4) {
            let selection = selection()
            body.groups.append(
                FrameBody.Group(
                    selection, stores: bool(), deltas: deltas(selection.mask.count)))
        }
        body.citesDifferences = !body.citations.isEmpty && bool()
        body.rows = rows()
        body.absoluteRows = rows()
        return body
    }

    mutating func refusal() -> Refusal {
        Refusal(
            code: pick(RefusalCode.allCases), message: text(), opIndex: int(0...9),
            conflicting: ["#0", "w"])
    }

    mutating func presence() -> Presence {
        var presence = Presence()
        presence.client = u32()
        presence.clock = u32()
        presence.isGone = bool()
        presence.name = text()
        presence.color = maybe { $0.color() }
        presence.cursor = maybe { Point(x: $0.double(), y: $0.double()) }
        presence.selection = bool() ? [] : ["a", "b-1"]
        return presence
    }

    mutating func clientMessages() -> [ClientMessage] {
        var hello = Hello()
        hello.capabilities = u64()
        hello.token = text()
        hello.room = text()
        hello.role = pick(roles(besides: hello.capabilities))
        hello.unitsPerPoint = double()
        hello.roots = bool() ? [] : ["a", "b"]
        hello.frameRateMaximum = u32()
        if bool() {
            var resume = Resume()
            resume.session = text()
            resume.token = text()
            resume.epoch = u64()
            resume.lastTick = u64()
            hello.resume = resume
        }
        var ack = Ack()
        ack.tick = u64()
        ack.lagMilliseconds = u32()
        var ops = Ops()
        ops.clientSequence = u64()
        ops.baseTick = u64()
        ops.undoGroup = u32()
        ops.isAtomic = bool()
        ops.ops = .array([Op.removeView(id: "a").json, .number(double()), .string(text())])
        var resync = Resync()
        resync.tick = u64()
        resync.hash = next()
        var ping = Ping()
        ping.t0 = u64()
        var undo = UndoRequest()
        undo.clientSequence = u64()
        var subscribe = Subscribe()
        subscribe.roots = bool() ? [] : ["a", "b"]
        subscribe.frameRateMaximum = u32()
        var seek = Seek()
        seek.isLive = bool()
        seek.tick = u64()
        seek.speed = double()
        var trace = TraceRequest()
        trace.isEnabled = bool()
        trace.watch = bool() ? [] : ["a", "b"]
        var inspect = Inspect()
        inspect.request = u32()
        inspect.wantsDocument = bool()
        inspect.views = bool() ? [] : ["a", "b"]
        return [
            .hello(hello), .ack(ack), .ops(ops), .resync(resync), .ping(ping),
            .presence(presence()), .undo(undo), .redo(undo), .subscribe(subscribe), .seek(seek),
            .trace(trace), .inspect(inspect), .event(sentEvent()),
            .handle(
                {
                    var request = HandleRequest()
                    request.roots = bool() ? [] : ["a", "root"]
                    return request
                }()), .handled(handledEvents()),
        ]
    }

    mutating func serverMessages() -> [ServerMessage] {
        var welcome = Welcome()
        welcome.session = text()
        welcome.resumeToken = text()
        welcome.epoch = u64()
        welcome.version = u32()
        welcome.capabilities = u64()
        welcome.tick = u64()
        welcome.monotonicMilliseconds = u64()
        welcome.unitsPerPoint = 1.5
        welcome.viewport = Size(width: double(), height: double())
        welcome.limits.messagesPerSecond = u32()
        welcome.role = pick(roles(besides: welcome.capabilities))
        var snapshot = Snapshot()
        snapshot.epoch = u64()
        snapshot.tick = u64()
        snapshot.chunkCount = 3
        snapshot.chunkIndex = UInt32(int(0...2))
        snapshot.stateHash = next()
        snapshot.isDeflated = bool()
        snapshot.views = records(int(0...12))
        var frame = FrameDiff()
        frame.tickLow = UInt8(int(0...255))
        frame.baseDistance = u64()
        frame.durableDistance = u64()
        frame.body = body()
        var select = Select()
        select.slot = UInt8(int(0...63))
        select.selection = selection()
        select.deltas = deltas(select.selection.mask.count)
        var tree = Tree()
        tree.tick = u64()
        let added = records(2)[1]
        tree.changes = [
            .add(added, index: u32()), .remove(number()),
            .move(number(), parent: number(), index: u32()),
        ]
        var content = Content()
        content.tick = u64()
        var change = ContentChange()
        change.number = number()
        change.content = self.content()
        var invalidation = Invalidation()
        invalidation.number = number()
        invalidation.rect = self.frame()
        content.changes = [change]
        content.invalidations = [invalidation]
        var hash = StateHash()
        hash.tick = u64()
        hash.hash = next()
        var result = OpsResult()
        result.clientSequence = u64()
        result.tick = u64()
        if bool() {
            var commit = Commit()
            commit.frames = [NamedRect(id: "a", rect: Rect(x: double(), y: 1, width: 2, height: 3))]
            commit.removedConstraints = ["#3", "row.1"]
            commit.refusals = [refusal()]
            result.outcome = .committed(commit)
        } else {
            result.outcome = .refused(refusal())
        }
        var error = ErrorMessage()
        error.code = u32()
        error.isRetryable = bool()
        error.retryAfterMilliseconds = u32()
        error.text = text()
        var diagnostics = Diagnostics()
        diagnostics.tick = u64()
        diagnostics.ambiguous = ["a", "b-1"]
        diagnostics.broken = ["#3"]
        diagnostics.feedbackLoop = bool() ? [] : ["a"]
        var start = AnimationStart()
        start.id = u32()
        start.delayTicks = u32()
        start.durationTicks = u32() | 1
        start.curve = pick(AnimationCurve.allCases)
        start.body = body()
        start.body.absoluteRows = []
        var anim = Anim()
        anim.tick = u64()
        anim.changes = [.start(start), .cancel(id: u32())]
        var trace = Trace()
        trace.tick = u64()
        trace.events = ["layoutSubviews a"]
        if bool() {
            var durations = CycleDurations()
            durations.ops = u32()
            durations.display = u32()
            trace.durations = durations
        }
        var inspection = Inspection()
        inspection.request = u32()
        inspection.chunkIndex = UInt32(int(0...1023))
        inspection.chunkCount =
            inspection.chunkIndex + UInt32(int(1...(1024 - Int(inspection.chunkIndex))))
        inspection.text = text()
        var records = Records()
        records.tick = u64()
        records.isStart = bool()
        records.author = bool() ? "" : "ab"
        (records.chunkIndex, records.chunkCount) = (inspection.chunkIndex, inspection.chunkCount)
        records.text = text()
        if bool() {
            var state = ReplicaHash()
            state.hash = u64()
            records.state = state
        }
        var keyframe = Keyframe()
        keyframe.tick = u64()
        keyframe.numbers = (0..<int(0...9)).map { _ in number().rawValue }
        var pong = Pong()
        pong.t0 = u64()
        pong.t1 = u64()
        pong.t2 = u64()
        return [
            .welcome(welcome), .snapshot(snapshot), .frame(frame), .select(select), .tree(tree),
            .content(content), .hash(hash), .result(result), .error(error), .pong(pong),
            .presence(presence()), .diagnostics(diagnostics), .anim(anim), .trace(trace),
            .keyframe(keyframe), .inspection(inspection), .records(records),
            .interactions(interactions()), .event(deliveredEvent()), .eventResults(eventResults()),
        ]
    }

    /// The roles that may stand beside capabilities.
    private func roles(besides capabilities: UInt64) -> [Role] {
        capabilities & Capability.events == 0 ? [.viewer, .editor] : Role.allCases
    }

    private mutating func userEvent() -> UserEvent {
        var event = UserEvent()
        event.kind = pick(EventKind.allCases)
        event.view = bool() ? "" : "a"
        event.tick = u64()
        event.x = double()
        event.y = double()
        event.modifiers = UInt8(truncatingIfNeeded: u32()) & EventModifiers.all
        event.value = pick([.null, .string(text()), .array([.number(1), .null])])
        return event
    }

    private mutating func sentEvent() -> SentEvent {
        var event = SentEvent()
        event.eventSequence = u64()
        event.to = u32()
        event.event = userEvent()
        return event
    }

    private mutating func handledEvents() -> HandledEvents {
        var handled = HandledEvents()
        handled.answers = (0..<int(0...3)).map { _ in
            var answer = HandledEvents.Answer()
            answer.sequence = u64()
            answer.isHandled = bool()
            return answer
        }
        return handled
    }

    private mutating func deliveredEvent() -> DeliveredEvent {
        var event = DeliveredEvent()
        event.sequence = u64()
        event.client = u32()
        event.subject = text()
        event.event = userEvent()
        return event
    }

    private mutating func eventResults() -> EventResults {
        var results = EventResults()
        results.results = (0..<int(0...3)).map { _ in
            var result = EventResults.Result()
            result.eventSequence = u64()
            result.outcome = pick(EventOutcome.allCases)
            result.code = bool() ? "limit" : ""
            result.message = text()
            return result
        }
        return results
    }

    private mutating func interactions() -> Interactions {
        var message = Interactions()
        message.isWhole = bool()
        message.changes = (0..<int(0...3)).map { _ in
            var change = InteractionChange()
            change.id = "a"
            guard bool() else { return change }
            var interaction = Interaction()
            interaction.control = pick(ControlKind.allCases)
            interaction.events = EventKind.allCases.filter { _ in bool() }
            interaction.isEnabled = bool()
            interaction.isFocusable = bool()
            interaction.isSelected = bool()
            interaction.isContinuous = bool()
            interaction.scrollsEach = bool()
            interaction.label = text()
            interaction.role = pick(["", "button"])
            interaction.hint = text()
            interaction.value = pick([.null, .number(0.5), .string(text())])
            interaction.minimum = double()
            interaction.maximum = double()
            interaction.step = double()
            interaction.placeholder = text()
            interaction.segments = bool() ? [] : [text(), text()]
            change.interaction = interaction
            return change
        }
        return message
    }
}

@Suite("Both codecs")
struct CodecPropertyTests {
    @Test("every message reads back from bytes and from JSON", arguments: 1...40)
    func roundTrip(seed: UInt64) throws {
        var generator = Generator(state: seed)
        for message in generator.clientMessages() {
            #expect(try ClientMessage.decode(bytes(message)) == message, "seed \(seed)")
            #expect(
                try ClientMessage.decode(json: utf8(message.json.text())) == message,
                "seed \(seed)")
        }
        for message in generator.serverMessages() {
            #expect(try ServerMessage.decode(bytes(message)) == message, "seed \(seed)")
            #expect(
                try ServerMessage.decode(json: utf8(message.json.text(pretty: true))) == message,
                "seed \(seed)")
        }
    }

    @Test("a message that is cut short anywhere is an error", arguments: 1...10)
    func truncation(seed: UInt64) {
        var generator = Generator(state: seed)
        for message in generator.clientMessages() {
            let whole = bytes(message)
            for count in whole.indices {
                #expect(throws: DecodeError.self) {
                    try ClientMessage.decode(Array(whole[..<count]))
                }
            }
        }
        for message in generator.serverMessages() {
            let whole = bytes(message)
            for count in whole.indices {
                #expect(throws: DecodeError.self) {
                    try ServerMessage.decode(Array(whole[..<count]))
                }
            }
        }
    }

    @Test("changed bytes and random bytes never trap, in the mirror neither", arguments: 1...40)
    func garbage(seed: UInt64) throws {
        var generator = Generator(state: seed)
        let start = try mirror(generator.records(20))
        var corpus = generator.serverMessages().map { bytes($0) }
        corpus += generator.clientMessages().map { bytes($0) }
        for _ in 0..<400 {
            var garbage = generator.pick(corpus)
            for _ in 0..<generator.int(1...4) {
                garbage[generator.int(0...garbage.count - 1)] = UInt8(generator.int(0...255))
            }
            if generator.bool() {
                garbage = (0..<generator.int(1...60)).map { _ in UInt8(generator.int(0...255)) }
                garbage[0] = UInt8(generator.int(0x40...0x50))
            }
            _ = try? ClientMessage.decode(garbage)
            guard let message = try? ServerMessage.decode(garbage) else { continue }
            // What decodes must encode to something that decodes to the same.
            #expect(try ServerMessage.decode(bytes(message)) == message, "seed \(seed)")
            var mirror = start
            _ = try? mirror.apply(message)
            _ = mirror.preorder()
        }
    }

    @Test("changed JSON never traps", arguments: 1...10)
    func jsonGarbage(seed: UInt64) {
        var generator = Generator(state: seed)
        var corpus = generator.serverMessages().map { utf8($0.json.text()) }
        corpus += generator.clientMessages().map { utf8($0.json.text()) }
        let pieces = utf8("{}[]\",:0-9eE.truefalsn\\u\u{e9}")
        for _ in 0..<200 {
            var garbage = generator.pick(corpus)
            for _ in 0..<generator.int(1...4) {
                garbage[generator.int(0...garbage.count - 1)] = generator.pick(pieces)
            }
            _ = try? ClientMessage.decode(json: garbage)
            _ = try? ServerMessage.decode(json: garbage)
            _ = try? SceneDocument.parse(garbage)
            _ = try? Op.parseList(garbage)
        }
    }
}
