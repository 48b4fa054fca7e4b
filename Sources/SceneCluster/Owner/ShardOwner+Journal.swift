/// Decisions from the content of the journal.
extension ShardOwner {
    mutating func takeOver(at now: MonotonicInstant) {
        guard phase == .follower else { return }
        phase = .sealing
        guard gap == nil else { return }
        reader.begin(.end, from: .anyReplica, at: now, &outbox)
    }

    /// Records between what was read and what is there are gone. That is as it should be where
    /// snapshots hold them.
    mutating func miss(_ error: ChainError) {
        switch phase {
        case .follower, .sealing, .reading:
            // A claim on its way went after a record that is gone, so that its place is taken.
            append = nil
            reader.stop()
            if phase == .reading { phase = .sealing }
            gap = error
            outbox.tell(.floorWanted)
        case .serving, .handing: resign(.outrun)
        case .resigned, .stopped: break
        }
    }

    /// Continues from a place from which the journal is complete.
    mutating func rebase(on anchor: ChainAnchor, at now: MonotonicInstant) {
        guard gap != nil, anchor.number > chain.head?.number ?? 0 else { return }
        gap = nil
        reader = JournalReader(
            chain: ShardChain(scope: chain.scope, subject: chain.subject, from: anchor))
        tail = TailLedger()
        isHandedOver = false
        guard phase == .sealing else { return }
        reader.begin(.end, from: .anyReplica, at: now, &outbox)
    }

    /// Takes what was read.
    mutating func absorb(_ progress: JournalReader.Progress, at now: MonotonicInstant) {
        var page: [LoadedRecord] = []
        for loaded in progress.records where !isOver {
            tail.note(loaded.record)
            if let append, isMine(append, loaded) {
                if append.purpose == .claim { page.append(loaded) }
                turn(&page)
                self.append = nil
                reader.stop()
                settle(append.purpose, loaded, at: now)
            } else {
                meet(loaded, &page)
            }
        }
        turn(&page)
        guard progress.isComplete, let append, !isOver else { return }
        switch append.step {
        case .readingBack(let sequence):
            // The place was read, and neither the record nor another of its number is there.
            stop(.init(place: place(sequence), reason: .forgotten))
        case .looking:
            self.append?.retry(after: reader, hasLeader: progress.isOfLeader, at: now)
        case .publishing, .waiting: break
        }
    }

    /// Whether a record in the chain is the one on its way. A claim of an epoch that this process
    /// has owned is an old one with the same bytes.
    private func isMine(_ append: RecordAppend, _ loaded: LoadedRecord) -> Bool {
        append.checksum == loaded.anchor.checksum
            && (append.purpose != .claim || loaded.anchor.epoch > servedThrough)
    }

    /// Passes on what was read.
    private mutating func turn(_ page: inout [LoadedRecord]) {
        guard !page.isEmpty else { return }
        outbox.tell(.load(page))
        page = []
    }

    /// The record on its way is in the chain.
    private mutating func settle(
        _ purpose: RecordAppend.Purpose, _ loaded: LoadedRecord, at now: MonotonicInstant
    ) {
        switch purpose {
        case .claim: own(in: loaded.anchor.epoch, at: now)
        case .commits(let number):
            queue.remove(through: number)
            committedThrough = number
            watch.kept(moreWait: !queue.isEmpty, at: now)
            outbox.tell(.committed(through: number))
        case .handOver(let receiver):
            resign(.handedOver(to: receiver, epoch: loaded.anchor.epoch))
        }
    }

    /// Owns the shard in an epoch that a record made this process's, be it a seal of its own or a
    /// hand-over to it. Where somebody has claimed the shard since, the next look at the journal
    /// shows that, as it would at any later moment.
    mutating func own(in epoch: UInt64, at now: MonotonicInstant) {
        isHandedOver = false
        servedThrough = epoch
        phase = .serving(epoch: epoch)
        watch = OwnerWatch(at: now)
        outbox.tell(.serving(epoch: epoch))
    }

    /// A record in the chain that is not the one on its way. Where one is on its way its place is
    /// taken, so that it will never be in the chain.
    private mutating func meet(_ loaded: LoadedRecord, _ page: inout [LoadedRecord]) {
        switch phase {
        case .follower, .sealing, .reading:
            page.append(loaded)
            isHandedOver =
                switch loaded.record.content {
                case .handOver(let receiver, _):
                    receiver == identity && loaded.anchor.epoch > servedThrough
                case .group, .seal: false
                }
            guard append != nil else { return }
            append = nil
            phase = .sealing
            let begins =
                switch loaded.record.content {
                case .seal, .handOver: true
                case .group: false
                }
            if begins, loaded.anchor.owner != identity {
                turn(&page)
                yield(to: loaded.anchor.owner, loaded.anchor.epoch)
            }
        case .serving, .handing:
            resign(.superseded(by: loaded.anchor.owner, epoch: loaded.anchor.epoch))
        case .resigned, .stopped: break
        }
    }

    mutating func yield(to owner: NodeLife, _ epoch: UInt64) {
        phase = .follower
        reader.stop()
        outbox.tell(.yielded(to: owner, epoch: epoch))
    }

    mutating func resign(_ reason: Resignation) {
        phase = .resigned
        end()
        outbox.tell(.resigned(reason, keptThrough: committedThrough))
    }

    mutating func stop(_ error: ChainError) {
        phase = .stopped(error)
        end()
        outbox.tell(.lost(error))
    }

    private mutating func end() {
        reader.stop()
        append = nil
        queue.removeAll()
    }
}
