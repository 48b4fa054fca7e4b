import Foundation

/// Three NATS servers on loopback, which `Tests/Support/nats_servers.py` starts. They end with the
/// object, or with the tests.
package final class NATSServers: Sendable {
    /// Why the servers cannot be used; the launcher says the rest on standard error. `./dev test`
    /// installs a nats-server.
    package enum Failure: Error {
        case notStarted
        case disobeyed(String)
    }

    /// What the launcher prints once a leader is elected.
    private struct Ready: Decodable {
        var address: String
        var ports: [Int]
        var monitors: [Int]
        var credentials: String
    }

    /// All servers, as `nats://…`.
    package let address: String
    package let ports: [Int]
    package let monitors: [Int]
    /// A folder with `ca.pem` and `user.seed`, which secure servers accept, and `other.pem` and
    /// `other.seed`, which they do not.
    package let credentials: String
    private let process: ChildProcess
    private let commands: FileHandle
    private let answers: FileHandle

    private static let support = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent("Support")

    /// Starts servers and waits for a leader of JetStream.
    ///
    /// - Parameter isSecure: Whether they want TLS and an nkey.
    package init(isSecure: Bool = false) throws {
        let (input, output) = (Pipe(), Pipe())
        process = try ChildProcess(
            [
                "/usr/bin/env", "python3",
                Self.support.appendingPathComponent("nats_servers.py").path,
            ]
                + (isSecure ? ["--secure"] : []),
            input: .pipe(input), output: .pipe(output))
        commands = input.fileHandleForWriting
        answers = output.fileHandleForReading
        guard let line = Self.line(of: answers) else { throw Failure.notStarted }
        let ready = try JSONDecoder().decode(Ready.self, from: Data(line.utf8))
        (address, ports, monitors) = (ready.address, ready.ports, ready.monitors)
        credentials = ready.credentials
    }

    deinit {
        try? commands.close()
        process.waitUntilExit()
    }

    private static func line(of handle: FileHandle) -> String? {
        var bytes: [UInt8] = []
        while let byte = try? handle.read(upToCount: 1)?.first {
            if byte == UInt8(ascii: "\n") { return String(decoding: bytes, as: UTF8.self) }
            bytes.append(byte)
        }
        return nil
    }

    private func command(_ text: String) throws {
        try commands.write(contentsOf: Data((text + "\n").utf8))
        guard Self.line(of: answers) == "done" else { throw Failure.disobeyed(text) }
    }

    /// Kills one server, as a power failure of its machine would.
    package func kill(_ number: Int) throws { try command("kill \(number)") }

    /// Starts one server again.
    package func start(_ number: Int) throws { try command("start \(number)") }

    /// Stops one server's threads; its connections stay open.
    package func pause(_ number: Int) throws { try command("pause \(number)") }

    /// Lets a paused server go on.
    package func resume(_ number: Int) throws { try command("resume \(number)") }
}
