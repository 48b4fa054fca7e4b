import SceneModel
import SceneProtocol

/// One member's way through the past.
final class Watch {
    let member: Member
    /// Ticks that pass in one; 0 stands still, negative goes back.
    var speed: Double
    /// The tick that is to be shown.
    var position: Double
    /// Goes through the records; `nil` until they have been read.
    var player: JournalPlayer?
    /// What the member has.
    var lane: Lane
    /// Whether the tick that was asked for has been shown.
    var hasShown = false
    /// How often the player's scene was put back to a snapshot when it was last shown.
    var generation = 0
    /// Ticks to wait until the next step back, each of which is a whole snapshot.
    var patience: UInt64 = 0

    init(member: Member, tick: UInt64, speed: Double) {
        self.member = member
        self.speed = speed
        position = Double(tick)
        lane = Lane(key: LaneKey(), historyCostMaximum: 0)
    }

    var target: UInt64 { UInt64(max(0, min(position, 9e15))) }

    /// Whether a tick would show something new. While half the frames are on their way that a member may owe, the past
    /// stands still.
    func isPending(_ options: SessionOptions) -> Bool {
        guard let player else { return false }
        if !hasShown { return true }
        guard speed != 0, member.unacknowledged.count <= options.unacknowledgedMaximum / 2 else {
            return false
        }
        return speed < 0 || !player.isAtEnd || !player.timeline.model.isSettled
    }
}

/// Seeking: members that watch the past while the session goes on.
extension SceneSession {
    /// How fast somebody may go through the past, in ticks a tick.
    private static let speedMaximum = 1000.0
    /// Snapshots a second to one who goes back.
    private static let stepsBackPerSecond = 4

    func seek(_ seek: Seek, _ member: Member) {
        guard !seek.isLive else {
            guard member.phase == .watching else { return }
            watches.removeAll { $0.member === member }
            member.phase = .inStep
            recipients = nil
            sendState(to: [member])
            return
        }
        let speed = min(max(seek.speed, -Self.speedMaximum), Self.speedMaximum)
        let others = watches.filter { $0.member !== member }
        guard others.count < options.watcherMaximum else {
            report(.limit, "too many watch the past; try again later", to: member)
            return
        }
        watches = others
        member.phase = .watching
        member.unacknowledged.removeAll()
        recipients = nil
        watches.append(Watch(member: member, tick: min(seek.tick, tick), speed: speed))
        effects.append(.readJournal(member.id, tick: min(seek.tick, tick)))
    }

    /// Takes the records in that a seek asked for.
    func beginWatching(_ id: MemberID, _ tick: UInt64, _ records: [JournalRecord]?) {
        // An answer to a seek before the last one is of no use any more.
        guard let watch = watches.first(where: { $0.member.id == id }), watch.player == nil,
            watch.target == tick
        else { return }
        guard let records, let first = records.first, first.tick <= watch.target else {
            stopWatching(watch, "tick \(watch.target) is not in the journal any more")
            return
        }
        do {
            let player = try JournalPlayer(records, tracksUndo: false)
            // What became durable while the records were read.
            player.append(
                journal.kept.filter { record in
                    record.sequence > (records.last?.sequence ?? 0)
                        && record.sequence <= journal.durableSequence
                })
            watch.player = player
        } catch {
            stopWatching(watch, "the journal cannot be replayed: \(error)")
        }
    }

    private func stopWatching(_ watch: Watch, _ reason: String) {
        watches.removeAll { $0 === watch }
        watch.member.phase = .inStep
        recipients = nil
        report(.noSuchTick, reason, to: watch.member)
        sendState(to: [watch.member])
    }

    /// Moves all watches on by a tick, within the budget that they share.
    func advanceWatches() {
        guard !watches.isEmpty else { return }
        var budget = options.replayBudget
        for watch in watches where watch.isPending(options) {
            do throws(JournalPlayer.Failure) { try advance(watch, &budget) } catch {
                stopWatching(watch, "the journal cannot be replayed: \(error)")
            }
        }
        // Who came last must not wait for ever behind those before.
        if watches.count > 1 { watches.append(watches.removeFirst()) }
    }

    private func advance(_ watch: Watch, _ budget: inout Int) throws(JournalPlayer.Failure) {
        guard var player = watch.player else { return }
        if watch.hasShown {
            if watch.speed < 0 {
                guard watch.position > Double(player.records.first?.tick ?? 0) else { return }
                watch.patience += 1
                guard watch.patience * UInt64(Self.stepsBackPerSecond) >= UInt64(tickRate) else {
                    return
                }
                watch.position += watch.speed * Double(watch.patience)
                watch.patience = 0
                watch.position = max(watch.position, Double(player.records.first?.tick ?? 0))
                // There is no way back but from the beginning.
                player = try JournalPlayer(player.records, tracksUndo: false)
                watch.player = player
                watch.hasShown = false
            } else {
                watch.position = min(watch.position + watch.speed, Double(tick))
            }
        }
        guard try player.advance(to: watch.target, budget: &budget) else { return }
        show(watch, player)
    }

    private func show(_ watch: Watch, _ player: JournalPlayer) {
        let model = player.timeline.model
        let tick = watch.target
        if watch.hasShown, watch.generation == player.generation {
            let changes = model.takeChanges()
            guard !changes.isEmpty else { return }
            if !changes.isComplete {
                do {
                    let messages = try watch.lane.advance(
                        Lane.Changes(changes, isSettled: false, model), tick: tick,
                        durableTick: tick)
                    guard !messages.isEmpty else { return }
                    send(messages, to: [watch.member])
                    watch.member.sentTick = tick
                    watch.member.unacknowledged.append(tick)
                    return
                } catch {
                    // The member would fail as well; it begins anew below.
                }
            }
        }
        watch.hasShown = true
        watch.generation = player.generation
        model.discardChanges()
        model.rememberAllAsSent()
        let epoch = player.records[max(0, player.position - 1)].epoch
        watch.lane.start(epoch: epoch, tick: tick, model: model)
        resendPast(to: watch.member)
    }

    /// Sends a member who watches the past the whole state that it is to have.
    func resendPast(to member: Member) {
        guard let watch = watches.first(where: { $0.member === member }), watch.hasShown else {
            return
        }
        let format = member.admission.format
        effects.append(
            .send(payloads: watch.lane.statePayloads(format), format: format, to: [member.id]))
        member.unacknowledged = [watch.lane.tick]
        member.sentTick = watch.lane.tick
    }
}
