import SceneModel
import SceneWire
import SeededRandom
import Testing

@testable import SceneSession

@Suite("A room that is replayed while its journal grows")
struct ShadowRoomTests {
    /// A room whose journal has snapshots, animations and refusals, with a few records in some
    /// ticks.
    private func journal(seed: Int) throws -> (room: TestRoom, hashes: [UInt64: UInt64]) {
        var random = SplitMix64(seed: UInt64(seed))
        var options = SessionOptions()
        options.snapshotBytes = 1 << 10
        let room = try TestRoom(options: options)
        let editors = try [room.join(1), room.join(2)]
        var hashes: [UInt64: UInt64] = [:]
        for turn in 1...120 {
            for editor in editors where random.below(2) == 0 {
                let constant = 50 + random.below(200)
                let op = #"{"op":"setConstraint","id":"w","constant":\#(constant)}"#
                let ops =
                    switch random.below(4) {
                    case 0:
                        #"{"op":"animate","duration":0.3,"ops":[\#(op),{"op":"layoutIfNeeded"}]}"#
                    case 1: #"\#(op),{"op":"removeView","id":"nobody"}"#
                    default: op
                    }
                try room.send(
                    "[\(ops)]", from: editor, sequence: UInt64(turn), atomic: random.below(2) == 0)
            }
            try room.runTicks()
            hashes[room.tick] = room.session.model.stateHash
        }
        return (room, hashes)
    }

    @Test(
        "followed in any pieces, it comes to what a replay of all records comes to",
        arguments: 0..<30)
    func pieces(seed: Int) throws {
        let (room, hashes) = try journal(seed: seed)
        let records = room.journal
        var random = SplitMix64(seed: UInt64(1000 + seed))
        var end = 1 + random.below(records.count)
        let shadow = try ShadowRoom(Array(records[..<end]), options: SessionOptions())
        while end < records.count {
            let next = min(records.count, end + 1 + random.below(9))
            // Some of what it has comes again.
            let from = max(0, end - random.below(3))
            #expect(try shadow.follow(Array(records[from..<next])))
            end = next
        }
        let replay = try JournalReplay(shadow)
        let whole = try JournalReplay(records, options: SessionOptions())
        #expect(replay.timeline.model.stateHash == whole.timeline.model.stateHash)
        #expect(replay.timeline.model.stateHash == hashes[replay.tick])
        #expect(replay.tick == whole.tick && replay.epoch == whole.epoch)
        #expect(replay.last == whole.last)
        #expect(replay.notes == whole.notes)
        #expect(replay.clients.names.sorted() == whole.clients.names.sorted())
        for name in whole.clients.names {
            #expect(replay.clients[name]?.lastSequence == whole.clients[name]?.lastSequence)
            #expect(replay.clients[name]?.committed == whole.clients[name]?.committed)
        }
        #expect(replay.streams.map(\.stateHash) == whole.streams.map(\.stateHash))
        #expect(replay.timeline.ledger == whole.timeline.ledger)
    }

    @Test("it goes on with records of a later epoch", arguments: 0..<10)
    func laterEpoch(seed: Int) throws {
        let first = try journal(seed: seed).room.journal
        let next = try TestRoom(replaying: first)
        let editor = try next.join(9)
        for sequence in 1...40 as ClosedRange<UInt64> {
            try next.send(
                #"[{"op":"setConstraint","id":"w","constant":\#(50 + sequence)}]"#, from: editor,
                sequence: sequence)
            try next.runTicks()
        }
        let records = next.journal
        let shadow = try ShadowRoom(first, options: SessionOptions())
        #expect(try shadow.follow(Array(records[first.count...])))
        let replay = try JournalReplay(shadow)
        let whole = try JournalReplay(records, options: SessionOptions())
        #expect(replay.epoch == whole.epoch && whole.epoch == 2)
        #expect(replay.timeline.model.stateHash == whole.timeline.model.stateHash)
        var (streams, others) = (replay.streams, whole.streams)
        for index in streams.indices {
            let payloads = streams[index].statePayloads(.binary)
            #expect(payloads == others[index].statePayloads(.binary))
        }
    }

    @Test("it does not go on with records of another journal, or with a gap")
    func foreign() throws {
        let room = try journal(seed: 7).room
        let records = room.journal
        let middle = records.count / 2
        func shadow() throws -> ShadowRoom {
            try ShadowRoom(Array(records[..<middle]), options: SessionOptions())
        }
        #expect(try shadow().follow([]))
        #expect(try !shadow().follow(Array(records[(middle + 1)...])))
        var other = records[middle]
        other.previous ^= 1
        #expect(try !shadow().follow([other]))
        var replaced = records[middle - 1]
        replaced.payload += [32]
        #expect(try !shadow().follow([replaced]))
    }
}
