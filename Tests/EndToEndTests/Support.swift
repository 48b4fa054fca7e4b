import Foundation
import SceneClient
import SceneProtocol
import Synchronization
import WebSocketTransport

/// Whether a sanitizer watches, which makes everything some ten times slower.
let isSanitized = dlsym(nil, "__asan_init") != nil || dlsym(nil, "__tsan_init") != nil

/// Directories and files that go with the test.
final class Scratch {
    let path: String

    init() throws {
        path = NSTemporaryDirectory() + "scenesync-e2e-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// Changes the first byte of a text wherever it stands in a folder's files.
    ///
    /// - Returns: In how many places.
    func damage(_ folder: String, where text: String) throws -> Int {
        var count = 0
        for name in try FileManager.default.contentsOfDirectory(atPath: path + "/" + folder) {
            let url = URL(fileURLWithPath: path + "/" + folder + "/" + name)
            var data = try Data(contentsOf: url)
            var start = data.startIndex
            while let range = data.range(of: Data(text.utf8), in: start..<data.endIndex) {
                data[range.lowerBound] ^= 1
                start = range.upperBound
                count += 1
            }
            try data.write(to: url)
        }
        return count
    }

    func write(_ text: String, as name: String) throws -> String {
        let file = path + "/" + name
        try Data(text.utf8).write(to: URL(fileURLWithPath: file))
        return file
    }

    /// A new certificate for this machine in a directory of that name.
    func certificate(_ name: String) throws -> (path: String, key: String, text: String) {
        let made = try SelfSignedCertificate.make(directory: path + "/" + name)
        let text = try String(contentsOfFile: made.certificatePath, encoding: .utf8)
        return (made.certificatePath, made.privateKeyPath, text)
    }

    /// Waits until a file holds a text; false after a time that only a fault lets pass.
    func waits(for text: String, in name: String) -> Bool {
        let deadline = DispatchTime.now() + 20
        while DispatchTime.now() < deadline {
            let found = (try? String(contentsOfFile: path + "/" + name, encoding: .utf8)) ?? ""
            if found.contains(text) { return true }
            usleep(20_000)
        }
        return false
    }
}

/// The program under test, which is built beside the tests.
enum Program {
    static var path: String {
        let own =
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        return URL(fileURLWithPath: own).deletingLastPathComponent()
            .appendingPathComponent("scenesync").path
    }

    struct Outcome {
        var status: Int32
        var output: String
        var errors: String
    }

    /// Runs the program to its end.
    static func run(
        _ arguments: [String], input: String = "", environment: [String: String] = [:]
    ) throws -> Outcome {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        let (standardInput, output, errors) = (Pipe(), Pipe(), Pipe())
        process.standardInput = standardInput
        process.standardOutput = output
        process.standardError = errors
        try process.run()
        standardInput.fileHandleForWriting.write(Data(input.utf8))
        try standardInput.fileHandleForWriting.close()
        // Errors are short; the output may be long and is read first.
        let text = try output.fileHandleForReading.readToEnd() ?? Data()
        let complaint = try errors.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return Outcome(
            status: process.terminationStatus, output: String(decoding: text, as: UTF8.self),
            errors: String(decoding: complaint, as: UTF8.self))
    }
}

/// A server in a process of its own, on a free port.
final class ServerProcess {
    let process = Process()
    let url: String

    /// - Parameters:
    ///   - log: A file that takes what goes to standard error.
    ///   - descriptors: How many descriptors the process may have.
    init(
        _ arguments: [String], environment: [String: String] = [:], log: String? = nil,
        descriptors: Int? = nil
    ) throws {
        var command = [Program.path, "serve"] + arguments
        if !arguments.contains("--port") { command += ["--port", "0"] }
        if let descriptors {
            command = ["/bin/sh", "-c", "ulimit -n \(descriptors); exec \"$@\"", "sh"] + command
        }
        process.executableURL = URL(fileURLWithPath: command[0])
        process.arguments = Array(command.dropFirst())
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        if let log {
            _ = FileManager.default.createFile(atPath: log, contents: nil)
            process.standardError = FileHandle(forWritingAtPath: log)
        }
        try process.run()
        var line = ""
        while !line.hasSuffix("\n") {
            let data = output.fileHandleForReading.availableData
            guard !data.isEmpty else { break }
            line += String(decoding: data, as: UTF8.self)
        }
        guard let address = line.split(separator: " ").last?.split(separator: "\n").first else {
            throw Failure(text: "the server said \(line)")
        }
        url = String(address)
    }

    struct Failure: Error {
        var text: String
    }

    deinit { if process.isRunning { process.terminate() } }

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
        Glibc.kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }
}

/// A client whose events a test waits for.
final class Peer: Sendable {
    private struct State {
        var mirror: SceneMirror?
        var results: [OpsResult] = []
        var failure: ErrorMessage?
        var welcome: Welcome?
        var ended: UInt16??
    }

    private let state = Mutex(State())
    private let changed = DispatchSemaphore(value: 0)
    private let client = Mutex<SceneClient?>(nil)

    init(
        _ url: String, role: Role = .viewer, format: Subprotocol = .binary, caFile: String? = nil,
        token: String = "", reconnects: Bool = false
    ) throws {
        var options = SceneClient.Options(url: url)
        options.token = token
        options.role = role
        options.format = format
        options.caFile = caFile
        options.reconnects = reconnects
        let client = try SceneClient(options) { [weak self] in self?.note($0) }
        self.client.withLock { $0 = client }
        client.connect()
    }

    private func note(_ event: SceneClient.Event) {
        state.withLock { state in
            switch event {
            case .welcomed(let welcome): state.welcome = welcome
            case .updated(let mirror): state.mirror = mirror
            case .result(let result): state.results.append(result)
            case .failure(let error): state.failure = error
            case .ended(let code, _, _): state.ended = .some(code)
            case .presence, .diagnostics, .inspection, .reconnecting, .trace, .pong: break
            }
        }
        changed.signal()
    }

    func send(_ ops: String, atomic: Bool = false) throws -> UInt64 {
        let value = try JSONReader.read(Array(ops.utf8))
        return client.withLock { $0 }?.send(value, atomic: atomic) ?? 0
    }

    func refresh(token: String) { client.withLock { $0 }?.refresh(token: token) }

    func close() { client.withLock { $0 }?.close() }

    /// Waits until something holds; `nil` after a time that only a fault lets pass.
    private func wait<Value>(_ look: (State) -> Value?) -> Value? {
        let deadline = DispatchTime.now() + 20
        while true {
            if let value = state.withLock({ look($0) }) { return value }
            guard changed.wait(timeout: deadline) == .success else { return nil }
        }
    }

    /// The mirror once a view is that wide.
    func mirror(where view: String, isWide width: Int32) -> SceneMirror? {
        wait { $0.mirror?.view(id: view)?.frame.width == width ? $0.mirror : nil }
    }

    var welcome: Welcome? { wait { $0.welcome } }

    var firstMirror: SceneMirror? { wait { $0.mirror } }

    func result(_ sequence: UInt64) -> OpsResult.Outcome? {
        wait { state in state.results.first { $0.clientSequence == sequence }?.outcome }
    }

    /// The code that the connection ended with.
    var endCode: UInt16? { wait { $0.ended } ?? nil }

    var failureText: String? { wait { $0.failure?.text } }

    var failure: ErrorMessage? { wait { $0.failure } }
}

/// The whole response to a plain HTTP request on this machine, head and body.
func httpGet(_ path: String, port: Int) -> String? { http("GET", path, port: port) }

/// The same with any method, headers (each ending with CR LF) and a body.
func http(
    _ method: String, _ path: String, port: Int, headers: String = "", body: String = ""
) -> String? {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { Glibc.close(descriptor) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(port).bigEndian
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    let connected = withUnsafePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
        }
    }
    guard connected == 0 else { return nil }
    let length = body.isEmpty ? "" : "Content-Length: \(body.utf8.count)\r\n"
    let host = headers.contains("Host:") ? "" : "Host: localhost\r\n"
    let request = Array(
        "\(method) \(path) HTTP/1.1\r\n\(host)\(length)\(headers)Connection: close\r\n\r\n\(body)"
            .utf8)
    guard send(descriptor, request, request.count, Int32(MSG_NOSIGNAL)) == request.count else {
        return nil
    }
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 65_536)
    while true {
        let count = recv(descriptor, &piece, piece.count, 0)
        guard count > 0 else { break }
        bytes += piece.prefix(count)
    }
    return String(decoding: bytes, as: UTF8.self)
}
