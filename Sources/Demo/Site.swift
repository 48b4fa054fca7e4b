import Logging
import SceneClient
import SceneServer

/// The server that the programs run beside, and how they reach it.
struct Site: Sendable {
    let server: SceneServer
    /// `ws://host:port` or `wss://…`.
    let address: String
    let logger: Logger

    /// Connects as any client may. The server is the one in this process: its certificate needs no
    /// verification.
    func connect(to room: String, as role: Role = .editor) async throws(SceneError) -> Scene {
        var options = SceneClient.Options(url: "\(address)/\(room)")
        options.role = role
        options.trustsAnyCertificate = true
        return try await Scene.connect(options, logger: logger)
    }

    /// The people in a room: its members but the program itself.
    func people(in room: String) -> Int { max(0, server.memberCount(of: room) - 1) }
}
