import ClusterJournal
import SceneCluster
import SceneRelay
import SceneSession
import SceneWire

/// A machine of a simulated cluster, and the node's process on it.
struct SimulatedMachine {
    /// Counts the processes.
    var life = 0
    /// The process; `nil` while there is none.
    var process: SimulatedProcess?
    /// The process stands still until then.
    var pausedUntil = 0
    /// It hears no beats until then.
    var deafUntil = 0
}

/// A node's process: its journal, the rooms that it has open, and both ends of its links to others.
struct SimulatedProcess {
    /// A room with a session.
    struct Room {
        let session: SceneSession
        /// The tick of the session, and the moment of the world at which it was that tick.
        var tickBase: UInt64
        var timeBase: Int
        /// Records since the room was opened here, with those that it was opened from.
        var records: [JournalRecord]
        var durableThrough: UInt64

        /// Whether no work is pending.
        var isAtRest: Bool { session.isDurable && !session.needsTick }
    }

    /// A room whose records are being loaded.
    struct LoadingRoom {
        var applicants: [(member: MemberID, applicant: Applicant)] = []
        /// The hash with which the former owner handed it over.
        var handedOver: UInt64?
    }

    /// A request that the journal answers.
    enum Call {
        /// A member joins once the room is proved.
        case join(MemberID, Applicant)
        /// The room's own proof.
        case proof(through: UInt64, SceneSession)
    }

    let identity: NodeLife
    var journal: JournalNode
    /// What it knows of the cluster.
    var state = ClusterState()
    var rooms: [String: Room] = [:]
    var loading: [String: LoadingRoom] = [:]
    var calls: [UInt64: (room: String, Call)] = [:]
    /// Members that join once their room is proved, and have not left meanwhile.
    var unproved: Set<MemberID> = []
    /// Its members of rooms that other nodes own.
    var edge: RelayEdge
    /// Members at other nodes of the rooms that it has open.
    var host: RelayHost
    /// Packets for this process itself.
    var ownPackets: [LinkPacket] = []
    private var lastCall: UInt64 = 0

    /// Starts a process.
    init(
        _ settings: NodeSettings, life: UInt64, tickRate: Int, options: SessionOptions,
        at now: MonotonicInstant
    ) {
        identity = NodeLife(node: settings.node, life: life)
        journal = JournalNode(settings, life: life, address: "ws://\(settings.name)", at: now)
        edge = RelayEdge(identity, tickRate: tickRate, options: options)
        host = RelayHost(identity)
    }

    /// Numbers a request.
    mutating func begin(_ call: Call, of room: String) -> JournalNode.Request {
        lastCall += 1
        calls[lastCall] = (room, call)
        return .prove(room: room, lastCall, needsRoom: false)
    }
}
