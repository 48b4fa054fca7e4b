import EngineModule
import JSON
import SceneDocument
import SceneWire
import SeededRandom
import Testing

@testable import SceneSession

@Suite("Members that repeat the scene's records")
struct FollowingTests {
    /// A member's replica of the scene, on the engine that is compiled for browsers.
    private final class Replica {
        private(set) var scene: EngineScene?
        private(set) var author = ""
        private(set) var kinds: [String] = []
        private(set) var startCount = 0
        private(set) var hashes: [UInt64] = []
        private(set) var text = ""
        private var seen = 0
        private var parts = ""

        /// Repeats what the room told a member since the last call, up to the present tick.
        func follow(_ room: TestRoom, _ member: MemberID) throws {
            let messages = room.received[member] ?? []
            for message in messages[seen...] {
                if case .records(let part) = message { try take(part) }
            }
            seen = messages.count
            try advance([], through: room.session.tick)
        }

        private func take(_ part: Records) throws {
            parts += part.text
            guard part.chunkIndex + 1 == part.chunkCount else { return }
            defer { parts = "" }
            text += parts
            guard var records = try JSONReader.read(Array(parts.utf8)).array else {
                Issue.record("no list of records")
                return
            }
            kinds += records.compactMap {
                $0["kind"]?.string
            }
            if part.isStart {
                startCount += 1
                if !part.author.isEmpty { author = part.author }
                let (scene, answer) = EngineScene.restore(
                    Array(records.removeFirst().text().utf8), budget: .max)
                #expect(scene != nil, "\(answer.text())")
                self.scene = scene
            }
            try advance(records, through: part.tick)
            guard let state = part.state else { return }
            hashes.append(state.hash)
            #expect(hash == ViewHash.text(state.hash), "the hash that was told")
        }

        private func advance(_ records: [JSONValue], through tick: UInt64) throws {
            let answer = scene?.follow(
                Array(JSONValue.array(records).text().utf8), through: tick, budget: .max)
            #expect(answer?["error"] == nil, "\(answer?.text() ?? "")")
        }

        var hash: String? {
            scene?.hash()["hash"]?.string
        }
    }

    private func asks(_ isEnabled: Bool = true) -> ClientMessage {
        var request = FollowRequest()
        request.isEnabled = isEnabled
        return .follow(request)
    }

    private func errors(_ room: TestRoom, _ member: MemberID) -> [UInt32] {
        (room.received[member] ?? []).compactMap {
            if case .error(let error) = $0 { error.code } else { nil }
        }
    }

    private func records(_ room: TestRoom, _ member: MemberID) -> [Records] {
        (room.received[member] ?? []).compactMap {
            if case .records(let part) = $0 { part } else { nil }
        }
    }

    /// One op of a person: most change what is there, some cannot be, some animate or replace all.
    private func op(_ random: inout SplitMix64) -> String {
        let width = Int.random(in: 20...200, using: &random)
        let name = "v\(Int.random(in: 0..<6, using: &random))"
        switch Int.random(in: 0..<20, using: &random) {
        case 0..<8: return #"{"op": "setConstraint", "id": "w", "constant": \#(width)}"#
        case 8..<11: return #"{"op": "addView", "id": "\#(name)", "parent": "bar"}"#
        case 11: return #"{"op": "removeView", "id": "\#(name)"}"#
        case 12: return #"{"op": "addConstraint", "rule": "\#(name).width == \#(width)"}"#
        case 13: return #"{"op": "setView", "id": "title", "text": "words \#(width)"}"#
        case 14: return #"{"op": "addConstraint", "rule": "bar.height == 41"}"#
        case 15:
            return #"{"op": "setViewport", "width": \#(300 + width), "height": 200}"#
        case 16, 17:
            return
                #"{"op": "animate", "duration": 0.1, "ops": [{"op": "setConstraint", "id": "w", "constant": \#(width)}, {"op": "layoutIfNeeded"}]}"#
        case 18: return #"{"op": "activateSet", "id": "wide"}"#
        default: return #"{"op": "setView", "id": "title", "hidden": \#(width > 100)}"#
        }
    }

    @Test(
        "a replica equals the scene at each tick, whatever people do",
        arguments: 1...6 as ClosedRange<UInt64>)
    func equality(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        var options = SessionOptions()
        // Snapshots are due again and again.
        (options.snapshotBytes, options.snapshotGrowth, options.snapshotSeconds) = (1500, 0, 1)
        let room = try TestRoom(options: options)
        let people = try (1...3).map { try room.join($0, capabilities: Capability.undo) }
        let follower = try room.join(4, role: .viewer, capabilities: Capability.follow)
        try room.apply("[\(op(&random))]", from: people[0])
        try room.handle(.received(follower, asks()))
        let replica = Replica()
        for turn in 0..<300 {
            for person in people where Bool.random(using: &random) {
                switch Int.random(in: 0..<10, using: &random) {
                case 0: try room.handle(.received(person, .undo(step(room, person))))
                case 1: try room.handle(.received(person, .redo(step(room, person))))
                default:
                    let ops = (0..<Int.random(in: 1...3, using: &random)).map { _ in op(&random) }
                    try room.send(
                        "[\(ops.joined(separator: ", "))]", from: person,
                        sequence: room.nextSequence(person), atomic: Bool.random(using: &random))
                }
            }
            if turn == 150 {
                let ops = #"[{"op": "setScene", \#(TestRoom.document.dropFirst(1))]"#
                try room.send(ops, from: people[0], sequence: room.nextSequence(people[0]))
            }
            try room.runTicks(Int.random(in: 1...3, using: &random))
            try replica.follow(room, follower)
            try #require(
                replica.hash == ViewHash.text(room.session.stateHash), "seed \(seed), turn \(turn)")
        }
        #expect(replica.startCount == 2, "the scene that there was, and the one in its place")
        #expect(replica.kinds.contains("rebuilt"))
        #expect(!replica.hashes.isEmpty)
    }

    private func step(_ room: TestRoom, _ person: MemberID) -> UndoRequest {
        var request = UndoRequest()
        request.clientSequence = room.nextSequence(person)
        return request
    }

    @Test("authors are told apart, and neither sessions nor tokens are told")
    func authors() throws {
        let room = try TestRoom()
        let one = try room.join(1, capabilities: Capability.follow)
        let other = try room.join(2, capabilities: Capability.follow)
        for member in [one, other] { try room.handle(.received(member, asks())) }
        for (member, width) in [(one, 110), (other, 120), (one, 130)] {
            try room.apply(
                #"[{"op": "setConstraint", "id": "w", "constant": \#(width)}]"#, from: member)
        }
        var names: [String] = []
        for part in records(room, one) where !part.isStart {
            guard let list = try JSONReader.read(Array(part.text.utf8)).array else {
                continue
            }
            names += list.compactMap {
                $0["payload"]?["author"]?.string
            }
        }
        let own = records(room, one).map(\.author)
        let others = records(room, other).map(\.author)
        #expect(names == [own[0], others[0], own[0]])
        #expect(own[0] != others[0] && own[1...].allSatisfy { $0.isEmpty })
        let told = records(room, one).map(\.text).joined()
        #expect(!told.contains("session-") && !told.contains("token"))
    }

    @Test("what is refused is in no record, and annotations are in none")
    func leftOut() throws {
        let room = try TestRoom()
        let member = try room.join(1, capabilities: Capability.follow)
        try room.handle(.received(member, asks()))
        let before = records(room, member).count
        try room.apply(#"[{"op": "removeView", "id": "nobody"}]"#, from: member)
        try room.apply(#"[{"op": "addVersion", "name": "x"}]"#, from: member)
        #expect(records(room, member).count == before)
        try room.apply(
            #"[{"op": "removeView", "id": "nobody"}, {"op": "addView", "id": "n"}]"#, from: member)
        let text = records(room, member).last?.text ?? ""
        #expect(text.contains(#""n""#) && !text.contains("nobody"))
    }

    @Test("a member that lags begins anew once it has caught up")
    func lagging() throws {
        let room = try TestRoom()
        let editor = try room.join(1)
        let slow = try room.join(2, role: .viewer, capabilities: Capability.follow)
        try room.handle(.received(slow, asks()))
        room.silent = [slow]
        for width in 0..<60 {
            try room.apply(
                #"[{"op": "setConstraint", "id": "w", "constant": \#(100 + width)}]"#, from: editor)
        }
        let told = records(room, slow)
        #expect(told.filter { $0.isStart }.count == 1)
        #expect(told.count < 60, "nothing is told to who reads nothing")
        room.silent = []
        try room.ack(slow)
        try room.runTicks()
        #expect(records(room, slow).filter { $0.isStart }.count == 2)
        let replica = Replica()
        try replica.follow(room, slow)
        #expect(replica.hash == ViewHash.text(room.session.stateHash))
    }

    @Test("subtrees and other devices cannot be followed, and end it")
    func refusals() throws {
        let room = try TestRoom()
        let editor = try room.join(1)
        let member = try room.join(
            2, role: .viewer,
            capabilities: Capability.follow | Capability.subscribe | Capability.devices)
        var subscribe = Subscribe()
        subscribe.roots = ["bar"]
        try room.handle(.received(member, .subscribe(subscribe)))
        try room.handle(.received(member, asks()))
        #expect(errors(room, member) == [4005])
        subscribe.roots = []
        try room.handle(.received(member, .subscribe(subscribe)))
        try room.handle(.received(member, asks()))
        #expect(records(room, member).count == 1)
        var device = DeviceRequest()
        (device.columns, device.rows) = (40, 20)
        try room.handle(.received(member, .device(device)))
        try room.runTicks(2)
        #expect(errors(room, member) == [4005, 4005])
        try room.apply(#"[{"op": "setConstraint", "id": "w", "constant": 150}]"#, from: editor)
        #expect(records(room, member).count == 1)
    }

    @Test("nothing is told without the capability, before it is asked for, and after its end")
    func silence() throws {
        let room = try TestRoom()
        let stranger = try room.join(1, capabilities: 0)
        let member = try room.join(2, capabilities: Capability.follow)
        try room.handle(.received(stranger, asks()))
        #expect(errors(room, stranger) == [4005])
        try room.apply(#"[{"op": "setConstraint", "id": "w", "constant": 150}]"#, from: stranger)
        #expect(records(room, member).isEmpty)
        try room.handle(.received(member, asks()))
        try room.handle(.received(member, asks(false)))
        try room.apply(#"[{"op": "setConstraint", "id": "w", "constant": 160}]"#, from: stranger)
        #expect(records(room, member).count == 1)
        try room.handle(.left(member))
        try room.apply(#"[{"op": "setConstraint", "id": "w", "constant": 170}]"#, from: stranger)
        #expect(records(room, member).count == 1)
    }

    @Test("a room whose store failed tells the scene that it went back to")
    func storeFailure() throws {
        let room = try TestRoom()
        let member = try room.join(1, capabilities: Capability.follow)
        try room.handle(.received(member, asks()))
        room.isDurable = false
        try room.apply(#"[{"op": "setConstraint", "id": "w", "constant": 150}]"#, from: member)
        try room.handle(.storeFailed("full"))
        try room.runTicks()
        let replica = Replica()
        try replica.follow(room, member)
        #expect(replica.startCount == 2)
        #expect(room.width(of: "bar", for: member) == 100)
        #expect(replica.hash == ViewHash.text(room.session.stateHash))
    }
}
