import JSON
import Testing

@Suite("What a terminal would obey is escaped")
struct ControlEscapesTests {
    @Test(
        "controls, separators of lines and controls of bidirectional text",
        arguments: [
            ("\u{0}", #"\u0000"#), ("\u{1B}]0;x\u{7}", #"\u001b]0;x\u0007"#),
            ("a\r\nb", #"a\u000d\u000ab"#),
            ("\u{7F}\u{80}\u{9B}\u{9F}", #"\u007f\u0080\u009b\u009f"#),
            ("\u{61C}\u{200E}\u{200F}", #"\u061c\u200e\u200f"#),
            ("\u{2028}\u{2029}\u{202A}\u{202E}", #"\u2028\u2029\u202a\u202e"#),
            ("\u{2066}\u{2069}", #"\u2066\u2069"#),
        ])
    func escaped(_ text: String, _ expected: String) {
        #expect(text.escapingControls() == expected)
        #expect("plain " + text.escapingControls() == ("plain " + text).escapingControls())
    }

    @Test("everything else stays as it is")
    func plain() {
        for text in [
            "", "a b~", "\u{A0}é", #"C:\u001b"#, "\u{200D}👩‍💻", "\u{202F}\u{2065}\u{206A}", "שלום",
            "日本",
        ] {
            #expect(text.escapingControls() == text)
        }
        #expect("a\tb\n\u{1B}".escapingControls(keepsLayout: true) == "a\tb\n\\u001b")
        #expect("a\tb\n".escapingControls() == #"a\u0009b\u000a"#)
    }

    @Test("JSON with such texts stays the same JSON")
    func json() throws {
        let value = JSONValue.object([
            JSONMember("k\u{9B}", .string("\u{202E}\\\u{1B}\"\n\u{85}")), JSONMember("b", .null),
        ])
        for pretty in [true, false] {
            let text = value.text(pretty: pretty).escapingControls(keepsLayout: true)
            #expect(!text.unicodeScalars.contains { (0x7F...0x9F).contains($0.value) })
            #expect(try JSONReader.read(Array(text.utf8)) == value)
        }
    }
}
