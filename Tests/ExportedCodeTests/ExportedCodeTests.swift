import AutoLayout
import Foundation
import SceneDocument
import SceneModel
import Testing

/// The page's own tests see that it exports `scene.json` as exactly the files that are compiled
/// here.
@Suite("What the page exports as code")
struct ExportedCodeTests {
    /// Compares the frames that were built with those that the document says, each view before its
    /// subviews.
    private func compare(_ built: [AutoLayout.Rect]) throws {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../ExportedCode/scene.json")
        let document = try SceneDocument.parse(Array(Data(contentsOf: file)))
        let views = try SceneModel(document).window.preorder
        #expect(views.count == 25)
        #expect(built.count == views.count)
        for (view, frame) in zip(views, built) {
            // The code turns by radians, the document by degrees.
            let own = view.frame
            let distances = [
                frame.minX - own.minX, frame.minY - own.minY, frame.width - own.width,
                frame.height - own.height,
            ]
            #expect(
                distances.allSatisfy { abs($0) < 1e-9 }, "\(view.identifier): \(frame), not \(own)")
        }
    }

    @Test("the code for UIKit compiles and lays out the same scene")
    func uiKit() throws {
        try compare(Built.forUIKit())
    }

    @Test("the code for SnapKit compiles and lays out the same scene")
    func snapKit() throws {
        try compare(Built.forSnapKit())
    }
}
