import Foundation
import Logging
import SceneDocument
import SceneSession
import SceneStore
import SceneWire
import Synchronization
import Testing
import Threads

@testable import SceneServer

@Suite("Rooms that need more time than a tick has", .timeLimit(.minutes(5)))
struct LaneTests {
    private let ada = MemberID(1)
    private let bob = MemberID(2)

    @Test(
        "a room whose ticks need more than their slice goes on elsewhere, in order, and comes back")
    func thereAndBack() {
        let world = LaneWorld()
        // Making an empty room takes less; a message that adds ten views takes more.
        world.start(slice: 3_000)
        defer { world.stop() }
        world.enter(ada, "a")
        world.enter(bob, "b")
        let views = { (number: UInt64) in
            "["
                + (0..<10).map { #"{"op":"addView","id":"v\#(number)-\#($0)"}"# }.joined(
                    separator: ",") + "]"
        }
        for sequence in 1...40 as ClosedRange<UInt64> {
            world.apply(views(sequence), sequence, from: ada, in: "a")
            world.apply(#"[{"op":"setNeedsLayout","id":"root"}]"#, sequence, from: bob, in: "b")
        }
        world.wait { world.results(of: ada).count == 40 && world.results(of: bob).count == 40 }
        #expect(world.results(of: ada).map(\.clientSequence) == Array(1...40))
        #expect(
            world.results(of: ada).allSatisfy {
                if case .committed = $0.outcome { true } else { false }
            })
        // All views go; the scene is written anew when the room is imported, and is light again.
        world.rooms.post(
            .administer(.replace(SceneDocument(viewport: Viewport(width: 10, height: 10)))) {
                _ in
            }, to: "a")
        world.wait { world.metrics.slowRooms.load(ordering: .relaxed) == 0 }
        world.apply(#"[{"op":"setNeedsLayout","id":"root"}]"#, 41, from: ada, in: "a")
        world.wait { world.results(of: ada).count == 41 }
    }

    @Test("a room in the slow lane is renamed there, and opens at the home of its new name")
    func renamed() throws {
        let world = LaneWorld()
        world.start(slice: 3_000)
        defer { world.stop() }
        world.enter(ada, "a")
        let views = (0..<40).map { #"{"op":"addView","id":"v\#($0)"}"# }
        world.apply("[" + views.joined(separator: ",") + "]", 1, from: ada, in: "a")
        world.wait { world.metrics.slowRooms.load(ordering: .relaxed) == 1 }
        let answers = Mutex<[String]>([])
        func ask(_ room: String, _ request: RoomRequest) {
            let before = answers.withLock { $0.count }
            world.rooms.post(
                .administer(request) { reply in
                    answers.withLock { $0.append("\(reply)") }
                }, to: room)
            world.wait { answers.withLock { $0.count } > before }
        }
        ask("a", .reserve)
        ask("z", .reserve)
        ask("a", .rename(to: "z"))
        ask("z", .open)
        #expect(answers.withLock { $0 } == ["nameTaken", "done", "done", "done"])
        world.wait { world.results(of: ada).count == 1 }
        // The views were there before the name changed.
        world.enter(bob, "z")
        let records = world.notes.withLock(\.records)
        #expect(Set(records.map(\.room)) == ["z"] && records.count >= 2)
        world.apply(#"[{"op":"removeView","id":"v39"}]"#, 1, from: bob, in: "z")
        world.wait { world.results(of: bob).count == 1 }
        guard case .committed? = world.results(of: bob).first?.outcome else {
            Issue.record("the view is not there: \(world.results(of: bob))")
            return
        }
    }

    @Test(
        "a room whose steps take long goes to the slow lane whatever its units say, and comes back")
    func longSteps() {
        let world = LaneWorld()
        let clock = Mutex((now: UInt64(0), step: UInt64(100_000_000)))
        world.start(slice: .max) {
            clock.withLock {
                $0.now += $0.step
                return $0.now
            }
        }
        defer { world.stop() }
        world.enter(ada, "a")
        world.apply(#"[{"op":"setNeedsLayout","id":"root"}]"#, 1, from: ada, in: "a")
        world.wait { world.metrics.slowRooms.load(ordering: .relaxed) == 1 }
        clock.withLock { $0.step = 0 }
        world.wait { world.metrics.slowRooms.load(ordering: .relaxed) == 0 }
        world.apply(#"[{"op":"setNeedsLayout","id":"root"}]"#, 2, from: ada, in: "a")
        world.wait { world.results(of: ada).count == 2 }
    }

    @Test(
        "who waits for the proof that a room is here is admitted though the room goes elsewhere meanwhile; who left is not"
    )
    func proofs() {
        let world = LaneWorld()
        world.start(slice: 20_000, proves: true, lightTicks: .max)
        defer { world.stop() }
        let eve = MemberID(3)
        world.enter(ada, "a")
        world.notes.withLock { $0.unproved = [] }
        for member in [bob, eve] {
            world.join(member, "a", resuming: "a session of another process")
        }
        world.wait { world.notes.withLock { $0.unproved?.count == 2 } }
        // Who changes nothing need not wait.
        let viewer = MemberID(4)
        world.join(viewer, "a", resuming: "a session of another process", role: .viewer)
        world.wait { world.notes.withLock { $0.welcomed.contains(viewer) } }
        #expect(world.metrics.slowRooms.load(ordering: .relaxed) == 0)
        let views = (0..<100).map { #"{"op":"addView","id":"v\#($0)"}"# }.joined(separator: ",")
        world.apply("[\(views)]", 1, from: ada, in: "a")
        world.wait { world.results(of: ada).count == 1 }
        #expect(world.metrics.slowRooms.load(ordering: .relaxed) == 1)
        world.rooms.post(.member(.left(eve)), to: "a")
        for mail in world.notes.withLock({ $0.unproved ?? [] }).reversed() {
            world.rooms.post(mail, to: "a")
        }
        world.wait { world.notes.withLock { $0.welcomed.contains(bob) } }
        #expect(world.notes.withLock { $0.welcomed } == [ada, bob, viewer])
    }

    @Test(
        "a room that takes long to open is opened elsewhere; one that takes too long is put aside")
    func openings() {
        let world = LaneWorld()
        let views = (0..<60).map { #"{"op":"addView","id":"v\#($0)"}"# }.joined(separator: ",")
        world.start(slice: .max)
        world.enter(ada, "a")
        world.apply("[\(views)]", 1, from: ada, in: "a")
        world.wait { world.results(of: ada).count == 1 }
        world.stop()

        let slow = LaneWorld()
        slow.notes.withLock { $0.records = world.notes.withLock(\.records) }
        slow.start(slice: 3_000)
        slow.enter(ada, "a")
        slow.apply(#"[{"op":"removeView","id":"v7"}]"#, 1, from: ada, in: "a")
        slow.wait { slow.results(of: ada).count == 1 }
        slow.stop()

        let poor = LaneWorld()
        poor.notes.withLock { $0.records = world.notes.withLock(\.records) }
        poor.start(slice: 300, message: 600)
        defer { poor.stop() }
        poor.join(ada, "a")
        poor.wait { poor.notes.withLock { $0.closed[ada] } != nil }
        // It is not tried again for everybody who comes.
        poor.join(bob, "a")
        poor.wait { poor.notes.withLock { $0.closed[bob] } != nil }
        #expect(poor.notes.withLock { $0.closed[bob] }?.contains("put aside") == true)
        #expect(poor.metrics.slowRooms.load(ordering: .relaxed) == 0)
    }

    /// A journal whose last snapshots cannot be read.
    private func journal(unreadable count: Int) throws -> [RoomRecord] {
        let world = LaneWorld()
        world.start(slice: .max)
        defer { world.stop() }
        world.enter(ada, "a")
        world.apply(#"[{"op":"addView","id":"v"}]"#, 1, from: ada, in: "a")
        world.wait { !world.results(of: ada).isEmpty }
        var records = world.notes.withLock(\.records)
        for _ in 0..<count {
            let last = try #require(records.last).record
            records.append(
                RoomRecord(
                    room: "a",
                    record: JournalRecord(
                        sequence: last.sequence + 1, epoch: last.epoch, tick: last.tick + 1,
                        previous: last.checksum, kind: .snapshot, payload: Array("{}".utf8))))
        }
        return records
    }

    @Test(
        "a room whose last snapshot cannot be read opens from the one before, wherever it is opened",
        arguments: [UInt64.max, 300], [1, 4])
    func previousSnapshot(slice: UInt64, unreadable: Int) throws {
        let records = try journal(unreadable: unreadable)
        let world = LaneWorld()
        world.notes.withLock { $0.records = records }
        world.start(slice: slice)
        defer { world.stop() }
        world.enter(bob, "a")
        #expect(world.notes.withLock(\.loads) == unreadable + 1)
        // The view is there, so it cannot be added once more.
        world.apply(#"[{"op":"addView","id":"v"}]"#, 1, from: bob, in: "a")
        world.wait { !world.results(of: bob).isEmpty }
        guard case .refused(let refusal) = world.results(of: bob)[0].outcome else {
            Issue.record("\(world.results(of: bob))")
            return
        }
        #expect(refusal.code == .duplicateID)
    }

    @Test("after four of them, it is not looked further")
    func tooManyUnreadable() throws {
        let records = try journal(unreadable: 5)
        let world = LaneWorld()
        world.notes.withLock { $0.records = records }
        world.start(slice: .max)
        defer { world.stop() }
        world.join(bob, "a")
        world.wait { world.notes.withLock { $0.closed[bob] } != nil }
        #expect(world.notes.withLock(\.loads) == 5)
    }

    @Test("a room that nobody has put anything into is not written")
    func emptyRoom() {
        let world = LaneWorld()
        world.start(slice: .max)
        defer { world.stop() }
        world.enter(ada, "a")
        world.apply(#"[{"op":"removeView","id":"nobody"}]"#, 1, from: ada, in: "a")
        world.wait { !world.results(of: ada).isEmpty }
        #expect(world.notes.withLock(\.records) == [])
        world.apply(#"[{"op":"addView","id":"v"}]"#, 2, from: ada, in: "a")
        world.wait { world.results(of: ada).count == 2 }
        let records = world.notes.withLock(\.records).map(\.record)
        #expect(records.map(\.kind) == [.snapshot, .batch])
        #expect(records.map(\.sequence) == [1, 2])
        #expect(records[1].previous == records[0].checksum)
        world.apply(#"[{"op":"addView","id":"w"}]"#, 3, from: ada, in: "a")
        world.wait { world.results(of: ada).count == 3 }
        #expect(world.notes.withLock(\.records).map(\.record.sequence) == [1, 2, 3])
    }
}
