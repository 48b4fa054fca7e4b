import NATSEngine
import SceneCluster
import Testing

@Suite("Servers that cannot fence")
struct OldServerTests {
    private static func configuration(_ server: ScriptedNATSServer) throws -> NATSConfiguration {
        try NATSConfiguration(addresses: "nats://127.0.0.1:\(server.port)")
    }

    @Test("version 2.9.10 is refused in words, by the engine and by the administrator")
    func refused() throws {
        let server = try ScriptedNATSServer(versions: ["2.9.10"])
        let expected = NATSError.serverTooOld(
            address: "127.0.0.1:\(server.port)", version: "2.9.10")
        #expect(throws: expected) {
            try NATSEngine(Self.configuration(server), layout: ClusterLayout()) { _ in }
        }
        #expect(throws: expected) {
            try ClusterAdministrator(Self.configuration(server), layout: ClusterLayout())
        }
        #expect(
            expected.description
                == "the NATS server at 127.0.0.1:\(server.port) is version 2.9.10, which cannot fence; run nats-server 2.11.0 or newer"
        )
    }

    @Test("a version that is none is refused", arguments: ["", "new", "2.x.1"])
    func noVersion(_ version: String) throws {
        let server = try ScriptedNATSServer(versions: [version])
        #expect(throws: NATSError.self) {
            try NATSEngine(Self.configuration(server), layout: ClusterLayout()) { _ in }
        }
    }

    @Test("a server that was replaced by an older one is refused when the connection is made again")
    func replaced() throws {
        let server = try ScriptedNATSServer(versions: ["2.12.0", "2.9.10"])
        let probe = try EngineProbe(Self.configuration(server), layout: ClusterLayout())
        #expect(probe.event { if case .connected = $0 { true } else { false } } != nil)
        server.cut()
        #expect(probe.event { if case .disconnected = $0 { true } else { false } } != nil)
        let refused = EngineEvent.refused(
            .serverTooOld(address: "127.0.0.1:\(server.port)", version: "2.9.10"))
        #expect(probe.event { $0 == refused } != nil)
        // Nothing is sent to it: the request waits until its time is up.
        let reply = probe.perform(.last(subject: "ss.j.0.0", source: .leader))
        #expect(
            reply == .unknown("there is no connection to the engine within 2.0 seconds"))
    }
}
