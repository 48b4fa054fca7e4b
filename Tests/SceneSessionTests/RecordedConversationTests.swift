import Foundation
import JSON
import Testing

@Suite("Recorded conversations")
struct RecordedConversationTests {
    @Test(
        "a session says what an earlier build said, byte for byte",
        arguments: try RecordedConversation.names)
    func saysTheSame(name: String) throws {
        let lines = try RecordedConversation.play(name)
        if ProcessInfo.processInfo.environment["SCENESYNC_RECORD"] != nil {
            try record(lines.map { ($0.event, $0.effects) }, name)
            return
        }
        #expect(lines.count > 100)
        #expect(lines.contains { !$0.recorded.isEmpty })
        for (place, line) in lines.enumerated() where line.effects != line.recorded {
            Issue.record(
                """
                \(name), event \(place): \(line.event.text().prefix(300))
                recorded: \(line.recorded.map { $0.prefix(600) })
                now:      \(line.effects.map { $0.prefix(600) })
                """)
            return
        }
    }

    private func record(_ lines: [(event: JSONValue, effects: [String])], _ name: String) throws {
        let url = RecordedConversation.folder.appendingPathComponent(name)
        let document = try String(contentsOf: url, encoding: .utf8).prefix { $0 != "\n" }
        var text = "\(document)\n"
        for line in lines {
            text +=
                JSONValue.object([
                    JSONMember("event", line.event),
                    JSONMember("effects", .array(line.effects.map { .string($0) })),
                ]).text() + "\n"
        }
        try text.write(to: url, atomically: true, encoding: .utf8)
    }
}
