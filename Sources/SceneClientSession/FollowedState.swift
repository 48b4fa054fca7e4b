import SceneWire

/// The state of the scene as a client has it: what fits is applied and acknowledged, what does not
/// is lost and asked for anew.
struct FollowedState: Sendable {
    /// Nanoseconds after which a frame is acknowledged even if no others follow, so that the server
    /// does not take the client for a slow one.
    private static let acknowledgementNanoseconds: UInt64 = 1_000_000_000

    /// The state as far as it has come.
    private(set) var mirror = SceneMirror()
    /// The moment at which `advance` has something to do, in nanoseconds; `nil` for never.
    private(set) var wakeTime: UInt64?
    private var acknowledgements = AcknowledgementCounter()
    /// Whether the state does not fit any more, so that nothing but the beginning of a snapshot
    /// counts.
    private var isLost = false

    /// Begins a connection.
    ///
    /// - Parameter isAnew: Whether what there is is of no use to it.
    mutating func begin(anew isAnew: Bool) {
        isLost = false
        wakeTime = nil
        if isAnew { mirror = SceneMirror() }
    }

    /// Goes on under the server's welcome.
    mutating func admit(_ welcome: Welcome) {
        acknowledgements = AcknowledgementCounter(welcome.limits)
        mirror.continueInConnection(ofEpoch: welcome.epoch)
    }

    /// Has nothing to do until there is a connection again.
    mutating func pause() { wakeTime = nil }

    /// Does what is due at a moment.
    mutating func advance(to now: UInt64, isWelcomed: Bool) -> [ClientSession.Output] {
        guard let wakeTime, wakeTime <= now else { return [] }
        self.wakeTime = nil
        guard isWelcomed, !mirror.needsSnapshot else { return [] }
        return [acknowledge()]
    }

    private mutating func acknowledge() -> ClientSession.Output {
        acknowledgements.restart()
        wakeTime = nil
        var ack = Ack()
        ack.tick = mirror.tick
        return .send(.ack(ack))
    }

    /// Takes a message about the state.
    mutating func update(
        _ message: ServerMessage, at now: UInt64
    ) -> [ClientSession.Output] {
        if isLost {
            // Messages that were on their way when the state was lost do not fit either; one
            // request is enough.
            guard case .snapshot(let snapshot) = message, snapshot.chunkIndex == 0 else {
                return []
            }
            isLost = false
        }
        let wasLoading = mirror.isLoading
        do throws(MirrorError) {
            try mirror.apply(message)
        } catch {
            return lose(error, wasLoading: wasLoading)
        }
        switch message {
        case .snapshot:
            guard !mirror.needsSnapshot else { return [] }
            return [acknowledge(), .event(.checked), .event(.updated(mirror))]
        case .frame:
            guard acknowledgements.countFrame() else {
                wakeTime = wakeTime ?? now + Self.acknowledgementNanoseconds
                return [.event(.updated(mirror))]
            }
            return [acknowledge(), .event(.updated(mirror))]
        case .hash: return [.event(.checked)]
        case .insets: return [.event(.updated(mirror))]
        case .select, .tree, .content, .anim, .keyframe: return []
        case .welcome, .result, .error, .pong, .presence, .diagnostics, .trace, .inspection,
            .device, .interactions, .annotations, .records, .event, .eventResults:
            return []
        }
    }

    /// - Parameter wasLoading: Whether a part of a snapshot had come.
    private mutating func lose(_ error: MirrorError, wasLoading: Bool) -> [ClientSession.Output] {
        isLost = true
        wakeTime = nil
        // Before the first chunk there is nothing to lose, and the snapshot is on its way. SPEC.md,
        // ERR-1.
        if case .noSnapshot = error, !wasLoading { return [.event(.mismatch(error))] }
        var resync = Resync()
        resync.tick = mirror.tick
        resync.hash = mirror.stateHash
        return [.send(.resync(resync)), .event(.mismatch(error))]
    }
}
