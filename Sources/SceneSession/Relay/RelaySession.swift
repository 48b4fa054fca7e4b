public import SceneWire

/// The viewers of a room whose owner is another node, as a state machine without I/O.
///
/// The owner admits one viewer for each stream that somebody watches here, however many do. The
/// session keeps that viewer's mirror and history, and serves its members from these as a
/// `SceneSession` serves its own: new ones receive the state, lagging ones a merged frame, all
/// others the owner's bytes. While the owner is gone the picture stands. The next owner's state,
/// however it comes, leads on from the members' as one merged frame wherever that is possible.
///
/// Used from one thread.
public final class RelaySession: Audience {
    /// Seconds for which a stream without members is kept.
    static let unusedSeconds = 10
    /// The messages that one applicant may send before its welcome.
    private static let waitingMaximum = 64

    /// A viewer that waits for the first state of its stream.
    struct WaitingViewer {
        var id: MemberID
        var admission: Admission
        var key: StreamKey
        var messages: [ClientMessage] = []
    }

    /// The room's name.
    public let room: String
    let options: SessionOptions
    /// Ticks in a second; the owner's.
    public private(set) var tickRate: Int
    /// The present tick, about: the latest of the streams', and on from there by the driver's
    /// clock.
    public private(set) var tick: UInt64 = 0
    var roster = Roster()
    var effects: [SessionEffect] = []
    var streams: [FollowedStream] = []
    var applicants: [WaitingViewer] = []
    var clients = RelayedClients()
    /// What the owner's last welcome said, from which members' welcomes are made.
    var welcome: Welcome?
    var isAttached = false
    private var nextStream: UInt64 = 1
    private var asks: [RelayEffect] = []
    /// The members of each stream that receive every tick; `nil` after a member joined, left or
    /// lagged.
    private var recipients: [StreamKey: StreamSet.Recipients]?

    // What every stream's viewer is told besides the state, from whichever told it last.
    var interactions = InteractionTable()
    var annotations = AnnotationTable()
    var diagnostics: Diagnostics?
    /// The grant of the main device.
    var grant = DeviceGrant()
    var presences: [UInt32: Presence] = [:]

    /// Makes a session without members.
    ///
    /// - Parameter options: Of these, the limits of members that lag.
    public init(room: String, tickRate: Int, options: SessionOptions = SessionOptions()) {
        self.room = room
        self.tickRate = tickRate
        self.options = options
    }

    /// The number of members, those that wait for their welcome among them.
    public var memberCount: Int { roster.count + applicants.count }
    /// Whether nobody watches and nothing is kept.
    public var isEmpty: Bool { memberCount == 0 && streams.isEmpty }
    /// Whether time means something: a member waits for a frame, or a stream for its end.
    public var needsTime: Bool {
        slowMemberTick != nil
            || streams.contains {
                $0.unusedTicks > 0 || !isUsed($0.key) || isAttached && $0.phase == .detached
            }
    }

    /// Whether a viewer can be served here; others, and those who see some views alone, need the
    /// owner itself.
    public static func serves(_ role: Role, _ hello: Hello, _ rights: MemberRights) -> Bool {
        role == .viewer && hello.device == nil && rights.see == nil
    }

    /// Handles one event and returns the effects to execute.
    public func handle(_ event: RelayEvent) -> [RelayEffect] {
        switch event {
        case .joined(let id, let admission): join(id, admission)
        case .received(let id, let message): receive(message, from: id)
        case .left(let id): leave(id)
        case .elapsed(let ticks): pass(ticks)
        case .attached: attach()
        case .detached: detach()
        case .handedOver: keepFormer()
        case .formerEnded: endFormer()
        case .delivered(let stream, let payloads): deliver(payloads, of: stream)
        case .ended(let stream, let code, let reason): end(stream, code, reason)
        }
        return takeEffects()
    }

    private func takeEffects() -> [RelayEffect] {
        // Of a session's effects it has no others: it keeps no journal and runs no cycle.
        let sends = effects.compactMap { effect -> RelayEffect? in
            switch effect {
            case .send(let payloads, let format, let members),
                .offer(let payloads, let format, let members):
                .send(payloads: payloads, format: format, to: members)
            case .close(let member, let code, let reason): .close(member, code, reason)
            case .append, .prove, .record, .readJournal, .readScene, .suggestionChanged,
                .replacedScene, .overran, .abandon:
                nil
            }
        }
        defer {
            effects.removeAll(keepingCapacity: true)
            asks.removeAll(keepingCapacity: true)
        }
        return sends + asks
    }

    func ask(_ effect: RelayEffect) { asks.append(effect) }

    // MARK: Time

    func noteTick(_ new: UInt64, rate: UInt32? = nil) {
        tick = max(tick, new)
        if let rate, rate > 0 { tickRate = Int(clamping: rate) }
    }

    private func pass(_ ticks: UInt64) {
        tick += ticks
        serveSlowMembers()
        let patience = UInt64(Self.unusedSeconds * tickRate)
        for index in streams.indices {
            let isUsed = isUsed(streams[index].key)
            streams[index].unusedTicks = isUsed ? 0 : streams[index].unusedTicks + ticks
        }
        for stream in streams where stream.unusedTicks >= patience && isAttached {
            for number in [stream.number, stream.opening].compactMap(\.self) {
                ask(.leave(stream: number))
            }
        }
        streams.removeAll { $0.unusedTicks >= patience }
        guard isAttached else { return }
        for index in streams.indices where streams[index].phase == .detached {
            streams[index].endedTicks += ticks
            if streams[index].endedTicks >= UInt64(tickRate) / 2 { askOwner(index) }
        }
    }

    private func isUsed(_ key: StreamKey) -> Bool {
        roster.inOrder.contains { $0.stream == key } || applicants.contains { $0.key == key }
    }

    // MARK: Streams

    func index(_ key: StreamKey) -> Int? { streams.firstIndex { $0.key == key } }

    /// Finds a stream, or makes it and asks the owner for it.
    func open(_ key: StreamKey) -> Int {
        if let index = index(key) {
            streams[index].unusedTicks = 0
            return index
        }
        streams.append(FollowedStream(key, historyCostMaximum: options.historyCostMaximum))
        if isAttached { askOwner(streams.count - 1) }
        return streams.count - 1
    }

    /// Asks the owner for a stream.
    ///
    /// - Parameter anew: Whether the state is of no use.
    func askOwner(_ index: Int, anew: Bool = false) {
        if let opening = streams[index].opening { ask(.leave(stream: opening)) }
        streams[index].opening = nil
        streams[index].followsFormer = false
        streams[index].phase = .asked
        streams[index].endedTicks = 0
        streams[index].unacknowledgedCount = 0
        streams[index].number = watch(streams[index].key, anew ? nil : streams[index].resume)
    }

    /// Has the owner admit a viewer of a stream.
    ///
    /// - Returns: Its number.
    func watch(_ key: StreamKey, _ resume: Resume?) -> UInt64 {
        let number = nextStream
        nextStream += 1
        var hello = Hello()
        hello.capabilities =
            Capability.diagnostics | Capability.keyframes | Capability.mergedResume
            | Capability.events | Capability.subscribe | Capability.devices
            | Capability.insets | Capability.annotations | Capability.suggestions
            | (key.animatesLocally ? Capability.animations : 0)
        hello.room = room
        hello.roots = key.roots
        hello.resume = resume
        ask(.watch(stream: number, hello))
        return number
    }

    private func attach() {
        isAttached = true
        for index in streams.indices {
            if streams[index].followsFormer { askToOpen(index) } else { askOwner(index) }
        }
    }

    private func detach() {
        isAttached = false
        for index in streams.indices {
            // What a former owner sends does not come over this link.
            if streams[index].followsFormer { streams[index].opening = nil } else { detach(index) }
        }
    }

    // MARK: Audience

    var streamKeys: [StreamKey] { streams.map(\.key) }

    func baseline(_ key: StreamKey) -> StreamBaseline? { index(key).map { streams[$0].baseline } }

    func statePayloads(_ key: StreamKey, _ format: Subprotocol) -> [[UInt8]] {
        index(key).map { streams[$0].statePayloads(format) } ?? []
    }

    func merged(_ key: StreamKey, since base: UInt64) -> [ServerMessage]? {
        index(key).flatMap { streams[$0].merged(since: base) }
    }

    func insets(of key: StreamKey) -> InsetTable {
        index(key).map { streams[$0].insets } ?? InsetTable()
    }

    /// Members here see everything; see `serves`.
    func cut(_ message: ServerMessage, to sight: ViewPatterns) -> ServerMessage? { nil }

    func membersDidChange() { recipients = nil }

    func noteActivity() {}

    func didAcknowledge(_ tick: UInt64, _ member: Member) {}

    func didCatchUp(_ member: Member) {
        send(presenceMessages, to: [member])
        if member.missesInteractions { sendInteractions(to: [member]) }
        if member.missesAnnotations { sendAnnotations(to: [member]) }
    }

    /// The members of a stream that receive every tick.
    func recipients(of key: StreamKey) -> StreamSet.Recipients {
        if let recipients { return recipients[key] ?? StreamSet.Recipients() }
        var lists: [StreamKey: StreamSet.Recipients] = [:]
        for member in roster.inOrder where member.getsEveryTick {
            lists[member.stream, default: StreamSet.Recipients()].members.append(member)
            lists[member.stream]?.byFormat[member.admission.format, default: []].append(member.id)
        }
        recipients = lists
        return lists[key] ?? StreamSet.Recipients()
    }

    // MARK: Applicants

    /// Keeps a message of an applicant until it is a member.
    ///
    /// - Returns: Whether it is one.
    func hold(_ message: ClientMessage, of id: MemberID) -> Bool {
        guard let index = applicants.firstIndex(where: { $0.id == id }) else { return false }
        guard applicants[index].messages.count < Self.waitingMaximum else {
            effects.append(
                .close(
                    id, .rateLimited, "more than \(Self.waitingMaximum) messages before welcome"))
            applicants.remove(at: index)
            return true
        }
        applicants[index].messages.append(message)
        return true
    }
}
