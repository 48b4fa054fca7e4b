import SceneWire
import Testing

@testable import SceneSession

@Suite("A stream of a room that another node owns")
struct FollowedStreamTests {
    /// What a member was sent about the state since its message with this index.
    private func state(
        _ room: TestRoom, _ member: MemberID, from index: Int = 0
    ) -> [ServerMessage] { room.received[member, default: []].dropFirst(index).filter(\.isOfState) }

    @Test(
        "after messages that do not fit, members start again, and nobody is led on from that state")
    func doesNotFit() throws {
        let room = try TestRoom()
        let editor = try room.join(1)
        var stream = FollowedStream(StreamKey(animatesLocally: false), historyCostMaximum: 1000)
        let beginning = try stream.take(state(room, editor))
        #expect(beginning == .everything)
        stream.phase = .live
        let count = room.received[editor, default: []].count
        try room.apply(#"[{"op":"setConstraint","id":"w","constant":150}]"#, from: editor)
        var wrong = StateHash()
        wrong.tick = room.tick
        wrong.hash = 1
        let frame = state(room, editor, from: count)
        var failure: MirrorError?
        do throws(MirrorError) {
            _ = try stream.take(frame + [.hash(wrong)])
        } catch {
            failure = error
        }
        #expect(failure != nil)
        let (hasState, resumption) = (stream.hasState, stream.resume)
        #expect(!hasState && resumption == nil)
        var resume = Resume()
        resume.lastTick = stream.tick
        resume.epoch = room.session.epoch
        let leads = stream.leads(from: resume, tickRate: 60)
        #expect(!leads)
        // The next whole state could be made of the present one by a frame, but members do not have
        // that.
        try room.apply(#"[{"op":"setConstraint","id":"w","constant":170}]"#, from: editor)
        let late = try room.join(2)
        let again = try stream.take(state(room, late))
        #expect(again == .everything)
        let merged = stream.merged(since: resume.lastTick)
        #expect(merged == nil)
    }

    @Test(
        "a client is led on from ticks of a former epoch, and not from those that may be lost",
        arguments: [
            (4, 100, true), (4, 101, false), (4, 160, false), (4, 161, true), (3, 50, true),
            (3, 130, true), (5, 50, false),
        ])
    func formerEpoch(epoch: UInt64, tick: UInt64, leads: Bool) {
        var resume = Resume()
        resume.epoch = epoch
        resume.lastTick = tick
        #expect(FormerEpoch(epoch: 4, tick: 100).leads(from: resume, tickRate: 60) == leads)
    }

    @Test(
        "nobody is led on from a tick under which numbers may have been lost",
        arguments: [
            (4, 99, true), (4, 100, false), (4, 160, false), (4, 161, true), (3, 99, true),
            (3, 100, false), (3, 160, false), (3, 161, true), (5, 99, false),
        ] as [(UInt64, UInt64, Bool)])
    func numbersMayBeLost(epoch: UInt64, tick: UInt64, leads: Bool) {
        var resume = Resume()
        resume.epoch = epoch
        resume.lastTick = tick
        let former = FormerEpoch(epoch: 4, tick: 100, mayHaveLostNumbers: true)
        #expect(former.leads(from: resume, tickRate: 60) == leads)
    }
}
