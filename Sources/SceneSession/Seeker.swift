import SceneModel
import SceneProtocol

/// One member's way through the past.
final class Seeker {
    /// What a tick comes to for a seeker.
    enum Outcome {
        /// There is nothing new to show.
        case nothing
        /// The messages of a tick of the past.
        case messages([ServerMessage], tick: UInt64)
        /// The whole state of a tick of the past.
        case state
    }

    /// Snapshots a second to a member that goes back.
    private static let stepsBackPerSecond = 4

    let member: Member
    /// Ticks that pass in one; 0 stands still, negative goes back.
    private let speed: Double
    /// The tick that is to be shown.
    private var position: Double
    /// Goes through the records; `nil` until they have been read.
    private(set) var player: JournalPlayer?
    /// What the member has.
    private var stream = BroadcastStream(StreamKey(), historyCostMaximum: 0)
    /// Whether the tick that was asked for has been shown.
    private(set) var hasShown = false
    /// How often the player's scene was put back to a snapshot when it was last shown.
    private var generation = 0
    /// Ticks to wait until the next step back, each of which is a whole snapshot.
    private var patience: UInt64 = 0
    /// The device that the past is shown on; `nil` for the main one. On others each tick that is shown is laid out anew and
    /// is a whole snapshot, so they come as slowly as steps back.
    private var screen: ViewportPatch?
    /// Ticks since one was shown on such a device.
    private var rest: UInt64 = 0
    /// Units of work that the way through the past took and that the room was not charged for yet.
    private var owed: UInt64 = 0

    init(member: Member, tick: UInt64, speed: Double, screen: ViewportPatch?) {
        self.member = member
        self.speed = speed
        self.screen = screen
        position = Double(tick)
    }

    /// The tick that is to be shown, as a whole number.
    var target: UInt64 { UInt64(max(0, min(position, 9e15))) }

    /// Whether a tick would show something new. While half the frames are on their way that a member may owe, the past
    /// stands still.
    func isPending(_ options: SessionOptions) -> Bool {
        guard let player else { return false }
        if !hasShown { return true }
        guard speed != 0, member.unacknowledged.count <= options.unacknowledgedMaximum / 2 else {
            return false
        }
        return speed < 0 || !player.isAtEnd || !player.timeline.model.isIdle
    }

    /// Shows the past on another device from now on.
    func watch(on screen: ViewportPatch?) {
        self.screen = screen
        hasShown = false
    }

    /// About how many bytes its scene and its records take.
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

    /// Takes in the records that were asked for.
    func begin(_ player: JournalPlayer) {
        self.player = player
        owed &+= player.work
    }

    /// Moves on by a tick of the session.
    ///
    /// - Parameters:
    ///   - now: The session's tick, which the past does not go beyond.
    ///   - budget: Records and cycles that may be done; what is left afterwards.
    ///   - allowance: Units of work after which no other is begun.
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
                // There is no way back but from the beginning.
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
                // The member would fail as well; it begins anew below.
            }
        }
        hasShown = true
        generation = player.generation
        let epoch = player.records[max(0, player.position - 1)].epoch
        stream.start(epoch: epoch, tick: target, model: model)
        return .state
    }

    /// The whole state that the member is to have, and its tick.
    func state(_ format: Subprotocol) -> (payloads: [[UInt8]], tick: UInt64) {
        (stream.statePayloads(format), stream.tick)
    }
}

/// The members that watch the past while the session goes on.
struct SeekerSet {
    private var seekers: [Seeker] = []

    /// Whether a tick would show something new to one of them.
    func arePending(_ options: SessionOptions) -> Bool {
        seekers.contains { $0.isPending(options) }
    }

    /// All of them, the oldest first.
    var all: [Seeker] { seekers }

    /// The one that takes the most memory.
    var largest: Seeker? { seekers.max { $0.byteEstimate < $1.byteEstimate } }

    /// About how many bytes they take.
    var byteEstimate: Int { seekers.reduce(0) { $0 + $1.byteEstimate } }

    /// The seeker of a member.
    func of(_ member: Member) -> Seeker? { seekers.first { $0.member === member } }

    /// Takes a member in, in place of where it was; false when too many others seek already.
    mutating func add(_ seeker: Seeker, maximum: Int) -> Bool {
        let others = seekers.filter { $0.member !== seeker.member }
        guard others.count < maximum else { return false }
        seekers = others + [seeker]
        return true
    }

    /// Forgets a member that left, or that goes back to the present.
    mutating func forget(_ member: Member) { seekers.removeAll { $0.member === member } }

    /// Appends records that have become durable.
    func append(_ records: [JournalRecord]) {
        for seeker in seekers { seeker.player?.append(records) }
    }

    /// The seekers in the order in which they are served at this tick; the first is the last at the next.
    mutating func takeTurn(_ options: SessionOptions) -> [Seeker] {
        let pending = seekers.filter { $0.isPending(options) }
        if seekers.count > 1 { seekers.append(seekers.removeFirst()) }
        return pending
    }
}
