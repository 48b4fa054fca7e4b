import ConstraintLanguage
import Foundation
import JSON
import SceneDocument
import SceneModel
import Testing

/// Runs `protocol/vectors/v1/language`, whose expectations were written without this code.
@Suite("The vectors of the language")
struct LanguageVectorTests {
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("protocol/vectors/v1/language")

    private static func cases(_ name: String) throws -> [JSONValue] {
        let data = try Data(contentsOf: folder.appendingPathComponent("\(name).json"))
        return try JSONReader.read([UInt8](data)).elements
    }

    /// The refusal's code; `nil` where nothing is refused.
    private static func code(_ body: () throws -> Void) rethrows -> String? {
        do {
            try body()
            return nil
        } catch let error as DocumentError {
            return error.code.rawValue
        } catch let refusal as Refusal {
            return refusal.code.rawValue
        }
    }

    /// A scene of the two views that rules and formats name, and one constraint.
    private static func document(_ members: [JSONMember]) -> JSONValue {
        let views = [("a", "root"), ("b", "root"), ("a-b", "root")].map { id, parent in
            JSONValue.object([
                JSONMember("id", .string(id)), JSONMember("parent", .string(parent)),
            ])
        }
        return .object(
            [
                JSONMember("scene", .number(1)),
                JSONMember(
                    "viewport",
                    .object([
                        JSONMember("width", .number(100)), JSONMember("height", .number(100)),
                    ])), JSONMember("views", .array(views)),
            ] + members)
    }

    private static func constraint(_ members: [JSONMember]) -> JSONValue {
        document([JSONMember("constraints", .array([.object(members)]))])
    }

    @Test("rules: their canonical texts, or why they are none")
    func rules() throws {
        for test in try Self.cases("rules") {
            let text = test.text("text")
            let found = try Self.code {
                let document = try SceneDocument.parse(
                    Self.constraint([JSONMember("rule", .string(text))]))
                guard case .rule(let rule)? = document.constraints.first?.body else { return }
                #expect(rule.description == test.text("canonical"), "\(text)")
                #expect(try Rule.parse(rule.description) == rule)
            }
            #expect(found == test["error"]?.string, "\(text)")
        }
    }

    @Test("visual formats: the rules that they stand for, or why they are none")
    func formats() throws {
        for test in try Self.cases("formats") {
            let text = test.text("text")
            let found = try Self.code {
                let document = try SceneDocument.parse(
                    Self.constraint([
                        JSONMember("vfl", .string(text)),
                        JSONMember("options", test["options"] ?? .array([])),
                    ]))
                guard
                    case .visualFormat(let format, let options)? = document.constraints.first?.body
                else { return }
                let stands = try format.rules(superview: "root", options: options)
                #expect(
                    stands.map(\.description) == test["stands"]?.elements.compactMap(\.string),
                    "\(text)")
            }
            #expect(found == test["error"]?.string, "\(text)")
        }
    }

    @Test("conditions: their canonical texts, or why they are none")
    func conditions() throws {
        for test in try Self.cases("conditions") {
            let text = test.text("text")
            let set = JSONValue.object([
                JSONMember("when", .string(text)), JSONMember("constraints", .array([])),
            ])
            let found = try Self.code {
                let document = try SceneDocument.parse(
                    Self.document([JSONMember("sets", .object([JSONMember("s", set)]))]))
                #expect(document.sets.first?.when?.description == test.text("canonical"))
            }
            #expect(found == test["error"]?.string, "\(text)")
        }
    }

    @Test("documents: taken and exported, or why not")
    func documents() throws {
        for test in try Self.cases("documents") {
            let found = try Self.code {
                let model = try SceneModel(
                    try SceneDocument.parse(test["document"] ?? .null))
                #expect(try SceneDocument.parse(model.document().json) == model.document())
            }
            #expect(found == test["error"]?.string, "\(test.text("name"))")
        }
    }

    @Test("ops: which of them are refused, with which code")
    func ops() throws {
        for test in try Self.cases("ops") {
            let model = try SceneModel(try SceneDocument.parse(test["scene"] ?? .null))
            var found: [String] = []
            for (index, result) in try Op.parseEach(test["ops"] ?? .null).enumerated() {
                switch result {
                case .failure(let error): found.append("\(index) \(error.code.rawValue)")
                case .success(let op):
                    found += model.apply([op]).refusals.map { "\(index) \($0.code.rawValue)" }
                }
            }
            let expected = test["refusals"]?.elements.map { refusal in
                "\(refusal["opIndex"]?.integer ?? -1) \(refusal.text("code"))"
            }
            #expect(found == expected, "\(test.text("name"))")
        }
    }
}

extension JSONValue {
    fileprivate var elements: [JSONValue] {
        if case .array(let elements) = kind { elements } else { [] }
    }

    fileprivate var integer: Int? {
        if case .number(let number) = kind { Int(exactly: number) } else { nil }
    }

    fileprivate func text(_ key: String) -> String { self[key]?.string ?? "" }
}
