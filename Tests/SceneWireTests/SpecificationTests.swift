import Foundation
import JSON
import SceneWire
import Testing

@Suite("The examples of SPEC.md")
struct SpecificationTests {
    private static func lines(after heading: String) throws -> [String] {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("protocol/SPEC.md")
        let text = try String(contentsOf: file, encoding: .utf8)
        let part = try #require(text.components(separatedBy: "\n" + heading).last)
        return part.components(separatedBy: "\n## ")[0].components(separatedBy: "\n")
    }

    /// The hexadecimal pairs at the beginning of an indented line, up to a wide gap or a comment.
    private static func hexBytes(_ line: String) -> [UInt8]? {
        guard line.hasPrefix("    ") else { return nil }
        var result: [UInt8] = []
        for word in line.dropFirst(4).split(separator: " ", omittingEmptySubsequences: false) {
            guard word.utf8.count == 2, let byte = UInt8(word, radix: 16) else { break }
            result.append(byte)
        }
        return result.isEmpty ? nil : result
    }

    @Test("the sessions of section 16 can be played")
    func session() throws {
        var mirror = SceneMirror()
        var kinds: [String] = []
        for message in try Self.lines(after: "## 16.").compactMap(Self.hexBytes) {
            if message[0] < 0x40 {
                let decoded = try ClientMessage.decode(message)
                #expect(bytes(decoded) == message)
                kinds.append("C \(decoded.json["type"]?.kind ?? .null)")
            } else {
                let decoded = try ServerMessage.decode(message)
                #expect(bytes(decoded) == message)
                if case .welcome(let welcome) = decoded {
                    mirror.continueInConnection(ofEpoch: welcome.epoch)
                }
                try mirror.apply(decoded)
                kinds.append("S \(decoded.json["type"]?.kind ?? .null)")
            }
        }
        let types = [
            "C hello", "S welcome", "S snapshot", "C ack", "C ops", "S tree", "S frame", "S result",
            "S hash",
            "C hello", "S welcome", "S tree", "S frame", "S select", "S hash", "C ack", "S frame",
        ]
        #expect(
            kinds
                == types.map { "\($0.prefix(2))\(JSONValue.Kind.string(String($0.dropFirst(2))))" })
        #expect(mirror.records.map(\.id) == ["root", "a", "b"])
        #expect(mirror.tick == 343)
        #expect(
            mirror.view(id: "a")?.frame == QuantisedFrame(x: 8, y: 12, width: 100, height: 50))
        #expect(mirror.view(id: "b")?.frame == QuantisedFrame(x: 0, y: 4, width: 0, height: 0))
    }

    @Test("the frames of section 8.5 say what stands beside them")
    func frames() throws {
        let parts = try Self.lines(after: "### 8.5").split { Self.hexBytes($0) == nil }
        let messages = parts.map { $0.compactMap(Self.hexBytes).flatMap { $0 } }
        #expect(messages.count == 3)
        var mirror = SceneMirror()
        var snapshot = Snapshot()
        snapshot.tick = 299
        for number in 0..<210 as Range<UInt32> {
            snapshot.views.append(
                ViewRecord(
                    number: ViewNumber(number), id: number == 0 ? "root" : "v\(number)",
                    parent: number == 0 ? nil : ViewNumber(0), frame: .zero,
                    content: ViewContent()))
        }
        snapshot.stateHash = stateHash(snapshot.views)
        try mirror.apply(snapshot)
        try mirror.apply(try ServerMessage.decode(messages[0]))
        #expect(
            mirror.view(ViewNumber(3))?.frame == QuantisedFrame(x: -2, y: 0, width: 5, height: 0))
        #expect(mirror.view(ViewNumber(9))?.frame == .zero)
        #expect(mirror.view(ViewNumber(10))?.frame.y == 24)
        #expect(mirror.view(ViewNumber(209))?.frame.y == 24)
        var other = mirror
        try mirror.apply(try ServerMessage.decode(messages[1]))
        #expect(mirror.view(ViewNumber(209))?.frame.y == 48)
        #expect(mirror.tick == 301)
        try other.apply(try ServerMessage.decode(messages[2]))
        #expect(other.records == mirror.records)
    }
}
