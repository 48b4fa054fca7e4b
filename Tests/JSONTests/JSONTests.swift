import JSON
import Testing

@Suite("JSON")
struct JSONTests {
    @Test("keys keep their order, and values their places")
    func placesAndOrder() throws {
        let value = try JSONReader.read(utf8("{\"b\": 1,\n  \"é\": [true, \"x\"]}"))
        #expect(value.text() == "{\"b\":1,\"é\":[true,\"x\"]}")
        let list = try #require(value["é"])
        #expect((list.line, list.column) == (2, 8))
        guard let elements = list.array else { return #expect(Bool(false)) }
        #expect((elements[1].line, elements[1].column) == (2, 15))
    }

    @Test(
        "numbers are written as the shortest text that reads back",
        arguments: [
            ("8.0", "8"), ("-0", "0"), ("0.1", "0.1"), ("1e3", "1000"), ("1E-2", "0.01"),
            ("9007199254740991", "9007199254740991"), ("1e300", "1e+300"), ("5e-324", "5e-324"),
        ])
    func numbers(text: String, expected: String) throws {
        #expect(try JSONReader.read(utf8(text)).text() == expected)
    }

    @Test("escapes are read and written")
    func escapes() throws {
        let value = try JSONReader.read(utf8(#""\"\\\/\b\f\n\r\tA\u00e9\ud83d\ude00""#))
        #expect(value == .string("\"\\/\u{8}\u{c}\n\r\tAé😀"))
        #expect(value.text() == #""\"\\/\u0008\u000c\n\r\tAé😀""#)
        #expect(try JSONReader.read(utf8(value.text())) == value)
    }

    @Test(
        "what is not strict JSON is an error at its place",
        arguments: [
            ("", 1, 1), ("{", 1, 2), ("[1,]", 1, 4), ("[1 2]", 1, 4), ("{\"a\":1,}", 1, 8),
            ("{\"a\":1,\n\"a\":2}", 2, 1), ("{a:1}", 1, 2), ("nul", 1, 4), ("NaN", 1, 1),
            ("Infinity", 1, 1), ("1e999", 1, 1), ("01", 1, 2), ("1.", 1, 3), ("-", 1, 2),
            ("+1", 1, 1), ("1 2", 1, 3), ("\"a", 1, 3), ("\"\\x\"", 1, 3),
            ("\"\\ud800\"", 1, 8), ("\"\\ud800\\u0041\"", 1, 14), ("\"a\nb\"", 1, 3),
            ("// x", 1, 1), ("'a'", 1, 1),
        ])
    func errors(text: String, line: Int, column: Int) {
        let error = #expect(throws: JSONError.self) { try JSONReader.read(utf8(text)) }
        #expect((error?.line, error?.column) == (line, column), "\(text): \(error?.message ?? "")")
    }

    @Test("invalid UTF-8 and deep nesting are errors")
    func bytesAndDepth() throws {
        let invalid: [[UInt8]] = [[0xFF], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xE2, 0x82]]
        for bytes in invalid {
            #expect(throws: JSONError.self) { try JSONReader.read([0x22] + bytes + [0x22]) }
            #expect(throws: JSONError.self) { try JSONReader.read(bytes) }
        }
        let deep = String(repeating: "[", count: 64) + String(repeating: "]", count: 64)
        _ = try JSONReader.read(utf8(deep))
        #expect(throws: JSONError.self) { try JSONReader.read(utf8("[" + deep + "]")) }
        #expect(throws: JSONError.self) {
            try JSONReader.read(Array(repeating: UInt8(ascii: "["), count: 100_000))
        }
    }

    @Test("an object with many keys still refuses a second one of a name")
    func manyKeys() throws {
        let members = (0..<100).map { "\"k\($0)\":\($0)" }.joined(separator: ",")
        #expect(try JSONReader.read(utf8("{\(members)}"))["k99"] == .number(99))
        #expect(throws: JSONError.self) { try JSONReader.read(utf8("{\(members),\"k50\":1}")) }
    }

    @Test("lines are values of their own")
    func lines() throws {
        #expect(try JSONReader.readLines(utf8("1\n\n[2,\n3]\n")).count == 2)
        #expect(throws: JSONError.self) { try JSONReader.readLines(utf8("1 2")) }
    }

    @Test("pretty text breaks long values only, and reads back")
    func pretty() throws {
        let long = String(repeating: "x", count: 90)
        let value = try JSONReader.read(utf8("{\"a\":[1,2],\"b\":{\"c\":\"\(long)\"}}"))
        let text = value.text(pretty: true)
        #expect(
            text == "{\n  \"a\": [1, 2],\n  \"b\": {\n    \"c\": \"\(long)\"\n  }\n}")
        #expect(try JSONReader.read(utf8(text)) == value)
    }
}
