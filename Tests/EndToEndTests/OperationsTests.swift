import Foundation
import JSON
import SceneClient
import SceneDocument
import SceneTestSupport
import SceneWire
import Testing

@Suite("Operations", .serialized)
struct OperationsTests {
    /// The fault that this guards: a terminal obeyed what a document said, where an administrator's
    /// `curl` printed it.
    @Test("responses have no controls of terminals and of bidirectional text, and say the same")
    func controls() throws {
        let server = try ServerProcess(["--in-memory"])
        let hostile = "\u{1B}]0;x\u{7}\u{9B}2J\u{202E}\u{2066}"
        let escaped = #"\u001b]0;x\u0007\u009b2J\u202e\u2066"#
        func document(_ key: String) -> String {
            #"{"scene":1,"viewport":{"width":9,"height":9},"views":[{"id":"a","\#(key)":"\#(escaped)"}]}"#
        }
        func put(_ body: String) throws -> String {
            try #require(http("PUT", "/admin/rooms/r/scene", port: server.port, body: body))
        }
        let refused = try put(document("kind"))
        #expect(refused.contains(" 422 ") && refused.contains(escaped), "\(refused)")
        #expect(try put(document("hint")).contains(" 200 "))
        let exported = try #require(http("GET", "/admin/rooms/r/scene", port: server.port))
        #expect(exported.contains(escaped), "\(exported)")
        let obeyed = hostile.unicodeScalars.filter { $0.value < 0x20 || $0.value > 0x7E }
        #expect(obeyed.count == 5)
        for response in [refused, exported] {
            #expect(!response.unicodeScalars.contains { obeyed.contains($0) })
        }
        let body = try #require(exported.components(separatedBy: "\r\n\r\n").last)
        let view = try SceneDocument.parse(Array(body.utf8)).views[0]
        #expect(view.properties.interaction.hint == hostile)
    }

    @Test("an administrator lists rooms and members, exports, imports, kicks and deletes")
    func administration() throws {
        let scratch = try Scratch()
        let scene = try scratch.write(sampleScene, as: "scene.json")
        let server = try ServerProcess(["--data", scratch.path + "/data", "--scene", scene])
        let port = server.port
        let editor = try Peer(server.url + "/demo", role: .editor)
        let viewer = try Peer(server.url + "/demo")
        #expect(editor.firstMirror != nil && viewer.firstMirror != nil)
        let rooms = try #require(http("GET", "/admin/rooms", port: port))
        #expect(rooms.contains(#""room":"demo","members":2"#))
        let members = try #require(http("GET", "/admin/rooms/demo/members", port: port))
        #expect(members.contains(#""role":"editor""#) && members.contains(#""role":"viewer""#))
        let exported = try #require(http("GET", "/admin/rooms/demo/scene", port: port))
        let document = try #require(exported.components(separatedBy: "\r\n\r\n").last)
        let views = try SceneDocument.parse(Array(document.utf8)).views.map(\.id)
        // In preorder: the title is in the sidebar.
        #expect(views == ["sidebar", "title", "main"])

        // What is imported is what everybody sees, and what comes back after a restart.
        let smaller = sampleScene.replacing("== 240", with: "== 77")
        #expect(
            http("PUT", "/admin/rooms/demo/scene", port: port, body: smaller)?.contains(" 200 ")
                == true)
        #expect(viewer.mirror(where: "sidebar", isWide: 77) != nil)
        #expect(
            http("PUT", "/admin/rooms/fresh/scene", port: port, body: smaller)?.contains(" 200 ")
                == true)
        #expect(try Peer(server.url + "/fresh").mirror(where: "sidebar", isWide: 77) != nil)
        let bad = http("PUT", "/admin/rooms/demo/scene", port: port, body: #"{"scene":1}"#)
        #expect(bad?.contains(" 422 ") == true)

        // Whichever was admitted first.
        let editing = try #require(
            members.components(separatedBy: "{").first { $0.contains(#""role":"editor""#) })
        let first = editing.components(separatedBy: #""number":"#)[1].prefix { $0.isNumber }
        #expect(
            http("DELETE", "/admin/rooms/other/members/\(first)", port: port)?.contains(" 404 ")
                == true)
        #expect(
            http("DELETE", "/admin/rooms/demo/members/\(first)", port: port)?.contains(" 200 ")
                == true)
        #expect(editor.endCode == CloseCode.forbidden.rawValue)
        #expect(http("DELETE", "/admin/rooms/demo", port: port)?.contains(" 200 ") == true)
        #expect(viewer.endCode == CloseCode.noSuchSession.rawValue)
        #expect(try Peer(server.url + "/demo").endCode == CloseCode.noSuchSession.rawValue)
        #expect(http("GET", "/admin/nothing", port: port)?.contains(" 404 ") == true)
    }

    @Test(
        "without keys only this machine administers, and no page in its browser; with keys only administrators"
    )
    func authority() throws {
        let open = try ServerProcess(["--in-memory"])
        for headers in [
            "Origin: http://localhost:\(open.port)\r\n", "X-Forwarded-For: 127.0.0.1\r\n",
            "Host: evil.example\r\n",
        ] {
            let answer = http("GET", "/admin/rooms", port: open.port, headers: headers)
            #expect(answer?.contains(" 403 ") == true, "\(headers)")
        }
        let scratch = try Scratch()
        let secret = try scratch.write("an old secret of more than 32 bytes", as: "secret")
        let closed = try ServerProcess(["--in-memory", "--auth-secret-file", secret])
        func token(_ role: String) throws -> String {
            let outcome = try Program.run(
                ["token", "--secret-file", secret, "--role", role, "--room", "*"])
            return outcome.output.trimmingCharacters(in: .whitespacesAndNewlines)
        }
        #expect(http("GET", "/admin/rooms", port: closed.port)?.contains(" 401 ") == true)
        for (role, status) in [("editor", " 403 "), ("admin", " 200 ")] {
            let answer = http(
                "GET", "/admin/rooms", port: closed.port,
                headers: "Authorization: Bearer \(try token(role))\r\n")
            #expect(answer?.contains(status) == true, "\(role)")
        }
        let bad = http(
            "GET", "/admin/rooms", port: closed.port, headers: "Authorization: Bearer x.y.z\r\n")
        #expect(bad?.contains(" 401 ") == true)
    }

    @Test(
        "an administrator can let the server drain: members are told when to come back, the exit code is 0"
    )
    func drain() throws {
        let server = try ServerProcess(["--in-memory"])
        let editor = try Peer(server.url + "/room", role: .editor)
        #expect(editor.firstMirror != nil)
        #expect(
            http("POST", "/admin/drain", port: server.port, headers: "Content-Length: 0\r\n")?
                .contains(" 202 ") == true)
        #expect(editor.endCode == CloseCode.draining.rawValue)
        let failure = try #require(editor.failure)
        #expect(failure.isRetryable && failure.retryAfterMilliseconds > 0)
        server.process.waitUntilExit()
        #expect(server.process.terminationStatus == 0)
    }

    @Test(
        "settings come from flags, then the environment, then the file, and are shown with where from"
    )
    func settings() throws {
        let scratch = try Scratch()
        let file = try scratch.write(
            #"{"port": 1111, "max-rooms": 7, "tick-rate": 30}"#, as: "config.json")
        let outcome = try Program.run(
            ["serve", "--config", file, "--port", "3333", "--print-config"],
            environment: ["SCENESYNC_PORT": "2222", "SCENESYNC_TICK_RATE": "20"])
        #expect(outcome.status == 0)
        let settings = try JSONReader.read(Array(outcome.output.utf8))
        func setting(_ name: String) -> (Double?, String?) {
            let entry = settings[name]
            let value: Double? =
                entry?["value"]?.number
            let source: String? =
                entry?["from"]?.string
            return (value, source)
        }
        #expect(setting("port") == (3333, "flag"))
        #expect(setting("tick-rate") == (20, "environment"))
        #expect(setting("max-rooms") == (7, "file"))
        #expect(setting("hello-timeout") == (10, "default"))
        let threads = setting("threads")
        let sceneThreads = setting("scene-threads")
        #expect(threads.0 ?? 0 >= 1 && threads.1 == "default")
        #expect(sceneThreads.0 ?? 0 >= 1 && sceneThreads.1 == "default")
        for (text, complaint) in [
            (#"{"prot": 1}"#, "prot"), (#"{"port": "x"}"#, "port"), ("[]", "object"), ("{", "line"),
            (#"{"max-rooms": 0}"#, "rooms"), (#"{"port": 70000}"#, "65535"),
        ] {
            let bad = try scratch.write(text, as: "bad.json")
            let outcome = try Program.run(["serve", "--in-memory", "--config", bad])
            #expect(outcome.status == 78, "\(text)")
            #expect(outcome.errors.contains(complaint), "\(outcome.errors)")
        }
        let variable = try Program.run(["serve"], environment: ["SCENESYNC_PORT": "many"])
        #expect(variable.status == 78 && variable.errors.contains("SCENESYNC_PORT"))
    }

    @Test("SIGHUP reads limits, keys and certificate again, without ending a connection")
    func reload() throws {
        let scratch = try Scratch()
        let secret = try scratch.write("the first secret of more than 32 bytes", as: "secret")
        let config = try scratch.write(#"{"max-members-per-room": 1}"#, as: "config.json")
        let certificate = try scratch.certificate("first")
        let server = try ServerProcess(
            [
                "--in-memory", "--config", config, "--auth-secret-file", secret, "--tls-cert",
                certificate.path, "--tls-key", certificate.key, "--log-format", "json",
            ], log: scratch.path + "/log")
        func token() throws -> String {
            try Program.run(
                ["token", "--secret-file", secret, "--role", "editor", "--room", "*"]
            ).output.trimmingCharacters(in: .whitespacesAndNewlines)
        }
        let old = try token()
        let room = "wss://localhost:\(server.port)/room"
        let first = try Peer(room, role: .editor, caFile: certificate.path, token: old)
        #expect(first.firstMirror != nil)
        #expect(
            try Peer(room, caFile: certificate.path, token: old).endCode == CloseCode.limit.rawValue
        )

        _ = try scratch.write("the second secret of more than 32 bytes", as: "secret")
        _ = try scratch.write(#"{"max-members-per-room": 3}"#, as: "config.json")
        let second = try scratch.certificate("first")
        server.process.send(SIGHUP)
        #expect(scratch.waits(for: "read again", in: "log"))
        let renewed = try Peer(room, caFile: second.path, token: token())
        #expect(renewed.firstMirror != nil)
        #expect(
            try Peer(room, caFile: second.path, token: old).endCode
                == CloseCode.unauthenticated.rawValue)
        let sequence = try first.send(#"[{"op":"addView","id":"still"}]"#)
        #expect(first.result(sequence) == .committed(Commit()))

        // What cannot be used changes nothing.
        _ = try scratch.write("no certificate", as: "first/certificate.pem")
        server.process.send(SIGHUP)
        #expect(scratch.waits(for: "nothing was reloaded", in: "log"))
        let kept = try scratch.write(second.text, as: "kept.pem")
        #expect(try Peer(room, caFile: kept, token: token()).firstMirror != nil)
        let log = try String(contentsOfFile: scratch.path + "/log", encoding: .utf8)
        #expect(!log.contains(old) && !log.contains("secret of more"))
        for line in log.split(separator: "\n") where line.hasPrefix("{") {
            #expect(try JSONReader.read(Array(line.utf8))["level"] != nil)
        }
    }

    @Test("metrics are Prometheus' text and count what happens")
    func metrics() throws {
        let server = try ServerProcess(["--in-memory"])
        let editor = try Peer(server.url + "/room", role: .editor)
        let sequence = try editor.send(#"[{"op":"addView","id":"a"}]"#)
        #expect(editor.result(sequence) == .committed(Commit()))
        #expect(try Peer(server.url + "/nobody").endCode == CloseCode.noSuchSession.rawValue)
        let text = try #require(httpGet("/metrics", port: server.port))
        let body = try #require(text.components(separatedBy: "\r\n\r\n").last)
        var values: [String: Double] = [:]
        for line in body.split(separator: "\n") where !line.hasPrefix("#") {
            let parts = line.split(separator: " ")
            #expect(parts.count == 2, "\(line)")
            values[String(parts[0])] = Double(parts[1])
        }
        #expect(values["scenesync_members"] == 1)
        #expect(values["scenesync_rooms"] == 1)
        #expect(values["scenesync_ticks_total"] ?? 0 >= 1)
        #expect(values["scenesync_solver_rebuilds_total"] == 0)
        #expect(values["scenesync_moved_views_total"] != nil)
        let ticks = values["scenesync_tick_duration_seconds_count"]
        #expect(ticks == values["scenesync_ticks_total"])
        #expect(values[#"scenesync_tick_duration_seconds_bucket{le="+Inf"}"#] == ticks)
        #expect(values["scenesync_store_commits_total"] ?? 0 >= 1)
        #expect(values["scenesync_resident_bytes"] ?? 0 > 1e6)
    }

    @Test("the service manager hears when the server is ready and when it stops")
    func readiness() throws {
        let scratch = try Scratch()
        let manager = try NotifySocket(scratch.path + "/notify")
        let server = try ServerProcess(
            ["--in-memory"], environment: ["NOTIFY_SOCKET": manager.name])
        #expect(manager.next().hasPrefix("READY=1"))
        server.process.send(SIGHUP)
        #expect(manager.next().hasPrefix("RELOADING=1\nMONOTONIC_USEC="))
        #expect(manager.next() == "READY=1")
        server.process.terminate()
        #expect(manager.next() == "STOPPING=1")
        server.process.waitUntilExit()
        #expect(server.process.terminationStatus == 0)
    }

    @Test("a service manager that watches hears that the server works, by an abstract name too")
    func watchdog() throws {
        let scratch = try Scratch()
        let manager = try NotifySocket("@" + scratch.path)
        let server = try ServerProcess(
            ["--in-memory"],
            environment: ["NOTIFY_SOCKET": manager.name, "WATCHDOG_USEC": "30000000"])
        // A look of the watchdog may come before the line about readiness.
        var heard: Set<String> = []
        for _ in 0..<3 { heard.formUnion(manager.next().split(separator: "\n").map(String.init)) }
        #expect(heard.contains("READY=1"))
        #expect(heard.contains("WATCHDOG=1"))
        server.process.terminate()
        server.process.waitUntilExit()
        #expect(server.process.terminationStatus == 0)
    }

    @Test("doctor finds what is wrong, and nothing where nothing is")
    func doctor() throws {
        let scratch = try Scratch()
        let fine = try Program.run(
            ["doctor", "--port", "0", "--data", scratch.path + "/data", "--max-connections", "10"])
        #expect(fine.status == 0, "\(fine.output)")
        #expect(!fine.output.contains("FAULT"))
        // A journal of which a byte was lost.
        let writer = try ServerProcess(["--data", scratch.path + "/data"])
        let editor = try Peer(writer.url + "/demo", role: .editor)
        let sequence = try editor.send(#"[{"op":"addView","id":"remembered-by-the-journal"}]"#)
        #expect(editor.result(sequence) != nil)
        writer.process.terminate()
        writer.process.waitUntilExit()
        #expect(try scratch.damage("data", where: "remembered-by-the-journal") > 0)
        let damaged = try Program.run(
            ["doctor", "--port", "0", "--data", scratch.path + "/data", "--max-connections", "10"])
        #expect(damaged.status == 1)
        #expect(damaged.output.contains("FAULT journal:"), "\(damaged.output)")
        let server = try ServerProcess(["--in-memory"])
        let certificate = try scratch.certificate("one")
        let other = try scratch.certificate("two")
        let bad = try Program.run(
            [
                "doctor", "--in-memory", "--port", String(server.port), "--tls-cert",
                certificate.path, "--tls-key", other.key, "--auth-secret-file", "/nowhere",
                "--scene", "/nowhere",
            ])
        #expect(bad.status == 1)
        for name in ["port", "TLS", "keys", "scene"] {
            #expect(bad.output.contains("FAULT \(name):"), "\(name): \(bad.output)")
        }
    }
}
