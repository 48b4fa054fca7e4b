import SceneDocument
import SceneModel
import SceneSession
import SceneStore
import SceneWire
import SeededRandom

/// The server's life, and the disk that it leaves behind.
extension Simulation {
    /// Starts the server on what the disk holds.
    func start() {
        guard session == nil else { return }
        let records: [JournalRecord]
        do throws(StoreError) { records = try store.open() } catch {
            return standAside(error)
        }
        life += 1
        faces.startLife(life)
        conditions.options.incarnation = UInt64(life)
        do {
            if records.isEmpty {
                let document = try SceneDocument.parse(Array(Self.document.utf8))
                let (new, effects) = SceneSession.create(
                    room: "sim", tickRate: 60, model: try SceneModel(document),
                    options: conditions.options)
                session = new
                tickBase = 0
                carryOut(effects)
            } else {
                let replay = try JournalReplay(records, options: conditions.options)
                let new = SceneSession(
                    room: "sim", tickRate: 60, replay: replay, options: conditions.options)
                session = new
                tickBase = new.tick - min(new.tick, UInt64(now / Self.momentsPerTick))
            }
            session?.wallClock = { [weak self] in
                SimulatedAnnotations.wallClock(
                    atSecond: Double(self?.nanoseconds ?? 0) / 1_000_000_000)
            }
            judgeOpening(records)
        } catch {
            faults.append("the room does not come back: \(error)")
        }
    }

    func crash() {
        guard session != nil else { return }
        crashes += 1
        var isTorn = false
        do { isTorn = try store.crash(&random) } catch {
            faults.append("the disk fails: \(error)")
        }
        session = nil
        damageJournal(isTorn: isTorn)
        for connection in connections.indices where connections[connection].isOpen {
            drop(connection)
        }
        for client in clients { client.serverDied() }
        queue.plan(.restart, at: now + 20 + random.below(200))
        if random.chance(1, of: 2) { queue.plan(.crash, at: now + 300 + random.below(400)) }
    }

    // MARK: The disk

    func keep(_ records: [JournalRecord]) {
        store.append(records)
        write()
    }

    private func write() {
        guard store.beginWrite() else { return }
        let latency = random.chance(1, of: 10) ? 40 + random.below(80) : 1 + random.below(8)
        queue.plan(.written, at: now + latency)
    }

    func written() {
        guard let session, let completion = store.endWrite(&random) else { return }
        switch completion {
        case .failed:
            failures += 1
            carryOut(session.handle(.storeFailed("disk full")))
            queue.plan(.tryDisk, at: now + 100 + random.below(100))
        case .durable(let sequence):
            carryOut(session.handle(.durable(through: sequence)))
            write()
        }
    }

    func changeDisk() {
        store.setFull(isHealed ? false : random.below(2) == 0)
        if store.isFull || !isHealed {
            queue.plan(.tryDisk, at: now + 50 + random.below(400))
        }
        guard let session, store.recover() else { return }
        carryOut(session.handle(.storeRecovered))
    }

    func readPast(_ connection: Int, _ tick: UInt64, _ life: Int) {
        guard life == self.life, let session, connections[connection].isOpen else { return }
        carryOut(
            session.handle(
                .journalRead(
                    MemberID(UInt64(connection)), tick: tick, store.records(leadingTo: tick))))
    }
}
