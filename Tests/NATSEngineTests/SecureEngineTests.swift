import NATSEngine
import SceneCluster
import SceneTestSupport
import Testing

@Suite("An engine over TLS with an nkey", .serialized)
struct SecureEngineTests {
    private static let servers = Result { try NATSServers(isSecure: true) }

    private let servers: NATSServers

    init() throws { servers = try Self.servers.get() }

    private var authority: String { servers.credentials + "/ca.pem" }
    private var seed: String { servers.credentials + "/user.seed" }

    @Test("with the CA and the key requests are carried out")
    func trusted() throws {
        let configuration = try NATSConfiguration(
            addresses: servers.address, caFile: authority,
            nkeySeedFile: seed)
        let layout = try ClusterLayout()
        let administrator = try ClusterAdministrator(configuration, layout: layout)
        let made = try administrator.create(
            shards: ShardMap(count: 8), replicas: 3, version: "test")
        #expect(made.parts.map(\.isNew) == Array(repeating: true, count: 7))
        let probe = try EngineProbe(configuration, layout: layout)
        let subject = layout.records(of: ShardID(2))
        let sequence = try #require(probe.keep([5], at: subject, after: 0))
        #expect(
            probe.perform(.last(subject: subject, source: .leader))
                == .messages(
                    [EngineMessage(subject: subject, sequence: sequence, bytes: [5])], isEnd: true))
    }

    private func failure(
        ca: String?, seed: String?, addresses: String? = nil
    ) throws -> NATSError? {
        let configuration = try NATSConfiguration(
            addresses: addresses ?? servers.address, caFile: ca, nkeySeedFile: seed)
        do throws(NATSError) {
            _ = try NATSEngine(configuration, layout: ClusterLayout()) { _ in }
            return nil
        } catch {
            return error
        }
    }

    @Test("another CA is refused as TLS's fault")
    func otherAuthority() throws {
        let error = try failure(ca: servers.credentials + "/other.pem", seed: seed)
        guard case .tlsFailed? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(error?.advice == "give the CA file that signed the servers' certificates")
    }

    @Test("a plain connection to servers that want TLS is refused as TLS's fault")
    func plain() throws {
        let plain = servers.ports.map { "127.0.0.1:\($0)" }.joined(separator: ",")
        let error = try failure(ca: nil, seed: seed, addresses: "nats://" + plain)
        guard case .tlsFailed? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test("no key, or one that the servers do not list, is not authorised")
    func keys() throws {
        for seed in [nil, servers.credentials + "/other.seed"] {
            let error = try failure(ca: authority, seed: seed)
            guard case .notAuthorised? = error else {
                Issue.record("\(String(describing: error))")
                continue
            }
        }
    }
}
