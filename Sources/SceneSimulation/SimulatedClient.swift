import SceneProtocol
import SeededRandom

/// A client as the specification wants it, or one that lies.
final class SimulatedClient {
    let number: Int
    let role: Role
    let format: Subprotocol
    let capabilities: UInt64
    let roots: [String]
    let rate: UInt32
    let lies: Bool

    private(set) var mirror = SceneMirror()
    private var welcome: Welcome?
    private var framesSinceAck = 0
    private var isLost = false
    /// Whether the server has died since the last welcome, perhaps with what this client saw not on disk yet.
    private var hasOutlivedServer = false
    /// Whether the state of a server that died was gone on with, so that it may turn out to differ; a cut alone is no
    /// reason to.
    private var mayDiffer = false
    private(set) var isWatchingPast = false
    /// Whether the past was asked for on this connection, so that the mirror may show it, whatever came since.
    private var hasSought = false
    private var nextSequence: UInt64 = 1
    /// What was asked for and not answered yet, in order.
    private(set) var unanswered: [(sequence: UInt64, message: ClientMessage)] = []
    /// Sequences by what was answered.
    private(set) var committed: Set<UInt64> = []
    private(set) var refused: Set<UInt64> = []
    /// Sequences that were committed though every op of theirs was refused, or none of them changes anything.
    private(set) var empty: Set<UInt64> = []
    /// Every session that it was.
    private(set) var sessions: [String] = []
    private(set) var faults: [String] = []
    private var presenceClock: UInt32 = 0

    init(
        number: Int, role: Role, format: Subprotocol, capabilities: UInt64, roots: [String],
        rate: UInt32, lies: Bool
    ) {
        self.number = number
        self.role = role
        self.format = format
        self.capabilities = capabilities
        self.roots = roots
        self.rate = rate
        self.lies = lies
    }

    var isWelcomed: Bool { welcome != nil && isConnected }
    private(set) var isConnected = false

    /// The first message of a connection.
    func hello() -> Hello {
        isConnected = true
        isLost = false
        framesSinceAck = 0
        var hello = Hello()
        hello.capabilities = capabilities
        hello.role = role
        hello.roots = roots
        hello.frameRateMaximum = rate
        if let welcome {
            var resume = Resume()
            resume.session = welcome.session
            resume.token = welcome.resumeToken
            resume.epoch = mirror.epoch
            // A client that knows nothing, as one that had asked for the past, or was cut off in the middle of a tick's
            // messages has no tick to go on from.
            let hasTick = !mirror.needsSnapshot && !mirror.isWithinTick
            resume.lastTick = hasTick ? mirror.tick : .max
            hello.resume = resume
        }
        return hello
    }

    func disconnected() {
        isConnected = false
        if hasSought { mirror = SceneMirror() }
        hasSought = false
        isWatchingPast = false
    }

    // MARK: What it asks for

    func ask(_ make: (UInt64) -> ClientMessage) -> ClientMessage {
        let message = make(nextSequence)
        unanswered.append((nextSequence, message))
        nextSequence += 1
        return message
    }

    func ops(_ text: String, group: UInt32, isAtomic: Bool) -> ClientMessage? {
        guard let value = try? JSONReader.read(Array(text.utf8)) else { return nil }
        return ask { sequence in
            var ops = Ops()
            ops.clientSequence = sequence
            ops.baseTick = mirror.tick
            ops.undoGroup = group
            ops.isAtomic = isAtomic
            ops.ops = value
            return .ops(ops)
        }
    }

    func step(isUndo: Bool) -> ClientMessage {
        ask { sequence in
            var request = UndoRequest()
            request.clientSequence = sequence
            return isUndo ? .undo(request) : .redo(request)
        }
    }

    func seek(_ seek: Seek) -> ClientMessage {
        isWatchingPast = !seek.isLive
        hasSought = hasSought || isWatchingPast
        return .seek(seek)
    }

    func presence() -> ClientMessage {
        presenceClock += 1
        var presence = Presence()
        presence.clock = presenceClock
        presence.name = "client \(number)"
        return .presence(presence)
    }

    /// What a client sends that means no good.
    func lie(_ random: inout SplitMix64) -> ClientMessage {
        switch random.below(7) {
        case 6:
            var inspect = Inspect()
            inspect.request = UInt32(truncatingIfNeeded: random.next())
            inspect.wantsDocument = random.below(4) == 0
            inspect.views = (0...random.below(3)).map { "v\($0 + random.below(4))" }
            return .inspect(inspect)
        case 0:
            var ack = Ack()
            ack.tick = random.below(2) == 0 ? .max : UInt64(random.below(1000))
            return .ack(ack)
        case 1:
            var resync = Resync()
            resync.hash = random.next()
            return .resync(resync)
        case 2:
            var ops = Ops()
            ops.clientSequence = UInt64(random.below(9))
            ops.ops = .string("no list")
            return .ops(ops)
        case 3:
            var seek = Seek()
            seek.tick = random.below(2) == 0 ? .max : UInt64(random.below(200))
            seek.speed = [1e300, -1e300, 0, -1, 1][random.below(5)]
            seek.isLive = random.below(2) == 0
            return .seek(seek)
        case 4:
            var subscribe = Subscribe()
            subscribe.roots = (0...random.below(3)).map { "v\($0 + random.below(4))" }
            subscribe.frameRateMaximum = UInt32(random.below(100))
            return .subscribe(subscribe)
        default:
            var request = UndoRequest()
            request.clientSequence = random.next()
            return .undo(request)
        }
    }

    // MARK: What it is told

    /// Takes a message in; returns what it answers.
    func receive(_ payload: [UInt8]) -> [ClientMessage] {
        let message: ServerMessage
        do {
            message =
                format == .binary
                ? try ServerMessage.decode(payload) : try ServerMessage.decode(json: payload)
        } catch {
            faults.append("a message cannot be read: \(error)")
            return []
        }
        switch message {
        case .welcome(let welcome): return welcomed(welcome)
        case .result(let result):
            note(result)
            return []
        case .error(let error):
            if error.code == UInt32(CloseCode.noSuchTick.rawValue)
                || error.code == UInt32(CloseCode.limit.rawValue)
            {
                isWatchingPast = false
            }
            return []
        case .pong, .presence, .diagnostics, .trace, .inspection: return []
        case .snapshot, .frame, .select, .tree, .content, .hash, .anim, .keyframe:
            return update(message)
        }
    }

    func serverDied() { hasOutlivedServer = true }

    private func welcomed(_ welcome: Welcome) -> [ClientMessage] {
        mayDiffer = mayDiffer || hasOutlivedServer && self.welcome != nil
        hasOutlivedServer = false
        self.welcome = welcome
        mirror.continueInConnection(ofEpoch: welcome.epoch)
        if sessions.last != welcome.session { sessions.append(welcome.session) }
        return unanswered.map(\.message)
    }

    private func note(_ result: OpsResult) {
        let sequence = result.clientSequence
        if case .committed(let commit) = result.outcome,
            let entry = unanswered.first(where: { $0.sequence == sequence }),
            case .ops(let ops) = entry.message, case .array(let list) = ops.ops.kind,
            commit.refusals.count == list.count
        {
            empty.insert(sequence)
        }
        unanswered.removeAll { $0.sequence == sequence }
        switch result.outcome {
        case .committed:
            committed.insert(sequence)
            if refused.contains(sequence) {
                faults.append("\(sequence) was refused and then committed")
            }
        case .refused(let refusal):
            // After a failure of the store nobody knows; "decided before" says no more than that.
            guard refusal.code != .storeFailed, refusal.code != .conflict else { return }
            refused.insert(sequence)
            if committed.contains(sequence) {
                faults.append("\(sequence) was committed and then refused: \(refusal.message)")
            }
        }
    }

    private func update(_ message: ServerMessage) -> [ClientMessage] {
        if isLost {
            guard case .snapshot(let snapshot) = message, snapshot.chunkIndex == 0 else {
                return []
            }
            isLost = false
        }
        do {
            _ = try mirror.apply(message)
        } catch {
            if !mayDiffer, !lies {
                faults.append("at tick \(mirror.tick): \(error.code) (\(error))")
            }
            isLost = true
            mayDiffer = false
            var resync = Resync()
            resync.tick = mirror.tick
            resync.hash = mirror.stateHash
            return [.resync(resync)]
        }
        switch message {
        case .snapshot:
            guard !mirror.needsSnapshot else { return [] }
            mayDiffer = false
            framesSinceAck = 0
            return [acknowledgement()]
        case .hash:
            mayDiffer = false
            return []
        case .frame:
            framesSinceAck += 1
            guard framesSinceAck >= GrantedLimits().framesPerAcknowledgement else { return [] }
            framesSinceAck = 0
            return [acknowledgement()]
        default: return []
        }
    }

    func acknowledgement() -> ClientMessage {
        var ack = Ack()
        ack.tick = mirror.tick
        return .ack(ack)
    }
}
