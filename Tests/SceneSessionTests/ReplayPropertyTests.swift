import SceneModel
import SceneWire
import Testing

@testable import SceneSession

@Suite("Replays of random sessions")
struct ReplayPropertyTests {
    @Test(
        "a replay has the live scene's hash at every tick, and so have the members",
        arguments: 0..<80)
    func replay(seed: Int) throws {
        var script = RandomScript(seed: seed)
        let room = try TestRoom()
        let editors = try [room.join(1), room.join(2, format: .json)]
        var hashes: [UInt64: UInt64] = [:]
        var told: [(records: Int, hash: UInt64)] = []
        var sequences: [UInt64] = [0, 0]
        var committed = 0
        for turn in 0..<60 {
            for _ in 0..<script.below(3) {
                let who = script.below(2)
                sequences[who] += 1
                let ops = (0...script.below(3)).map { _ in script.op() }.joined(separator: ",")
                try room.send(
                    "[\(ops)]", from: editors[who], sequence: sequences[who],
                    atomic: script.below(4) == 0)
            }
            // Ticks may come late; what is animated moves by ticks all the same.
            room.tick += UInt64(script.below(3))
            try room.runTicks()
            hashes[room.tick] = room.session.model.stateHash
            if turn % 7 == 0 { told.append((room.journal.count, room.session.journalHash)) }
            for id in editors {
                #expect(
                    room.mirrors[id]?.stateHash == room.session.model.stateHash,
                    "seed \(seed), turn \(turn)")
            }
        }
        for id in editors {
            for result in room.results[id] ?? [] {
                if case .committed = result.outcome { committed += 1 }
            }
        }
        #expect(committed > 5)
        for (tick, hash) in hashes.sorted(by: { $0.key < $1.key }) where tick % 3 == 0 {
            let replay = try JournalReplay(room.journal, through: tick)
            #expect(replay.timeline.model.stateHash == hash, "seed \(seed), tick \(tick)")
        }
        // What a room that is handed over says of itself is what its receiver comes to, also while
        // something moves.
        for (records, hash) in told {
            let receiver = SceneSession(
                room: "r", tickRate: room.session.tickRate,
                replay: try JournalReplay(Array(room.journal.prefix(records))))
            #expect(receiver.journalHash == hash, "seed \(seed), \(records) records")
        }
    }
}
