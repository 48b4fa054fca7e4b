import Foundation
import JSON
import SceneWire
import Testing

/// Runs `protocol/vectors/v1`, whose expectations were written without this code.
@Suite("The vectors of version 1")
struct VectorTests {
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("protocol/vectors/v1")

    static func cases(_ path: String) throws -> [JSONValue] {
        let data = try Data(contentsOf: folder.appendingPathComponent(path))
        guard let cases = try JSONReader.read([UInt8](data)).array else { return [] }
        return cases
    }

    static func files(_ name: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(
            atPath: folder.appendingPathComponent(name).path
        ).filter { $0.hasSuffix(".json") }.sorted().map { "\(name)/\($0)" }
    }

    @Test("there are at least 300 cases, and a required one for every message")
    func coverage() throws {
        var count = 0
        var types: Set<String> = []
        for folder in ["valid", "invalid", "sequences"] {
            for file in try Self.files(folder) {
                for test in try Self.cases(file) {
                    count += 1
                    if let message = test["json"], let type = string(message, "type") {
                        types.insert(type + (string(test, "from") ?? ""))
                    }
                }
            }
        }
        #expect(count >= 300)
        #expect(types.count == 40)
    }

    @Test("valid messages", arguments: try files("valid"))
    func valid(file: String) throws {
        for test in try Self.cases(file) {
            let name = string(test, "name") ?? ""
            let data = try #require(unhex(string(test, "hex") ?? "?"), "\(name)")
            let expected = try #require(test["json"], "\(name)")
            let text = utf8(expected.text())
            let found: JSONValue
            let again: [UInt8]
            if string(test, "from") == "client" {
                let message = try ClientMessage.decode(data)
                #expect(try ClientMessage.decode(json: text) == message, "\(name)")
                found = message.json
                again = bytes(message)
            } else {
                let message = try ServerMessage.decode(data)
                #expect(try ServerMessage.decode(json: text) == message, "\(name)")
                found = message.json
                again = bytes(message)
            }
            // A code of a later version is all the same to a program that does not know it.
            if name != "a refusal code of a later version" {
                #expect(sorted(found) == sorted(expected), "\(name)")
            }
            if test["canonical"] == .bool(true) {
                #expect(hexadecimal(again) == hexadecimal(data), "\(name)")
            }
        }
    }

    @Test("messages that must be refused", arguments: try files("invalid"))
    func invalid(file: String) throws {
        for test in try Self.cases(file) {
            let name = string(test, "name") ?? ""
            let isClient = string(test, "from") == "client"
            var found: DecodeError?
            do throws(DecodeError) {
                if let hex = string(test, "hex") {
                    let data = unhex(hex) ?? []
                    if isClient {
                        _ = try ClientMessage.decode(data)
                    } else {
                        _ = try ServerMessage.decode(data)
                    }
                } else {
                    let text = utf8(string(test, "text") ?? "")
                    if isClient {
                        _ = try ClientMessage.decode(json: text)
                    } else {
                        _ = try ServerMessage.decode(json: text)
                    }
                }
            } catch {
                found = error
            }
            #expect(found?.code == string(test, "error"), "\(name)")
            if let ignorable = test["ignorable"] {
                #expect(JSONValue.bool(found?.isIgnorable == true) == ignorable, "\(name)")
            }
        }
    }

    @Test("sequences of messages", arguments: try files("sequences"))
    func sequences(file: String) throws {
        for test in try Self.cases(file) {
            guard let steps = test["steps"]?.array else { continue }
            var mirror = SceneMirror()
            for (index, step) in steps.enumerated() {
                let name = "\(string(test, "name") ?? ""), step \(index)"
                let message = try ServerMessage.decode(unhex(string(step, "hex") ?? "") ?? [])
                var found: String?
                do throws(MirrorError) {
                    try mirror.apply(message)
                } catch {
                    found = error.code
                }
                #expect(found == string(step, "error"), "\(name)")
                #expect(.bool(mirror.needsSnapshot) == step["needsSnapshot"], "\(name)")
                if let hash = string(step, "hash") {
                    #expect(ViewHash.text(mirror.stateHash) == hash, "\(name)")
                    #expect(.number(Double(mirror.tick)) == step["tick"], "\(name)")
                }
                if let frames = step["frames"] {
                    let views = mirror.records.map { record in
                        JSONValue.object([
                            JSONMember("id", .string(record.id)),
                            JSONMember("frame", list(record.frame)),
                        ])
                    }
                    #expect(.array(views) == frames, "\(name)")
                }
                guard let shown = step["shown"]?.array else { continue }
                for entry in shown {
                    let number = try #require(mirror.number(id: string(entry, "id") ?? ""))
                    guard let tick = entry["tick"]?.number else { continue }
                    let frame = try #require(mirror.shownFrame(number, at: UInt64(tick)))
                    #expect(list(frame) == entry["frame"], "\(name)")
                }
            }
        }
    }

    @Test(
        "[FWD-1] what a server of this version said is read for ever",
        arguments: try files("conversations"))
    func conversations(file: String) throws {
        let tests = try Self.cases(file)
        #expect(tests.count > 30)
        for test in tests {
            let name = string(test, "name") ?? ""
            guard let messages = test["messages"]?.array else { continue }
            var mirror = SceneMirror()
            for data in messages {
                guard let text = data.string else { continue }
                let message =
                    string(test, "format") == "bin"
                    ? try ServerMessage.decode(unhex(text) ?? [])
                    : try ServerMessage.decode(json: utf8(text))
                if case .welcome(let welcome) = message {
                    mirror.continueInConnection(ofEpoch: welcome.epoch)
                }
                try mirror.apply(message)
            }
            #expect(.number(Double(mirror.tick)) == test["tick"], "\(name)")
            #expect(ViewHash.text(mirror.stateHash) == string(test, "hash"), "\(name)")
        }
    }

    private func list(_ frame: QuantisedFrame) -> JSONValue {
        .array([frame.x, frame.y, frame.width, frame.height].map { .number(Double($0)) })
    }

    private func string(_ value: JSONValue, _ key: String) -> String? {
        guard let text = value[key]?.string else { return nil }
        return text
    }

    /// The order of members means nothing.
    private func sorted(_ value: JSONValue) -> JSONValue {
        switch value.kind {
        case .array(let values): .array(values.map(sorted))
        case .object(let members):
            .object(
                members.map { JSONMember($0.key, sorted($0.value)) }.sorted { $0.key < $1.key })
        default: value
        }
    }
}

/// The bytes of hexadecimal digits without spaces.
func unhex(_ text: String) -> [UInt8]? {
    let digits = Array(text.utf8)
    guard digits.count % 2 == 0 else { return nil }
    var result: [UInt8] = []
    for index in stride(from: 0, to: digits.count, by: 2) {
        guard
            let byte = UInt8(String(decoding: digits[index...index + 1], as: UTF8.self), radix: 16)
        else { return nil }
        result.append(byte)
    }
    return result
}
