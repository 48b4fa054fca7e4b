import JSON
import SceneDocument
import SceneModel
import Testing

@testable import SceneSession

@Suite("Taking back what was large")
struct LargeUndoPropertyTests {
    @Test(
        "a ledger in which one op took away more than a message may bring is read back, and takes it back"
    )
    func largeRemoval() throws {
        let count = 5_100
        let views = (0..<count).map { "{\"id\": \"v\($0)\", \"parent\": \"top\"}" }
        let rules = (0..<count).map { "\"v\($0).left == top.left + \($0)\"" }
        let document = try SceneDocument.parse(
            Array(
                """
                {"scene": 1, "viewport": {"width": 100, "height": 100},
                 "views": [{"id": "top"}, \(views.joined(separator: ","))],
                 "constraints": [\(rules.joined(separator: ","))]}
                """.utf8))
        let timeline = SceneTimeline(
            try SceneModel(document), ledger: UndoLedger(stepMaximum: 10))
        let before = timeline.model.document()
        let outcome = timeline.apply([.removeView(id: "top")], author: "a", atomic: false)
        #expect(outcome.refusals == [])
        #expect(timeline.model.viewCount == 1)

        timeline.ledger = try UndoLedger(timeline.ledger.json, stepMaximum: 10)
        let (ops, taken) = try timeline.perform(.undo, author: "a")
        #expect(ops.count > Limits.standard.opMaximum)
        #expect(taken.refusals == [])
        #expect(timeline.model.viewCount == count + 2)
        #expect(timeline.model.document() == before)
        // As a journal holds it, and as a replay reads it.
        let recorded = JSONValue.array(ops.map(\.json))
        #expect(try Op.parseArray(recorded, maximum: .max) == ops)
        #expect(throws: DocumentError.self) { _ = try Op.parseArray(recorded) }
    }
}
