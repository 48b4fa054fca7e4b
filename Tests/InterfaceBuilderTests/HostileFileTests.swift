import InterfaceBuilder
import SceneDocument
import SceneModel
import SeededRandom
import Testing

/// Files that want to harm: each ends in a sentence, soon.
@Suite struct HostileFileTests {
    private func refusal(_ bytes: [UInt8]) -> String? {
        do throws(InterfaceError) {
            _ = try InterfaceFile(bytes, path: "a.xib")
            return nil
        } catch { return error.description }
    }

    private func refusal(_ text: String) -> String? { refusal(Array(text.utf8)) }

    @Test("document types, and entities with them, are refused")
    func entities() throws {
        let bomb = """
            <?xml version="1.0"?><!DOCTYPE d [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;">]>
            <document type="com.apple.InterfaceBuilder3.CocoaTouch.XIB">&b;</document>
            """
        #expect(refusal(bomb)?.contains("document type") == true)
        let outside = "<!DOCTYPE d SYSTEM \"file:///etc/passwd\"><document/>"
        #expect(refusal(outside)?.contains("document type") == true)
        #expect(refusal("<document>&undeclared;</document>") != nil)
        // References to characters are no entities: each is one character.
        let text = SampleFiles.form().replacing(
            "Sign in", with: String(repeating: "&#65;", count: 10_000))
        let scene = try #require(try SampleFiles.file(text).initialScene)
        #expect(try InterfaceConversion(scene).document.views[1].properties.text?.count == 10_000)
    }

    @Test("depth, elements, attributes, tags and bytes have a limit each")
    func limits() throws {
        let deep = String(repeating: "<a>", count: 100_000)
        #expect(refusal(deep)?.contains("deep") == true)
        let many = "<document>" + String(repeating: "<a/>", count: 300_000) + "</document>"
        #expect(refusal(many)?.contains("elements") == true)
        let attributes = (0..<5000).map { " a\($0)=\"\"" }.joined()
        #expect(refusal("<document\(attributes)/>")?.contains("attributes") == true)
        let long = "<document a=\"" + String(repeating: "x", count: 1 << 20) + "\"/>"
        #expect(refusal(long)?.contains("bytes") == true)
        #expect(refusal([UInt8](repeating: 60, count: 17 << 20))?.contains("bytes") == true)
    }

    @Test(
        "the same id on every view takes time in proportion, and is refused beyond the limit of views"
    )
    func sameIDs() throws {
        func views(_ count: Int) -> String {
            let view =
                "<view id=\"a\"><rect key=\"frame\" x=\"1e308\" y=\"nan\" width=\"-5\" height=\"inf\"/></view>"
            return """
                <document type="com.apple.InterfaceBuilder3.CocoaTouch.XIB"><view id="r">
                <rect key="frame" x="0" y="0" width="9" height="9"/><subviews>\(String(repeating: view, count: count))</subviews></view></document>
                """
        }
        let few = try SampleFiles.canvas(views(2000))
        #expect(Set(few.document.views.map(\.id)).count == 2001)
        #expect(throws: InterfaceError.self) { try SampleFiles.canvas(views(60_000)) }
    }

    @Test("other encodings are refused with their names")
    func encodings() throws {
        #expect(
            refusal("<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><document/>")?.contains(
                "ISO-8859-1") == true)
        let wide = SampleFiles.form().utf16.flatMap {
            [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)]
        }
        #expect(refusal([0xFF, 0xFE] + wide)?.contains("UTF-16") == true)
        #expect(refusal(wide)?.contains("UTF-16") == true)
        let bigEndian = stride(from: 0, to: wide.count, by: 2).flatMap { [wide[$0 + 1], wide[$0]] }
        #expect(refusal([0xFE, 0xFF] + bigEndian)?.contains("UTF-16") == true)
        #expect(refusal(bigEndian)?.contains("UTF-16") == true)
        // Text in Latin-1 under a declaration of UTF-8, and UTF-8 under one of another encoding.
        let latin = SampleFiles.form().replacing("Sign in", with: "Tür").unicodeScalars
            .map { UInt8($0.value) }
        #expect(refusal(latin)?.contains("no XML in UTF-8") == true)
        let declared = SampleFiles.form().replacing("UTF-8", with: "windows-1252")
        #expect(refusal(declared)?.contains("windows-1252") == true)
        // A mark of UTF-8 is no fault, and places count with it.
        let marked = try InterfaceFile([0xEF, 0xBB, 0xBF] + SampleFiles.form().utf8, path: "a")
        let title = try #require(marked.scenes.first?.root.subtree.first { $0["id"] == "title" })
        #expect(marked.bytes[title.tag].starts(with: "<label".utf8))
        var bytes = Array(SampleFiles.form().utf8)
        bytes[bytes.count / 2] = 0xFF
        #expect(refusal(bytes) != nil)
        #expect(refusal([]) == "the file is empty")
    }

    @Test(
        "files of other kinds are refused with the reason",
        arguments: [
            ("<document type=\"com.apple.InterfaceBuilder3.Cocoa.XIB\"/>", "AppKit"),
            ("<document type=\"com.apple.InterfaceBuilder.WatchKit.Storyboard\"/>", "WatchKit"),
            ("<archive type=\"com.apple.InterfaceBuilder3.CocoaTouch.XIB\"/>", "Xcode 4"),
            ("<document type=\"other\"/>", "no Interface Builder file"), ("<svg/>", "<svg>"),
        ])
    func otherKinds(text: String, reason: String) {
        #expect(refusal(text)?.contains(reason) == true)
    }

    @Test("a file that was cut off anywhere is refused")
    func truncated() {
        let bytes = Array(SampleFiles.form().utf8)
        for count in stride(from: 1, to: bytes.count - 2, by: 61) {
            #expect(refusal(Array(bytes.prefix(count))) != nil, "\(count)")
        }
    }

    @Test(
        "flipped, removed and repeated bytes end in a sentence or in a scene that can be laid out")
    func mutations() throws {
        let original = Array(SampleFiles.form().utf8)
        for seed in UInt64(1)...300 {
            var generator = SplitMix64(seed: seed)
            var bytes = original
            for _ in 0..<Int.random(in: 1...6, using: &generator) {
                let place = Int.random(in: 0..<bytes.count, using: &generator)
                switch Int.random(in: 0...3, using: &generator) {
                case 0: bytes[place] ^= 1 << UInt8.random(in: 0...7, using: &generator)
                case 1: bytes.remove(at: place)
                case 2: bytes.insert(UInt8(ascii: "9"), at: place)
                default:
                    let end = min(bytes.count, place + 40)
                    bytes.insert(contentsOf: Array(bytes[place..<end]), at: place)
                }
            }
            guard let file = try? InterfaceFile(bytes, path: "a.storyboard") else { continue }
            for scene in file.scenes {
                for sizes in [ConversionOptions.ContentSizes.stored, .measured] {
                    var options = ConversionOptions()
                    options.contentSizes = sizes
                    guard let conversion = try? InterfaceConversion(scene, options: options) else {
                        continue
                    }
                    let json = Array(conversion.document.json().utf8)
                    #expect(throws: Never.self, "seed \(seed)") { try SceneDocument.parse(json) }
                    #expect(throws: Never.self, "seed \(seed)") {
                        try SceneModel(conversion.document)
                    }
                }
            }
        }
    }

    @Test("strings that end too soon are refused with their line")
    func strings() {
        #expect(throws: InterfaceError.self) {
            try LocalizedStrings(Array("\"a\" = \"b\";\n\"c\" = \"d".utf8), language: "de")
        }
        #expect(throws: InterfaceError.self) {
            try LocalizedStrings(Array("/* no end".utf8), language: "de")
        }
        #expect(throws: InterfaceError.self) {
            try LocalizedStrings([0xFF, 0xFE, 0x41], language: "de")
        }
    }
}
