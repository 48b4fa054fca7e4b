import SceneWire

/// Those who watch a room, and what serves them: streams of messages that are encoded once for all
/// members of a stream, and what brings members that lag up to date.
///
/// A `SceneSession` has its streams from its scene, a `RelaySession` from another node's session.
protocol Audience: AnyObject {
    /// The members.
    var roster: Roster { get set }
    var options: SessionOptions { get }
    /// Ticks in a second.
    var tickRate: Int { get }
    /// The present tick.
    var tick: UInt64 { get }
    /// What is to be done, in order.
    var effects: [SessionEffect] { get set }

    /// The keys of all streams.
    var streamKeys: [StreamKey] { get }
    /// The state of the stream that a key names.
    func baseline(_ key: StreamKey) -> StreamBaseline?
    /// The whole state of a stream for a new member.
    func statePayloads(_ key: StreamKey, _ format: Subprotocol) -> [[UInt8]]
    /// See `StreamBaseline.merged`.
    func merged(_ key: StreamKey, since base: UInt64) -> [ServerMessage]?
    /// The insets of scroll views that a stream's members know.
    func insets(of key: StreamKey) -> InsetTable
    /// Reduces a message to the views that a member may see; `nil` if nothing is left. Messages
    /// about the state pass: they belong to the member's own stream.
    func cut(_ message: ServerMessage, to sight: ViewPatterns) -> ServerMessage?
    /// Registers that a member joined, left, lagged or caught up.
    func membersDidChange()
    /// Registers that the state was used.
    func noteActivity()
    /// Registers a member's acknowledgement.
    func didAcknowledge(_ tick: UInt64, _ member: Member)
    /// Sends a member that lagged, and has the state again, what it missed besides the state.
    func didCatchUp(_ member: Member)
}

// MARK: Sending

extension Audience {
    /// Encodes messages once for each format in use and addresses them to members.
    func send(_ messages: [ServerMessage], to recipients: [Member]) {
        encode(messages, for: recipients) { payloads, format, ids in
            .send(payloads: payloads, format: format, to: ids)
        }
    }

    /// The same for messages that members can do without.
    func offer(_ messages: [ServerMessage], to recipients: [Member]) {
        encode(messages, for: recipients) { payloads, format, ids in
            .offer(payloads: payloads, format: format, to: ids)
        }
    }

    private func encode(
        _ messages: [ServerMessage], for recipients: [Member],
        _ effect: ([[UInt8]], Subprotocol, [MemberID]) -> SessionEffect
    ) {
        guard !messages.isEmpty, !recipients.isEmpty else { return }
        var rest = recipients
        while let sight = rest.lazy.compactMap(\.sight).first {
            let own = rest.filter { $0.sight == sight }
            rest.removeAll { $0.sight == sight }
            encodeAll(messages.compactMap { cut($0, to: sight) }, for: own, effect)
        }
        encodeAll(messages, for: rest, effect)
    }

    private func encodeAll(
        _ messages: [ServerMessage], for recipients: [Member],
        _ effect: ([[UInt8]], Subprotocol, [MemberID]) -> SessionEffect
    ) {
        guard !messages.isEmpty, !recipients.isEmpty else { return }
        for format in Subprotocol.allCases {
            let ids = recipients.filter { $0.admission.format == format }.map(\.id)
            guard !ids.isEmpty else { continue }
            effects.append(effect(messages.map { $0.encoded(as: format) }, format, ids))
        }
    }

    /// Sends a member an error that does not close the connection.
    func report(_ code: CloseCode, _ text: String, to member: Member) {
        var error = ErrorMessage()
        error.code = UInt32(code.rawValue)
        error.text = text
        send([.error(error)], to: [member])
    }

    /// Sends members the whole state, encoded once for all of them.
    func sendState(to members: [Member]) {
        noteActivity()
        for key in streamKeys {
            let own = members.filter { $0.stream == key }
            guard !own.isEmpty else { continue }
            for format in Subprotocol.allCases {
                let ids = own.filter { $0.admission.format == format }.map(\.id)
                guard !ids.isEmpty else { continue }
                let payloads = statePayloads(key, format)
                effects.append(.send(payloads: payloads, format: format, to: ids))
            }
            for member in own {
                if member.phase == .behind { membersDidChange() }
                if member.phase != .seeking { member.phase = .inStep }
                member.unacknowledged.removeAll()
                member.hasOldNumbers = false
                member.sentTick = baseline(key)?.tick ?? member.sentTick
            }
        }
        sendInsets(to: members)
    }
}

// MARK: Insets

extension Audience {
    /// Sends members the insets of scroll views after a state. A whole state and a connection begin
    /// without any, so a scene that has none costs nothing.
    func sendInsets(to members: [Member]) {
        for member in members where member.has(Capability.insets) && member.phase != .seeking {
            member.missesInsets = false
            let table = insets(of: member.stream)
            guard !table.isEmpty else { continue }
            send(Insets.messages(table.changes, whole: true), to: [member])
        }
    }

    /// Sends members in step what changed of their insets; others receive all of them with their
    /// next state.
    func tell(_ changes: [InsetChange], whole: Bool = false, to members: [Member]) {
        guard !changes.isEmpty || whole else { return }
        let readers = members.filter { $0.has(Capability.insets) }
        for member in readers where member.phase == .behind { member.missesInsets = true }
        let present = readers.filter { $0.phase == .inStep }
        send(
            Insets.messages(changes, whole: whole), to: present.filter { $0.sight == nil })
        // A change may be about a view that has just come to be seen, or ceased to be.
        for member in present where member.sight != nil {
            send(Insets.messages(insets(of: member.stream).changes, whole: true), to: [member])
        }
    }
}

// MARK: Members that lag

extension Audience {
    /// The minimum number of ticks between two frames for a member that asks for a rate.
    func interval(_ frameRateMaximum: UInt32) -> UInt64 {
        guard frameRateMaximum > 0 else { return 1 }
        let rate = UInt64(frameRateMaximum)
        return max(1, (UInt64(tickRate) + rate - 1) / rate)
    }

    /// Registers a frame as unacknowledged; a member with too many of them receives no more until
    /// it catches up.
    func expectAcknowledgement(of tick: UInt64, from member: Member) {
        member.sentTick = tick
        if member.unacknowledged.last != tick { member.unacknowledged.append(tick) }
        guard member.unacknowledged.count > options.unacknowledgedMaximum,
            member.phase == .inStep
        else { return }
        member.phase = .behind
        membersDidChange()
    }

    /// Takes a member's acknowledgement, and brings it up to date if it lagged.
    func acknowledge(_ tick: UInt64, _ member: Member) {
        member.unacknowledged.removeAll { $0 <= tick }
        didAcknowledge(tick, member)
        // Clients acknowledge at intervals, so fewer unacknowledged frames than that mean nothing.
        // The connection preserves order, so everything sent earlier arrives before this.
        guard member.phase == .behind,
            member.unacknowledged.count
                < GrantedLimits.framesPerAcknowledgement(owing: options.unacknowledgedMaximum)
        else { return }
        member.phase = .inStep
        membersDidChange()
        catchUp(member)
        didCatchUp(member)
    }

    /// Brings a member up to date: by one merged frame, or by a snapshot if its tick is too old.
    func catchUp(_ member: Member) {
        noteActivity()
        guard !member.hasOldNumbers,
            let messages = merged(member.stream, since: member.sentTick),
            let stream = baseline(member.stream)
        else {
            sendState(to: [member])
            return
        }
        // A member that receives every tick must have the same selection ring as the others.
        send(messages + (member.interval == 1 ? stream.selects : []), to: [member])
        expectAcknowledgement(of: stream.tick, from: member)
        guard member.missesInsets else { return }
        member.missesInsets = false
        send(Insets.messages(insets(of: member.stream).changes, whole: true), to: [member])
    }

    /// Sends one merged frame to each member that asked for fewer frames and whose interval is
    /// over.
    func serveSlowMembers() {
        for member in roster.slow where member.phase == .inStep {
            guard let stream = baseline(member.stream), stream.tick > member.sentTick,
                tick >= member.sentTick + member.interval
            else { continue }
            catchUp(member)
        }
    }

    /// The tick at which the first of these members' intervals is over; `nil` where none waits for
    /// a frame.
    var slowMemberTick: UInt64? {
        var next: UInt64?
        for member in roster.slow where member.phase == .inStep {
            if let stream = baseline(member.stream), stream.tick > member.sentTick {
                let due = member.sentTick + member.interval
                next = min(next ?? due, due)
            }
        }
        return next
    }

    /// Counts a state that differed at a member.
    ///
    /// - Returns: Whether the member is to have the state again; its connection is closed where it
    ///   differed too often.
    func isToHaveStateAgain(_ resync: Resync, _ member: Member) -> Bool {
        member.mismatches += 1
        guard member.mismatches < 3 else {
            effects.append(
                .close(
                    member.id, .hashMismatch, "the state differed at tick \(resync.tick) again"))
            return false
        }
        return true
    }
}
