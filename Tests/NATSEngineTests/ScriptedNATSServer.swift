import Foundation
import Glibc
import SceneTestSupport
import Synchronization
import Threads

/// A server that speaks the beginning of NATS's protocol and says that it has a version. It answers
/// the question which server it is, and what a test says.
final class ScriptedNATSServer: Sendable {
    var port: Int { Int(listener.port) }
    private let listener: ListeningSocket
    private let current = Mutex<Int32>(-1)
    private let thread = OwnedThread(name: "scripted nats")

    /// Listens on a free port of loopback.
    ///
    /// - Parameters:
    ///   - versions: What it says to the first connection, the second one and so on; to all others
    ///     the last.
    ///   - answer: The answer to a message on a subject; nil for none.
    init(
        versions: [String],
        answer: @escaping @Sendable (_ subject: String) -> String? = { _ in nil }
    ) throws {
        guard let listener = ListeningSocket() else { throw POSIXError(.EADDRNOTAVAIL) }
        self.listener = listener
        let descriptor = listener.descriptor
        let current = { [weak self] (socket: Int32) in
            self?.current.withLock { $0 = socket }
            return ()
        }
        thread.start {
            var rest = versions[...]
            while true {
                let socket = accept(descriptor, nil, nil)
                guard socket >= 0 else { return }
                current(socket)
                Self.serve(socket, rest.first ?? "", answer)
                // Its number may be another file's from then on.
                current(-1)
                close(socket)
                if rest.count > 1 { rest = rest.dropFirst() }
            }
        }
    }

    deinit {
        cut()
        shutdown(listener.descriptor, Int32(SHUT_RDWR))
        thread.join()
    }

    /// Ends the connection that is there.
    func cut() { current.withLock { _ = shutdown($0, Int32(SHUT_RDWR)) } }

    private static func send(_ socket: Int32, _ text: String) {
        _ = Glibc.send(socket, text, text.utf8.count, Int32(MSG_NOSIGNAL))
    }

    private static func serve(
        _ socket: Int32, _ version: String, _ answer: (_ subject: String) -> String?
    ) {
        send(
            socket,
            #"INFO {"server_id":"S","server_name":"old","version":"\#(version)","proto":1,"headers":true,"jetstream":true,"max_payload":1048576}"#
                + "\r\n")
        var lines: [UInt8] = []
        var subscriptions: [(prefix: String, number: String)] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = recv(socket, &buffer, buffer.count, 0)
            guard count > 0 else { return }
            lines += buffer[..<count]
            while let end = lines.firstRange(of: Array("\r\n".utf8)) {
                let words = String(decoding: lines[..<end.lowerBound], as: UTF8.self)
                    .split(separator: " ").map(String.init)
                lines.removeFirst(end.upperBound)
                switch words.first {
                case "PING": send(socket, "PONG\r\n")
                case "SUB":
                    // Inboxes end with a wildcard.
                    subscriptions.append((String(words[1].dropLast()), words.last ?? ""))
                case "PUB" where words.count == 4:
                    let number = subscriptions.first { words[2].hasPrefix($0.prefix) }?.number
                    let text =
                        words[1] == "$SYS.REQ.USER.INFO"
                        ? #"{"server":{"name":"old","ver":"\#(version)","jetstream":true}}"#
                        : answer(words[1])
                    guard let text else { break }
                    send(
                        socket,
                        "MSG \(words[2]) \(number ?? "") \(text.utf8.count)\r\n\(text)\r\n")
                default: break
                }
            }
        }
    }
}
