import InterfaceBuilder
import LayoutValues
import SceneDocument
import SceneModel
import Testing

@Suite struct InterfaceExportTests {
    private func frames(_ document: SceneDocument) throws -> [String: Rect] {
        var result: [String: Rect] = [:]
        for frame in try SceneModel(document).frames() { result[frame.id] = frame.rect }
        return result
    }

    @Test("an exported document, read again, lies as before and has the same ids")
    func roundTrip() throws {
        let text = """
            {"scene":1,"viewport":{"width":320,"height":480,"scale":2,"typography":"faces"},"views":[
             {"id":"card","margins":[4,6,4,6]},
             {"id":"head","parent":"card","kind":"label","text":"Über & <all>","intrinsic":[60,20]},
             {"id":"row","parent":"card","kind":"stack","spacing":10,"distribution":"fillEqually"},
             {"id":"a","parent":"row","kind":"button","text":"A","intrinsic":[40,30]},
             {"id":"b","parent":"row","kind":"button","text":"B","intrinsic":[50,30]},
             {"id":"dot","parent":"card","frame":[5,400,10,10]}],
             "constraints":["card.leading == root.leading","card.trailing == root.trailing",
              "card.top == root.top","card.bottom == root.bottom",
              {"id":"h1","rule":"head.top == card.margins.top + 10"},
              {"id":"h2","rule":"head.leading == card.margins.leading"},
              {"id":"r1","rule":"row.top >= head.bottom + 5"},{"id":"r2","rule":"row.top == head.bottom + 7 @700"},
              {"id":"r3","rule":"row.leading == card.leading + 12"},{"id":"r4","rule":"row.width == 0.5 * card.width"}]}
            """
        let document = try SceneDocument.parse(Array(text.utf8))
        let before = try frames(document)
        let export = InterfaceExport(document, frames: before)
        let file = try InterfaceFile(Array(export.text.utf8), path: "card.xib")
        var options = ConversionOptions()
        options.contentSizes = .stored
        let scene = try #require(file.initialScene)
        let again = try InterfaceConversion(scene, options: options)
        let after = try frames(again.document)
        for id in ["card", "head", "row", "a", "b", "dot"] {
            #expect(after[id] == before[id], "\(id)")
        }
        for id in ["h1", "h2", "r1", "r2", "r3", "r4"] {
            #expect(again.constraints[id] != nil, "\(id)")
        }
        #expect(again.document.views.first { $0.id == "head" }?.properties.text == "Über & <all>")
        #expect(export.notes.isEmpty)
    }

    @Test("a file that is read and exported keeps its ids")
    func ids() throws {
        let conversion = try SampleFiles.canvas(SampleFiles.form())
        let export = InterfaceExport(
            conversion.document, frames: try frames(conversion.document))
        #expect(export.text.contains("id=\"9ab-Cd-efg\""))
        #expect(
            export.text.contains("secondItem=\"9ab-Cd-efg\"")
                || export.text.contains("firstItem=\"9ab-Cd-efg\""))
        let again = try SampleFiles.canvas(export.text)
        #expect(again.storedFrames == conversion.storedFrames)
    }

    @Test("what a file cannot say is told")
    func notes() throws {
        let text = """
            {"scene":1,"viewport":{"width":100,"height":100},"views":[{"id":"a","kind":"flow"}],
             "guides":[{"id":"g"}],"sets":{"s":{"constraints":["a.width == 5"]}}}
            """
        let document = try SceneDocument.parse(Array(text.utf8))
        let export = InterfaceExport(document, frames: [:])
        #expect(export.notes.count == 3)
    }
}
