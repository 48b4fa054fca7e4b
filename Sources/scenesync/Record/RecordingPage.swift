import Bytes
import Deflate
import EmbeddedFiles
import FoundationEssentials
import JSON
import Pictures
import SceneDocument
import SceneSession
import SceneWire

/// A recording as one page that plays it: the page's own painter, the recording, and what it shows
/// of pictures and faces.
struct RecordingPage {
    /// The version of the recording's format, which clients/web/page/recording.js describes.
    private static let version = 1
    /// The modules of the page that the player consists of.
    private static let modules = [
        "dom", "faces", "player", "recording", "scenesync", "shapes", "stage",
        "symbols",
    ]

    private let recording: SceneRecording
    private let room: String
    private let file: (String) -> [UInt8]?

    /// - Parameter file: The bytes of a picture or a face, by its path, such as `blobs/HASH`; `nil`
    ///   where there are none.
    init(_ recording: SceneRecording, room: String, file: @escaping (String) -> [UInt8]?) {
        (self.recording, self.room, self.file) = (recording, room, file)
    }

    /// The page.
    ///
    /// - Complexity: O(bytes).
    func html() throws -> String {
        var modules: [JSONMember] = []
        for name in Self.modules {
            guard let file = EmbeddedFile.page.first(where: { $0.name == "/page/\(name).js" })
            else { preconditionFailure("the page has no module \(name)") }
            modules.append(JSONMember(name, .string(Self.base64(file.compressed))))
        }
        guard let template = EmbeddedFile.page.first(where: { $0.name == "/page/player.html" })
        else { preconditionFailure("the page has no player") }
        let bytes = try bytes()
        return String(decoding: template.plain, as: UTF8.self)
            // A room's name has no characters of markup.
            .replacing("{{title}}", with: "\(room), recorded with SceneSync")
            .replacing("{{files}}", with: JSONValue.object(modules).text())
            .replacing("{{recording}}", with: Self.base64(try Deflate.compress(bytes, level: 9)))
    }

    private static func base64(_ bytes: [UInt8]) -> String { Data(bytes).base64EncodedString() }

    // MARK: The recording

    /// The recording, not compressed.
    func bytes() throws -> [UInt8] {
        var bytes: [UInt8] = []
        Self.append(try header().text(), to: &bytes)
        for track in recording.tracks {
            var tick = recording.ticks.lowerBound
            for moment in track.moments {
                Varint.append(moment.tick - tick, to: &bytes)
                tick = moment.tick
                Self.append(moment, to: &bytes)
            }
        }
        return bytes
    }

    private func header() throws -> JSONValue {
        func number(_ value: UInt64) -> JSONValue { .number(Double(value)) }
        return .object([
            JSONMember("recording", .number(Double(Self.version))),
            JSONMember("room", .string(room)),
            JSONMember("tickRate", .number(Double(recording.tickRate))),
            JSONMember("first", number(recording.ticks.lowerBound)),
            JSONMember("last", number(recording.ticks.upperBound)),
            JSONMember(
                "captions",
                .array(
                    recording.captions.map { caption in
                        .object([
                            JSONMember("tick", number(caption.tick)),
                            JSONMember("author", .string(caption.author)),
                            JSONMember("text", .string(caption.text)),
                        ])
                    })),
            JSONMember(
                "tracks",
                .array(
                    recording.tracks.map { track in
                        .object([
                            JSONMember("device", .string(track.device)),
                            JSONMember("moments", .number(Double(track.moments.count))),
                        ])
                    })),
            JSONMember("files", .object(try files())),
        ])
    }

    private static func append(_ moment: SceneRecording.Moment, to bytes: inout [UInt8]) {
        let flags: [(isSet: Bool, bit: UInt8)] = [
            (moment.isWhole, 1), (moment.metrics != nil, 2), (moment.stateHash != nil, 4),
        ]
        bytes.append(flags.reduce(0) { $1.isSet ? $0 | $1.bit : $0 })
        if let metrics = moment.metrics {
            let value = JSONValue.object([
                JSONMember("unitsPerPoint", .number(metrics.unitsPerPoint)),
                JSONMember(
                    "cell", .array([.number(metrics.cell.width), .number(metrics.cell.height)])),
                JSONMember("scale", .number(metrics.scale)),
            ])
            append(value.text(), to: &bytes)
        }
        if let hash = moment.stateHash { LittleEndian.append(hash, to: &bytes) }
        Varint.append(UInt64(moment.messages.count), to: &bytes)
        for message in moment.messages {
            Varint.append(UInt64(message.count), to: &bytes)
            bytes += message
        }
    }

    private static func append(_ text: String, to bytes: inout [UInt8]) {
        Varint.append(UInt64(text.utf8.count), to: &bytes)
        bytes += text.utf8
    }

    // MARK: Files

    /// The pictures and faces that are on show at any time, by the paths that the page asks for.
    private func files() throws -> [JSONMember] {
        var paths: Set<String> = []
        for track in recording.tracks {
            var mirror = SceneMirror()
            var stamp: UInt64?
            for moment in track.moments {
                if moment.isWhole { mirror = SceneMirror() }
                for message in moment.messages {
                    _ = try mirror.apply(try ServerMessage.decode(message))
                }
                guard moment.isWhole || mirror.contentStamp != stamp else { continue }
                stamp = mirror.contentStamp
                for view in mirror.records {
                    if let image = view.content.look?.image { paths.insert("blobs/\(image.hash)") }
                    if view.content.look?.symbol != nil {
                        paths.formUnion(EmbeddedFile.symbols.map { $0.name })
                    }
                    for face in view.content.face?.files ?? [] {
                        paths.insert("fonts/\(face.hash)")
                    }
                }
            }
        }
        return paths.sorted().compactMap { path in
            guard let bytes = Self.symbols(path) ?? file(path) else {
                Output.note("room \(room): \(path) is not here: the recording is without it")
                return nil
            }
            return JSONMember(
                path,
                .object([
                    JSONMember("type", .string(Self.type(of: bytes, path))),
                    JSONMember("data", .string(Self.base64(bytes))),
                ]))
        }
    }

    private static func symbols(_ path: String) -> [UInt8]? {
        EmbeddedFile.symbols.first { $0.name == path }?.plain
    }

    private static func type(of bytes: [UInt8], _ path: String) -> String {
        if path.hasPrefix("symbols/") { return "application/json" }
        guard path.hasPrefix("fonts/") else {
            return (try? PictureInfo(of: bytes))?.type.mediaType ?? "application/octet-stream"
        }
        return bytes.starts(with: Array("wOF2".utf8)) ? "font/woff2" : "font/otf"
    }
}
