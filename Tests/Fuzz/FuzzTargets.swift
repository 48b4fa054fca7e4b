import ConstraintLanguage
import Foundation
import InterfaceBuilder
import JSON
import LayoutValues
import LineBreaking
import SceneDocument
import SceneFaces
import SceneModel
import SceneWire
import Typefaces

/// The program's entry, under the name that the package manager gives it; libFuzzer does the rest.
/// Built by `./dev fuzz` alone.
///
/// Whatever a decoder takes must come back from its own encoder, and whatever a message says must
/// not trap a mirror.
@_cdecl("scenesync_fuzz_main")
public func fuzzMain(
    _ count: CInt, _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> CInt {
    var count = count
    var arguments = arguments
    return runDriver(&count, &arguments) { start, count in
        target(Array(UnsafeBufferPointer(start: start, count: count)))
        return 0
    }
}

@_silgen_name("LLVMFuzzerRunDriver")
private func runDriver(
    _ count: UnsafeMutablePointer<CInt>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?>,
    _ callback: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt

private let target: @Sendable ([UInt8]) -> Void = {
    let name = ProcessInfo.processInfo.environment["SCENESYNC_FUZZ_TARGET"] ?? ""
    guard let target = targets[name] else {
        fatalError("SCENESYNC_FUZZ_TARGET has to be one of \(targets.keys.sorted())")
    }
    return target
}()

private let targets: [String: @Sendable ([UInt8]) -> Void] = [
    "server": { bytes in
        guard let message = try? ServerMessage.decode(bytes) else { return }
        var again: [UInt8] = []
        message.encode(to: &again)
        // Numbers of a message are re-encoded at their shortest, so the length cannot exceed the
        // limit by much.
        if again.count <= Limits.standard.messageBytesMaximum {
            precondition((try? ServerMessage.decode(again)) == message, "not the same again")
        }
        var mirror = sample
        _ = try? mirror.apply(message)
        _ = mirror.preorder()
        precondition(mirror.needsSnapshot || mirror.records.count == mirror.count)
    },
    "client": { bytes in
        guard let message = try? ClientMessage.decode(bytes) else { return }
        var again: [UInt8] = []
        message.encode(to: &again)
        if again.count <= Limits.standard.messageBytesMaximum {
            precondition((try? ClientMessage.decode(again)) == message, "not the same again")
        }
        if case .ops(let ops) = message { _ = try? Op.parseEach(ops.ops) }
    },
    "server-json": { bytes in
        guard let message = try? ServerMessage.decode(json: bytes) else { return }
        var again: [UInt8] = []
        message.encode(to: &again)
        if again.count <= Limits.standard.messageBytesMaximum {
            precondition((try? ServerMessage.decode(again)) == message, "not the same again")
        }
    },
    "client-json": { bytes in
        guard let message = try? ClientMessage.decode(json: bytes) else { return }
        var again: [UInt8] = []
        message.encode(to: &again)
        if again.count <= Limits.standard.messageBytesMaximum {
            precondition((try? ClientMessage.decode(again)) == message, "not the same again")
        }
    },
    "document": { bytes in
        if let document = try? SceneDocument.parse(bytes) { _ = document.json }
        _ = try? Op.parseList(bytes)
    },
    "interface": { bytes in
        _ = try? LocalizedStrings(bytes, language: "de")
        guard let file = try? InterfaceFile(bytes, path: "fuzzed.xib") else { return }
        for scene in file.scenes {
            for sizes in [ConversionOptions.ContentSizes.stored, .measured] {
                var options = ConversionOptions()
                options.contentSizes = sizes
                options.hasContents = sizes == .measured
                guard let scene = try? InterfaceConversion(scene, options: options) else {
                    continue
                }
                let json = Array(scene.document.json().utf8)
                precondition((try? SceneDocument.parse(json)) != nil, "no document")
                _ = InterfaceExport(scene.document, frames: scene.storedFrames)
                layOut(scene.document)
            }
        }
    },
    "sequence": { bytes in
        // Messages one after another, each behind its length in two bytes.
        var mirror = sample
        var rest = bytes[...]
        while let low = rest.popFirst(), let high = rest.popFirst() {
            let message = Array(rest.prefix(Int(low) | Int(high) << 8))
            rest = rest.dropFirst(message.count)
            if let decoded = try? ServerMessage.decode(message) { _ = try? mirror.apply(decoded) }
        }
        precondition(mirror.needsSnapshot || mirror.records.count == mirror.count)
    },
    "inspection": { bytes in
        guard let inspection = try? SceneInspection.parse(bytes) else { return }
        let again = try? SceneInspection.parse(Array(inspection.json.text().utf8))
        precondition(again == inspection, "not the same again")
    },
    "rule": { bytes in
        let text = String(decoding: bytes, as: UTF8.self)
        _ = try? Rule.parse(text)
        _ = try? VisualFormat.parse(text)
        _ = try? Condition.parse(text)
    },
    "face": { bytes in
        // Either a file, or changes of a sound one, each a place in two bytes and the value there.
        var file = Array(bytes.dropFirst())
        if let first = bytes.first, first % 2 == 1 {
            var changes = bytes.dropFirst()
            file = smallFace
            while let low = changes.popFirst(), let high = changes.popFirst() {
                file[(Int(low) | Int(high) << 8) % file.count] = changes.popFirst() ?? 0
            }
        }
        guard let face = try? Typeface(file) else { return }
        let chain = TypefaceChain([face])
        for word in [
            "AVATAR", "e\u{301}fi\u{323}", "1,234", "\u{1F469}\u{200D}\u{1F467}", "日本שלום",
        ] {
            precondition(chain.advance(of: word).units >= 0, "text goes backwards")
        }
        _ = face.subset(characters: "AVe".unicodeScalars)
    },
    "text": { bytes in
        // How the label breaks its lines, its width, and its text.
        guard bytes.count > 2 else { return }
        let text = String(decoding: bytes[2...], as: UTF8.self)
        let opportunities = lineBreakOpportunities(in: text.unicodeScalars, strictness: .normal)
        precondition(opportunities.count == text.unicodeScalars.count + 1)
        precondition(opportunities.last == .mandatory)
        let modes = [
            "byWordWrapping", "byCharWrapping", "byClipping", "byTruncatingHead",
            "byTruncatingTail", "byTruncatingMiddle",
        ]
        func number(_ name: String, _ value: UInt8) -> JSONMember {
            JSONMember(name, .number(Double(value)))
        }
        let label = JSONValue.object([
            JSONMember("id", .string("l")), JSONMember("kind", .string("label")),
            JSONMember("text", .string(text)), number("lines", bytes[0] / 32),
            JSONMember("lineBreakMode", .string(modes[Int(bytes[0]) % modes.count])),
            JSONMember("minimumScaleFactor", .number(Double(bytes[0] % 8) / 8)),
        ])
        let json = JSONValue.object([
            number("scene", 1),
            JSONMember(
                "viewport",
                .object([
                    number("width", 255), number("height", 255), number("scale", 1 + bytes[1] % 3),
                    JSONMember("typography", .string("faces")),
                ])),
            JSONMember("views", .array([label])),
            JSONMember("constraints", .array([.string("l.width <= \(bytes[1])")])),
        ])
        guard let document = try? SceneDocument.parse(Array(json.text().utf8)) else { return }
        RegisteredFaces.withLibrary(FaceFolder.shippedAlone) { layOut(document) }
    },
]

/// A face that ships with the program, with a few characters: some kilobytes.
private let smallFace: [UInt8] = {
    guard let face = FaceFolder.shippedAlone.entries.first?.typeface,
        let file = face.subset(characters: "AVTare\u{301}\u{323}fi1,2".unicodeScalars)
    else { fatalError("no face ships with the program") }
    return file
}()

/// Lays a document out on its own screen and on the last of its devices. What has no answer is
/// refused.
private func layOut(_ document: SceneDocument) {
    for screen in [nil, document.devices.last?.viewport] {
        guard let model = try? SceneModel(document, on: screen) else { continue }
        for frame in model.frames() {
            let rect = frame.rect
            precondition(
                [rect.minX, rect.minY, rect.width, rect.height].allSatisfy(\.isFinite),
                "a frame without a number")
        }
        _ = model.ambiguousViewIDs()
    }
}

/// A small scene for messages to act on.
private let sample: SceneMirror = {
    var mirror = SceneMirror()
    var snapshot = Snapshot()
    for index in 0..<20 as Range<UInt32> {
        snapshot.views.append(
            ViewRecord(
                number: ViewNumber(index), id: index == 0 ? "root" : "v\(index)",
                parent: index == 0 ? nil : ViewNumber(index / 3),
                frame: QuantisedFrame(x: 1, y: 2, width: 3, height: 4), content: ViewContent()))
    }
    for record in snapshot.views {
        let parent = record.parent.flatMap { number in snapshot.views.first { $0.number == number }
        }
        let prefix = ViewHash.prefix(
            id: record.id, parentID: parent?.id ?? "", content: record.content)
        snapshot.stateHash &+= ViewHash.hash(prefix: prefix, frame: record.frame)
    }
    do {
        try mirror.apply(snapshot)
    } catch {
        fatalError("the sample is wrong: \(error)")
    }
    return mirror
}()
