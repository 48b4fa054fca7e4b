import Testing

@testable import SceneServer

@Suite("Profiles")
struct ServerProfileTests {
    @Test("the limits of every profile are in their ranges", arguments: ServerProfile.allCases)
    func ranges(_ profile: ServerProfile) {
        #expect(profile.limits.complaint == nil)
    }

    @Test("those for strangers allow nothing more than those for friends")
    func order() {
        let (strict, free) = (ServerProfile.internet.limits, ServerProfile.trusted.limits)
        #expect(free == ServerLimits())
        let paths: [KeyPath<ServerLimits, Int>] = [
            \.messageBytes, \.opsPerMessage, \.textBytes, \.views, \.constraints,
            \.animationSeconds, \.messagesPerSecond, \.opsPerSecond, \.otherMessagesPerSecond,
            \.bytesPerSecond, \.connections, \.connectionsPerAddress, \.handshakesPerAddress,
            \.membersPerRoom, \.rooms, \.roomsPerMinute, \.outboxBytes, \.workPerOp,
            \.workPerMessage, \.workPerTick, \.workPerSecond,
        ]
        for path in paths { #expect(strict[keyPath: path] <= free[keyPath: path]) }
    }
}
