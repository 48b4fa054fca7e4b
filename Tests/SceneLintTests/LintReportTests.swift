import JSON
import SceneLint
import Testing

@Suite struct LintReportTests {
    private let finding = LintFinding(
        rule: .misplaced, level: .warning, path: "A & B/Main.storyboard", line: 12, scene: "Login",
        subject: "Title", key: "scene view", message: "\"Title\" is <wrong>: 100%, or so")

    @Test("text is a line that editors understand")
    func text() {
        #expect(
            LintFormat.text.report([finding], files: [])
                == "A & B/Main.storyboard:12: warning: Login: \"Title\" is <wrong>: 100%, or so [misplaced]"
        )
    }

    @Test("SARIF names the rule, the place and a fingerprint")
    func sarif() throws {
        let json = try JSONReader.read(Array(LintFormat.sarif.report([finding], files: []).utf8))
        guard let runs = json["runs"]?.array, let run = runs.first,
            let results = run["results"]?.array, let result = results.first,
            let locations = result["locations"]?.array
        else { return #expect(Bool(false)) }
        #expect(json["version"] == .string("2.1.0"))
        #expect(result["ruleId"] == .string("misplaced"))
        #expect(result["level"] == .string("warning"))
        let place = locations[0]["physicalLocation"]
        #expect(place?["artifactLocation"]?["uri"] == .string("A%20%26%20B/Main.storyboard"))
        #expect(place?["region"]?["startLine"] == .number(12))
        #expect(result["partialFingerprints"]?["scenesync/v1"] == .string(finding.fingerprint))
        guard let rules = run["tool"]?["driver"]?["rules"]?.array else {
            return #expect(Bool(false))
        }
        #expect(rules.count == LintRule.allCases.count)
    }

    @Test("Checkstyle and JUnit escape what XML would read")
    func xml() {
        let checkstyle = LintFormat.checkstyle.report([finding], files: [])
        #expect(checkstyle.contains("<file name=\"A &amp; B/Main.storyboard\">"))
        #expect(
            checkstyle.contains(
                "message=\"Login: &quot;Title&quot; is &lt;wrong&gt;: 100%, or so\""))
        let junit = LintFormat.junit.report([finding], files: ["clean.xib", finding.path])
        #expect(junit.contains("<testsuite name=\"clean.xib\" tests=\"1\" failures=\"0\">"))
        #expect(
            junit.contains(
                "<testsuite name=\"A &amp; B/Main.storyboard\" tests=\"1\" failures=\"1\">"))
    }

    @Test("annotations of GitHub escape their separators")
    func github() {
        #expect(
            LintFormat.github.report([finding], files: [])
                == "::warning file=A & B/Main.storyboard,line=12,title=misplaced::Login: \"Title\" is <wrong>: 100%25, or so"
        )
    }

    @Test("a baseline accepts as many findings as it has seen, wherever their lines are now")
    func baseline() throws {
        let baseline = try LintBaseline(Array(LintBaseline([finding]).text.utf8))
        var moved = finding
        moved.line = 90
        moved.message = "other words"
        #expect(baseline.new([moved]) == [])
        #expect(baseline.new([moved, moved]) == [moved])
        var other = finding
        other.key = "scene other"
        #expect(baseline.new([other]) == [other])
    }

    @Test("a configuration sets levels and refuses what it does not know")
    func configuration() throws {
        let text =
            #"{"rules":{"misplaced":"off","overlap":"error"},"devices":["iPhone-SE"],"textSizes":["small"],"mirror":false}"#
        let configuration = try LintConfiguration(Array(text.utf8))
        #expect(configuration.level(.misplaced) == .off)
        #expect(configuration.level(.overlap) == .error)
        #expect(configuration.level(.truncated) == .warning)
        #expect(configuration.devices == ["iPhone-SE"])
        #expect(!configuration.mirrors)
        for wrong in [
            #"{"rule":{}}"#, #"{"rules":{"x":"off"}}"#, #"{"rules":{"overlap":"loud"}}"#,
            #"{"devices":["Nokia"]}"#, "[]", "{", #"{"textSizes":["huge"]}"#, #"{"tolerance":-1}"#,
        ] {
            #expect(throws: LintConfigurationError.self, "\(wrong)") {
                try LintConfiguration(Array(wrong.utf8))
            }
        }
    }
}
