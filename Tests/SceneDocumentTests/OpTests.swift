import JSON
import SceneDocument
import Testing

@Suite("Ops and scenarios")
struct OpTests {
    @Test(
        "an op reads back from its text",
        arguments: [
            #"{"op":"addView","id":"a","parent":"b","index":2,"kind":"label","text":"x"}"#,
            #"{"op":"removeView","id":"a"}"#,
            #"{"op":"moveView","id":"a","parent":"b","index":0}"#,
            #"{"op":"moveView","id":"a","index":0}"#,
            ##"{"op":"setView","id":"root","background":"#010203"}"##,
            #"{"op":"addConstraint","id":"w","rule":"a.width == 3 @750","active":false}"#,
            #"{"op":"addConstraint","id":"w","vfl":"[a][b]","options":["alignAllTop"]}"#,
            #"{"op":"setView","id":"a","symbol":"square.and.arrow.up"}"#,
            #"{"op":"setView","id":"a","chart":{"values":[1,-2.5],"style":"bars","minimum":-3,"maximum":4,"color":"label","lineWidth":0,"gridLines":2}}"#,
            #"{"op":"setView","id":"a","chart":{"values":[]}}"#,
            #"{"op":"removeConstraint","id":"row.2"}"#,
            ##"{"op":"setConstraint","id":"#0","constant":300,"priority":1,"multiplier":2,"active":true}"##,
            #"{"op":"activateSet","id":"s","auto":true}"#,
            #"{"op":"activateSet","id":"s"}"#,
            #"{"op":"deactivateSet","id":"s"}"#,
            #"{"op":"setViewport","width":10,"direction":"rtl","cell":[1,2]}"#,
            #"{"op":"setContentOffset","id":"s","offset":[0,-4.5]}"#,
            #"{"op":"setNeedsUpdateConstraints","id":"a"}"#,
            #"{"op":"updateConstraintsIfNeeded","id":"a"}"#,
            #"{"op":"setNeedsLayout","id":"a"}"#,
            #"{"op":"layoutIfNeeded","id":"root"}"#,
            #"{"op":"setNeedsDisplay","id":"a","rect":[0,1,2,3]}"#,
            #"{"op":"setNeedsDisplay","id":"a"}"#,
            #"{"op":"sizeToFit","id":"a"}"#,
            #"{"op":"animate","duration":0.25,"delay":1,"curve":"linear","ops":[{"op":"layoutIfNeeded","id":"root"}]}"#,
            #"{"op":"setScene","scene":1,"viewport":{"width":3,"height":4},"views":[],"constraints":[]}"#,
        ])
    func roundTrip(text: String) throws {
        let op = try #require(try Op.parseList(utf8(text)).first)
        #expect(op.json.text() == text)
        #expect(try Op.parse(op.json) == op)
        #expect(Op.Name(rawValue: op.name.rawValue) == op.name)
    }

    @Test("marks go to the root unless they name a view, and animations ease in and out")
    func defaults() throws {
        let ops = try Op.parseList(
            utf8(
                """
                [{"op": "layoutIfNeeded"}, {"op": "setNeedsDisplay"},
                 {"op": "animate", "duration": 1, "ops": []}]
                """))
        #expect(
            ops == [
                .layoutIfNeeded(id: "root"), .setNeedsDisplay(id: "root", nil),
                .animate(Animation(duration: 1, ops: [])),
            ])
    }

    @Test("lists, lines and documents are taken")
    func lists() throws {
        let text = """
            {"op": "removeView", "id": "a"}
            [{"op": "removeView", "id": "b"}, {"op": "removeView", "id": "c"}]

            {"scene": 1, "viewport": {"width": 1, "height": 2}}
            """
        let batches = try Op.parseBatches(utf8(text))
        #expect(batches.map(\.count) == [1, 2, 1])
        #expect(batches[2][0].name == .setScene)
        #expect(try Op.parseList(utf8(text)).count == 4)
        #expect(try Op.parseList([]).isEmpty)
    }

    @Test(
        "a wrong op is an error with its code and path",
        arguments: [
            (#"3"#, RefusalCode.badOp, ""), (#"{}"#, RefusalCode.badOp, ""),
            (#"{"op": 1}"#, RefusalCode.badOp, "op"),
            (#"{"op": "explode"}"#, RefusalCode.badOp, "op"),
            (#"{"op": "removeView"}"#, RefusalCode.badOp, ""),
            (#"{"op": "removeView", "id": "a", "x": 1}"#, RefusalCode.badOp, ""),
            (#"{"op": "removeView", "id": "a b"}"#, RefusalCode.badValue, "id"),
            (#"{"op": "moveView", "id": "a"}"#, RefusalCode.badOp, ""),
            (#"{"op": "setConstraint", "id": "a"}"#, RefusalCode.badOp, ""),
            (
                #"{"op": "setConstraint", "id": "a", "constant": 1e7}"#, RefusalCode.badValue,
                "constant"
            ),
            (
                #"{"op": "setConstraint", "id": "a", "constant": "3"}"#, RefusalCode.badOp,
                "constant"
            ),
            (
                #"{"op": "setConstraint", "id": "a", "priority": 0}"#, RefusalCode.badValue,
                "priority"
            ),
            (#"{"op": "addConstraint", "id": "a", "rule": "a"}"#, RefusalCode.badRule, "rule"),
            (#"{"op": "addView", "id": "root"}"#, RefusalCode.duplicateID, ""),
            (#"{"op": "animate", "duration": -1, "ops": []}"#, RefusalCode.badValue, "duration"),
            (
                #"{"op": "animate", "duration": 1, "curve": "x", "ops": []}"#, RefusalCode.badValue,
                "curve"
            ),
            (
                #"{"op": "animate", "duration": 1, "ops": [{"op": 2}]}"#, RefusalCode.badOp,
                "ops[0].op"
            ),
            (
                #"{"op": "animate", "duration": 1, "ops": [{"scene": 1, "viewport": {"width": 1, "height": 1}}]}"#,
                RefusalCode.badOp, "ops"
            ),
            (#"{"op": "setScene", "scene": 1}"#, RefusalCode.badOp, ""),
            (
                #"[{"op": "setContentOffset", "id": "a", "offset": [1]}]"#, RefusalCode.badValue,
                "[0].offset"
            ),
        ])
    func errors(text: String, code: RefusalCode, path: String) {
        let error = #expect(throws: DocumentError.self) { try Op.parseList(utf8(text)) }
        #expect(error?.code == code)
        #expect(error?.path == path)
    }

    @Test("of a list read one by one, only the wrong ops are errors")
    func each() throws {
        let value = try JSONReader.read(
            utf8(#"[{"op": "removeView", "id": "a"}, {"op": "x"}, {"op": "sizeToFit", "id": "b"}]"#)
        )
        let results = try Op.parseEach(value)
        #expect(results.map { (try? $0.get())?.name } == [.removeView, nil, .sizeToFit])
        guard case .failure(let error) = results[1] else { return #expect(Bool(false)) }
        #expect(Refusal(error, opIndex: 1).code == .badOp)
    }

    @Test("a scenario reads back from its own text")
    func scenario() throws {
        let text = """
            {"name": "one", "statement": "LAY-1", "note": "n",
             "scene": {"scene": 1, "viewport": {"width": 1, "height": 2}, "views": [{"id": "a"}]},
             "settle": false, "watch": ["a"],
             "hooks": {"b": {"layoutSubviews": [{"op": "sizeToFit", "id": "a"}]}, "a": {}},
             "steps": [
               {"apply": [{"op": "removeView", "id": "a"}], "atomic": true},
               {"tick": 3},
               {"expect": {"frames": {"b": [1, 2, 3, 4], "a": [0, 0, 0, 0]}, "trace": ["draw a"],
                           "presentation": {}, "displayed": [], "refused": null, "broken": ["#0"],
                           "ambiguous": ["a"], "hash": "0123456789abcdef"}},
               {"expect": {"refused": "bad-rule"}}, {"expect": {}}]}
            """
        let scenario = try Scenario.parse(utf8(text))
        #expect(try Scenario.parse(scenario.json) == scenario)
        #expect(scenario.hooks.map(\.view) == ["b", "a"])
        guard case .expect(let first) = scenario.steps[2],
            case .expect(let second) = scenario.steps[3],
            case .expect(let third) = scenario.steps[4]
        else { return #expect(Bool(false)) }
        #expect(first.frames?.map(\.id) == ["b", "a"])
        #expect(first.refused == .none)
        #expect(second.refused == .code(.badRule))
        #expect(third == Expectation())
    }

    @Test("a wrong op stays in a scenario, which may show that it is refused")
    func refusedOps() throws {
        let scenario = try Scenario.parse(
            utf8(
                """
                {"name": "x", "scene": {"scene": 1, "viewport": {"width": 1, "height": 2}},
                 "steps": [{"apply": [{"op": "explode"}]}]}
                """))
        guard case .apply(let ops, atomic: false) = scenario.steps[0] else {
            Issue.record("no apply step")
            return
        }
        #expect(throws: DocumentError.self) { try Op.parseEach(ops)[0].get() }
        #expect(try Scenario.parse(scenario.json) == scenario)
    }

    @Test(
        "a wrong scenario is an error with its path",
        arguments: [
            (#""steps": [{}]"#, "steps[0]"), (#""steps": [{"tick": 0}]"#, "steps[0].tick"),
            (#""steps": [{"tick": 1, "x": 1}]"#, "steps[0]"), (#""steps": 3"#, "steps"),
            (#""steps": [{"apply": 3}]"#, "steps[0].apply"),
            (#""steps": [{"expect": {"frames": {"a": [1]}}}]"#, "steps[0].expect.frames.a"),
            (#""steps": [{"expect": {"refused": "no"}}]"#, "steps[0].expect.refused"),
            (#""steps": [], "settle": 1"#, "settle"),
        ])
    func wrongScenarios(rest: String, path: String) {
        let text = """
            {"name": "x", "scene": {"scene": 1, "viewport": {"width": 1, "height": 2}}, \(rest)}
            """
        let error = #expect(throws: DocumentError.self) { try Scenario.parse(utf8(text)) }
        #expect(error?.path == path)
    }
}
