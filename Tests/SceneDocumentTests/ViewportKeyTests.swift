import Foundation
import JSON
import LayoutValues
import Testing

@testable import SceneDocument

@Suite("The keys of viewports")
struct ViewportKeyTests {
    /// A viewport in which nothing is a default.
    private static let unusual =
        #"{"width":320,"height":480,"scale":3,"direction":"rtl","rounding":"none","unsatisfiable":"break","cell":[10,20],"safeArea":{"top":47,"bottom":34},"keyboard":216,"margins":"controller","horizontalSizeClass":"compact","verticalSizeClass":"regular","contentSizeCategory":"accessibilityLarge","userInterfaceStyle":"dark","idiom":"pad","typography":"faces","accessibilityContrast":"high"}"#

    private static func viewport() throws -> Viewport {
        try Viewport(JSONCursor(try JSONReader.read(Array(unusual.utf8))))
    }

    @Test("all are read and written, in the order of the documentation, and defaults are not")
    func json() throws {
        let viewport = try Self.viewport()
        #expect(viewport.json.text() == Self.unusual)
        #expect(viewport.patch(of: ViewportKey.allCases).givenKeys == ViewportKey.allCases)
        #expect(Viewport(width: 8, height: 9).json.text() == #"{"width":8,"height":9}"#)
    }

    @Test("the schema has the same keys")
    func schema() throws {
        let path = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("protocol/schemas/document.json")
        let schema = try JSONReader.read([UInt8](Data(contentsOf: path)))
        guard let members = schema["$defs"]?["viewport"]?["properties"]?.members else {
            Issue.record("the schema has no viewport")
            return
        }
        #expect(
            Set(members.map(\.key)) == Set(ViewportKey.allCases.map(\.rawValue)))
    }

    @Test(
        "a patch of one key gives, applies and merges that key alone",
        arguments: ViewportKey.allCases)
    func patches(key: ViewportKey) throws {
        let unusual = try Self.viewport()
        let plain = Viewport(width: 8, height: 9)
        let patch = unusual.patch(of: [key])
        #expect(patch.givenKeys == [key])
        var changed = plain
        changed.apply(patch)
        #expect(changed != plain)
        changed.apply(plain.patch(of: [key]))
        #expect(changed == plain)
        var merged = plain.patch(of: ViewportKey.allCases)
        merged.merge(patch)
        #expect(merged.givenKeys == ViewportKey.allCases)
        changed.apply(patch)
        #expect(changed.patch(of: ViewportKey.allCases) == merged)
    }

    @Test("a device has an area, and no say in what is accepted")
    func devices() throws {
        func refusal(_ text: String) throws -> DocumentError? {
            let value = try JSONReader.read(Array(text.utf8))
            do throws(DocumentError) { _ = try ViewportPatch.device(value) } catch { return error }
            return nil
        }
        #expect(try refusal(#"{"width":1,"height":1,"idiom":"phone"}"#) == nil)
        #expect(try refusal(#"{"width":0}"#)?.code == .badValue)
        #expect(try refusal(#"{"unsatisfiable":"break"}"#)?.code == .badOp)
    }
}
