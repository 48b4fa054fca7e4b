import Foundation
import SceneProtocol
import Synchronization
import WebSocketTransport

/// The state machine behind a client; one connection after another.
final class ClientCore: Sendable {
    private struct State {
        var socket: WebSocketClient?
        /// Grows with each connection, so that what an old one still says is not listened to.
        var generation = 0
        var mirror = SceneMirror()
        var welcome: Welcome?
        var framesSinceAck = 0
        /// Whether an acknowledgement is planned for when no further frame comes.
        var isAckPlanned = false
        /// Whether the past was asked for on this connection: what the mirror shows then is of no use to the next one, even
        /// if the present was asked for since and is not there yet.
        var hasSought = false
        var attempts = 0
        var isClosing = false
        var isWelcomed = false
        var receivedByteCount: UInt64 = 0
        var token: String
        var nextSequence: UInt64 = 1
        var inspections = InspectionReader()
        /// Messages without a result, oldest first; sent again after a cut.
        var unanswered: [(sequence: UInt64, message: ClientMessage)] = []
    }

    /// Seconds in which a frame is acknowledged at the latest.
    private static let ackSeconds = 1.0

    private let options: SceneClient.Options
    private let handler: @Sendable (SceneClient.Event) -> Void
    private let state: Mutex<State>

    init(
        _ options: SceneClient.Options, _ handler: @escaping @Sendable (SceneClient.Event) -> Void
    ) {
        self.options = options
        self.handler = handler
        state = Mutex(State(token: options.token))
    }

    // MARK: Commands

    func connect() {
        let generation = state.withLock { state in
            state.generation += 1
            state.isWelcomed = false
            return state.generation
        }
        var transport = WebSocketClient.Options(
            url: options.url, subprotocols: [options.format.rawValue])
        transport.trustsAnyCertificate = options.trustsAnyCertificate
        transport.caFile = options.caFile
        do {
            let socket = try WebSocketClient(
                transport, handler: Listener(core: self, generation: generation))
            let isWanted = state.withLock { state in
                guard !state.isClosing else { return false }
                state.socket = socket
                return true
            }
            guard isWanted else {
                handler(.ended(code: nil, reason: "", error: nil))
                return
            }
            socket.connect()
        } catch {
            handler(.ended(code: nil, reason: "", error: error))
        }
    }

    func send(_ ops: JSONValue, atomic: Bool, undoGroup: UInt32) -> UInt64 {
        ask { sequence, mirror in
            var message = Ops()
            message.clientSequence = sequence
            message.baseTick = mirror.tick
            message.undoGroup = undoGroup
            message.isAtomic = atomic
            message.ops = ops
            return .ops(message)
        }
    }

    func step(isUndo: Bool) -> UInt64 {
        ask { sequence, _ in
            var request = UndoRequest()
            request.clientSequence = sequence
            return isUndo ? .undo(request) : .redo(request)
        }
    }

    /// Sends what gets a result, now or when the client is let in.
    private func ask(_ make: (UInt64, SceneMirror) -> ClientMessage) -> UInt64 {
        let (sequence, message, isNow) = state.withLock { state in
            let sequence = state.nextSequence
            state.nextSequence += 1
            let message = make(sequence, state.mirror)
            state.unanswered.append((sequence, message))
            return (sequence, message, state.isWelcomed)
        }
        if isNow { send(message) }
        return sequence
    }

    func seek(_ seek: Seek) {
        if !seek.isLive { state.withLock { $0.hasSought = true } }
        send(.seek(seek))
    }

    func send(_ message: ClientMessage) {
        guard let socket = state.withLock({ $0.socket }) else { return }
        var bytes: [UInt8] = []
        switch options.format {
        case .binary:
            message.encode(to: &bytes)
            socket.send(.binary, bytes)
        case .json:
            message.json.append(to: &bytes)
            socket.send(.text, bytes)
        }
    }

    var receivedByteCount: UInt64 { state.withLock { $0.receivedByteCount } }

    func refresh(_ token: String) {
        let isWelcomed = state.withLock { state in
            state.token = token
            return state.isWelcomed
        }
        guard isWelcomed else { return }
        var hello = Hello()
        hello.token = token
        hello.role = options.role
        send(.hello(hello))
    }

    func close() {
        let socket = state.withLock { state in
            state.isClosing = true
            return state.socket
        }
        socket?.close()
    }

    // MARK: What the connection tells

    /// Passes on what one connection says; strong, so that the core lives as long as its connection.
    private final class Listener: WebSocketClientHandler {
        let core: ClientCore
        let generation: Int

        init(core: ClientCore, generation: Int) {
            self.core = core
            self.generation = generation
        }

        func opened(subprotocol: String) { core.opened(generation) }

        func received(_ kind: MessageKind, _ bytes: [UInt8]) {
            core.received(kind, bytes, generation)
        }

        func closed(code: UInt16?, reason: String, error: TransportError?) {
            core.closed(code, reason, error, generation)
        }
    }

    private func opened(_ generation: Int) {
        var hello = Hello()
        hello.capabilities = options.capabilities
        hello.role = options.role
        state.withLock { state in
            hello.token = state.token
            guard let welcome = state.welcome else { return }
            if state.hasSought {
                state.hasSought = false
                state.mirror = SceneMirror()
            }
            // A mirror that is whole is gone on with; without one there is no tick to speak of.
            if !state.mirror.needsSnapshot, !state.mirror.isWithinTick {
                hello.capabilities |= Capability.mergedResume
            }
            var resume = Resume()
            resume.session = welcome.session
            resume.token = welcome.resumeToken
            // The mirror's and not the last welcome's: a connection may end between its welcome and its first state.
            resume.epoch = state.mirror.epoch
            resume.lastTick = state.mirror.tick
            hello.resume = resume
        }
        send(.hello(hello))
    }

    private func received(_ kind: MessageKind, _ bytes: [UInt8], _ generation: Int) {
        let isCurrent = state.withLock { state in
            guard state.generation == generation else { return false }
            state.receivedByteCount &+= UInt64(bytes.count)
            return true
        }
        guard isCurrent else { return }
        let message: ServerMessage
        do {
            switch kind {
            case .binary: message = try ServerMessage.decode(bytes)
            case .text: message = try ServerMessage.decode(json: bytes)
            }
        } catch  where error.isIgnorable {
            return
        } catch {
            var failure = ErrorMessage()
            failure.code = UInt32(CloseCode.badFrame.rawValue)
            failure.text = "the server's message cannot be read: \(error)"
            handler(.failure(failure))
            state.withLock { $0.isClosing = true }
            state.withLock { $0.socket }?.close(code: CloseCode.badFrame.rawValue)
            return
        }
        switch message {
        case .welcome(let welcome): welcomed(welcome)
        case .result(let result):
            state.withLock { state in
                state.unanswered.removeAll { $0.sequence == result.clientSequence }
            }
            handler(.result(result))
        case .error(let error): handler(.failure(error))
        case .presence(let presence): handler(.presence(presence))
        case .diagnostics(let diagnostics): handler(.diagnostics(diagnostics))
        case .trace(let trace): handler(.trace(trace))
        case .pong(let pong): handler(.pong(pong))
        case .inspection(let part): take(part)
        case .snapshot, .frame, .select, .tree, .content, .hash, .anim, .keyframe: update(message)
        }
    }

    private func take(_ part: Inspection) {
        do {
            let answer = try state.withLock { state throws(DocumentError) in
                try state.inspections.take(part)
            }
            if let answer { handler(.inspection(answer.inspection, request: answer.request)) }
        } catch {
            var failure = ErrorMessage()
            failure.code = UInt32(CloseCode.badFrame.rawValue)
            failure.text = "the server's inspection cannot be read: \(error)"
            handler(.failure(failure))
        }
    }

    private func welcomed(_ welcome: Welcome) {
        let again = state.withLock { state in
            // Another name means that the server knows nothing of what was sent before the cut; the sequences go on.
            state.welcome = welcome
            state.isWelcomed = true
            state.attempts = 0
            state.framesSinceAck = 0
            state.inspections = InspectionReader()
            state.mirror.continueInConnection(ofEpoch: welcome.epoch)
            return state.unanswered.map(\.message)
        }
        handler(.welcomed(welcome))
        for message in again { send(message) }
    }

    private func update(_ message: ServerMessage) {
        enum Outcome {
            case quiet
            case updated(SceneMirror, ack: UInt64?)
            case lost(tick: UInt64, hash: UInt64)
        }
        let outcome = state.withLock { state -> Outcome in
            do {
                _ = try state.mirror.apply(message)
            } catch MirrorError.noSnapshot {
                // On the way when the state was lost; one request for a snapshot is enough.
                return .quiet
            } catch {
                return .lost(tick: state.mirror.tick, hash: state.mirror.stateHash)
            }
            switch message {
            case .snapshot:
                guard !state.mirror.needsSnapshot else { return .quiet }
                state.framesSinceAck = 0
                return .updated(state.mirror, ack: state.mirror.tick)
            case .frame:
                state.framesSinceAck += 1
                let limits = state.welcome?.limits ?? GrantedLimits()
                guard state.framesSinceAck >= limits.framesPerAcknowledgement else {
                    planAcknowledgement(&state)
                    return .updated(state.mirror, ack: nil)
                }
                state.framesSinceAck = 0
                return .updated(state.mirror, ack: state.mirror.tick)
            default: return .quiet
            }
        }
        switch outcome {
        case .quiet: break
        case .updated(let mirror, let tick):
            if let tick {
                var ack = Ack()
                ack.tick = tick
                send(.ack(ack))
            }
            handler(.updated(mirror))
        case .lost(let tick, let hash):
            var resync = Resync()
            resync.tick = tick
            resync.hash = hash
            send(.resync(resync))
        }
    }

    /// Acknowledges a frame that no others follow, so that the server does not take the client for a slow one.
    private func planAcknowledgement(_ state: inout State) {
        guard !state.isAckPlanned else { return }
        state.isAckPlanned = true
        let generation = state.generation
        DispatchQueue.global().asyncAfter(deadline: .now() + Self.ackSeconds) { [self] in
            let tick = self.state.withLock { state -> UInt64? in
                state.isAckPlanned = false
                guard state.generation == generation, state.framesSinceAck > 0,
                    !state.mirror.needsSnapshot
                else { return nil }
                state.framesSinceAck = 0
                return state.mirror.tick
            }
            guard let tick else { return }
            var ack = Ack()
            ack.tick = tick
            send(.ack(ack))
        }
    }

    private func closed(
        _ code: UInt16?, _ reason: String, _ error: TransportError?, _ generation: Int
    ) {
        let delay = state.withLock { state -> Double? in
            guard state.generation == generation, options.reconnects, !state.isClosing,
                state.welcome != nil, Self.isWorthAnotherTry(code)
            else { return nil }
            state.attempts += 1
            state.socket = nil
            // 0.25 s, doubled each time up to 8 s.
            return min(8, 0.125 * Double(1 << min(state.attempts, 6)))
        }
        guard let delay else {
            handler(.ended(code: code, reason: reason, error: error))
            return
        }
        handler(.reconnecting(afterSeconds: delay, reason: error?.description ?? reason))
        DispatchQueue.global().asyncAfter(deadline: .now() + delay) { [self] in connect() }
    }

    /// Codes that say that the same would happen again end the client.
    private static func isWorthAnotherTry(_ code: UInt16?) -> Bool {
        code.flatMap(CloseCode.init(rawValue:))?.isRetryable ?? true
    }
}
