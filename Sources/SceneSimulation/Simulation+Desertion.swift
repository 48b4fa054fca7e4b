import SceneModel
import SceneDocument
import SceneWire
import SceneSession
import SeededRandom

/// When a room is left by all its members, and what it does meanwhile.
///
/// It has random numbers of its own: the same seed without it is otherwise the same run.
struct SimulatedDesertion {
    var random: SplitMix64
    let happens: Bool
    /// From when until when nobody is there.
    private var span: Range<Int>?
    /// The life of the server in which it began.
    private(set) var life = 0
    /// For the fault of that name: ticks in which time stood still.
    var stoppedTicks: UInt64 = 0
    /// The tick of its end.
    private(set) var endTick: UInt64 = 0
    /// Ticks in that time, but for its beginning.
    private(set) var ticks = 0

    /// For so long the room may have something to end, such as telling of a change.
    private static let graceMoments = 90 * Simulation.momentsPerTick
    /// Ticks that a room may take after that.
    static let tickMaximum = 12

    /// - Parameter isCertain: Whether it happens whatever the seed.
    init(seed: UInt64, isCertain: Bool) {
        random = SplitMix64(seed: seed ^ 0xDE5E27)
        happens = random.chance(1, of: 4) || isCertain
    }

    /// - Parameter tick: The present tick, in a life of the server.
    mutating func begin(at now: Int, moments: Int, tick: UInt64, life: Int) {
        span = now..<(now + moments)
        ticks = 0
        self.life = life
        endTick = tick + UInt64(moments / Simulation.momentsPerTick) - 1
    }

    mutating func end() { span = nil }

    func lasts(at now: Int) -> Bool { span?.contains(now) ?? false }

    mutating func noteTick(at now: Int) {
        guard let span, now >= span.lowerBound + Self.graceMoments, now < span.upperBound else {
            return
        }
        ticks += 1
    }
}

/// Rooms without members: what is animated has an end that is known, so that no tick is needed
/// before it.
extension Simulation {
    func planDesertion(until end: Int) {
        guard desertion.happens else { return }
        queue.plan(.animateLong, at: desertion.random.below(end))
    }

    /// An editor animates something for long. Soon after, everybody leaves.
    func animateLong() {
        guard !isHealed, session != nil else { return }
        let editor = clients.first {
            $0.role == .editor && !$0.lies && $0.isWelcomed && connectionOf[$0.number] != nil
                && $0.number != bombs.client
        }
        guard let editor, let connection = connectionOf[editor.number] else { return }
        let seconds = desertion.random.pick([0.25, 0.5, 1, 2, 4])
        let curve = desertion.random.pick(["linear", "easeIn", "easeInOut"])
        let width = desertion.random.below(400)
        let ops = #"""
            [{"op":"animate","duration":\#(seconds),"curve":"\#(curve)","ops":[
              {"op":"setConstraint","id":"w","constant":\#(width)},
              {"op":"setView","id":"v\#(width % 5)","frame":[\#(width),\#(width / 2),30,40]},
              {"op":"layoutIfNeeded"}]}]
            """#
        send(editor.ops(ops, group: 0, isAtomic: false), over: connection)
        queue.plan(.desert, at: now + 30 + desertion.random.below(30))
    }

    func desert() {
        guard !isHealed, let session else { return }
        let moments = 500 + desertion.random.below(2500)
        desertion.begin(at: now, moments: moments, tick: tickNumber, life: life)
        for connection in connections.indices where connections[connection].isOpen {
            cut(connection)
        }
        if plant == .tickingAlone {
            // A member that nobody sees.
            connections.append(Connection(client: 0, isOpen: false))
            let id = MemberID(UInt64(connections.count - 1))
            let ghost = Admission(
                session: "ghost", resumeToken: "ghost", role: .viewer, format: .binary,
                monotonicMilliseconds: 0, hello: Hello())
            _ = session.handle(.joined(id, ghost))
        }
        if plant == .standingTime {
            desertion.stoppedTicks = UInt64(moments / Self.momentsPerTick)
        }
        queue.plan(.comeBack, at: now + moments - 1)
    }

    /// Just before the first comes back, the room is looked at.
    func comeBack() {
        defer { desertion.end() }
        guard let session, desertion.lasts(at: now), connectionOf.isEmpty else { return }
        if desertion.ticks > SimulatedDesertion.tickMaximum {
            faults.append("a room that nobody watches took \(desertion.ticks) ticks")
        }
        let number = max(session.tick + 1, tickNumber)
        // The first may need more than the slice of the present thread.
        for _ in 0..<2 where session.tick < number {
            carryOut(session.handle(.tick(number)))
        }
        if life == desertion.life, session.tick < desertion.endTick {
            faults.append("time stood still at \(session.tick) while nobody watched")
        }
        guard store.isSettled, session.isDurable, let model = session.wake()?.model else { return }
        do {
            let replay = try JournalReplay(store.records, through: session.tick)
            if replay.timeline.model.records() != model.records() {
                faults.append("what moved while nobody watched is elsewhere than in a replay")
            }
        } catch {
            faults.append("the journal of a deserted room does not replay: \(error)")
        }
    }
}
