import Foundation
import SceneDocument
import SceneModel
import SceneTestSupport
import Testing

@Suite("Work of a scene")
struct WorkTests {
    /// A row of labels of equal widths, which a second width contradicts through all of them.
    private static func row(of count: Int) -> String {
        let labels = (0..<count).map {
            "{\"id\": \"l\($0)\", \"parent\": \"s\", \"kind\": \"label\", \"text\": \"x\"}"
        }
        return """
            {"scene": 1, "viewport": {"width": 4000, "height": 100}, "views": [
              {"id": "s", "kind": "stack", "distribution": "fillEqually"}, \(labels.joined(separator: ", "))],
             "constraints": ["s.left == root.left", {"id": "first", "rule": "l0.width == 3"}]}
            """
    }

    private static func adding(_ rules: String...) throws -> [Op] {
        try rules.flatMap { try ops("{\"op\": \"addConstraint\", \"rule\": \"\($0)\"}") }
    }

    @Test(
        "a contradiction through a row of 400 equal widths is refused on an eighth of the usual stack"
    )
    func longRow() async throws {
        let refusal: Refusal? = try await onSmallStack {
            let model = try scene(Self.row(of: 400))
            return model.apply(try Self.adding("l399.width == 50")).refusals.first
        }
        #expect(refusal?.code == .unsatisfiable)
        #expect(refusal?.conflicting.first == "first")
    }

    @Test("a conflict of hundreds is told by 64 names and the number of the others")
    func cappedConflict() throws {
        let views = (0..<300).map { "{\"id\": \"v\($0)\"}" }.joined(separator: ", ")
        let rules = (1..<300).map { "\"v\($0).left == v\($0 - 1).left + 1\"" }
            .joined(separator: ", ")
        let model = try scene(
            """
            {"scene": 1, "viewport": {"width": 400, "height": 100}, "views": [\(views)], "constraints": ["v0.left == root.left", \(rules)]}
            """)
        let refusal = try #require(
            model.apply(try Self.adding("v299.left == root.left")).refusals.first)
        #expect(refusal.code == .unsatisfiable)
        #expect(refusal.conflicting.count == 64)
        // 299 equations of the chain, the one that holds its beginning, and the one that was
        // offered.
        #expect(refusal.message.hasSuffix("and 237 more"))
    }

    @Test("ops cost the same in two scenes of one document, and a cycle's work counts")
    func deterministic() throws {
        func price() throws -> (batch: UInt64, cycle: UInt64) {
            let model = try scene(Self.row(of: 20))
            let batch = model.apply(try Self.adding("l4.height == 50")).work
            let before = model.work
            model.runCycle()
            return (batch, model.work - before)
        }
        let first = try price()
        let second = try price()
        #expect(first.batch > 0 && first.cycle > 0)
        #expect(first == second)
    }

    @Test(
        "beyond its limit an op or a document is refused as too expensive, and the scene says that it is spent"
    )
    func limits() throws {
        let document = try SceneDocument.parse(Array(Self.row(of: 60).utf8))
        #expect(throws: Refusal.self) { _ = try SceneModel(document, workLimit: 5_000) }
        do {
            _ = try SceneModel(document, workLimit: 5_000)
        } catch {
            #expect(error.code == .tooExpensive)
        }
        let model = try SceneModel(document)
        model.workLimit = model.work + 300
        let outcome = model.apply(try Self.adding("l59.width == 50", "l1.height == 5"))
        #expect(outcome.refusals.map(\.code) == [.tooExpensive])
        #expect(model.isExhausted)
        let other = try SceneModel(document)
        _ = other.apply(try Self.adding("l59.height == 50"))
        other.workLimit = other.work + 10
        other.runCycle()
        #expect(other.isExhausted)
        #expect(other.takeDiagnostics().isEmpty)
    }

    /// Views in one another, of which the outermost follows a constraint.
    private static func chain(of count: Int) -> String {
        let views = (0..<count).map {
            "{\"id\": \"v\($0)\", \"parent\": \"\($0 == 0 ? "root" : "v\($0 - 1)")\"}"
        }
        return """
            {"scene": 1, "viewport": {"width": 400, "height": 100}, "views": [\(views.joined(separator: ", "))],
             "constraints": [{"id": "x", "rule": "v0.left == root.left + 1"}]}
            """
    }

    @Test("a moved view is charged for all below it, and less than if they were removed")
    func movedSubtree() throws {
        func work(of op: String, below count: Int) throws -> UInt64 {
            let model = try scene(Self.chain(of: 3))
            let below = (0..<count).map {
                "{\"op\": \"addView\", \"id\": \"w\($0)\", \"parent\": \"v2\"}"
            }
            _ = model.apply(try ops("[\(below.joined(separator: ","))]"))
            model.runCycle()
            let outcome = model.apply(try ops(op))
            #expect(outcome.refusals.isEmpty)
            return outcome.work
        }
        let move = "{\"op\": \"moveView\", \"id\": \"v2\", \"parent\": \"root\"}"
        let removal = "{\"op\": \"removeView\", \"id\": \"v2\"}"
        let moving = try work(of: move, below: 60) - work(of: move, below: 10)
        let removing = try work(of: removal, below: 60) - work(of: removal, below: 10)
        #expect(moving >= 50 * 450)
        #expect(moving < removing)
    }

    @Test("a move by part of a pixel is charged for each view below it, which has to be compared")
    func comparison() throws {
        let model = try scene(Self.chain(of: 100))
        _ = model.takeMarks()
        func work(ofMovingTo place: Double) throws -> UInt64 {
            let before = model.work
            let outcome = model.apply(
                try ops("{\"op\": \"setConstraint\", \"id\": \"x\", \"constant\": \(place)}"))
            #expect(outcome.refusals.isEmpty)
            model.runCycle()
            _ = model.takeMarks()
            return model.work - before
        }
        let byPixels = try work(ofMovingTo: 2)
        let byHalf = try work(ofMovingTo: 2.5)
        // From one half to another it is whole pixels again.
        #expect(try work(ofMovingTo: 3.5) == byPixels)
        // 99 views below at 20 units each, and 14 for each superview: the first has 2, the last
        // 100.
        #expect(byHalf - byPixels == 99 * 20 + 14 * (2...100).reduce(0, +))
    }

    @Test(
        "a label that gets another superview is charged for each of its lines, whose hash is made anew"
    )
    func movedLines() throws {
        func work(lines: Int) throws -> UInt64 {
            let text = Array(repeating: "x", count: lines).joined(separator: "\\n")
            let model = try scene(
                """
                {"scene": 1, "viewport": {"width": 640, "height": 4000}, "views": [{"id": "a"}, {"id": "b"},
                  {"id": "l", "parent": "a", "kind": "label", "lines": 0, "frame": [0, 0, 640, 4000], "text": "\(text)"}]}
                """)
            _ = model.takeMarks()
            let before = model.work
            #expect(
                model.apply(try ops("{\"op\": \"moveView\", \"id\": \"l\", \"parent\": \"b\"}"))
                    .refusals.isEmpty)
            return model.work - before
        }
        #expect(try work(lines: 100) - work(lines: 1) == 99 * 30)
    }

    @Test("a view that is not there is not charged for what would be looked through")
    func missingView() throws {
        func work(of op: String, constraints: Int) throws -> UInt64 {
            let rules = (0..<constraints).map { _ in "\"v.left >= root.left\"" }
            let model = try scene(
                """
                {"scene": 1, "viewport": {"width": 640, "height": 384}, "views": [{"id": "v"}],
                 "constraints": [\(rules.joined(separator: ","))]}
                """)
            let before = model.work
            #expect(model.apply(try ops(op)).refusals.count == 1)
            return model.work - before
        }
        for op in ["removeView", "moveView"] {
            let text =
                "{\"op\": \"\(op)\", \"id\": \"gone\"\(op == "moveView" ? ", \"index\": 0" : "")}"
            #expect(try work(of: text, constraints: 1) == work(of: text, constraints: 100))
        }
    }

    @Test(
        "once a view went, the root's subviews are looked at and charged; a view that is added elsewhere does not ask for them"
    )
    func rootSubviews() throws {
        func work(of op: String, siblings: Int) throws -> UInt64 {
            let views = (0..<siblings).map { ", {\"id\": \"v\($0)\"}" }.joined()
            let model = try scene(
                """
                {"scene": 1, "viewport": {"width": 640, "height": 384}, "views": [{"id": "a"}, {"id": "b", "parent": "a"}\(views)]}
                """)
            _ = model.takeMarks()
            let before = model.work
            #expect(model.apply(try ops(op)).refusals.isEmpty)
            model.runCycle()
            return model.work - before
        }
        func difference(_ op: String) throws -> UInt64 {
            try work(of: op, siblings: 110) - work(of: op, siblings: 10)
        }
        let removing = try difference("{\"op\": \"removeView\", \"id\": \"b\"}")
        let adding = try difference("{\"op\": \"addView\", \"id\": \"n\", \"parent\": \"b\"}")
        #expect(removing >= 100 * 80)
        #expect(adding < 100 * 80)
    }

    @Test("a view that moves is charged little for siblings that stay where they are")
    func siblings() throws {
        func work(siblings: Int) throws -> UInt64 {
            let views = (0..<siblings).map { ", {\"id\": \"v\($0)\"}" }.joined()
            let model = try scene(
                """
                {"scene": 1, "viewport": {"width": 640, "height": 384}, "views": [{"id": "a"}\(views)],
                 "constraints": [{"id": "x", "rule": "a.left == 1"}]}
                """)
            model.runCycle()
            _ = model.takeMarks()
            let before = model.work
            let outcome = model.apply(
                try ops("{\"op\": \"setConstraint\", \"id\": \"x\", \"constant\": 2}"))
            #expect(outcome.refusals.isEmpty)
            model.runCycle()
            return model.work - before
        }
        #expect(try work(siblings: 1_010) - work(siblings: 10) < 1_000)
    }

    @Test("text beyond ASCII is charged by its scalars, however many bytes they have")
    func scalars() throws {
        func work(_ character: Character, _ count: Int) throws -> UInt64 {
            let model = try scene(
                """
                {"scene": 1, "viewport": {"width": 640, "height": 384}, "views": [{"id": "l", "kind": "label"}]}
                """)
            model.runCycle()
            let before = model.work
            let text = String(repeating: character, count: count)
            let outcome = model.apply(
                try ops("{\"op\": \"setView\", \"id\": \"l\", \"text\": \"\(text)\"}"))
            #expect(outcome.refusals.isEmpty)
            return model.work - before
        }
        let short = try work("é", 500) - work("é", 100)
        let long = try work("😀", 500) - work("😀", 100)
        // As four bytes of ASCII each, which cost 9 units where the ends of characters have to be
        // found.
        #expect(short >= 400 * 4 * 9)
        // By bytes they would cost 18 units more each.
        #expect(long >= short && long - short < 400 * 9)
    }
}
