import AutoLayout
import Foundation
import LayoutValues
import SceneDocument
import SceneFaces
import SceneModel
import SceneWire
import Testing
import Typefaces

@Suite("Scenes whose text is set in faces", .serialized, .shippedFaces)
struct FaceSceneTests {
    private func model(
        _ views: String, scale: Double = 2, faces: String = "", on screen: ViewportPatch? = nil
    ) throws -> SceneModel {
        let text = """
            {"scene": 1, "viewport": {"width": 390, "height": 844, "scale": \(scale),
             "typography": "faces"}\(faces), "views": [\(views)]}
            """
        return try SceneModel(SceneDocument.parse(Array(text.utf8)), on: screen)
    }

    private func frame(_ id: String, _ model: SceneModel) throws -> Rect {
        try #require(model.frame(of: id))
    }

    @Test("a label is as wide as its face says")
    func width() throws {
        // 10,988 of 2,816 units at 17 points are 66.33 points, up to half a point; a line is
        // (2,728 + 680) / 2,816 × 17 = 20.57 points high.
        let model = try model(#"{"id": "a", "kind": "label", "text": "Settings"}"#)
        let size = try frame("a", model).size
        #expect(size == Size(width: 66.5, height: 21))
    }

    @Test("what a renderer is told of the font")
    func told() throws {
        let model = try model(
            #"{"id": "a", "kind": "label", "text": "Settings", "textStyle": "headline"}"#)
        let record = try #require(model.records().first { $0.id == "a" })
        let face = try #require(record.content.face)
        #expect(face.weight == 600)
        #expect(face.size == 17 * 64)
        // 16.47 points are 32.94 pixels.
        #expect(face.ascent == 33)
        #expect(!face.fitted)
        #expect(face.files.map(\.weight) == [400, 600])
        #expect(record.content.lines.map(\.text) == ["Settings"])
    }

    @Test("characters that no face has leave the line to be fitted")
    func fitted() throws {
        let model = try model(#"{"id": "a", "kind": "label", "text": "日本"}"#)
        let record = try #require(model.records().first { $0.id == "a" })
        #expect(record.content.face?.fitted == true)
        #expect(try frame("a", model).width == 34)
    }

    @Test("a device may have the grid, and a view faces on it")
    func devices() throws {
        var screen = ViewportPatch()
        screen.typography = .grid
        let views = """
            {"id": "a", "kind": "label", "text": "Settings"},
            {"id": "b", "kind": "label", "text": "Settings", "traits": {"typography": "faces"}}
            """
        let model = try model(views, on: screen)
        #expect(try frame("a", model).width == 64)
        #expect(try frame("b", model).width == 66.5)
    }

    @Test("an op that changes the typography measures all text again")
    func changing() throws {
        let model = try model(#"{"id": "a", "kind": "label", "text": "Settings"}"#)
        let ops = try Op.parseList(Array(#"[{"op": "setViewport", "typography": "grid"}]"#.utf8))
        #expect(model.apply(ops).refusals.isEmpty)
        model.runCycle()
        #expect(try frame("a", model).width == 64)
        #expect(model.document().viewport.typography == .grid)
    }

    @Test("a document keeps the faces that it names, and one that the program lacks is refused")
    func named() throws {
        let shipped = FaceFolder.shippedAlone.standardFaces[0]
        let named = #", "faces": [{"name": "X", "weight": 300, "hash": "\#(shipped.hash)"}]"#
        let model = try model(#"{"id": "a", "kind": "label", "text": "Settings"}"#, faces: named)
        #expect(model.document().faces == [FaceSpec(name: "X", weight: 300, hash: shipped.hash)])
        #expect(try frame("a", model).width == 66.5)
        let missing = String(repeating: "0", count: 64)
        do {
            _ = try self.model(
                "", faces: #", "faces": [{"name": "X", "weight": 300, "hash": "\#(missing)"}]"#)
            Issue.record("taken")
        } catch let refusal as Refusal {
            #expect(refusal.code == .badValue)
            #expect(refusal.message.contains(missing))
        }
    }

    @Test("a folder adds its faces, and tells of files that are none")
    func folder() throws {
        let folder = FileManager.default.temporaryDirectory.appending(
            path: "faces-\(ProcessInfo.processInfo.processIdentifier)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try Data("no font".utf8).write(to: folder.appending(path: "a.otf"))
        try Data("not looked at".utf8).write(to: folder.appending(path: "b.txt"))
        let found = try FaceFolder(folder: folder.path)
        #expect(found.refused.map(\.reason) == [.notAFont])
        #expect(found.entries.count == 2)
        #expect(throws: FaceFolder.Unreadable.self) {
            try FaceFolder(folder: folder.path + "/missing")
        }
    }

    @Test("equal scenes are equal, whatever was measured before them")
    func deterministic() throws {
        let views = (0..<50).map { index in
            #"{"id": "v\#(index)", "kind": "label", "lines": 0, "preferredWidth": 120, "text": "Row \#(index): Größe — 日本 e\#u{301} a-b 12:\#(index)"}"#
        }.joined(separator: ",")
        let first = try model(views).stateHash
        _ = try model(views.replacing("Row", with: "Other"))
        #expect(try model(views).stateHash == first)
    }
}
