import FoundationEssentials
import Glibc
import JSON
import Logging

/// Writes one JSON object for each message to standard error.
struct JSONLogHandler: LogHandler {
    var logLevel = Logger.Level.notice
    var metadata: Logger.Metadata = [:]

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        var members = [
            JSONMember("time", .string(Date().formatted(.iso8601))),
            JSONMember("level", .string(event.level.rawValue)),
            JSONMember("message", .string("\(event.message)")),
        ]
        let all = metadata.merging(event.metadata ?? [:]) { $1 }
        for (key, value) in all.sorted(by: { $0.key < $1.key })
        where !members.contains(where: { $0.key == key }) {
            members.append(JSONMember(key, .string("\(value)")))
        }
        let line = JSONValue.object(members).text().escapingControls() + "\n"
        let bytes = Array(line.utf8)
        // One write for each line, so that lines of several threads do not mix.
        _ = write(STDERR_FILENO, bytes, bytes.count)
    }
}
