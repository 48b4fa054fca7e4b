import Foundation
import SceneModel
import SceneProtocol
import Testing

/// Reads a document from its text.
func scene(_ text: String) throws -> SceneModel {
    try SceneModel(try SceneDocument.parse(Array(text.utf8)))
}

/// Reads ops from the text of one op or of a list.
func ops(_ text: String) throws -> [Op] { try Op.parseList(Array(text.utf8)) }

/// Runs cycles until nothing is pending.
func settle(_ model: SceneModel) {
    for _ in 0..<200 where !model.isSettled { model.runCycle() }
}

/// The files of a folder of `protocol/`, in order of their names.
func protocolFiles(_ folder: String) throws -> [URL] {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()
    return try FileManager.default.contentsOfDirectory(
        at: root.appendingPathComponent("protocol/\(folder)"), includingPropertiesForKeys: nil
    )
    .filter { $0.pathExtension == "json" }
    .sorted { $0.lastPathComponent < $1.lastPathComponent }
}

/// A small seeded generator (Steele, Lea and Flood, 2014), so that a failing case can be run again.
struct SplitMix64: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    mutating func below(_ count: Int) -> Int { Int(next() % UInt64(count)) }

    mutating func pick<Element>(_ choices: [Element]) -> Element { choices[below(choices.count)] }
}
