import SceneCluster
import Synchronization
import Testing

@testable import NATSEngine

@Suite("Streams that are created while the engine changes its leader")
struct StreamCreationTests {
    /// What a server was asked for, by subject.
    private final class Questions: Sendable {
        private let counts = Mutex<[String: Int]>([:])

        /// How often a subject was asked for, this time included.
        func note(_ subject: String) -> Int {
            counts.withLock {
                $0[subject, default: 0] += 1
                return $0[subject] ?? 0
            }
        }

        func count(of subject: String) -> Int { counts.withLock { $0[subject] ?? 0 } }
    }

    @Test("a creation that is not answered is asked for again")
    func unanswered() throws {
        let questions = Questions()
        let server = try ScriptedNATSServer(versions: ["2.12.0"]) { subject in
            let count = questions.note(subject)
            if subject.hasPrefix("$JS.API.STREAM.INFO.") {
                return
                    #"{"error":{"code":404,"err_code":10059,"description":"stream not found"}}"#
            }
            return count == 1 ? nil : "{}"
        }
        let administrator = try ClusterAdministrator(
            NATSConfiguration(addresses: "nats://127.0.0.1:\(server.port)"),
            layout: ClusterLayout())
        #expect(try administrator.create(.metadata, replicas: 1))
        #expect(questions.count(of: "$JS.API.STREAM.CREATE.ss-metadata") == 2)
    }

    @Test("a creation for which a server has not been heard of is asked for again")
    func absentPeer() throws {
        let questions = Questions()
        let server = try ScriptedNATSServer(versions: ["2.12.0"]) { subject in
            let count = questions.note(subject)
            if subject.hasPrefix("$JS.API.STREAM.INFO.") {
                return
                    #"{"error":{"code":404,"err_code":10059,"description":"stream not found"}}"#
            }
            return count < 3
                ? #"{"error":{"code":400,"err_code":10005,"description":"no suitable peers for placement, peer offline"}}"#
                : "{}"
        }
        let administrator = try ClusterAdministrator(
            NATSConfiguration(addresses: "nats://127.0.0.1:\(server.port)"),
            layout: ClusterLayout())
        #expect(try administrator.create(.metadata, replicas: 1))
        #expect(questions.count(of: "$JS.API.STREAM.CREATE.ss-metadata") == 3)
    }

    @Test("a creation that is refused is not")
    func refused() throws {
        let questions = Questions()
        let server = try ScriptedNATSServer(versions: ["2.12.0"]) { subject in
            _ = questions.note(subject)
            return subject.hasPrefix("$JS.API.STREAM.INFO.")
                ? #"{"error":{"code":404,"err_code":10059,"description":"stream not found"}}"#
                : #"{"error":{"code":400,"err_code":10074,"description":"no"}}"#
        }
        let administrator = try ClusterAdministrator(
            NATSConfiguration(addresses: "nats://127.0.0.1:\(server.port)"),
            layout: ClusterLayout())
        #expect(throws: NATSError.self) { try administrator.create(.metadata, replicas: 1) }
        #expect(questions.count(of: "$JS.API.STREAM.CREATE.ss-metadata") == 1)
    }
}
