import Foundation

/// Certificates of an authority for the servers, another authority that signed nothing, and a user's key, in a directory of their
/// own, which goes with the object.
final class Credentials: Sendable {
    let folder: String

    var authority: String { folder + "/ca.pem" }
    var otherAuthority: String { folder + "/other.pem" }
    var seed: String { folder + "/user.seed" }
    var otherSeed: String { folder + "/other.seed" }

    private struct Failure: Error { var arguments: [String] }

    init() throws {
        folder =
            FileManager.default.temporaryDirectory
            .appendingPathComponent("credentials-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: false)
        for name in ["ca", "other"] {
            try openssl(
                "req -x509 -newkey ed25519 -nodes -days 2 -keyout \(name).key -out \(name).pem -subj /CN=\(name)"
            )
        }
        try openssl(
            "req -newkey ed25519 -nodes -keyout server.key -out server.csr -subj /CN=server")
        try write("subjectAltName=IP:127.0.0.1\n", "server.ext")
        try openssl(
            "x509 -req -in server.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days 2 -extfile server.ext -out server.pem"
        )
        try write(NKeySeedTests.pairs[0].0, "user.seed")
        try write(NKeySeedTests.pairs[0].1, "user.pub")
        try write(NKeySeedTests.pairs[1].0, "other.seed")
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    private func write(_ text: String, _ name: String) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: folder + "/" + name))
    }

    private func openssl(_ arguments: String) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/openssl")
        process.arguments = arguments.split(separator: " ").map(String.init)
        process.currentDirectoryURL = URL(fileURLWithPath: folder)
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw Failure(arguments: process.arguments ?? [])
        }
    }
}
