import Annotations
import SceneModel
import SceneDocument
import SceneWire
import SceneSession
import SceneStore
import SeededRandom

/// What is done to a room's journal while no server runs, and what is known of it.
///
/// It has random numbers of its own: the same seed without it is otherwise the same run.
struct SimulatedHarm {
    /// Whether the run has a data directory, with the store and the lock that ship.
    let usesDirectory: Bool
    var random: SplitMix64
    /// The damaged journal; `nil` while there is none.
    var damage: Damage?
    /// The messages of each session that a repaired journal need not name: what they did is in a
    /// snapshot, or is lost.
    var forgiven: [String: Set<UInt64>] = [:]
    /// Messages of which what they did is in a snapshot, so that they must not come again.
    var folded: [String: Set<UInt64>] = [:]
    var repairs = 0
    /// A lock that outlasted its process, for the fault of that name.
    var lock: DirectoryLock?

    /// A damaged journal.
    struct Damage {
        /// All records before it was done.
        var truth: [JournalRecord]
        /// The groups on disk after it.
        var digest: UInt64
        /// What the repair said; `nil` before it, and where nothing was left.
        var outcome: (isExact: Bool, leftOut: Int)?
        var isRepaired = false
    }

    init(seed: UInt64) {
        random = SplitMix64(seed: seed ^ 0xDA3A6E)
        usesDirectory = random.chance(1, of: 8)
    }
}

/// Damage of the journal, its repair, and other processes on the same directory.
extension Simulation {
    func planHarm(until end: Int) {
        guard harm.usesDirectory else { return }
        queue.plan(.crash, at: harm.random.below(end))
        // Being refused takes a fifth of a second of real time.
        if harm.random.chance(1, of: plant == .sharedDirectory ? 1 : 8) {
            queue.plan(.anotherProcess, at: harm.random.below(end))
        }
    }

    /// Damages the journal of a server that has just died, now and then.
    ///
    /// - Parameter isTorn: Whether its last write was torn: one fault at a time.
    func damageJournal(isTorn: Bool) {
        guard let directory = store.directory else { return }
        if plant == .staleLock { harm.lock = try? directory.leaveLock() }
        guard harm.damage == nil, harm.random.chance(2, of: 3), !isTorn else { return }
        do {
            let truth = try directory.readAlone()
            guard try directory.damage(&harm.random) else { return }
            harm.damage = SimulatedHarm.Damage(truth: truth, digest: try directory.digest())
        } catch {
            faults.append("the journal cannot be damaged: \(error)")
        }
    }

    /// The server cannot open the room. It is put aside until somebody repairs its journal.
    func standAside(_ error: StoreError) {
        guard case .damaged(let found) = error, let damage = harm.damage, !damage.isRepaired else {
            faults.append("the room does not come back: \(error)")
            return
        }
        guard plant != .cutDamage else {
            do throws(StoreError) {
                try store.directory?.truncate(after: found.sequence - 1)
                start()
            } catch {
                faults.append("the damage cannot be cut: \(error)")
            }
            return
        }
        queue.plan(.repair, at: now + 40 + harm.random.below(200))
    }

    /// An operator stops the server, repairs the journal and starts the server again.
    func repairJournal() {
        guard session == nil, let directory = store.directory, let damage = harm.damage else {
            return
        }
        do {
            if (try? store.open()) != nil { faults.append("the damage has gone by itself") }
            directory.close()
            if try directory.digest() != damage.digest {
                faults.append("a damaged journal was written to")
            }
            harm.damage?.outcome = try directory.repair()
            harm.damage?.isRepaired = true
            harm.repairs += 1
            directory.close()
        } catch {
            faults.append("the journal cannot be repaired: \(error)")
            return
        }
        start()
    }

    /// What has to hold of a room that was opened again after its journal was damaged.
    func judgeOpening(_ records: [JournalRecord]) {
        guard let damage = harm.damage else { return }
        harm.damage = nil
        // What was harmed may mean nothing, such as a checksum of intact records; and what is
        // behind a later snapshot does without what was before it.
        let isWhole =
            records == damage.truth.suffix(records.count)
            && (records.first?.kind == .snapshot || damage.truth.isEmpty)
        guard damage.isRepaired || isWhole else {
            if plant != .cutDamage {
                let read = records.map { "\($0.sequence)" },
                    truth = damage.truth.map { "\($0.sequence)" }
                faults.append(
                    "a damaged journal was opened: read \(read), of \(truth)")
            }
            return
        }
        // Of a room of which nothing was left, no snapshot has what they did: they may come again.
        if damage.isRepaired, damage.outcome == nil { harm.folded = [:] }
        let before = Self.messages(of: damage.truth), kept = Self.messages(of: records)
        for (author, sequences) in before {
            let gone = sequences.subtracting(kept[author] ?? [])
            harm.forgiven[author, default: []].formUnion(gone)
            if damage.outcome?.isExact == true {
                harm.folded[author, default: []].formUnion(gone)
            }
        }
        guard damage.outcome?.isExact == true, let model = session?.wake()?.model else { return }
        do {
            let truth = try JournalReplay(damage.truth)
            if truth.timeline.model.document() != model.document() {
                faults.append("repaired, it is another scene")
            }
            if truth.timeline.annotations.json != session?.wake()?.annotations.json {
                faults.append("repaired, it has other annotations")
            }
        } catch {
            faults.append("the journal of before the damage does not replay: \(error)")
        }
    }

    /// The messages that a journal names, by their sessions.
    static func messages(of records: [JournalRecord]) -> [String: Set<UInt64>] {
        var messages: [String: Set<UInt64>] = [:]
        for record in records {
            switch try? JournalPayload(record) {
            case .batch(let batch) where batch.clientSequence > 0:
                messages[batch.author, default: []].insert(batch.clientSequence)
            case .snapshot(let snapshot) where snapshot.clientSequence > 0:
                messages[snapshot.author, default: []].insert(snapshot.clientSequence)
            case .batch, .snapshot, nil: break
            }
        }
        return messages
    }

    /// Another server is started on the same directory.
    func meetAnotherProcess() {
        guard session != nil, let directory = store.directory else { return }
        do {
            if try !directory.refusesAnother(ignoresLock: plant == .sharedDirectory) {
                faults.append("two servers have one directory")
            }
        } catch {
            faults.append("another process on the directory: \(error)")
        }
    }
}
