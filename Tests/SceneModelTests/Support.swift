import Foundation
import SceneDocument
import SceneModel
import Testing

/// Reads a document from its text.
func scene(_ text: String) throws -> SceneModel {
    try SceneModel(try SceneDocument.parse(Array(text.utf8)))
}

/// Reads ops from the text of one op or of a list.
func ops(_ text: String) throws -> [Op] { try Op.parseList(Array(text.utf8)) }

/// Runs cycles until nothing is pending.
func settle(_ model: SceneModel) {
    for _ in 0..<200 where !model.isIdle { model.runCycle() }
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
