import Foundation
import SceneDocument
import Testing

/// Every statement about the engine is proved by a scenario or a named test; the tables of
/// `protocol/scenarios/README.md` and `docs/statements.md` say by which.
@Suite("Statements and what proves them")
struct StatementTests {
    /// The ids of the statements, group by group: what the engine must do.
    static let groups: [(name: String, count: Int)] = [
        ("CYC", 10), ("CON", 13), ("LAY", 13), ("DIS", 9), ("ANI", 10), ("VC", 5), ("DSL", 1),
        ("LOG", 5),
    ]
    static let statements = groups.flatMap { group in
        (1...group.count).map { "\(group.name)-\($0)" }
    }

    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    private static func text(_ path: String) throws -> String {
        try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
    }

    /// Numbers of scenario files by the statement that they name.
    private static func scenarios() throws -> [String: [String]] {
        var result: [String: [String]] = [:]
        for file in try protocolFiles("scenarios") {
            let scenario = try Scenario.parse([UInt8](try Data(contentsOf: file)))
            for id in (scenario.statement ?? "").split(separator: " ") {
                result[String(id), default: []].append(String(file.lastPathComponent.prefix(3)))
            }
        }
        return result
    }

    /// Files of Swift tests by the statement that a test's name carries in brackets.
    private static func tests() throws -> [String: [String]] {
        var result: [String: Set<String>] = [:]
        let folder = root.appendingPathComponent("Tests")
        let files = try #require(
            FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil))
        for case let file as URL in files where file.pathExtension == "swift" {
            let source = try String(contentsOf: file, encoding: .utf8)
            for match in source.matches(of: /@Test\(\s*"([^"]*)"/) {
                for id in match.1.matches(of: /\[([A-Z]+-[0-9]+)\]/) {
                    result[String(id.1), default: []].insert(
                        file.deletingPathExtension().lastPathComponent)
                }
            }
        }
        return result.mapValues { $0.sorted() }
    }

    private static func table(_ path: String) throws -> [[String]] {
        try text(path).split(separator: "\n")
            .map { $0.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) } }
    }

    @Test("every statement has a scenario or a named test, and the tables say which")
    func coverage() throws {
        let scenarios = try Self.scenarios()
        let tests = try Self.tests()
        let table = try Self.table("protocol/scenarios/README.md")
        let inSwift = try Self.table("docs/statements.md")
        for id in Self.statements {
            let files = (scenarios[id] ?? []).joined(separator: " ")
            #expect(!files.isEmpty || tests[id] != nil, "nothing proves \(id)")
            let row = try #require(table.first { $0.first == id }, "the table lacks \(id)")
            #expect(row.count == 3, "\(id)")
            #expect(row[2] == (files.isEmpty ? "–" : files), "the table on \(id)")
            let proof = inSwift.first { $0.first == id }
            #expect(!files.isEmpty || proof != nil, "no table says what proves \(id)")
            // More tests may come; the table must not claim what is not there.
            for suite in proof?.last?.split(separator: " ") ?? [] {
                #expect(tests[id]?.contains(String(suite)) == true, "the table on \(id)")
            }
        }
    }

    @Test("what scenarios and tests claim to prove is a statement")
    func claims() throws {
        let specification =
            try Self.text("protocol/SPEC.md") + Self.text("protocol/LANGUAGE.md")
        let ofCode = try Self.text("docs/engine.md").matches(of: /(TRA|UPD|SAF)-[0-9]+/)
        let known = Set(Self.statements).union(ofCode.map { String($0.0) })
        for id in Set(try Self.scenarios().keys).union(try Self.tests().keys) {
            #expect(
                known.contains(id) || specification.contains("[\(id)]"), "unknown statement \(id)")
        }
    }
}
