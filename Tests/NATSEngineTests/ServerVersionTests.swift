import NATSEngine
import SceneCluster
import Testing

@Suite("Versions of NATS servers")
struct ServerVersionTests {
    @Test(
        "2.11.0 and newer fence",
        arguments: [
            ("2.11.0", true), ("2.11.4", true), ("2.12.0-RC.1", true), ("2.15.1", true),
            ("3.0.0", true), ("2.10.29", false), ("2.9.10", false), ("1.99.99", false),
        ])
    func fences(_ text: String, _ fences: Bool) throws {
        #expect(try #require(ReleaseVersion(text)).fences == fences)
    }

    @Test(
        "what has not three numbers is no version",
        arguments: [
            "", "2", "2.11", "2.11.x", "v2.11.0", "2.11.0.1", "2.-11.0", "2.99999.0", "2..0",
        ])
    func refused(_ text: String) { #expect(ReleaseVersion(text) == nil) }
}
