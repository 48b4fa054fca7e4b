import SceneDocument
import Testing

@testable import SceneModel

@Suite("What an op adds, removes and visits")
struct OpFootprintTests {
    private func footprint(_ text: String) throws -> OpFootprint {
        OpFootprint(of: try ops("[\(text)]"))
    }

    @Test("views and rules are counted, in animations too, a visual format as one")
    func counts() throws {
        let added = try footprint(
            #"""
            {"op":"addView","id":"a"},{"op":"addConstraint","rule":"a.width == 3"},
            {"op":"addConstraint","vfl":"H:|[a]|"},{"op":"setView","id":"a","text":"four"},
            {"op":"animate","duration":2,"delay":5,"ops":[{"op":"addView","id":"b"},
              {"op":"removeView","id":"a"}]}
            """#)
        #expect(added.views == 2)
        #expect(added.constraints == 2)
        #expect(added.animationSeconds == 5)
        #expect(added.changesSize)
        // Two views, two rules, a format of seven bytes, a text of four.
        #expect(added.growth == 2 * 3000 + 2 * 800 + 7 * 100 + 4)
        // As undo keeps them: four with properties or not, and the animation around two.
        #expect(added.byteCount == 600 + 200 + 200 + 604 + (100 + 600 + 200))
    }

    @Test(
        "an op that adds and removes nothing takes no memory of the scene",
        arguments: [
            #"{"op":"moveView","id":"a","index":0}"#,
            #"{"op":"setConstraint","id":"w","constant":3}"#,
            #"{"op":"setViewport","width":10}"#, #"{"op":"layoutIfNeeded"}"#,
            #"{"op":"activateSet","id":"s"}"#,
            #"{"op":"setContentOffset","id":"a","offset":[1,2]}"#,
        ])
    func nothing(op: String) throws {
        let found = try footprint(op)
        #expect(found.growth == 0 && !found.changesSize && found.views == 0)
        #expect(found.animationSeconds == nil)
        #expect(found.byteCount == 200)
    }

    @Test("a removal takes nothing, and changes the size")
    func removal() throws {
        for op in [
            #"{"op":"removeView","id":"a"}"#, #"{"op":"removeConstraint","id":"w"}"#,
            #"{"op":"resetView","id":"a","keys":["text"]}"#,
        ] {
            let found = try footprint(op)
            #expect(found.growth == 0 && found.changesSize, "\(op)")
        }
    }

    @Test("what is visited depends on the scene, and an unknown view costs no search")
    func visits() throws {
        let model = try SceneModel(
            try SceneDocument.parse(
                Array(
                    #"""
                    {"scene":1,"viewport":{"width":9,"height":9},"views":[{"id":"a"},{"id":"b"}],
                     "constraints":["a.width == 3"],"sets":{"s":{"constraints":["b.width == 4"]},"t":{"constraints":[]}}}
                    """#.utf8)))
        func count(_ text: String) throws -> Int {
            let op = try #require(try ops("[\(text)]").first)
            return OpFootprint(op).visits.count(in: model)
        }
        // Three views with root, two rules looked up for five records each.
        #expect(try count(#"{"op":"removeView","id":"a"}"#) == 3 + 5 * 2)
        #expect(try count(#"{"op":"removeView","id":"none"}"#) == 0)
        #expect(try count(##"{"op":"setConstraint","id":"#0","constant":3}"##) == 2)
        #expect(try count(#"{"op":"setViewport","width":10}"#) == 1)
        #expect(try count(#"{"op":"moveView","id":"a","index":0}"#) == 50)
        #expect(try count(#"{"op":"setView","id":"a","text":"123456789012"}"#) == 2)
    }
}
