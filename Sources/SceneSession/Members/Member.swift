import SceneProtocol

/// What a session keeps for one member; bounded, whatever the member does.
final class Member {
    /// Where a member stands with the state.
    enum Phase: Equatable {
        /// It gets each tick's messages, or a merged frame now and then if it asked for fewer.
        case inStep
        /// It owes too many acknowledgements and gets none until it has given them.
        case behind
        /// It watches the past, by `seek`.
        case seeking
    }

    let id: MemberID
    let admission: Admission
    /// The number by which presence names it.
    let client: UInt32
    /// The capabilities that hold for it.
    let capabilities: UInt64
    /// Which messages it gets.
    private(set) var stream: StreamKey
    /// The device that it has, and how far that is what it asked for.
    var device = SceneSession.DeviceChoice()
    /// The device that it asked for last, and the one that it waits for.
    var deviceRequest = DeviceRequest()
    var wantedDevice: DeviceRequest?
    /// Ticks at least between two frames; 1 for every tick.
    var interval: UInt64 = 1
    var phase = Phase.inStep
    /// The tick of the last state message that it got.
    var sentTick: UInt64 = 0
    /// The tick of the last one that it got of the stream before, over this connection: an acknowledgement of it says nothing of
    /// the present one.
    private(set) var formerTick: UInt64?
    /// Whether views were given other numbers since, of which only the whole state can tell it.
    var hasOldNumbers = false
    /// The ticks of frames that it has not acknowledged; at most one more than allowed.
    var unacknowledged: [UInt64] = []
    /// How often its state hash differed.
    var mismatches = 0
    /// The views whose trace it wants, none for all; `nil` while it wants no trace.
    var traced: Set<String>?
    /// Whether it lagged when interactions changed, and is to be told all of them once it has caught up.
    var missesInteractions = false

    init(
        id: MemberID, admission: Admission, client: UInt32, capabilities: UInt64, stream: StreamKey
    ) {
        self.id = id
        self.admission = admission
        self.client = client
        self.capabilities = capabilities
        self.stream = stream
    }

    /// Has the member get another stream from now on.
    func change(to key: StreamKey) {
        stream = key
        formerTick = sentTick
    }

    /// Whether it gets a tick's messages as they are.
    var getsEveryTick: Bool { phase == .inStep && interval == 1 }

    func has(_ capability: UInt64) -> Bool { capabilities & capability != 0 }
}
