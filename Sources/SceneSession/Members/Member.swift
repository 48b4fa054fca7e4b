import SceneWire

/// The session's state of one member; bounded for any behaviour of the member.
final class Member {
    /// The state of a member's updates.
    enum Phase: Equatable {
        /// It receives each tick's messages, or a merged frame at intervals if it asked for fewer.
        case inStep
        /// It owes too many acknowledgements and receives nothing until it sends them.
        case behind
        /// It watches the past after a `seek`.
        case seeking
        /// It waits for a stream that comes from another node, and receives the whole state when
        /// that is there.
        case expecting
    }

    let id: MemberID
    let admission: Admission
    /// Its number in presence.
    let client: UInt32
    /// The granted capabilities.
    let capabilities: UInt64
    /// The stream that it receives.
    private(set) var stream: StreamKey
    /// Its device, and how that fits its request.
    var device = SceneSession.DeviceChoice()
    /// What it asked for when it got its device.
    var deviceRequest = DeviceRequest()
    /// The minimum number of ticks between two frames; 1 for every tick. The roster changes it.
    var interval: UInt64 = 1
    var phase = Phase.inStep
    /// The tick of the last state message sent to it.
    var sentTick: UInt64 = 0
    /// The last tick of its former stream on this connection: an acknowledgement up to this tick
    /// does not concern the present stream.
    private(set) var formerTick: UInt64?
    /// Whether views were renumbered since; then only the whole state can bring it up to date.
    var hasOldNumbers = false
    /// The ticks of unacknowledged frames; at most one more than allowed.
    var unacknowledged: [UInt64] = []
    /// The highest sequence of its requests on this connection.
    var highestSequence: UInt64 = 0
    /// The number of its hash mismatches.
    var mismatches = 0
    /// The views that it traces, empty for all; `nil` while it does not trace.
    var traced: Set<String>?
    /// Whether it lagged when interactions changed; it receives all of them after catching up.
    var missesInteractions = false
    /// Whether it lagged when annotations changed; it receives all of them after catching up.
    var missesAnnotations = false
    /// Whether it lagged when insets changed; it receives all of them after catching up.
    var missesInsets = false

    init(
        id: MemberID, admission: Admission, client: UInt32, capabilities: UInt64, stream: StreamKey
    ) {
        self.id = id
        self.admission = admission
        self.client = client
        self.capabilities = capabilities
        self.stream = stream
    }

    /// Moves the member to another stream.
    func change(to key: StreamKey) {
        stream = key
        formerTick = sentTick
    }

    /// Whether it receives every tick's messages.
    var getsEveryTick: Bool { phase == .inStep && interval == 1 }

    /// The views that it sees; `nil` for all.
    var sight: ViewPatterns? { admission.rights.see }

    func has(_ capability: UInt64) -> Bool { capabilities & capability != 0 }

    /// Members by the capabilities for annotations that they have.
    static func byAnnotations(_ members: [Member]) -> [(known: UInt64, members: [Member])] {
        let bits = Capability.annotations | Capability.suggestions
        let groups = Dictionary(grouping: members) { $0.capabilities & bits }
        return groups.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }
}
