import SceneWire

/// What the owner sends.
extension RelaySession {
    func deliver(_ payloads: [[UInt8]], of number: UInt64) {
        if isOpened(by: number) { return }
        guard
            let index = streams.firstIndex(where: { $0.number == number && $0.phase != .detached })
        else { return }
        var messages: [ServerMessage] = []
        do throws(DecodeError) {
            for payload in payloads {
                messages.append(try ServerMessage.decode(payload, as: .binary))
            }
        } catch {
            // A node of a later version may send what only that knows.
            guard !error.isIgnorable else { return }
            return askAgain(index)
        }
        guard messages.contains(where: \.isOfState) else {
            for message in messages { take(message, index) }
            return
        }
        do throws(MirrorError) {
            try takeState(messages, payloads, index)
        } catch {
            // Frames that do not fit cannot come over an ordered link, but from an owner at fault.
            askAgain(index)
        }
        admitApplicants()
    }

    /// The owner closed a stream's viewer.
    func end(_ number: UInt64, _ code: CloseCode, _ reason: String) {
        guard
            let index = streams.firstIndex(where: {
                $0.number == number && $0.phase != .detached || $0.opening == number
            })
        else { return }
        guard !code.isRetryable else {
            // The owner is about to be another one; the driver tells when it can be asked.
            return detach(index)
        }
        let key = streams[index].key
        var error = ErrorMessage()
        error.code = UInt32(code.rawValue)
        error.text = reason
        let members = roster.inOrder.filter { $0.stream == key }
        send([.error(error)], to: members)
        for member in members {
            effects.append(.close(member.id, code, reason))
            leave(member.id)
        }
        for applicant in applicants where applicant.key == key {
            let format = applicant.admission.format
            effects.append(
                .send(
                    payloads: [ServerMessage.error(error).encoded(as: format)], format: format,
                    to: [applicant.id]))
            effects.append(.close(applicant.id, code, reason))
        }
        applicants.removeAll { $0.key == key }
        streams.remove(at: index)
    }

    /// Asks the owner for a stream from its beginning.
    private func askAgain(_ index: Int) {
        ask(.leave(stream: streams[index].number))
        askOwner(index, anew: true)
    }

    // MARK: The state

    private func takeState(
        _ messages: [ServerMessage], _ payloads: [[UInt8]], _ index: Int
    ) throws(MirrorError) {
        let key = streams[index].key
        if messages.count == 1, case .hash(let hash) = messages[0] {
            _ = try streams[index].take(messages)
            let told = recipients(of: key).members.filter { $0.sentTick == hash.tick }
            return send(messages, to: told)
        }
        if case .snapshot? = messages.first { forgetInsets(index) }
        let isContinued = streams[index].phase == .welcomed
        let base = streams[index].tick
        let step = try streams[index].take(messages)
        noteTick(streams[index].tick)
        acknowledge(index)
        if isContinued {
            // What they remember is an earlier owner's.
            for member in roster.inOrder where member.stream == key && member.phase == .behind {
                member.hasOldNumbers = true
            }
        }
        switch step {
        case .nothing: break
        case .everything:
            sendState(to: roster.inOrder.filter { $0.stream == key })
        case .forward(let messages): forward(messages, nil, since: base, key)
        case .forwardAsReceived(let messages):
            guard case .keyframe? = messages.first else {
                forward(messages, payloads, since: base, key)
                break
            }
            renumber(messages, key)
        }
        // Those that watch with fewer frames, and those that waited for the stream.
        let expecting = roster.inOrder.filter { $0.stream == key && $0.phase == .expecting }
        if !expecting.isEmpty {
            sendState(to: expecting)
            membersDidChange()
        }
        serveSlowMembers()
    }

    /// Sends messages to the members that are in step: binary ones as they came, if they did.
    private func forward(
        _ messages: [ServerMessage], _ payloads: [[UInt8]]?, since base: UInt64, _ key: StreamKey
    ) {
        guard !messages.isEmpty else { return }
        let recipients = recipients(of: key)
        for format in Subprotocol.allCases {
            guard let ids = recipients.byFormat[format], !ids.isEmpty else { continue }
            let received = format == .binary ? payloads : nil
            let bytes = received ?? messages.map { $0.encoded(as: format) }
            effects.append(.send(payloads: bytes, format: format, to: ids))
        }
        guard let tick = baseline(key)?.tick, tick > base else { return }
        for member in recipients.members { expectAcknowledgement(of: tick, from: member) }
    }

    private func renumber(_ messages: [ServerMessage], _ key: StreamKey) {
        // No frame leads from the old numbers to the new ones.
        let members = roster.inOrder.filter { $0.stream == key }
        for member in members where member.phase == .behind { member.hasOldNumbers = true }
        let tick = baseline(key)?.tick
        let own = members.filter { $0.phase == .inStep }
        let able = own.filter { $0.has(Capability.keyframes) && $0.sentTick == tick }
        send(messages, to: able)
        sendState(to: own.filter { member in !able.contains { $0 === member } })
    }

    /// Tells the owner now and then how far the stream has come, so that it goes on sending each
    /// tick.
    private func acknowledge(_ index: Int) {
        // A former owner sends for a moment only, and less than may be owed.
        guard !streams[index].followsFormer else { return }
        streams[index].unacknowledgedCount += 1
        let maximum = GrantedLimits.framesPerAcknowledgement(
            owing: Int(clamping: welcome?.limits.unacknowledgedFrames ?? 32))
        guard streams[index].unacknowledgedCount >= maximum else { return }
        streams[index].unacknowledgedCount = 0
        var ack = Ack()
        ack.tick = streams[index].tick
        ask(.tell(stream: streams[index].number, .ack(ack)))
    }

    // MARK: What is not state

    private func take(_ message: ServerMessage, _ index: Int) {
        switch message {
        case .welcome(let welcome): take(welcome, index)
        case .interactions(let message):
            guard isFirst(index) else { break }
            interactions.apply(message)
            let readers = roster.inOrder.filter { $0.has(Capability.events) }
            for member in readers where member.phase == .behind { member.missesInteractions = true }
            send([.interactions(message)], to: readers.filter { $0.phase != .behind })
        case .annotations(let message):
            guard isFirst(index) else { break }
            annotations.apply(message)
            let readers = roster.inOrder.filter { $0.has(Capability.annotations) }
            for member in readers where member.phase == .behind { member.missesAnnotations = true }
            tell(
                message.changes, whole: message.isWhole, to: readers.filter { $0.phase != .behind })
        case .insets(let message):
            let key = streams[index].key
            streams[index].insets.apply(message)
            tell(
                message.changes, whole: message.isWhole,
                to: roster.inOrder.filter { $0.stream == key })
        case .diagnostics(let message):
            guard isFirst(index) else { break }
            diagnostics = message
            send(
                [.diagnostics(message)],
                to: roster.inOrder.filter {
                    $0.has(Capability.diagnostics) && $0.phase == .inStep
                })
        case .device(let grant):
            guard isFirst(index), grant != self.grant else { break }
            self.grant = grant
            send(
                [.device(grant)], to: roster.inOrder.filter { $0.has(Capability.devices) })
        case .presence(let presence):
            guard isFirst(index) else { break }
            presences[presence.client] = presence.isGone ? nil : presence
            send([.presence(presence)], to: roster.inOrder.filter { $0.phase != .behind })
        case .error:
            // What a viewer of the owner's is told concerns all that it stands for.
            let key = streams[index].key
            send([message], to: roster.inOrder.filter { $0.stream == key })
        case .snapshot, .frame, .select, .tree, .content, .hash, .anim, .keyframe, .result, .pong,
            .trace, .inspection, .records, .event, .eventResults:
            break
        }
    }

    /// Whether a stream is the one whose viewer speaks for all of what every viewer is told.
    private func isFirst(_ index: Int) -> Bool {
        streams.firstIndex { $0.phase == .live || $0.phase == .welcomed } == index
    }

    /// A connection with the owner, and a whole state of its, begin without insets.
    private func forgetInsets(_ index: Int) {
        guard !streams[index].insets.isEmpty else { return }
        let key = streams[index].key
        streams[index].insets = InsetTable()
        tell([], whole: true, to: roster.inOrder.filter { $0.stream == key })
    }

    private func take(_ new: Welcome, _ index: Int) {
        forgetInsets(index)
        let isFirstOfOwner = welcome?.incarnation != new.incarnation
        if isFirstOfOwner {
            // Members have other numbers there, and tell of themselves anew.
            let gone = presences.keys.sorted().map { client in
                var presence = Presence()
                presence.client = client
                presence.isGone = true
                return ServerMessage.presence(presence)
            }
            presences = [:]
            send(gone, to: roster.inOrder.filter { $0.phase != .behind })
        }
        if welcome == nil {
            grant.unitsPerPoint = new.unitsPerPoint
            grant.viewport = new.viewport
            grant.scale = new.scale
            grant.cell = new.cell
        }
        welcome = new
        noteTick(new.tick, rate: new.tickRate)
        streams[index].welcome(new)
    }

    // MARK: For members that come

    var presenceMessages: [ServerMessage] {
        presences.sorted { $0.key < $1.key }.map { .presence($0.value) }
    }

    func sendAnnotations(to members: [Member]) {
        for member in members { member.missesAnnotations = false }
        tell(annotations.changes, whole: true, to: members)
    }

    /// Tells members of changed annotations, each of the kinds that it knows.
    private func tell(_ changes: [AnnotationChange], whole: Bool, to members: [Member]) {
        for (known, members) in Member.byAnnotations(members) {
            send(AnnotationChanges.messages(changes, whole: whole, to: known), to: members)
        }
    }

    func sendInteractions(to members: [Member]) {
        for member in members { member.missesInteractions = false }
        let changes = interactions.ids.sorted().map { id in
            var change = InteractionChange()
            change.id = id
            change.interaction = interactions[id]
            return change
        }
        send(Interactions.messages(changes, whole: true), to: members)
    }
}
