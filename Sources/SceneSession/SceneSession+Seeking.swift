import SceneModel
import SceneWire

/// Seeking: members that watch the past while the session continues.
extension SceneSession {
    /// The maximum speed through the past, in recorded ticks per tick.
    private static let speedMaximum = 1000.0

    func seek(_ seek: Seek, _ member: Member) {
        guard !seek.isLive else {
            guard member.phase == .seeking else { return }
            backToPresent(member)
            return
        }
        let speed = min(max(seek.speed, -Self.speedMaximum), Self.speedMaximum)
        let seeker = Seeker(
            member: member, tick: min(seek.tick, tick), speed: speed,
            screen: devices[member.stream.device]?.screen)
        guard seekers.add(seeker, maximum: options.watcherMaximum) else {
            report(.limit, "too many watch the past; try again later", to: member)
            return
        }
        member.phase = .seeking
        member.unacknowledged.removeAll()
        membersDidChange()
        effects.append(.readJournal(member.id, tick: min(seek.tick, tick)))
    }

    /// Starts a seek with the records that it requested.
    func beginSeeking(_ id: MemberID, _ tick: UInt64, _ records: [JournalRecord]?) {
        // The answer to an earlier seek is obsolete.
        guard let member = roster[id], let seeker = seekers.of(member), seeker.player == nil,
            seeker.target == tick
        else { return }
        // The scene of the past is built from a snapshot, as the present one was.
        guard work.snapshotWork <= work.slice else {
            effects += [.overran, .readJournal(id, tick: tick)]
            return
        }
        guard let records, let first = records.first, first.tick <= seeker.target else {
            stopSeeking(member, "tick \(seeker.target) is not in the journal any more")
            return
        }
        do {
            let player = try JournalPlayer(records, tracksUndo: false)
            // Records that became durable during the read.
            player.append(
                journal.kept.filter { record in
                    record.sequence > (records.last?.sequence ?? 0)
                        && record.sequence <= journal.durableSequence
                })
            seeker.begin(player)
            memory.expectMore()
        } catch {
            stopSeeking(member, "the journal cannot be replayed: \(error)")
        }
    }

    /// Ends a member's seek.
    func stopSeeking(_ member: Member, _ reason: String, _ code: CloseCode = .noSuchTick) {
        report(code, reason, to: member)
        backToPresent(member)
    }

    private func backToPresent(_ member: Member) {
        seekers.forget(member)
        member.phase = .inStep
        membersDidChange()
        sendState(to: [member])
    }

    /// Advances all seekers by a tick, within their shared budget. The work is charged as questions
    /// are.
    func advanceSeekers() {
        guard work.questions.isSolvent else { return }
        var budget = options.replayBudget
        let limit = work.questionLimit
        var left = limit.units
        defer { if left == 0, limit.isSlice { effects.append(.overran) } }
        for seeker in seekers.takeTurn(options) {
            do throws(JournalPlayer.Failure) {
                switch try seeker.advance(
                    now: tick, tickRate: tickRate, budget: &budget, allowance: left)
                {
                case .nothing: break
                case .messages(let messages, let tick):
                    send(messages, to: [seeker.member])
                    seeker.member.sentTick = tick
                    seeker.member.unacknowledged.append(tick)
                case .state: resendPast(to: seeker.member)
                }
            } catch {
                stopSeeking(seeker.member, "the journal cannot be replayed: \(error)")
            }
            let spent = seeker.takeWork()
            work.spendOnQuestion(spent)
            left -= min(spent, left)
            if left == 0 { return }
        }
    }

    /// Sends the whole state to a member that watches the past.
    func resendPast(to member: Member) {
        guard let seeker = seekers.of(member), seeker.hasShown else { return }
        let format = member.admission.format
        let (payloads, tick) = seeker.state(format)
        effects.append(.send(payloads: payloads, format: format, to: [member.id]))
        member.unacknowledged = [tick]
        member.sentTick = tick
    }
}
