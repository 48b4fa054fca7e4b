import FoundationEssentials
import Glibc
import JSON
import Logging

/// Writes one line for each event to standard error: time, level, message, then `name=value` for
/// the metadata.
///
/// Rooms, reasons and paths come from clients. A line is one event for any content: control
/// characters are escaped, and a value that could be mistaken for several is quoted.
struct TextLogHandler: LogHandler {
    var logLevel = Logger.Level.notice
    var metadata: Logger.Metadata = [:]

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        let all = metadata.merging(event.metadata ?? [:]) { $1 }
        let line = Self.line(
            time: Date().formatted(.iso8601), level: event.level, message: "\(event.message)",
            values: all.sorted { $0.key < $1.key }.map { ($0.key, "\($0.value)") })
        let bytes = Array((line + "\n").utf8)
        // One write for each line, so that lines of several threads do not mix.
        _ = write(STDERR_FILENO, bytes, bytes.count)
    }

    static func line(
        time: String, level: Logger.Level, message: String, values: [(name: String, text: String)]
    ) -> String {
        let parts =
            ["\(time) \(level) scenesync:", message.escapingControls()]
            + values.map { $0.name + "=" + value($0.text) }
        return parts.joined(separator: " ")
    }

    /// A single word as it is, other texts in quotes.
    private static func value(_ text: String) -> String {
        let isWord = !text.isEmpty && text.allSatisfy { $0 != " " && $0 != "\"" && $0 != "=" }
        guard !isWord else { return text.escapingControls() }
        let quoted = text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
        return "\"" + quoted.escapingControls() + "\""
    }
}
