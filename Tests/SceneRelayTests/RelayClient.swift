import SceneModel
import SceneSession
import SceneWire

extension RelayWorld {
    /// A client: what it was sent, as it would hold it.
    final class Client {
        let name: String
        let id: MemberID
        let hello: Hello
        /// Where it is; `nil` at the owner.
        let edge: Int?
        var mirror = SceneMirror()
        var welcomes: [Welcome] = []
        var snapshots = 0
        var errors: [ErrorMessage] = []
        var results: [OpsResult] = []
        var presences: [Presence] = []
        var inspections: [Inspection] = []
        var traces: [Trace] = []
        var records: [Records] = []
        var diagnostics: [Diagnostics] = []
        var interactions = InteractionTable()
        var closed: CloseCode?
        /// Whether a tick was below the one before it in one connection.
        private(set) var ticksFell = false
        /// The last tick that it was shown in this connection.
        private var shownTick: UInt64 = 0
        var failure: MirrorError?
        /// When its picture went on, in steps of the world.
        private(set) var moments: [UInt64] = []
        private let clock: () -> UInt64

        init(
            _ name: String, _ id: MemberID, _ hello: Hello, edge: Int?,
            mirror: SceneMirror = SceneMirror(), clock: @escaping () -> UInt64
        ) {
            self.clock = clock
            (self.name, self.id, self.hello, self.edge) = (name, id, hello, edge)
            self.mirror = mirror
        }

        /// What it says of itself when it comes back.
        var resume: Resume? {
            guard let welcome = welcomes.last else { return hello.resume }
            var resume = Resume()
            resume.session = welcome.session
            resume.token = welcome.resumeToken
            resume.epoch = mirror.epoch
            resume.lastTick = mirror.tick
            return resume
        }

        func take(_ message: ServerMessage) {
            switch message {
            case .welcome(let welcome):
                welcomes.append(welcome)
                mirror.continueInConnection(ofEpoch: welcome.epoch)
            case .snapshot(let part): snapshots += part.chunkIndex == 0 ? 1 : 0
            case .result(let result): results.append(result)
            case .error(let error): errors.append(error)
            case .presence(let presence): presences.append(presence)
            case .interactions(let message): interactions.apply(message)
            case .inspection(let inspection): inspections.append(inspection)
            case .trace(let trace): traces.append(trace)
            case .diagnostics(let message): diagnostics.append(message)
            case .records(let part): records.append(part)
            case .frame, .select, .tree, .content, .hash, .pong, .anim, .keyframe, .device, .event,
                .eventResults, .insets, .annotations:
                break
            }
            do throws(MirrorError) { _ = try mirror.apply(message) } catch {
                failure = failure ?? error
            }
            switch message {
            case .snapshot, .frame, .hash, .keyframe:
                guard !mirror.needsSnapshot else { break }
                if mirror.tick < shownTick { ticksFell = true }
                if mirror.tick > shownTick { moments.append(clock()) }
                shownTick = mirror.tick
            case .welcome, .result, .presence, .interactions, .annotations, .records, .select,
                .tree, .content, .error, .pong, .diagnostics, .anim, .trace, .inspection, .device,
                .event, .eventResults, .insets:
                break
            }
        }
    }
}
