import SceneComparison
import SceneDocument
import Testing

@Suite("Merges of documents")
struct DocumentMergeTests {
    private static let base = """
        {"scene":1,"viewport":{"width":200,"height":100},
         "devices":{"phone":{"width":390},"desk":{"width":1280}},
         "views":[{"id":"box"},{"id":"a","kind":"label","parent":"box","text":"A","lines":1},
                  {"id":"b","kind":"label","parent":"box","text":"B"},
                  {"id":"c","kind":"stack","arranged":["d","e"]},
                  {"id":"d","parent":"c"},{"id":"e","parent":"c"},{"id":"f"}],
         "guides":[{"id":"g","parent":"box"}],
         "constraints":[{"id":"w","rule":"a.width == 50"},"b.top == a.bottom + 8",
                        "f.left == g.left","f.width == 10 @750"],
         "sets":{"wide":{"when":"root.width > 500","constraints":[{"id":"x","rule":"f.top == 3"}]}}}
        """

    private func document(_ text: String = base) throws -> SceneDocument {
        try SceneDocument.parse(Array(text.utf8))
    }

    /// The base with parts of its text replaced.
    private func document(_ changes: (old: String, new: String)...) throws -> SceneDocument {
        var text = Self.base
        for (old, new) in changes {
            try #require(text.contains(old), "\(old)")
            text = text.replacing(old, with: new)
        }
        return try document(text)
    }

    private func merge(_ ours: SceneDocument, _ theirs: SceneDocument) throws -> DocumentMerge {
        try DocumentMerge(base: document(), ours: ours, theirs: theirs)
    }

    private let removedBox = [
        (#"{"id":"box"},{"id":"a","kind":"label","parent":"box","text":"A","lines":1},"#, ""),
        (#"{"id":"b","kind":"label","parent":"box","text":"B"},"#, ""),
        (#""guides":[{"id":"g","parent":"box"}],"#, ""),
        (#"{"id":"w","rule":"a.width == 50"},"b.top == a.bottom + 8","#, ""),
        (#""f.left == g.left","#, ""),
    ]

    private func withoutBox() throws -> SceneDocument {
        var text = Self.base
        for (old, new) in removedBox {
            text = text.replacing(old, with: new)
            text = text.replacing("\n                        \(old)", with: new)
        }
        text = text.replacing(#","f.width"#, with: #""f.width"#)
        return try document(text)
    }

    @Test(
        "keys of one view, parts of one rule and conditions come from the version that changed them"
    )
    func parts() throws {
        let ours = try document(
            (#""text":"A""#, #""text":"Ours""#), ("a.width == 50", "a.width == 60"),
            ("f.width == 10 @750", "f.width == 12 @750"), (#""height":100"#, #""height":120"#),
            ("root.width > 500", "root.width > 600"))
        let theirs = try document(
            (#""lines":1"#, #""lines":2"#), ("a.width == 50", "a.width == 50 @500"),
            ("f.width == 10 @750", "f.width == 10 @800"), (#""width":200"#, #""width":240"#),
            ("f.top == 3", "f.top == 4"), (#""desk":{"width":1280}"#, #""desk":{"width":1440}"#))
        let merge = try merge(ours, theirs)
        let expected = try document(
            (#""text":"A","lines":1"#, #""text":"Ours","lines":2"#),
            ("a.width == 50", "a.width == 60 @500"),
            ("f.width == 10 @750", "f.width == 12 @800"),
            (#""width":200,"height":100"#, #""width":240,"height":120"#),
            ("root.width > 500", "root.width > 600"), ("f.top == 3", "f.top == 4"),
            (#""desk":{"width":1280}"#, #""desk":{"width":1440}"#))
        #expect(merge.document == expected)
        #expect(merge.conflicts.isEmpty)
    }

    @Test("what both versions changed is ours, and told")
    func conflicts() throws {
        let ours = try document(
            (#""text":"A""#, #""text":"Ours""#), ("a.width == 50", "a.width == 60"),
            (#""phone":{"width":390}"#, #""phone":{"width":400}"#))
        let theirs = try document(
            (#""text":"A""#, #""text":"Theirs""#), ("a.width == 50", "a.width == 70"),
            (#""phone":{"width":390}"#, #""phone":{"width":410}"#))
        let merge = try merge(ours, theirs)
        #expect(merge.document == ours)
        #expect(
            merge.conflicts.map(\.text) == [
                #"width of device "phone" was 390 and is 400 here and 410 there"#,
                #"text of view "a" was "A" and is "Ours" here and "Theirs" there"#,
                #"constant of constraint "w" was 50 and is 60 here and 70 there"#,
            ])
        #expect(merge.conflicts.map(\.subject) == ["device", "view", "constraint"])
        #expect(merge.conflicts.map(\.id) == ["phone", "a", "w"])
    }

    @Test("the same change in both is no conflict")
    func same() throws {
        let both = try document(
            (#""text":"A""#, #""text":"Both""#), ("a.width == 50", "a.width == 60"))
        let merge = try merge(both, both)
        #expect(merge.document == both)
        #expect(merge.conflicts.isEmpty)
    }

    @Test("new views of both come in, each where its version has it")
    func additions() throws {
        let ours = try document((#"{"id":"f"}"#, #"{"id":"mine"},{"id":"f"}"#))
        let theirs = try document(
            (#"{"id":"f"}"#, #"{"id":"f"},{"id":"other","parent":"box"}"#),
            (#"["d","e"]"#, #"["d","new","e"]"#),
            (#"{"id":"d","parent":"c"}"#, #"{"id":"d","parent":"c"},{"id":"new","parent":"c"}"#),
            (#""f.left == g.left""#, #""f.left == g.left","new.width == 9""#))
        let merge = try merge(ours, theirs)
        #expect(
            merge.document.views.map(\.id)
                == ["box", "a", "b", "c", "d", "new", "e", "mine", "f", "other"])
        #expect(
            merge.document.views.first { $0.id == "c" }?.properties.arranged == ["d", "new", "e"])
        #expect(merge.document.constraints.count == 5)
        #expect(merge.conflicts.isEmpty)
    }

    @Test("what one version removed goes, with all that speaks of it")
    func removals() throws {
        let removed = try withoutBox()
        let changed = try document((#"{"id":"f"}"#, #"{"id":"f","hidden":true}"#))
        for (ours, theirs) in [(removed, changed), (changed, removed)] {
            let merge = try merge(ours, theirs)
            #expect(merge.document.views.map(\.id) == ["c", "d", "e", "f"])
            #expect(merge.document.views.last?.properties.hidden == true)
            #expect(merge.document.guides.isEmpty)
            #expect(merge.document.constraints.count == 1)
            #expect(merge.conflicts.isEmpty)
        }
    }

    @Test(
        "what we changed stays although they removed it, and the other way round goes; both are told"
    )
    func removedAndChanged() throws {
        let removed = try withoutBox()
        let changed = try document((#""text":"B""#, #""text":"New""#))
        let kept = try merge(changed, removed)
        #expect(kept.document.json() == changed.json())
        #expect(kept.conflicts.map(\.text) == [#"view "box" is changed here and removed there"#])
        let gone = try merge(removed, changed)
        #expect(gone.document.views.map(\.id) == ["c", "d", "e", "f"])
        #expect(gone.conflicts.map(\.text) == [#"view "box" is removed here and changed there"#])
    }

    @Test("a constraint on a view that we removed is left out, and told")
    func dangling() throws {
        let theirs = try document((#""f.left == g.left""#, #""f.left == g.left","f.top == a.top""#))
        let merge = try merge(try withoutBox(), theirs)
        #expect(merge.document.constraints.count == 1)
        #expect(
            merge.conflicts.map(\.text) == [
                #"view "box" is removed here and changed there"#,
                #"constraint "f.top == a.top" names "a", which is removed"#,
            ])
    }

    @Test("a container that is dissolved lets its views out, with what we changed of them")
    func ungrouping() throws {
        let theirs = try document(
            (#"{"id":"box"},"#, ""), (#","parent":"box""#, ""), (#""guides":[{"id":"g"}],"#, ""),
            (#""f.left == g.left","#, ""))
        let ours = try document((#""text":"A""#, #""text":"Ours""#))
        let merge = try merge(ours, theirs)
        #expect(merge.document.views.map(\.id) == ["a", "b", "c", "d", "e", "f"])
        #expect(merge.document.views.first?.properties.text == "Ours")
        #expect(merge.document.views.first?.parent == "root")
        #expect(merge.conflicts.isEmpty)
    }

    @Test("moves that would put two views into each other are undone where they are theirs")
    func circles() throws {
        let ours = try document((#"{"id":"f"}"#, #"{"id":"f","parent":"box"}"#))
        let theirs = try document((#"{"id":"box"}"#, #"{"id":"box","parent":"f"}"#))
        let merge = try merge(ours, theirs)
        #expect(merge.document == ours)
        #expect(
            merge.conflicts.map(\.text)
                == [#"view "box" is moved there, which a move here excludes"#])
    }

    @Test("an order that one version changed is taken, and two orders are told")
    func orders() throws {
        let swapped = try document(
            (
                #"{"id":"d","parent":"c"},{"id":"e","parent":"c"}"#,
                #"{"id":"e","parent":"c"},{"id":"d","parent":"c"}"#
            ), (#"["d","e"]"#, #"["e","d"]"#))
        let merge = try merge(try document((#""text":"A""#, #""text":"Ours""#)), swapped)
        #expect(merge.document.views.map(\.id) == ["box", "a", "b", "c", "e", "d", "f"])
        #expect(merge.document.views[3].properties.arranged == ["e", "d"])
        #expect(merge.conflicts.isEmpty)
    }

    @Test("a name that one version gives to a view and the other to a guide is the view's")
    func names() throws {
        let merge = try merge(
            try document((#"{"id":"f"}"#, #"{"id":"f"},{"id":"n"}"#)),
            try document((#"[{"id":"g""#, #"[{"id":"n"},{"id":"g""#)))
        #expect(merge.document.guides.map(\.id) == ["g"])
        #expect(
            merge.conflicts.map(\.text) == [#"guide "n" has the name of a view in one version"#])
    }

    @Test("a frame and what it is relative to come from one version")
    func frames() throws {
        let ours = try document(
            (#"{"id":"f"}"#, #"{"id":"f","frame":[1,2,3,4],"frameIn":[50,60]}"#))
        let theirs = try document((#"{"id":"f"}"#, #"{"id":"f","frame":[5,6,7,8]}"#))
        let merge = try merge(ours, theirs)
        #expect(merge.document == ours)
        #expect(
            merge.conflicts.map(\.text) == [
                #"frame of view "f" was none and is [1,2,3,4] in [50,60] here and [5,6,7,8] there"#
            ])
    }

    @Test("one name for two constraints is ours")
    func repeatedNames() throws {
        let ours = try document(
            (
                #"{"id":"x","rule":"f.top == 3"}"#,
                #"{"id":"x","rule":"f.top == 3"},{"id":"y","rule":"f.top == 4 @9"}"#
            ))
        let theirs = try document(
            (#"{"id":"w","rule""#, #"{"id":"y","rule":"a.top == 1"},{"id":"w","rule""#))
        let merge = try merge(ours, theirs)
        #expect(merge.document == ours)
        #expect(
            merge.conflicts.map(\.text)
                == [#"constraint "y" is in a set in one version and elsewhere in the other"#])
    }
}
