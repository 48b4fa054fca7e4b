import Foundation
import Testing

@Suite("The command line", .serialized)
struct CommandLineTests {
    @Test(
        "layout prints frames; errors name the file, the line and what was expected, and end with 65"
    )
    func layout() throws {
        let scratch = try Scratch()
        let good = try scratch.write(sampleScene, as: "scene.json")
        let outcome = try Program.run(["layout", good])
        #expect(outcome.status == 0)
        #expect(outcome.output.contains(#""main":[240,0,400,384]"#))
        #expect(outcome.output.contains(#""ambiguous":[]"#))
        #expect(try Program.run(["layout", "-"], input: sampleScene).output == outcome.output)
        let svg = try Program.run(["layout", good, "--format", "svg"])
        #expect(svg.output.hasPrefix("<") && svg.output.contains("Files"))
        #expect(try Program.run(["layout", good, "--format", "text"]).output.contains("Files"))
        for (text, words) in [
            (
                sampleScene.replacing("sidebar.width == 240", with: "sidebar.width = 240"),
                ["line", "sidebar-width", "=="]
            ),
            (
                sampleScene.replacing(#""text": "Files""#, with: #""text": 5"#),
                ["line 3", "title", "text"]
            ),
            (sampleScene.replacing(#""id": "main""#, with: #""id": "sidebar""#), ["sidebar"]),
            ("{", ["line 1"]), ("", ["line 1"]), ("nonsense", ["line 1"]),
        ] {
            let bad = try scratch.write(text, as: "bad.json")
            let outcome = try Program.run(["layout", bad])
            #expect(outcome.status == 65, "\(text.prefix(40))")
            #expect(outcome.output.isEmpty)
            #expect(outcome.errors.contains("bad.json"))
            for word in words { #expect(outcome.errors.contains(word), "\(outcome.errors)") }
        }
        #expect(try Program.run(["layout", scratch.path + "/none.json"]).status == 65)
        let contradiction = try scratch.write(
            #"{"scene":1,"viewport":{"width":9,"height":9},"views":[{"id":"a"}],"constraints":["a.width == 1","a.width == 2"]}"#,
            as: "contradiction.json")
        let refused = try Program.run(["layout", contradiction])
        #expect(refused.status == 65)
        #expect(refused.errors.contains("#0") && refused.errors.contains("#1"))
    }

    @Test("layout --work tells what a document costs: the same each time, and more for more views")
    func work() throws {
        let scratch = try Scratch()
        func work(views count: Int) throws -> Int {
            let views = (0..<count).map { #"{"id":"v\#($0)"}"# }.joined(separator: ",")
            let file = try scratch.write(
                #"{"scene":1,"viewport":{"width":9,"height":9},"views":[\#(views)]}"#,
                as: "scene.json")
            let output = try Program.run(["layout", "--work", file]).output
            #expect(try !Program.run(["layout", file]).output.contains(#""work""#))
            return try #require(output.firstMatch(of: /"work":(\d+)/).flatMap { Int($0.1) })
        }
        let price = try work(views: 10)
        #expect(try work(views: 10) == price)
        #expect(try work(views: 100) > price + 90 * 100)
    }

    @Test("new lists the examples, and prints each as it is in the repository")
    func examples() throws {
        let names = try Program.run(["new"]).output.split(separator: "\n").map(String.init)
        #expect(names.contains("dashboard") && names.count >= 6)
        for name in names {
            let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
                .appending(path: "../../protocol/examples/\(name).json")
            let printed = try Program.run(["new", name])
            #expect(printed.status == 0)
            #expect(printed.output == String(decoding: try Data(contentsOf: file), as: UTF8.self))
        }
        let unknown = try Program.run(["new", "nonsense"])
        #expect(unknown.status == 64 && unknown.output.isEmpty)
        #expect(unknown.errors.contains("nonsense") && unknown.errors.contains("dashboard"))
    }

    @Test("layout shows a scene on one of its devices, on all of them, and on one sheet")
    func devices() throws {
        let scratch = try Scratch()
        let file = try scratch.write(
            """
            {"scene": 1, "viewport": {"width": 640, "height": 384},
             "devices": {"phone": {"width": 390, "height": 844, "scale": 3, "safeArea": {"top": 47}},
                         "wide": {"width": 900}},
             "views": [{"id": "a", "background": "#102030"}],
             "constraints": ["a.leading == root.leading", "a.trailing == root.trailing",
                             "a.top == root.safeArea.top", "a.height == 20"]}
            """, as: "scene.json")
        let phone = try Program.run(["layout", file, "--device", "phone"])
        let wide =
            #"{"frames":{"root":[0,0,900,384],"a":[0,0,900,20]},"ambiguous":[],"broken":[]}"#
        let frames =
            #"{"frames":{"root":[0,0,390,844],"a":[0,47,390,20]},"ambiguous":[],"broken":[]"#
        #expect(phone.output == frames + #","devices":{"phone":"# + frames + "}}}\n")
        let all = try Program.run(["layout", file, "--all-devices"])
        #expect(
            all.output == #"{"devices":{"phone":"# + frames + #"},"wide":"# + wide + "}}\n")
        let sheet = try Program.run(["layout", file, "--all-devices", "--format", "svg"])
        for title in ["viewport 640 × 384", "phone 390 × 844", "wide 900 × 384"] {
            #expect(sheet.output.contains(title))
        }
        #expect(sheet.output.components(separatedBy: "<svg ").count == 5)
        let text = try Program.run(["layout", file, "--all-devices", "--format", "text"])
        #expect(text.output.hasPrefix("viewport 640 × 384\n"))
        let unknown = try Program.run(["layout", file, "--device", "tv"])
        #expect(unknown.status == 65)
        #expect(unknown.errors.contains("tv") && unknown.errors.contains("phone, wide"))
        #expect(
            try Program.run(["layout", file, "--device", "phone", "--all-devices"]).status == 64)
    }

    @Test("view asks for a size, for a device by name, or for what all share")
    func viewDevices() throws {
        let server = try ServerProcess([])
        defer { server.kill() }
        let scratch = try Scratch()
        let file = try scratch.write(
            """
            {"scene": 1, "viewport": {"width": 640, "height": 384},
             "devices": {"phone": {"width": 390, "height": 844, "scale": 3}},
             "views": [{"id": "a"}],
             "constraints": ["a.leading == root.leading", "a.trailing == root.trailing",
                             "a.top == root.top", "a.height == 20"]}
            """, as: "scene.json")
        let url = server.url + "/devices"
        #expect(try Program.run(["apply", url, file]).status == 0)
        func root(_ options: [String]) throws -> String {
            let run = try Program.run(["view", url, "--once", "--format", "json"] + options)
            #expect(run.status == 0, "\(run.errors)")
            return run.output
        }
        #expect(try root([]).contains(#""root":[0,0,640,384]"#))
        #expect(try root(["--shared"]).contains(#""root":[0,0,640,384]"#))
        #expect(try root(["--size", "130x42"]).contains(#""root":[0,0,1040,672]"#))
        #expect(try root(["--device", "phone"]).contains(#""root":[0,0,390,844]"#))
        let unknown = try Program.run(["view", url, "--once", "--device", "tv"])
        #expect(unknown.status == 65)
        #expect(unknown.errors.contains("tv") && unknown.errors.contains("phone"))
    }

    /// A text that sets a terminal's title, clears it by a control of C1, and turns what follows
    /// around.
    private static let hostile = "\u{1B}]0;owned\u{7}\u{9B}2J\u{202E}end"

    /// The scalars of a text that a terminal would obey, but for line feeds and tabs.
    private static func obeyed(_ text: String) -> [Unicode.Scalar] {
        text.unicodeScalars.filter {
            switch $0.value {
            case 0x09, 0x0A: false
            case 0..<0x20, 0x7F...0x9F, 0x200E...0x200F, 0x202A...0x202E, 0x2066...0x2069: true
            default: false
            }
        }
    }

    @Test("nothing that others wrote is obeyed by a terminal or forges a log")
    func hostileTexts() throws {
        let scratch = try Scratch()
        let id = JSONText.escaped(Self.hostile)
        let good = try scratch.write(
            #"{"scene":1,"viewport":{"width":90,"height":90},"views":[{"id":"a","kind":"label","text":"\#(id)"}]}"#,
            as: "good.json")
        for format in ["json", "text", "svg"] {
            let outcome = try Program.run(["layout", good, "--format", format])
            #expect(outcome.status == 0 && Self.obeyed(outcome.output).isEmpty, "\(format)")
        }
        let bad = try scratch.write(#"{"\#(id)":1,"\#(id)":2}"#, as: "bad.json")
        let outcome = try Program.run(["layout", bad])
        #expect(outcome.status == 65)
        #expect(
            outcome.errors.contains(#"\u001b]0;owned\u0007\u009b2J"#), "\(outcome.errors)")
        #expect(Self.obeyed(outcome.errors).isEmpty)
        for format in ["text", "json"] {
            let log = scratch.path + "/log." + format
            let server = try ServerProcess(
                ["--in-memory", "--log-level", "info", "--log-format", format], log: log)
            let applied = try Program.run(
                ["apply", server.url + "/demo", "-"],
                input: #"[{"op":"addView","id":"a"},{"op":"removeView","id":"\#(id)"}]"#)
            #expect(applied.output.contains(#"\u001b]0;owned"#))
            #expect(Self.obeyed(applied.output + applied.errors).isEmpty)
            let raw = try #require(
                RawWebSocket(port: server.port, path: "/demo", subprotocols: "scenesync.v1.json"))
            let room = id + #"\nforged code=4000 reason=\"x\""#
            raw.send(
                RawWebSocket.hello("editor").replacing(
                    #""room":"""#, with: #""room":"\#(room)""#))
            #expect(raw.read()?.contains("4004") == true)
            let text = try String(contentsOfFile: log, encoding: .utf8)
            #expect(Self.obeyed(text).isEmpty)
            #expect(text.contains(#"\u001b]0;owned"#))
            #expect(!text.contains("\nforged"))
        }
    }

    /// Every process seeds its hashing anew, so an order taken from a dictionary would show.
    @Test("processes of their own lay the same document out to the same bytes")
    func sameBytes() throws {
        let examples = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("protocol/examples")
        for name in ["dashboard", "kanban", "chat", "holy-grail", "settings-form"] {
            let path = examples.appendingPathComponent("\(name).json").path
            let first = try Program.run(["layout", path])
            #expect(first.status == 0 && !first.output.isEmpty, "\(name)")
            for _ in 0..<3 {
                #expect(try Program.run(["layout", path]).output == first.output, "\(name)")
            }
        }
    }

    @Test("wrong usage ends with 64, an unreachable server with 69, bad configuration with 78")
    func exitCodes() throws {
        #expect(try Program.run(["nonsense"]).status == 64)
        #expect(try Program.run(["layout"]).status == 64)
        #expect(try Program.run(["serve", "--port", "99999"]).status == 64)
        #expect(try Program.run(["view", "--once", "http://example.org"]).status == 64)
        #expect(try Program.run(["view", "--once", "ws://127.0.0.1:1/demo"]).status == 69)
        #expect(
            try Program.run(
                ["apply", "ws://127.0.0.1:1/demo", "-"], input: "{\"op\":\"setNeedsLayout\"}"
            ).status == 69)
        #expect(try Program.run(["serve", "--host", "0.0.0.0", "--in-memory"]).status == 78)
        #expect(try Program.run(["serve", "--in-memory", "--tick-rate", "0"]).status == 78)
        #expect(
            try Program.run(["serve", "--in-memory", "--tls-cert", "/none", "--tls-key", "/none"])
                .status == 78)
        let server = try ServerProcess(["--in-memory"])
        #expect(
            try Program.run(["serve", "--in-memory", "--port", String(server.port)]).status == 78)
        #expect(try Program.run(["--help"]).status == 0)
        #expect(try Program.run(["--version"]).status == 0)
    }

    @Test("apply takes documents, ops, arrays and lines, and prints a result for each")
    func apply() throws {
        let scratch = try Scratch()
        let server = try ServerProcess(["--in-memory"])
        let room = server.url + "/made"
        let made = try Program.run(["apply", room, "-"], input: sampleScene)
        #expect(made.status == 0)
        #expect(made.output.contains("committed"))
        let lines = """
            {"op":"setConstraint","id":"sidebar-width","constant":300}
            [{"op":"addView","id":"a"},{"op":"addView","id":"b"}]
            {"op":"setConstraint","id":"none","constant":1}
            {"op":"layoutIfNeeded"}
            """
        let file = try scratch.write(lines, as: "ops.ndjson")
        let outcome = try Program.run(["apply", room, file])
        #expect(outcome.status == 1)
        let results = outcome.output.split(separator: "\n")
        #expect(results.count == 4)
        #expect(results[2].contains("unknown-constraint"))
        let view = try Program.run(["view", "--once", "--format", "json", room])
        #expect(view.output.contains(#""sidebar":[0,0,300,384]"#))
        #expect(view.output.contains(#""ambiguous":["a","b"]"#))
        let text = try Program.run(["view", "--once", room])
        #expect(text.output.contains("Files"))
        #expect(!text.output.contains("\u{1B}"))
        let contradiction =
            #"{"scene":1,"viewport":{"width":9,"height":9},"views":[{"id":"a"}],"constraints":["a.width == 1","a.width == 2"]}"#
        #expect(try Program.run(["apply", room, "-"], input: contradiction).status == 65)
        #expect(try Program.run(["apply", room, "-"], input: "{\"op\":").status == 65)
        #expect(
            try Program.run(["view", "--once", "--format", "json", room]).output == view.output)
    }

    @Test("scenario counts, says what differs, and fails when something does")
    func scenario() throws {
        let scratch = try Scratch()
        func scenario(_ width: Int) -> String {
            """
            {"name": "a width", "scene": \(sampleScene),
             "steps": [{"expect": {"frames": {"sidebar": [0, 0, \(width), 384]}}}]}
            """
        }
        let good = try scratch.write(scenario(240), as: "good.json")
        let bad = try scratch.write(scenario(241), as: "bad.json")
        let fine = try Program.run(["scenario", good])
        #expect(fine.status == 0)
        #expect(fine.output == "1 passed, 0 failed\n")
        let outcome = try Program.run(["scenario", good, bad])
        #expect(outcome.status == 1)
        #expect(outcome.output.hasSuffix("1 passed, 1 failed\n"))
        #expect(outcome.errors.contains("241") && outcome.errors.contains("240"))
        #expect(
            try Program.run(["scenario", try scratch.write("{}", as: "empty.json")]).status == 65)
    }

    @Test("every example is laid out without ambiguity, and every scenario holds")
    func shipped() throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        func files(_ folder: String) throws -> [String] {
            try FileManager.default.contentsOfDirectory(atPath: root.path + "/protocol/" + folder)
                .filter { $0.hasSuffix(".json") }.sorted()
                .map { root.path + "/protocol/\(folder)/" + $0 }
        }
        let examples = try files("examples")
        #expect(examples.count >= 6)
        for example in examples {
            let outcome = try Program.run(["layout", example])
            #expect(outcome.status == 0, "\(example)")
            #expect(outcome.output.contains(#""ambiguous":[],"broken":[]"#), "\(example)")
        }
        let scenarios = try files("scenarios")
        #expect(scenarios.count >= 12)
        let outcome = try Program.run(["scenario"] + scenarios)
        #expect(
            outcome.output.hasSuffix("\(scenarios.count) passed, 0 failed\n"), "\(outcome.errors)")
    }

    @Test("health, readiness and metrics answer on the same port")
    func health() throws {
        let server = try ServerProcess(["--in-memory"])
        _ = try Program.run(
            ["apply", server.url + "/r", "-"], input: "{\"op\":\"setNeedsLayout\"}")
        func get(_ path: String) throws -> String {
            let response = try #require(httpGet(path, port: server.port))
            #expect(response.hasPrefix("HTTP/1.1 200"))
            return String(response.drop { $0 != "\r\n" }).components(separatedBy: "\r\n\r\n").last
                ?? ""
        }
        #expect(try get("/healthz") == "ok\n")
        #expect(try get("/readyz") == "ready\n")
        let metrics = try get("/metrics")
        #expect(metrics.contains("scenesync_rooms 1\n"))
        #expect(metrics.contains("# TYPE scenesync_ticks_total counter"))
        #expect(try get("/").contains("SceneSync"))
    }
}

private enum JSONText {
    /// A text as it stands between the quotes of JSON, in ASCII.
    static func escaped(_ text: String) -> String {
        text.unicodeScalars.map { scalar in
            let digits = String(scalar.value, radix: 16)
            return scalar.value >= 0x20 && scalar.value < 0x7F
                ? String(scalar) : "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }.joined()
    }
}
