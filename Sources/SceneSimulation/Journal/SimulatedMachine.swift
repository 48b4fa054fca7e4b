import ClusterJournal
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

/// A node's process: its journal, and the rooms that it has open.
struct SimulatedProcess {
    /// A room with a session.
    struct Room {
        let session: SceneSession
        /// The tick of the session, and the moment of the world at which it was that tick.
        let tickBase: UInt64
        let timeBase: Int
        /// Records since the room was opened here, with those that it was opened from.
        var records: [JournalRecord]
        var durableThrough: UInt64

        /// Whether no work is pending.
        var isAtRest: Bool { session.isDurable && !session.needsTick }
    }

    /// A room whose records are being loaded.
    struct LoadingRoom {
        var applicants: [(connection: Int, hello: Hello)] = []
        /// The hash with which the former owner handed it over.
        var handedOver: UInt64?
    }

    /// A request that the journal answers.
    enum Call {
        /// A client joins once the room is proved.
        case join(connection: Int, Hello)
        /// The room's own proof.
        case proof(through: UInt64, SceneSession)
    }

    var journal: JournalNode
    var rooms: [String: Room] = [:]
    var loading: [String: LoadingRoom] = [:]
    var calls: [UInt64: (room: String, Call)] = [:]
    private var lastCall: UInt64 = 0

    init(_ journal: JournalNode) { self.journal = journal }

    /// Numbers a request.
    mutating func begin(_ call: Call, of room: String) -> JournalNode.Request {
        lastCall += 1
        calls[lastCall] = (room, call)
        return .prove(room: room, lastCall, needsRoom: false)
    }
}
