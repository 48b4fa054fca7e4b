import SceneModel
import SceneWire
import SeededRandom
import Testing

@testable import SceneSession

/// Ops of a random session, right ones and wrong ones.
private struct Script {
    private var random: SplitMix64

    init(seed: Int) { random = SplitMix64(seed: UInt64(seed) &* 0x9E37_79B9_7F4A_7C15) }

    mutating func below(_ bound: Int) -> Int { random.below(bound) }

    private mutating func view() -> String {
        ["bar", "title", "v0", "v1", "v2", "v3", "v4"][below(7)]
    }

    private mutating func attribute() -> String {
        ["left", "right", "width", "centerX"][below(4)]
    }

    /// One op, right or wrong.
    mutating func op(nested: Bool = false) -> String {
        let name = "v\(below(5))"
        switch below(nested ? 11 : 13) {
        case 0: return #"{"op":"setConstraint","id":"w","constant":\#(below(400))}"#
        case 1: return #"{"op":"addView","id":"\#(name)","parent":"\#(view())"}"#
        case 2:
            return
                #"{"op":"addView","id":"\#(name)","kind":"label","text":"\#(String(repeating: "word ", count: below(9)))","lines":0}"#
        case 3: return #"{"op":"removeView","id":"\#(name)"}"#
        case 4:
            let priority = below(3) == 0 ? "" : " @\(1 + below(999))"
            return
                #"{"op":"addConstraint","id":"c\#(below(12))","rule":"\#(view()).\#(attribute()) \#(["==", "<=", ">="][below(3)]) \#(below(300))\#(priority)"}"#
        case 5:
            let a = view()
            let b = view()
            let side = ["left", "right", "centerX"][below(3)]
            return
                #"{"op":"addConstraint","id":"c\#(below(12))","rule":"\#(a).\#(side) == \#(b).\#(side) + \#(below(50)) @\#(1 + below(1000))"}"#
        case 6: return #"{"op":"removeConstraint","id":"c\#(below(12))"}"#
        case 7:
            return
                #"{"op":"setConstraint","id":"c\#(below(12))","priority":\#(1 + below(1000)),"constant":\#(below(300))}"#
        case 8: return #"{"op":"setViewport","width":\#(200 + below(400))}"#
        case 9: return #"{"op":"\#(["activateSet", "deactivateSet"][below(2)])","id":"wide"}"#
        case 10:
            return #"{"op":"setView","id":"\#(name)","hidden":\#(below(2) == 0),"collapses":true}"#
        case 11: return #"{"op":"moveView","id":"\#(name)","parent":"\#(view())"}"#
        default:
            return
                #"{"op":"animate","duration":0.1,"ops":[\#(op(nested: true)),{"op":"layoutIfNeeded"}]}"#
        }
    }
}

@Suite("Replays of random sessions")
struct ReplayPropertyTests {
    @Test(
        "a replay has the live scene's hash at every tick, and so have the members",
        arguments: 0..<80)
    func replay(seed: Int) throws {
        var script = Script(seed: seed)
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
