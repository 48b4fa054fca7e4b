import Foundation
import SceneDocument
import SceneFaces
import SceneModel
import Testing

@Suite("The files of protocol/")
struct ProtocolFilesTests {
    @Test("every scenario passes")
    func scenarios() throws {
        let files = try protocolFiles("scenarios")
        #expect(files.count >= 250)
        for file in files {
            let scenario = try Scenario.parse([UInt8](try Data(contentsOf: file)))
            let report = RegisteredFaces.withLibrary(FaceFolder.shippedAlone) {
                ScenarioRunner.run(scenario)
            }
            #expect(report.differences == [], "\(file.lastPathComponent)")
            #expect(scenario.statement != nil, "\(file.lastPathComponent)")
        }
    }

    @Test("a scenario with a wrong expectation fails and says at which step")
    func wrongScenario() throws {
        let text = """
            {"name": "wrong", "scene": {"scene": 1, "viewport": {"width": 80, "height": 16}},
             "steps": [{"tick": 1}, {"expect": {"frames": {"root": [0, 0, 81, 16]}, "trace": ["draw root"],
             "refused": "limit", "broken": ["x"], "hash": "0"}}]}
            """
        let report = ScenarioRunner.run(try Scenario.parse(Array(text.utf8)))
        #expect(!report.passed)
        #expect(report.differences.count == 5)
        #expect(report.differences.allSatisfy { $0.hasPrefix("step 1: ") })
    }

    @Test("every example has one layout, breaks nothing, and reads back as it was written")
    func examples() throws {
        let files = try protocolFiles("examples")
        #expect(files.count == 9)
        for file in files {
            let document = try SceneDocument.parse([UInt8](try Data(contentsOf: file)))
            let again = try SceneDocument.parse(Array(document.json().utf8))
            #expect(again == document, "\(file.lastPathComponent)")
            let model = try SceneModel(document)
            #expect(model.brokenConstraintIDs == [], "\(file.lastPathComponent)")
            #expect(
                Set(document.devices.map(\.id)).isSuperset(of: ["phone", "desk", "terminal"]))
            for device in document.devices {
                let place = "\(file.lastPathComponent), \(device.id)"
                let model = try SceneModel(document, on: device.viewport)
                #expect(model.brokenConstraintIDs == [], "\(place)")
                if document.views.count < 500 {
                    #expect(model.ambiguousViewIDs() == [], "\(place)")
                }
            }
            // To ask about each of 2,000 views takes longer than all other tests together.
            if document.views.count < 500 {
                #expect(model.ambiguousViewIDs() == [], "\(file.lastPathComponent)")
            }
        }
    }
}
