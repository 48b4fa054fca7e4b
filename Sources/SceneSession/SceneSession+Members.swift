import Annotations
import SceneDocument
import SceneModel
public import SceneWire

extension SceneSession {
    /// The session that a client may resume: its token matches, and its subject is the same.
    public func resumableSession(_ resume: Resume?, of subject: String = "") -> String? {
        guard let resume, let known = clients[resume.session], !known.tokenDigest.isEmpty,
            known.tokenDigest == TokenDigest.hexadecimal(of: resume.token, subject)
                // For a client without a subject, or one recorded by an earlier version.
                || known.tokenDigest == TokenDigest.hexadecimal(of: resume.token)
        else { return nil }
        return resume.session
    }

    /// Revokes a member's resume token.
    public func revoke(_ id: MemberID) {
        guard let member = roster[id] else { return }
        clients[member.admission.session]?.tokenDigest = ""
    }

    // MARK: Coming and going

    func join(_ id: MemberID, _ admission: Admission) {
        guard roster[id] == nil else { return }
        let hello = admission.hello
        let isBack = hello.resume?.session == admission.session
        // A client that resumes keeps its token: the message with a new one might be lost.
        let token = isBack ? hello.resume?.token ?? "" : admission.resumeToken
        let sight = admission.rights.see
        let granted =
            hello.capabilities & Self.capabilities
            & (sight == nil ? .max : ~Self.wholeSightCapabilities)
        var key = StreamKey(animatesLocally: granted & Capability.animations != 0)
        key.sight = sight
        if granted & Capability.subscribe != 0 { key.roots = Subtrees.canonical(hello.roots) }
        var device = DeviceChoice()
        // If the layout for a device exceeds the slice, the member watches the main device until
        // there is time.
        var waits = granted & Capability.devices != 0 && hello.device != nil && !canLayOutAnother
        if granted & Capability.devices != 0, let request = hello.device, !waits {
            let choice = chooseDevice(request)
            waits = choice == nil
            device = choice ?? device
            key.device = device.id
        }
        let isTooMuch = !openStream(key)
        if isTooMuch {
            key.roots = []
            guard openStream(key) else {
                effects.append(.close(id, .limit, "too many members see different views here"))
                return
            }
        }
        if let resume = hello.resume { bring(key, to: resume.lastTick) }
        let member = roster.add(id, admission, capabilities: granted, stream: key)
        member.device = device
        member.deviceRequest = hello.device ?? DeviceRequest()
        if waits, let request = hello.device { roster.want(request, member) }
        if granted & Capability.subscribe != 0 {
            roster.setInterval(interval(hello.frameRateMaximum), of: member)
        }
        membersDidChange()
        let before = clients[admission.session]
        remember(admission.session, TokenDigest.hexadecimal(of: token, admission.subject), key)
        send([.welcome(welcome(member, token))], to: [member])
        // A client that asks for a device receives the device grant before the state; for others
        // the order does not matter.
        let hasDevices = granted & Capability.devices != 0
        if hasDevices, hello.device != nil {
            send([.device(deviceGrant(member))], to: [member])
        }
        if isTooMuch { report(.limit, "too many different subtrees are being watched", to: member) }
        if granted & Capability.mergedResume != 0, let resume = hello.resume,
            canContinue(from: resume, isBack ? before : nil, key),
            let messages = merged(key, since: resume.lastTick), let stream = baseline(key)
        {
            // The client's state may still differ, so it receives the state hash at once.
            send(messages + stream.selects + [stream.hashMessage], to: [member])
            expectAcknowledgement(of: stream.tick, from: member)
            sendInsets(to: [member])
        } else {
            sendState(to: [member])
        }
        if hasDevices, hello.device == nil {
            send([.device(deviceGrant(member))], to: [member])
        }
        if granted & Capability.events != 0 { joinEvents(member) }
        noteLockHolders()
        if granted & Capability.annotations != 0 { sendAnnotations(to: [member]) }
        if let scene = devices[key.device] {
            scene.board.join(member)
        } else {
            diagnosticsBoard.join(member)
        }
        send(presences.messages(), to: [member])
    }

    private func welcome(_ member: Member, _ token: String) -> Welcome {
        var welcome = Welcome()
        welcome.session = member.admission.session
        welcome.resumeToken = token
        welcome.epoch = epoch
        welcome.version = 1
        welcome.capabilities = member.capabilities
        welcome.tickRate = UInt32(clamping: tickRate)
        welcome.tick = tick
        welcome.monotonicMilliseconds = member.admission.monotonicMilliseconds
        let (viewport, unitsPerPoint) = shownViewport(of: member)
        welcome.unitsPerPoint = unitsPerPoint
        welcome.viewport = Size(width: viewport.width, height: viewport.height)
        welcome.scale = viewport.scale
        welcome.cell = viewport.cell
        welcome.limits = member.admission.limits
        welcome.limits.unacknowledgedFrames = UInt32(clamping: options.unacknowledgedMaximum)
        welcome.work = options.work
        if member.has(Capability.events) { welcome.incarnation = options.incarnation }
        welcome.role = member.admission.role
        welcome.alternates = member.admission.alternates
        welcome.client = UInt64(member.client)
        if member.has(Capability.annotations) { welcome.person = person(of: member).key }
        return welcome
    }

    /// Whether the ticks that a client names are of this epoch, or of one that this epoch goes on
    /// from.
    private func canContinue(
        from resume: Resume, _ before: ClientHistory?, _ key: StreamKey
    ) -> Bool {
        // A merged frame cannot lead across a renumbering.
        guard resume.lastTick >= numberingTick else { return false }
        // The client resumes the stream of its last connection, which is unknown for forgotten
        // clients.
        if resume.epoch == epoch { return before?.stream == key }
        // Devices are laid out anew, under other view numbers.
        guard key.device == 0 else { return false }
        // After a restart only the streams of the whole scene are restored.
        guard let former, (before?.stream ?? key.whole) == key else { return false }
        return former.leads(from: resume, tickRate: tickRate)
    }

    private func remember(_ name: String, _ digest: String, _ key: StreamKey) {
        clients.connect(name, tick: tick)
        let visitorTicks = UInt64(options.visitorSeconds) * UInt64(tickRate)
        clients.forget(
            at: tick, visitorTicks: visitorTicks, absentMaximum: options.clientMaximum)
        var history = clients[name] ?? ClientHistory()
        if history.tokenDigest != digest {
            history.tokenDigest = digest
            history.digestIsJournalled = false
        }
        // Until it acknowledges the new state, the client may resume with its earlier one.
        let before = history.stream ?? key
        history.stream = before == key ? key : StreamKey(device: .max)
        clients[name] = history
    }

    func leave(_ id: MemberID) {
        guard let member = roster.remove(id) else { return }
        clients.disconnect(member.admission.session, tick: tick)
        events.leave(member.admission.session, id, tick: tick, path: pathOfLiveView)
        sendEvents()
        seekers.forget(member)
        inspections.forget(member)
        _ = reads.take(id)
        feed.remove(member)
        diagnosticsBoard.forget(member)
        for scene in devices.scenes { scene.board.forget(member) }
        devices.dropUnused(by: roster.inOrder)
        noteLockHolders()
        membersDidChange()
        if member.traced != nil { followTraces() }
        if let gone = presences.remove(member.client) {
            send([.presence(gone)], to: roster.inOrder)
        }
    }

    // MARK: Messages

    func receive(_ message: ClientMessage, from id: MemberID) {
        guard let member = roster[id] else { return }
        switch message {
        case .hello: effects.append(.close(id, .badFrame, "a second hello"))
        case .ack(let ack): acknowledge(ack.tick, member)
        case .ops(let ops): enqueue(.ops(ops), from: member)
        case .undo(let request):
            guard require(Capability.undo, member) else { return }
            enqueue(.history(.undo, clientSequence: request.clientSequence), from: member)
        case .redo(let request):
            guard require(Capability.undo, member) else { return }
            enqueue(.history(.redo, clientSequence: request.clientSequence), from: member)
        case .resync(let resync): resynchronise(resync, member)
        case .ping(let ping):
            var pong = Pong()
            pong.t0 = ping.t0
            send([.pong(pong)], to: [member])
        case .presence(var presence):
            presence.client = member.client
            presences.set(presence, isEditor: member.admission.role.edits, tick: tick)
        case .subscribe(let request):
            guard require(Capability.subscribe, member) else { return }
            subscribe(request, member)
        case .seek(let seek):
            guard require(Capability.seek, member) else { return }
            self.seek(seek, member)
        case .trace(let request):
            guard require(Capability.trace, member) else { return }
            member.traced = request.isEnabled ? Set(request.watch) : nil
            followTraces()
        case .inspect(let inspect):
            guard require(Capability.inspect, member) else { return }
            if inspect.fittings != nil {
                guard require(Capability.fitting, member) else { return }
            }
            guard inspections.ask(inspect, member) else {
                report(.rateLimited, "too many questions wait for an answer", to: member)
                return
            }
        case .device(let device):
            guard require(Capability.devices, member) else { return }
            request(device, member)
        case .follow(let request):
            guard require(Capability.follow, member) else { return }
            follow(request, member)
        case .event(let event):
            guard require(Capability.events, member) else { return }
            pass(event, from: member)
        case .handle(let request):
            guard require(Capability.events, member) else { return }
            handle(request, member)
        case .handled(let handled):
            guard require(Capability.events, member) else { return }
            events.answer(handled.answers, from: member.admission.session)
            sendEvents()
        }
    }

    func didAcknowledge(_ tick: UInt64, _ member: Member) {
        guard clients[member.admission.session]?.stream?.device == .max, tick >= member.sentTick,
            member.formerTick.map({ tick > $0 }) ?? true, member.phase == .inStep
        else { return }
        clients[member.admission.session]?.stream = member.stream
    }

    func didCatchUp(_ member: Member) {
        send(presences.messages(), to: [member])
        if member.missesInteractions { sendInteractions(to: [member]) }
        if member.missesAnnotations { sendAnnotations(to: [member]) }
    }

    private func resynchronise(_ resync: Resync, _ member: Member) {
        guard isToHaveStateAgain(resync, member) else { return }
        if member.phase == .seeking {
            resendPast(to: member)
        } else {
            sendState(to: [member])
        }
    }

    // MARK: Subscriptions

    /// Units of work to open a stream of subtrees: for each view of the scene, and for each view of
    /// the part with its lines of text and their bytes.
    private func streamPrice(_ key: StreamKey) -> UInt64 {
        guard var part = stream(key) else { return 0 }
        let extent = part.extent
        return 4_000 + 4 * UInt64(viewCount) + 700 * UInt64(extent.views)
            + 150 * UInt64(extent.lines) + 3 * UInt64(extent.textBytes)
    }

    private func subscribe(_ request: Subscribe, _ member: Member) {
        roster.setInterval(interval(request.frameRateMaximum), of: member)
        membersDidChange()
        let key = StreamKey(
            animatesLocally: member.stream.animatesLocally,
            roots: Subtrees.canonical(request.roots), sight: member.stream.sight,
            device: member.stream.device)
        guard key != member.stream else {
            // A member that received fewer frames must catch up before it receives every tick.
            if member.phase == .inStep, member.interval == 1 { catchUp(member) }
            return
        }
        var isNew = false
        if stream(key) == nil {
            guard work.questions.isSolvent else {
                report(
                    .limit, "the room is too busy for other subtrees; try again later", to: member)
                return
            }
            isNew = true
        }
        guard openStream(key) else {
            report(.limit, "too many different subtrees are being watched", to: member)
            return
        }
        if isNew { work.spendOnQuestion(streamPrice(key)) }
        member.change(to: key)
        clients[member.admission.session]?.stream = StreamKey(device: .max)
        if member.phase != .seeking { sendState(to: [member]) }
        endFollowing(member)
    }

    // MARK: Errors

    private func require(_ capability: UInt64, _ member: Member) -> Bool {
        guard !member.has(capability) else { return true }
        report(.unsupported, "welcome did not grant this message's capability", to: member)
        return false
    }
}
