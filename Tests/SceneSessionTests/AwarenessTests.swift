import SceneDocument
import SceneWire
import Testing

@testable import SceneSession

@Suite("What members attend to")
struct AwarenessTests {
    private static func presence(
        _ clock: UInt32, _ change: (inout PresenceAwareness) -> Void
    ) -> ClientMessage {
        var presence = Presence()
        presence.clock = clock
        var awareness = PresenceAwareness()
        change(&awareness)
        presence.awareness = awareness
        return .presence(presence)
    }

    /// What `observer` was told last of each other member, by its number.
    private static func told(_ room: TestRoom, _ observer: MemberID) -> [UInt32: PresenceAwareness]
    {
        var result: [UInt32: PresenceAwareness] = [:]
        for message in room.received[observer, default: []] {
            guard case .presence(let presence) = message else { continue }
            result[presence.client] = presence.awareness
        }
        return result
    }

    /// The number under which the others are told a member's presence.
    private static func number(_ room: TestRoom, _ member: MemberID) throws -> UInt32 {
        let welcome = try #require(
            room.received[member]?.compactMap { message -> Welcome? in
                if case .welcome(let welcome) = message { welcome } else { nil }
            }.last)
        return UInt32(try #require(welcome.client))
    }

    @Test("device, idleness and a raised hand reach the others as they were sent")
    func passedOn() throws {
        let room = try TestRoom()
        let viewer = try room.join(1, role: .viewer)
        let observer = try room.join(2)
        try room.handle(
            .received(
                viewer,
                Self.presence(1) {
                    $0.device = "phone"
                    $0.isIdle = true
                    $0.isHandRaised = true
                }))
        try room.runTicks(5)
        let told = try #require(Self.told(room, observer)[try Self.number(room, viewer)])
        #expect(told.device == "phone")
        #expect(told.isIdle)
        #expect(told.isHandRaised)
        #expect(!told.isSpotlight)
    }

    @Test("only members whose role edits ask everybody to follow")
    func spotlightRole() throws {
        for (role, isPassedOn) in [(Role.editor, true), (.participant, false), (.viewer, false)] {
            let room = try TestRoom()
            let member = try room.join(1, role: role, capabilities: Capability.events)
            let observer = try room.join(2)
            try room.handle(.received(member, Self.presence(1) { $0.isSpotlight = true }))
            try room.runTicks(5)
            let told = try #require(Self.told(room, observer)[try Self.number(room, member)])
            #expect(told.isSpotlight == isPassedOn, "\(role)")
        }
    }

    /// 60 ticks a second: the room passes the second one on after 600.
    @Test("a room passes on one new spotlight in ten seconds, however it comes, and keeps one")
    func spotlightRate() throws {
        let room = try TestRoom()
        let first = try room.join(1)
        let second = try room.join(2)
        let observer = try room.join(3, role: .viewer)
        let numbers = (try Self.number(room, first), try Self.number(room, second))
        func told() -> [Bool?] {
            let told = Self.told(room, observer)
            return [told[numbers.0]?.isSpotlight, told[numbers.1]?.isSpotlight]
        }
        try room.handle(.received(first, Self.presence(1) { $0.isSpotlight = true }))
        try room.runTicks(5)
        try room.handle(.received(second, Self.presence(1) { $0.isSpotlight = true }))
        // One that goes on is none that begins.
        try room.handle(
            .received(
                first,
                Self.presence(2) {
                    $0.isSpotlight = true
                    $0.isHandRaised = true
                }))
        try room.runTicks(5)
        #expect(told() == [true, false])
        try room.handle(.received(first, Self.presence(3) { $0.isSpotlight = false }))
        try room.runTicks(5)
        try room.handle(.received(first, Self.presence(4) { $0.isSpotlight = true }))
        try room.runTicks(5)
        #expect(told() == [false, false])
        try room.runTicks(600 - 20)
        // Sent again, as clients do from time to time.
        try room.handle(.received(second, Self.presence(2) { $0.isSpotlight = true }))
        try room.runTicks(5)
        #expect(told() == [false, true])
    }
}
