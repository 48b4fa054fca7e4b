import Foundation
import JSON
import SceneDocument
import SceneModel
import SceneTestSupport
import SceneWire
import Testing

@testable import SceneSession

/// A scene under ops, with a journal as a session writes it.
private struct Rehearsal {
    private(set) var timeline: SceneTimeline
    private(set) var records: [JournalRecord] = []
    private(set) var accepted = 0
    private(set) var tick: UInt64 = 0
    private var sequence: UInt64 = 0

    init(_ document: String) throws {
        let model = try SceneModel(SceneDocument.parse(Array(document.utf8)))
        timeline = SceneTimeline(model, ledger: UndoLedger(stepMaximum: 100))
        writeSnapshot()
    }

    private mutating func append(_ kind: JournalRecord.Kind, _ payload: JournalPayload) {
        sequence += 1
        records.append(
            JournalRecord(
                sequence: sequence, epoch: 1, tick: tick, previous: records.last?.checksum ?? 0,
                kind: kind, payload: payload.bytes))
    }

    var payload: SnapshotPayload {
        SnapshotPayload(
            scene: timeline.model.snapshot(), tickRate: 60, author: "", clientSequence: 0,
            clients: [], ledger: timeline.ledger.json)
    }

    mutating func writeSnapshot() {
        var payload = payload
        payload.scene = timeline.model.rebuildCanonically()
        timeline.didRebuild()
        append(.snapshot, .snapshot(payload))
    }

    private mutating func append(
        _ ops: [Op], _ author: String, atomic: Bool, _ purpose: BatchPayload.Purpose = .ops
    ) {
        append(
            .batch,
            .batch(
                BatchPayload(
                    author: author, clientSequence: sequence, isAtomic: atomic, purpose: purpose,
                    ops: .array(ops.map(\.json)))))
    }

    mutating func apply(_ text: String, author: String, atomic: Bool) throws {
        let parsed = try Op.parseEach(JSONReader.read(Array(text.utf8)))
        var ops = parsed.compactMap { try? $0.get() }
        guard !ops.isEmpty, !atomic || ops.count == parsed.count else { return }
        while true {
            let outcome = timeline.apply(ops, author: author, atomic: atomic)
            let refused = Set(outcome.refusals.map(\.opIndex))
            let kept = ops.indices.filter { !refused.contains($0) }.map { ops[$0] }
            if timeline.model.isSpoiled {
                try goBack()
                if atomic || kept.isEmpty { return }
                ops = kept
                continue
            }
            if outcome.hasLaidOutOthers { append([], "", atomic: false, .layOut) }
            if atomic ? refused.isEmpty : !kept.isEmpty {
                append(kept, author, atomic: atomic)
                accepted += kept.count
            }
            return
        }
    }

    /// Takes what was refused half-way out of the scene, as a session does: by a replay.
    private mutating func goBack() throws {
        let player = try JournalPlayer(records, tracksUndo: true)
        if tick > 0 {
            var budget = Int.max
            try player.advance(to: tick - 1, budget: &budget) { _, model in _ = model.takeMarks() }
        }
        try player.takeRest()
        timeline = player.timeline
    }

    mutating func perform(_ direction: UndoLedger.Direction, author: String) throws {
        do {
            let done = try timeline.perform(direction, author: author)
            append(done.ops, author, atomic: true, direction == .undo ? .undo : .redo)
        } catch {
            if error.dropsStep {
                append([], author, atomic: false, direction == .undo ? .dropUndo : .dropRedo)
            }
            if timeline.model.isSpoiled { try goBack() }
        }
    }

    mutating func runTick() {
        timeline.runCycle()
        _ = timeline.model.takeMarks()
        tick += 1
    }
}

@Suite("What was accepted comes back")
struct AcceptedPropertyTests {
    /// `SCENESYNC_SCENES` in the environment asks for a number of scenes, `SCENESYNC_FIRST` for
    /// those from a seed on, `SCENESYNC_SEED` for one of them alone.
    private static let first =
        ProcessInfo.processInfo.environment["SCENESYNC_FIRST"].flatMap { Int($0) } ?? 0
    static let blocks =
        ProcessInfo.processInfo.environment["SCENESYNC_SCENES"].flatMap { Int($0) }.map { $0 / 20 }
        ?? 8 * Soak.factor

    @Test(
        "[DOC-8] after any accepted ops the scene, its export and its undo ledger are read back, and a replay equals the live scene",
        arguments: 0..<blocks)
    func comesBack(block: Int) throws {
        var accepted = 0
        let seeds =
            ProcessInfo.processInfo.environment["SCENESYNC_SEED"].flatMap { Int($0) }.map { [$0] }
            ?? (0..<20).map { Self.first + block * 20 + $0 }
        for seed in seeds { accepted += try rehearse(seed: seed) }
        #expect(accepted > 5 * seeds.count)
    }

    private func rehearse(seed: Int) throws -> Int {
        var source = RandomOps(seed: seed)
        var scene: Rehearsal
        do {
            scene = try Rehearsal(told(source.document()))
        } catch {
            // The document contradicts itself, say.
            scene = try Rehearsal(RandomOps.empty)
        }
        try scene.apply(
            told("[\((0..<5).map { _ in source.addition() }.joined(separator: ","))]"),
            author: "a", atomic: false)
        for turn in 0..<10 {
            for _ in 0...source.below(2) {
                source.known = scene.timeline.model.viewIDs.filter { $0 != "root" }
                let author = source.below(3) == 0 ? "b" : "a"
                switch source.below(7) {
                case 0: try scene.perform(.undo, author: author)
                case 1 where source.below(2) == 0: try scene.perform(.redo, author: author)
                default:
                    let ops = (0...source.below(6)).map { _ in source.op() }
                    try scene.apply(
                        told("[\(ops.joined(separator: ","))]"), author: author,
                        atomic: source.below(4) == 0)
                }
            }
            if source.below(12) == 0 { scene.writeSnapshot() }
            scene.runTick()
            if turn % 3 == 2 { readBack(scene, "seed \(seed), turn \(turn)") }
        }
        replay(scene, "seed \(seed)")
        return scene.accepted
    }

    /// A document or ops; printed where one seed is asked for alone.
    private func told(_ text: String) -> String {
        if ProcessInfo.processInfo.environment["SCENESYNC_SEED"] != nil { print(text) }
        return text
    }

    /// Reads the whole payload of a snapshot back, and the export alone.
    private func readBack(_ scene: Rehearsal, _ place: String) {
        do {
            let payload = scene.payload
            let bytes = JournalPayload.snapshot(payload).bytes
            let record = JournalRecord(
                sequence: 1, epoch: 1, tick: 0, previous: 0, kind: .snapshot, payload: bytes)
            guard case .snapshot(let read) = try JournalPayload(record) else {
                Issue.record("no snapshot: \(place)")
                return
            }
            #expect(read.scene == payload.scene, "\(place)")
            #expect(JournalPayload.snapshot(read).bytes == bytes, "\(place)")
            let player = try JournalPlayer([record], tracksUndo: true)
            #expect(player.timeline.ledger == scene.timeline.ledger, "\(place)")
            let text = payload.scene.document.json()
            #expect(
                try SceneDocument.parse(Array(text.utf8)).json() == text, "\(place)")
            #expect(
                player.timeline.model.document().json()
                    == player.timeline.model.rebuildCanonically().document.json(), "\(place)")
        } catch {
            Issue.record("\(error): \(place)")
        }
    }

    private func replay(_ scene: Rehearsal, _ place: String) {
        do {
            // What is animated moved on after the last record.
            let replay = try JournalReplay(scene.records, through: scene.tick - 1)
            #expect(
                replay.timeline.model.stateHash == scene.timeline.model.stateHash, "\(place)")
            #expect(
                replay.timeline.model.document() == scene.timeline.model.document(), "\(place)")
            #expect(replay.timeline.ledger == scene.timeline.ledger, "\(place)")
            for start in scene.records.indices where scene.records[start].kind == .snapshot {
                _ = try JournalReplay(Array(scene.records[...start]))
            }
        } catch {
            Issue.record("\(error): \(place)")
        }
    }
}
