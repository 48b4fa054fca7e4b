import Foundation
import SceneDocument
import Testing

@testable import SceneComparison

@Suite("Some of a document's changes")
struct DocumentPartTests {
    private static let base = """
        {"scene": 1, "viewport": {"width": 400, "height": 200},
         "views": [{"id": "bar"}, {"id": "title", "parent": "bar", "kind": "label", "text": "Hello"},
                   {"id": "foot"}],
         "guides": [{"id": "g", "parent": "bar"}],
         "constraints": ["bar.height == 40", {"id": "w", "rule": "bar.width == 100"},
                         "title.leading == bar.leading + 8", "foot.height == 10", "g.width == 5"],
         "sets": {"wide": {"constraints": [{"id": "s", "rule": "foot.width == 20"}]}}}
        """

    private func document(_ text: String = base) throws -> SceneDocument {
        try SceneDocument.parse(Array(text.utf8))
    }

    private func part(_ version: String, _ names: String...) throws -> DocumentPart {
        try DocumentPart(of: try document(version), since: try document(), only: Set(names))
    }

    @Test("only what is named is taken")
    func named() throws {
        let version = Self.base
            .replacing("Hello", with: "Bye").replacing("== 100", with: "== 150")
            .replacing(#"{"id": "foot"}"#, with: #"{"id": "foot"}, {"id": "n", "parent": "bar"}"#)
        let expected = try document(
            Self.base.replacing(
                #"{"id": "foot"}"#, with: #"{"id": "foot"}, {"id": "n", "parent": "bar"}"#))
        let part = try part(version, "n", "foot", "none")
        #expect(part.document == expected)
        #expect(part.unknown == ["foot", "none"])
        #expect(
            try self.part(version, "w").document
                == document(Self.base.replacing("== 100", with: "== 150")))
        #expect(
            try self.part(version, "title").document
                == document(Self.base.replacing("Hello", with: "Bye")))
    }

    @Test("a removed view takes along what lies in it, its guides, and constraints of those")
    func removed() throws {
        let rest = """
            {"scene": 1, "viewport": {"width": 400, "height": 200}, "views": [{"id": "foot"}],
             "constraints": ["foot.height == 12"],
             "sets": {"wide": {"constraints": [{"id": "s", "rule": "foot.width == 20"}]}}}
            """
        let part = try part(rest, "bar")
        #expect(part.document == (try document(rest.replacing("== 12", with: "== 10"))))
        #expect(part.unknown.isEmpty)
    }

    @Test("constraints without a name are named by their rules, and by what they relate")
    func rules() throws {
        let version = Self.base.replacing("bar.height == 40", with: "bar.height == 50")
        for name in ["bar.height == 40", "bar.height == 50", "bar.height ==", "bar.height == "] {
            let part = try part(version, name)
            #expect(part.document == (try document(version)), "\(name)")
            #expect(part.unknown.isEmpty, "\(name)")
        }
    }

    @Test("constraints of sets are taken one by one, and sets as a whole")
    func sets() throws {
        let version = Self.base
            .replacing("foot.width == 20", with: "foot.width == 30")
            .replacing("\"sets\": {", with: "\"sets\": {\"new\": {\"constraints\": []}, ")
        for name in ["s", "wide s", "wide"] {
            let part = try part(version, name)
            #expect(
                part.document
                    == (try document(
                        Self.base.replacing("foot.width == 20", with: "foot.width == 30"))),
                "\(name)")
        }
        #expect(try part(version, "new").document.sets.map(\.id).sorted() == ["new", "wide"])
    }

    @Test("a change that needs another one is a conflict that says which")
    func alone() throws {
        let version = Self.base
            .replacing(
                #"{"id": "foot"}"#,
                with: #"{"id": "foot"}, {"id": "m"}, {"id": "n", "parent": "m"}"#
            )
            .replacing(
                #""g.width == 5""#, with: #""g.width == 5", {"id": "c", "rule": "n.width == 1"}"#)
        for (name, text) in [
            ("n", #"view "n" lies in "m", which is not taken"#),
            ("c", #"constraint "c" names "n", which is not taken"#),
        ] {
            do {
                _ = try part(version, name)
                Issue.record("\(name) is taken")
            } catch let error as DocumentError {
                #expect(error.code == .conflict && error.message == text)
            }
        }
    }

    @Test("the views that a difference changes: named by constraints, but for those above others")
    func changedViews() throws {
        func changed(_ old: String, _ new: String) throws -> [String] {
            let version = try document(Self.base.replacing(old, with: new))
            return DocumentMerge.changedViews(from: try document(), to: version).map(\.id)
        }
        #expect(try changed("Hello", "Bye") == ["title"])
        #expect(try changed("bar.leading + 8", "bar.leading + 9") == ["title"])
        #expect(try changed("g.width == 5", "g.width == 6") == ["bar"])
        #expect(try changed("foot.width == 20", "foot.width == 21") == ["foot"])
        #expect(try changed(#""width": 400"#, #""width": 500"#) == ["root"])
        #expect(try changed(#", "parent": "bar", "kind""#, #", "kind""#) == ["title", "root"])
        #expect(try changed("Hello", "Hello").isEmpty)
    }

    @Test("a comparison tells what accepting would make of the room, and what stands in the way")
    func comparison() throws {
        let main = Self.base.replacing("== 100", with: "== 120")
        let branch = Self.base.replacing("== 100", with: "== 150").replacing("Hello", with: "Bye")
        let shown = try SuggestionComparison(
            title: "t", base: try document(), main: try document(main), branch: try document(branch)
        )
        #expect(shown.isBehind)
        #expect(
            shown.conflicts
                == [#"constant of constraint "w" was 100 and is 120 here and 150 there"#])
        #expect(shown.comparison.changes.contains { $0.id == "title" && $0.text.contains("Bye") })
        #expect(!shown.comparison.changes.contains { $0.id == "w" })
    }
}
