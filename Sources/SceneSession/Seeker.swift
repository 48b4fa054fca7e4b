import SceneDocument
import SceneModel
import SceneWire

/// One member's position in the past, and its replay.
final class Seeker {
    /// The result of a tick for a seeker.
    enum Outcome {
        /// Nothing new to show.
        case nothing
        /// The messages of a tick of the past.
        case messages([ServerMessage], tick: UInt64)
        /// The whole state of a tick of the past.
        case state
    }

    /// The maximum number of snapshots a second for a member that plays backwards.
    private static let stepsBackPerSecond = 4

    let member: Member
    /// Recorded ticks per tick; 0 stands still, negative plays backwards.
    private let speed: Double
    /// The tick to be shown.
    private var position: Double
    /// Replays the records; `nil` until they are read.
    private(set) var player: JournalPlayer?
    /// The member's stream.
    private var stream = BroadcastStream(StreamKey(), historyCostMaximum: 0)
    /// Whether the requested tick was shown.
    private(set) var hasShown = false
    /// The player's generation when a tick was last shown.
    private var generation = 0
    /// Ticks to wait until the next backward step, each of which is a whole snapshot.
    private var patience: UInt64 = 0
    /// The device that the past is shown on; `nil` for the main one. On other devices each shown
    /// tick is laid out anew and is a whole snapshot, so they are as infrequent as backward steps.
    private var screen: ViewportPatch?
    /// Ticks since the last one shown on such a device.
    private var rest: UInt64 = 0
    /// Units of work of the replay that are not charged to the room yet.
    private var owed: UInt64 = 0

    init(member: Member, tick: UInt64, speed: Double, screen: ViewportPatch?) {
        self.member = member
        self.speed = speed
        self.screen = screen
        position = Double(tick)
    }

    /// The tick to be shown, as a whole number.
    var target: UInt64 { UInt64(max(0, min(position, 9e15))) }

    /// Whether a tick would show something new. The past stands still while half of the allowed
    /// frames are unacknowledged.
    func isPending(_ options: SessionOptions) -> Bool {
        guard let player else { return false }
        if !hasShown { return true }
        guard speed != 0, member.unacknowledged.count <= options.unacknowledgedMaximum / 2 else {
            return false
        }
        return speed < 0 || !player.isAtEnd || !player.timeline.model.isIdle
    }

    /// Shows the past on another device.
    func watch(on screen: ViewportPatch?) {
        self.screen = screen
        hasShown = false
    }

    /// The approximate memory of its scene and records in bytes.
    var byteEstimate: Int {
        guard let player else { return 0 }
        let records = player.records.reduce(0) { $0 + $1.payload.count + 120 }
        return records + player.timeline.model.byteEstimate + stream.byteEstimate
    }

    /// Units of work since the last call.
    func takeWork() -> UInt64 {
        defer { owed = 0 }
        return owed
    }

    /// Starts with the requested records.
    func begin(_ player: JournalPlayer) {
        self.player = player
        owed &+= player.work
    }

    /// Advances by a tick of the session.
    ///
    /// - Parameters:
    ///   - now: The session's tick, the latest that can be shown.
    ///   - budget: The number of records and cycles that may be replayed; reduced by those that
    ///     were.
    ///   - allowance: Units of work after which no further record or cycle is started.
    func advance(
        now: UInt64, tickRate: Int, budget: inout Int, allowance: UInt64
    ) throws(JournalPlayer.Failure) -> Outcome {
        guard var player else { return .nothing }
        if hasShown {
            if speed < 0 {
                let first = Double(player.records.first?.tick ?? 0)
                guard position > first else { return .nothing }
                patience += 1
                guard patience * UInt64(Self.stepsBackPerSecond) >= UInt64(tickRate) else {
                    return .nothing
                }
                position = max(position + speed * Double(patience), first)
                patience = 0
                // Going back requires a replay from the beginning.
                player = try JournalPlayer(player.records, tracksUndo: false)
                begin(player)
                hasShown = false
            } else {
                position = min(position + speed, Double(now))
            }
        }
        let before = player.work
        defer { owed &+= player.work &- before }
        guard try player.advance(to: target, budget: &budget, allowance: allowance) else {
            return .nothing
        }
        guard let screen else { return show(player) }
        rest += 1
        guard !hasShown || rest * UInt64(Self.stepsBackPerSecond) >= UInt64(tickRate) else {
            return .nothing
        }
        rest = 0
        return show(player, on: screen)
    }

    private func show(_ player: JournalPlayer, on screen: ViewportPatch) -> Outcome {
        let main = player.timeline.model
        let marks = main.takeMarks()
        guard !hasShown || !marks.isEmpty || generation != player.generation else {
            return .nothing
        }
        let model: SceneModel
        do throws(Refusal) {
            model = try SceneModel(main.snapshot(), on: screen)
        } catch {
            return .nothing
        }
        owed &+= model.work
        hasShown = true
        generation = player.generation
        let epoch = player.records[max(0, player.position - 1)].epoch
        stream.start(epoch: epoch, tick: target, model: model)
        return .state
    }

    private func show(_ player: JournalPlayer) -> Outcome {
        let model = player.timeline.model
        let marks = model.takeMarks()
        if hasShown, generation == player.generation, !marks.isComplete {
            do {
                let changes = stream.changes(marks, in: model, sharing: nil)
                guard !changes.isEmpty else { return .nothing }
                let messages = try stream.advance(changes, tick: target, durableTick: target)
                return messages.isEmpty ? .nothing : .messages(messages, tick: target)
            } catch {
                // The member would fail as well; its stream restarts below.
            }
        }
        hasShown = true
        generation = player.generation
        let epoch = player.records[max(0, player.position - 1)].epoch
        stream.start(epoch: epoch, tick: target, model: model)
        return .state
    }

    /// The whole state for the member, and its tick.
    func state(_ format: Subprotocol) -> (payloads: [[UInt8]], tick: UInt64) {
        (stream.statePayloads(format), stream.tick)
    }
}

/// The members that watch the past while the session continues.
struct SeekerSet {
    private var seekers: [Seeker] = []

    /// Whether a tick would show something new to one of them.
    func arePending(_ options: SessionOptions) -> Bool {
        seekers.contains { $0.isPending(options) }
    }

    /// All seekers, the oldest first.
    var all: [Seeker] { seekers }

    /// The seeker that takes the most memory.
    var largest: Seeker? { seekers.max { $0.byteEstimate < $1.byteEstimate } }

    /// The approximate memory of all seekers in bytes.
    var byteEstimate: Int { seekers.reduce(0) { $0 + $1.byteEstimate } }

    /// The seeker of a member.
    func of(_ member: Member) -> Seeker? { seekers.first { $0.member === member } }

    /// Adds a seeker, replacing the member's earlier one; returns false if there are too many.
    mutating func add(_ seeker: Seeker, maximum: Int) -> Bool {
        let others = seekers.filter { $0.member !== seeker.member }
        guard others.count < maximum else { return false }
        seekers = others + [seeker]
        return true
    }

    /// Removes the seeker of a member that left or returned to the present.
    mutating func forget(_ member: Member) { seekers.removeAll { $0.member === member } }

    /// Appends records that became durable.
    func append(_ records: [JournalRecord]) {
        for seeker in seekers { seeker.player?.append(records) }
    }

    /// The seekers in the order in which this tick serves them; the first is the last in the next
    /// tick.
    mutating func takeTurn(_ options: SessionOptions) -> [Seeker] {
        let pending = seekers.filter { $0.isPending(options) }
        if seekers.count > 1 { seekers.append(seekers.removeFirst()) }
        return pending
    }
}
