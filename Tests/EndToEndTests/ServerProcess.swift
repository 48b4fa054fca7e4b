import Foundation
import SceneTestSupport

/// A server in a process of its own, on a free port.
final class ServerProcess {
    let process: ChildProcess
    let url: String

    /// - Parameters:
    ///   - program: `serve`, or `demo`, which serves too.
    ///   - launcher: A command that runs the one behind it; empty to run the program itself, on a
    ///     free port.
    ///   - log: A file that takes what goes to standard error.
    ///   - descriptors: How many descriptors the process may have.
    ///   - fileBlocks: How many blocks of 512 bytes each of its files may have.
    init(
        launcher: [String] = [], _ arguments: [String], as program: String = "serve",
        environment: [String: String] = [:],
        log: String? = nil, descriptors: Int? = nil, fileBlocks: Int? = nil
    ) throws {
        var command = [Program.path, program] + arguments
        if launcher.isEmpty, !arguments.contains("--port") { command += ["--port", "0"] }
        command = launcher + command
        if let descriptors {
            command = ["/bin/sh", "-c", "ulimit -n \(descriptors); exec \"$@\"", "sh"] + command
        }
        if let fileBlocks {
            command = ["/bin/sh", "-c", "ulimit -f \(fileBlocks); exec \"$@\"", "sh"] + command
        }
        var errors = ChildProcess.Stream.null
        if let log {
            _ = FileManager.default.createFile(atPath: log, contents: nil)
            errors = FileHandle(forWritingAtPath: log).map { .file($0) } ?? .null
        }
        let output = Pipe()
        process = try ChildProcess(
            command, environment: environment, output: .pipe(output), errors: errors)
        var line = ""
        while !line.hasSuffix("\n") {
            let data = output.fileHandleForReading.availableData
            guard !data.isEmpty else { break }
            line += String(decoding: data, as: UTF8.self)
        }
        guard let address = line.split(separator: "\n").first?.split(separator: " ").last else {
            throw Failure(text: "the server said \(line)")
        }
        url = String(address)
    }

    struct Failure: Error {
        var text: String
    }

    var port: Int { Int(url.split(separator: ":").last ?? "") ?? 0 }

    /// How many descriptors the process has open.
    var descriptorCount: Int {
        let path = "/proc/\(process.processIdentifier)/fd"
        return (try? FileManager.default.contentsOfDirectory(atPath: path).count) ?? 0
    }

    /// A value of `/metrics`.
    func metric(_ name: String) -> Double? {
        let line = httpGet("/metrics", port: port)?.split(whereSeparator: \.isNewline).first {
            $0.hasPrefix(name + " ")
        }
        return line?.split(separator: " ").last.flatMap { Double($0) }
    }

    func kill() {
        process.send(SIGKILL)
        process.waitUntilExit()
    }
}
