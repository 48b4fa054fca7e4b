import InterfaceBuilder
import JSON
import SceneLint
import Testing

@Suite struct LinterTests {
    private func findings(
        _ text: String, path: String = "Main.xib",
        configure: (inout LintConfiguration) -> Void = { _ in }
    ) -> [LintFinding] {
        var configuration = LintConfiguration()
        configure(&configuration)
        let source = LintSource(path: path, bytes: Array(text.utf8))
        return Linter(configuration, ruler: nil).check(source).findings
    }

    private func rules(_ findings: [LintFinding]) -> Set<LintRule> { Set(findings.map(\.rule)) }

    /// Every rule but one is off, so that a test sees that one alone.
    private func only(_ rule: LintRule) -> (inout LintConfiguration) -> Void {
        { configuration in
            for other in LintRule.allCases where other != rule {
                configuration.levels[other] = .off
            }
        }
    }

    @Test("a scene without faults has no findings")
    func clean() {
        #expect(findings(LintSample.xib()).filter { $0.level >= .warning } == [])
    }

    @Test("a file's scenes can be checked one by one, in any order, with the same report")
    func scenes() {
        let text = LintSample.xib(
            constraints: """
                <constraint firstItem="box" firstAttribute="width" constant="50" id="w1"/>
                <constraint firstItem="box" firstAttribute="width" constant="60" id="w2"/>
                """)
        // Two views of the same file: scenes of their own, with ids and findings of their own.
        let start = text.firstRange(of: "<view ")?.lowerBound ?? text.startIndex
        let end = text.firstRange(of: "</objects>")?.lowerBound ?? text.endIndex
        let other = text[start..<end].replacing(" id=\"", with: " id=\"x")
            .replacing("Item=\"", with: "Item=\"x")
        let both = text[..<end] + other + text[end...]
        let linter = Linter(LintConfiguration(), ruler: nil)
        let source = LintSource(path: "Main.xib", bytes: Array(both.utf8))
        let whole = linter.check(source)
        let file = linter.read(source)
        #expect(file.sceneCount == 2)
        let backwards = (0..<2).reversed().map { ($0, file.check($0)) }.sorted { $0.0 < $1.0 }
        let report = file.report(backwards.map(\.1))
        #expect(report.findings == whole.findings)
        #expect(report.findings.count { $0.rule == .contradiction } == 2)
        #expect((report.sceneCount, whole.sceneCount) == (2, 2))
    }

    @Test("contradicting constraints are named, with their lines")
    func contradiction() throws {
        let text = LintSample.xib(
            constraints: """
                <constraint firstItem="box" firstAttribute="width" constant="50" id="w1"/>
                <constraint firstItem="box" firstAttribute="width" constant="60" id="w2"/>
                """)
        let found = try #require(findings(text).first { $0.rule == .contradiction })
        #expect(found.level == .error)
        #expect(found.message.contains("Box.width == 60 contradicts Box.width == 50 (line "))
        #expect(
            text.split(separator: "\n", omittingEmptySubsequences: false)[found.line - 1].contains(
                "id=\"w2\""))
    }

    @Test("an ambiguous view is told which constraint it needs, unless it is not to be verified")
    func ambiguity() throws {
        let text = LintSample.xib(boxConstraints: "")
        let found = try #require(findings(text).first { $0.rule == .ambiguity })
        #expect(
            found.message
                == "Box is ambiguous: it needs a constraint for its width or its other side and a constraint for its height or its other edge"
        )
        let verified = LintSample.xib(boxConstraints: "", boxAttributes: " verifyAmbiguity=\"off\"")
        #expect(!rules(findings(verified)).contains(.ambiguity))
    }

    @Test("a stored frame that constraints do not give is found, and corrected by its bytes alone")
    func misplaced() throws {
        let text = LintSample.xib(boxFrame: "x=\"10\" y=\"20\" width=\"55\" height=\"40\"")
        let found = try #require(findings(text).first { $0.rule == .misplaced })
        #expect(
            found.message
                == "Box is stored at (10, 20, 55 × 40), and its constraints give (10, 20, 50 × 40)")
        let source = LintSource(path: "Main.xib", bytes: Array(text.utf8))
        let report = Linter(LintConfiguration(), ruler: nil).check(source)
        let fixed = String(decoding: report.fixed(source.bytes), as: UTF8.self)
        #expect(fixed == LintSample.xib())
        #expect(!rules(findings(fixed)).contains(.misplaced))
    }

    @Test("differences of a point at most are not misplaced, as in Xcode")
    func tolerance() {
        let text = LintSample.xib(boxFrame: "x=\"10\" y=\"20\" width=\"51\" height=\"40\"")
        #expect(!rules(findings(text)).contains(.misplaced))
        #expect(rules(findings(text) { $0.tolerance = 0 }).contains(.misplaced))
    }

    @Test("a duplicate is found in either direction; the fix removes its line")
    func duplicate() throws {
        let text = LintSample.xib(
            constraints: """
                <constraint firstItem="root" firstAttribute="leading" secondItem="box" secondAttribute="leading" constant="-10" id="again"/>

                """)
        let source = LintSource(path: "Main.xib", bytes: Array(text.utf8))
        let report = Linter(LintConfiguration(), ruler: nil).check(source)
        #expect(report.findings.contains { $0.rule == .duplicate && $0.key.hasSuffix("again") })
        #expect(!String(decoding: report.fixed(source.bytes), as: UTF8.self).contains("again"))
    }

    @Test("a view without content in a stack, drawn 240 × 128 by Xcode, has no size in the app")
    func drawnByXcode() throws {
        func text(_ constraints: String) throws -> String {
            let inner = """
                <subviews>
                    <view contentMode="scaleToFill" translatesAutoresizingMaskIntoConstraints="NO" id="empty" userLabel="Empty">
                        <rect key="frame" x="0.0" y="0.0" width="240" height="128"/>
                        <constraints>\(constraints)</constraints>
                    </view>
                </subviews>
                """
            let box = LintSample.xib(
                boxFrame: "x=\"10\" y=\"20\" width=\"240\" height=\"128\"",
                boxConstraints: "CONTENT", boxAttributes: " axis=\"vertical\"")
            let content = try #require(box.firstRange(of: "CONTENT"))
            let end = try #require(box[content.upperBound...].firstRange(of: "</view>"))
            let start = try #require(box[..<content.lowerBound].ranges(of: "<view ").last)
            let opening = box[start.upperBound..<content.lowerBound]
            return
                "\(box[..<start.lowerBound])<stackView \(opening)\(inner)</stackView>\(box[end.upperBound...])"
        }
        let found = findings(try text(""), configure: only(.canvasSize))
        #expect(
            found.map(\.message)
                == ["Empty is 240 × 128 in Xcode and 0 in the app; constrain its width and height"])
        let wide = "<constraint firstAttribute=\"width\" constant=\"240\" id=\"ew\"/>"
        #expect(
            findings(try text(wide), configure: only(.canvasSize)).map(\.message)
                == ["Empty is 240 × 128 in Xcode and 0 in the app; constrain its height"])
        let high = "<constraint firstAttribute=\"height\" constant=\"128\" id=\"eh\"/>"
        #expect(findings(try text(wide + high), configure: only(.canvasSize)) == [])
    }

    @Test(
        "a size that exists in Xcode alone is a finding, and does not make its neighbours misplaced"
    )
    func canvasSize() throws {
        let text = """
            <?xml version="1.0" encoding="UTF-8"?>
            <document type="com.apple.InterfaceBuilder3.CocoaTouch.XIB" version="3.0" useAutolayout="YES" useSafeAreas="YES">
                <device id="retina4_7" orientation="portrait"/>
                <objects>
                    <stackView contentMode="scaleToFill" axis="vertical" id="column">
                        <rect key="frame" x="0.0" y="0.0" width="240" height="148"/>
                        <subviews>
                            <view contentMode="scaleToFill" translatesAutoresizingMaskIntoConstraints="NO" id="empty" userLabel="Empty">
                                <rect key="frame" x="0.0" y="0.0" width="240" height="128"/>
                            </view>
                            <view contentMode="scaleToFill" translatesAutoresizingMaskIntoConstraints="NO" id="line" userLabel="Line">
                                <rect key="frame" x="0.0" y="128" width="240" height="20"/>
                                <constraints><constraint firstAttribute="height" constant="20" id="lh"/></constraints>
                            </view>
                        </subviews>
                    </stackView>
                </objects>
            </document>
            """
        let found = findings(text) { configuration in configuration.devices = [] }
        #expect(!rules(found).contains(.misplaced))
        #expect(!rules(found).contains(.contradiction))
    }

    @Test("constraints and outlets to nothing are dead")
    func deadItems() throws {
        let text = LintSample.xib(
            constraints:
                "<constraint firstItem=\"gone\" firstAttribute=\"top\" secondItem=\"box\" secondAttribute=\"top\" id=\"d\"/>\n",
            connections:
                "<connections><outlet property=\"old\" destination=\"nowhere\" id=\"o\"/></connections>"
        )
        let found = findings(text, configure: only(.deadItem))
        #expect(found.count == 2)
        #expect(found.contains { $0.message.contains("the constraint names gone") })
        #expect(found.contains { $0.message.contains("the outlet old leads to nowhere") })
    }

    @Test("labels that overlap on a narrow device alone are found there")
    func overlap() throws {
        let text = """
            {"scene":1,"viewport":{"width":400,"height":100},
             "devices":{"narrow":{"width":120},"wide":{"width":500}},
             "views":[{"id":"a","kind":"button","text":"aaaaaa","intrinsic":[80,30]},
                      {"id":"b","kind":"button","text":"bbbbbb","intrinsic":[80,30]}],
             "constraints":["a.leading == root.leading","b.trailing == root.trailing","a.top == root.top","b.top == root.top"]}
            """
        let found = findings(text, path: "a.json", configure: only(.overlap))
        #expect(found.count == 1)
        #expect(found.first?.line == 3)
        #expect(found.first?.circumstances.allSatisfy { $0.hasPrefix("narrow") } == true)
        #expect(found.first?.message == "a and b (line 4) overlap")
    }

    @Test("a view out of the screen and one without a size are found on the device where they are")
    func outside() {
        let text = """
            {"scene":1,"viewport":{"width":400,"height":100},"devices":{"narrow":{"width":120}},
             "views":[{"id":"a","kind":"button","text":"a","intrinsic":[80,30]},
                      {"id":"b","kind":"button","text":"b","intrinsic":[80,30],"compression":[1,750]}],
             "constraints":["a.leading == root.leading + 100","a.top == root.top",
              "b.leading == root.leading + 120","b.trailing <= root.trailing","b.top == root.top + 40"]}
            """
        let outside = findings(text, path: "a.json", configure: only(.outside))
        #expect(outside.map(\.subject) == ["a"])
        let empty = findings(text, path: "a.json", configure: only(.zeroSize))
        #expect(empty.map(\.message) == ["b has no width"])
    }

    @Test("text that is wider than its label is found by the ruler")
    func truncated() throws {
        let text = """
            {"scene":1,"viewport":{"width":400,"height":100},"devices":{"narrow":{"width":120}},
             "views":[{"id":"a","kind":"label","text":"twenty letters and so","fontSize":10,"intrinsic":[210,20]}],
             "constraints":["a.leading == root.leading","a.trailing <= root.trailing","a.top == root.top"]}
            """
        var configuration = LintConfiguration()
        only(.truncated)(&configuration)
        configuration.textSizes = []
        configuration.mirrors = false
        let ruler = TextRuler { text, size, _ in Double(text.count) * size }
        let source = LintSource(path: "a.json", bytes: Array(text.utf8))
        let found = Linter(configuration, ruler: ruler).check(source).findings
        #expect(found.map(\.message) == ["a needs 210 points of width and has 120"])
        #expect(found.first?.circumstances == ["narrow"])
    }

    @Test("small buttons and labels of fixed height are notes")
    func notes() {
        let text = """
            {"scene":1,"viewport":{"width":400,"height":100},"devices":{"d":{"width":300}},
             "views":[{"id":"a","kind":"button","text":"a","intrinsic":[80,30]},{"id":"l","kind":"label","text":"l"}],
             "constraints":["a.leading == root.leading","a.top == root.top",
              "l.leading == root.leading","l.bottom == root.bottom","l.height == 20"]}
            """
        let found = findings(text, path: "a.json")
        #expect(found.first { $0.rule == .touchTarget }?.level == .note)
        #expect(
            found.first { $0.rule == .touchTarget }?.message == "a is 80 × 30, less than 44 points")
        #expect(found.first { $0.rule == .fixedHeightLabel }?.line == 4)
    }

    @Test("files for other systems fail no run; broken ones do")
    func unreadable() {
        let source = LintSource(
            path: "a.xib",
            bytes: Array("<document type=\"com.apple.InterfaceBuilder3.Cocoa.XIB\"/>".utf8))
        let report = Linter(LintConfiguration(), ruler: nil).check(source)
        #expect(!report.isUnreadable)
        #expect(report.findings.map(\.level) == [.note])
        let broken = Linter(LintConfiguration(), ruler: nil)
            .check(LintSource(path: "b.xib", bytes: Array("<document".utf8)))
        #expect(broken.isUnreadable)
        #expect(broken.findings.map(\.level) == [.error])
    }
}
