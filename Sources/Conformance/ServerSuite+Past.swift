import SceneWire
import Synchronization

extension ServerSuite {
    /// Section 6.25: the past.
    static let pastCases: [Case] = [
        Case("6.25-1", "seek shows the past, and live the present") { try $0.past() },
        Case(
            "6.25-2",
            "a seek that there is no room for is answered, and its sender stays in the present"
        ) {
            try $0.crowdedPast()
        },
    ]

    private func past() throws -> Finding {
        let editor = try editor()
        let client = try client()
        let welcome = try client.greet(capabilities: Capability.seek)
        guard welcome.capabilities & Capability.seek != 0 else {
            return .note("the server has no past")
        }
        _ = try editor.apply(width(151), sequence: 2)
        try wait(client) { $0.view(id: "a")?.frame.width == 151 }
        let tick = client.mirror.withLock { $0.tick }
        _ = try editor.apply(width(190), sequence: 3)
        try wait(client) { $0.view(id: "a")?.frame.width == 190 }
        var seek = Seek()
        seek.isLive = false
        seek.tick = tick
        client.send(.seek(seek))
        try wait(client) { $0.tick == tick && $0.view(id: "a")?.frame.width == 151 }
        seek.isLive = true
        client.send(.seek(seek))
        try wait(client) { $0.view(id: "a")?.frame.width == 190 }
        return .fine
    }

    /// More members seek than a server may have room for, until one is told so.
    private func crowdedPast() throws -> Finding {
        let editor = try editor()
        // They keep the past busy until they go.
        var seekers: [ScriptedClient] = []
        defer { for seeker in seekers { seeker.close() } }
        for _ in 0..<Self.seekerMaximum {
            let client = try client()
            let welcome = try client.greet(capabilities: Capability.seek)
            guard welcome.capabilities & Capability.seek != 0 else {
                return .note("the server has no past")
            }
            var seek = Seek()
            seek.isLive = false
            seek.tick = client.mirror.withLock { $0.tick }
            client.send(.seek(seek))
            // What is shown of the past is a snapshot; what cannot be shown is an error.
            let code = try client.wait("snapshot or error") { message -> UInt32? in
                switch message {
                case .snapshot: 0
                case .error(let error): error.code
                default: nil
                }
            }
            guard code != 0 else {
                client.acknowledge()
                seekers.append(client)
                continue
            }
            guard code == 4006 || code == 4009 else { return .bad("answered with \(code)") }
            _ = try editor.apply(width(177), sequence: 2)
            try wait(client) { $0.view(id: "a")?.frame.width == 177 }
            return .require(try client.isAlive(), "the connection ended")
        }
        return .note("there was room for \(Self.seekerMaximum)")
    }

    /// As many as a suite should take part with at one time.
    private static let seekerMaximum = 100
}
