import Testing

@testable import SceneSession

@Suite("Patterns of views")
struct ViewPatternsTests {
    private static let paths: [String: [String]] = [
        "root": ["root"], "sidebar": ["sidebar", "root"], "list": ["list", "sidebar", "root"],
        "row": ["row", "list", "sidebar", "root"], "main": ["main", "root"],
        "secrets": ["secrets", "main", "root"], "key": ["key", "secrets", "main", "root"],
    ]

    private func included(_ texts: [String]) throws -> Set<String> {
        let patterns = try #require(ViewPatterns(texts))
        return Set(Self.paths.filter { patterns.includes($0.value) }.keys)
    }

    @Test("a name is that view, with a star what is below it, with an exclamation mark neither")
    func single() throws {
        #expect(try included(["sidebar"]) == ["sidebar"])
        #expect(try included(["sidebar/*"]) == ["list", "row"])
        #expect(try included(["*"]) == Set(Self.paths.keys))
        #expect(try included(["!secrets"]) == Set(Self.paths.keys).subtracting(["secrets", "key"]))
        #expect(try included(["!*"]) == [])
    }

    @Test("of several, the last that matches decides")
    func several() throws {
        #expect(try included(["sidebar", "sidebar/*"]) == ["sidebar", "list", "row"])
        #expect(
            try included(["*", "!secrets", "key"]) == Set(Self.paths.keys).subtracting(["secrets"]))
        #expect(try included(["!secrets", "*"]) == Set(Self.paths.keys))
    }

    @Test(
        "a walk from the root decides as paths do",
        arguments: [
            ["sidebar"], ["sidebar/*"], ["*"], ["!secrets"], ["!*"], ["*", "!secrets", "key"],
            ["sidebar", "sidebar/*", "!list", "row"], ["!main", "main/*"],
        ])
    func walk(texts: [String]) throws {
        let patterns = try #require(ViewPatterns(texts))
        for path in Self.paths.values {
            var (isIncluded, above) = (false, -1)
            for id in path.reversed() {
                (isIncluded, above) = patterns.decide(id, above: above)
            }
            #expect(isIncluded == patterns.includes(path), "\(path)")
        }
    }

    @Test(
        "what is no pattern is refused",
        arguments: [[], ["a b"], ["/*"], ["a/b"], ["!!a"], [""], ["*/*"], ["1"]] as [[String]])
    func refused(texts: [String]) {
        #expect(ViewPatterns(texts) == nil)
    }

    @Test("a list of more than 64 patterns is refused")
    func tooMany() {
        #expect(ViewPatterns((0..<64).map { "v\($0)" }) != nil)
        #expect(ViewPatterns((0..<65).map { "v\($0)" }) == nil)
    }

    @Test("everything below a view is included where no exception is, and views to come are")
    func subtrees() throws {
        func holds(_ texts: [String], _ view: String) throws -> Bool {
            try #require(ViewPatterns(texts)).includesAll(of: Self.paths[view] ?? []) {
                Self.paths[$0]
            }
        }
        #expect(try holds(["sidebar", "sidebar/*"], "sidebar"))
        #expect(try !holds(["sidebar"], "sidebar"), "a view that comes to be in it is not included")
        #expect(try !holds(["*", "!secrets"], "main"))
        #expect(try !holds(["*", "!secrets"], "root"))
        #expect(try holds(["*", "!secrets"], "sidebar"))
        #expect(try holds(["*", "!secrets", "secrets", "secrets/*"], "main"))
    }

    @Test("rights go to another node and back as text")
    func text() throws {
        var rights = MemberRights()
        #expect(rights.text == "")
        rights.isAdministrator = true
        rights.edit = ViewPatterns(["*", "!secrets"])
        rights.handle = ViewPatterns(["list/*"])
        #expect(MemberRights(text: rights.text) == rights)
        #expect(MemberRights(text: "") == MemberRights())
        #expect(MemberRights(text: "e") == nil)
        #expect(MemberRights(text: "x a") == nil)
    }
}
