import EngineModule
import FoundationEssentials
import JSON
import SceneTestSupport
import SeededRandom

/// Runs random batches of ops on scenes and prints what the engine answers, so that the same engine
/// compiled for another machine can be held against it.
///
/// - `scenesync-engine random SEED BATCHES [FILE…]` edits random documents, and the documents and
///   scenes of scenarios in the files.
/// - `scenesync-engine extreme SEED DOCUMENTS` lays out documents whose numbers lie at the ends of
///   their ranges, and beyond.
///
/// Each line is a call and its answer, in fields between tabs:
///
/// | call | fields | |
/// |---|---|---|
/// | `open` | budget, document | closes the scene before |
/// | `apply` | budget, 1 if atomic or 0, ops | |
/// | `tick` | budget, count | |
/// | `explain` | budget, view | |
/// | `frames` | budget | |
/// | `changed`, `picture`, `hash`, `document` | | |
@main
enum EngineReference {
    static func main() throws {
        let arguments = CommandLine.arguments
        guard arguments.count >= 4, let seed = Int(arguments[2]), let count = Int(arguments[3]),
            seed >= 0, count >= 0
        else { throw Self.usage }
        var transcript = Transcript()
        switch arguments[1] {
        case "random":
            var batches = RandomBatches(
                seed: seed, documents: try arguments.dropFirst(4).map(document))
            batches.run(count, &transcript)
        case "extreme":
            var documents = ExtremeDocuments(seed: seed)
            for _ in 0..<count { documents.run(&transcript) }
        default: throw Self.usage
        }
        transcript.flush()
    }

    private static let usage = Fault(
        description: "usage: scenesync-engine random|extreme SEED COUNT [FILE…]")

    /// The text of a document, or of the one in a scenario, on one line.
    private static func document(_ path: String) throws -> String {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw Fault(description: "cannot read \(path)")
        }
        let json = try JSONReader.read(Array(data))
        guard let scene = json["scene"], case .object = scene.kind else { return json.text() }
        return scene.text()
    }
}

private struct Fault: Error, CustomStringConvertible {
    let description: String
}

/// Calls of one scene after another, and their answers, on standard output.
struct Transcript {
    private var scene: EngineScene?
    private var lines: [UInt8] = []

    /// Opens a document.
    ///
    /// - Returns: Whether there is a scene.
    mutating func open(_ document: String, budget: UInt64) -> Bool {
        let (scene, answer) = EngineScene.open(Array(document.utf8), budget: budget)
        self.scene = scene
        write(["open", "\(budget)", document], answer)
        return scene != nil
    }

    mutating func apply(_ ops: String, isAtomic: Bool, budget: UInt64) {
        guard let scene else { return }
        write(
            ["apply", "\(budget)", isAtomic ? "1" : "0", ops],
            scene.apply(Array(ops.utf8), isAtomic: isAtomic, budget: budget))
    }

    mutating func tick(_ count: Int, budget: UInt64) {
        guard let scene else { return }
        write(["tick", "\(budget)", "\(count)"], scene.tick(count, budget: budget))
    }

    mutating func explain(_ view: String, budget: UInt64) {
        guard let scene else { return }
        write(["explain", "\(budget)", view], scene.explain([view], budget: budget))
    }

    /// - Returns: The views' ids.
    @discardableResult
    mutating func frames(budget: UInt64) -> [String] {
        guard let scene else { return [] }
        let answer = scene.frames(budget: budget)
        write(["frames", "\(budget)"], answer)
        guard let frames = answer["frames"]?.members else { return [] }
        return frames.map(\.key)
    }

    mutating func changed() {
        if let scene { write(["changed"], scene.changed()) }
    }

    mutating func picture() {
        if let scene { write(["picture"], scene.picture()) }
    }

    mutating func hash() {
        if let scene { write(["hash"], scene.hash()) }
    }

    mutating func document() {
        if let scene { write(["document"], scene.document()) }
    }

    private mutating func write(_ call: [String], _ answer: JSONValue) {
        lines += call.joined(separator: "\t").utf8
        lines.append(UInt8(ascii: "\t"))
        answer.append(to: &lines)
        lines.append(UInt8(ascii: "\n"))
        if lines.count > 1 << 16 { flush() }
    }

    mutating func flush() {
        print(String(decoding: lines, as: UTF8.self), terminator: "")
        lines.removeAll(keepingCapacity: true)
    }
}
