import Foundation
import SceneClient
import SceneWire
import Testing

/// A server that wants tokens, and the means to issue them.
struct GuardedServer {
    let scratch: Scratch
    let secret: String
    let server: ServerProcess

    init(_ arguments: [String] = [], log name: String? = nil) throws {
        let scratch = try Scratch()
        self.scratch = scratch
        let log = name.map { scratch.path + "/" + $0 }
        secret = try scratch.write("an old secret of more than 32 bytes", as: "secret")
        let scene = try scratch.write(sampleScene, as: "scene.json")
        server = try ServerProcess(
            ["--in-memory", "--scene", scene, "--auth-secret-file", secret] + arguments,
            log: log)
    }

    func token(_ arguments: String...) throws -> String {
        let outcome = try Program.run(["token", "--secret-file", secret] + arguments)
        #expect(outcome.status == 0, "\(outcome.errors)")
        return outcome.output.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    var room: String { server.url + "/demo" }
}

@Suite("Who may come", .serialized)
struct SafetyTests {
    @Test("a token lets in those it is for, as what it says, and nobody else")
    func tokens() throws {
        let guarded = try GuardedServer()
        let viewer = try Peer(
            guarded.room, role: .editor, token: guarded.token("--room", "demo"))
        #expect(viewer.welcome?.role == .viewer)
        let editor = try Peer(
            guarded.room, role: .editor,
            token: guarded.token("--room", "d*", "--role", "editor", "--subject", "ada"))
        #expect(editor.welcome?.role == .editor)
        let sequence = try editor.send(
            #"[{"op":"setConstraint","id":"sidebar-width","constant":99}]"#)
        #expect(editor.result(sequence) == .committed(Commit()))
        #expect(viewer.mirror(where: "sidebar", isWide: 99) != nil)
        let modest = try Peer(
            guarded.room, token: guarded.token("--room", "demo", "--role", "editor"))
        #expect(modest.welcome?.role == .viewer)
        for token in ["", "nonsense", try guarded.token("--room", "other")] {
            let stranger = try Peer(guarded.room, token: token)
            #expect(stranger.endCode == CloseCode.unauthenticated.rawValue)
            #expect(stranger.failure?.isRetryable == false)
        }
    }

    @Test("where rooms are made by administrators, an editor does not make one by joining it")
    func roomMakers() throws {
        let guarded = try GuardedServer(["--room-makers", "administrators"])
        let room = guarded.server.url + "/new"
        let editor = try guarded.token("--room", "*", "--role", "editor")
        #expect(
            try Peer(room, role: .editor, token: editor).endCode == CloseCode.noSuchSession.rawValue
        )
        let maker = try Peer(
            room, role: .editor, token: guarded.token("--room", "*", "--role", "admin"))
        #expect(maker.firstMirror != nil)
        #expect(try Peer(room, role: .editor, token: editor).welcome?.role == .editor)
        let wrong = try Program.run(["serve", "--in-memory", "--room-makers", "everybody"])
        #expect(wrong.status == 78)
    }

    @Test("a token that ends during a session closes it with 4001, unless a new one came")
    func expiry() throws {
        let guarded = try GuardedServer()
        let fresh = try guarded.token("--room", "demo", "--subject", "ada")
        let short = try guarded.token(
            "--room", "demo", "--subject", "ada", "--expires", isSanitized ? "20s" : "3s")
        let ends = try Peer(guarded.room, token: short)
        let stays = try Peer(guarded.room, token: short)
        #expect(ends.firstMirror != nil && stays.firstMirror != nil)
        stays.refresh(token: fresh)
        #expect(ends.endCode == CloseCode.unauthenticated.rawValue)
        #expect(ends.failureText?.contains("expired") == true)
        let editor = try Peer(
            guarded.room, role: .editor,
            token: guarded.token("--room", "demo", "--role", "editor"))
        _ = try editor.send(#"[{"op":"setConstraint","id":"sidebar-width","constant":55}]"#)
        #expect(stays.mirror(where: "sidebar", isWide: 55) != nil)
        // A new token of somebody else ends it too.
        stays.refresh(token: try guarded.token("--room", "demo", "--subject", "eve"))
        #expect(stays.endCode == CloseCode.unauthenticated.rawValue)
    }

    /// The number of the member of a subject, as the administrator's list has it.
    private func number(
        of subject: String, _ server: ServerProcess, _ headers: String
    ) throws -> String {
        let list = try #require(
            http("GET", "/admin/rooms/demo/members", port: server.port, headers: headers))
        let before = try #require(list.range(of: "\"subject\":\"\(subject)\""))
        let start = try #require(
            list.range(
                of: #""number":"#, options: .backwards, range: list.startIndex..<before.lowerBound))
        return String(list[start.upperBound...].prefix { $0.isNumber })
    }

    @Test(
        "whom an administrator removes stays away for a while, with every token of the same subject"
    )
    func bans() throws {
        let guarded = try GuardedServer()
        let administrator = try guarded.token("--role", "admin")
        let headers = "Authorization: Bearer \(administrator)\r\n"
        func eve() throws -> Peer {
            try Peer(
                guarded.room, role: .editor,
                token: guarded.token("--room", "*", "--role", "editor", "--subject", "eve"))
        }
        let (first, second) = (try eve(), try eve())
        let ada = try Peer(
            guarded.room, role: .editor,
            token: guarded.token("--room", "*", "--role", "editor", "--subject", "ada"))
        #expect(first.firstMirror != nil && second.firstMirror != nil && ada.firstMirror != nil)
        let member = try number(of: "eve", guarded.server, headers)
        let answer = http(
            "DELETE", "/admin/rooms/demo/members/\(member)", port: guarded.server.port,
            headers: headers)
        #expect(answer?.hasPrefix("HTTP/1.1 200") == true)
        #expect(first.endCode == CloseCode.forbidden.rawValue)
        #expect(second.endCode == CloseCode.forbidden.rawValue)
        #expect(try eve().endCode == CloseCode.forbidden.rawValue)
        // Into other rooms she may come, and others may come here.
        let elsewhere = try Peer(
            guarded.server.url + "/other", role: .editor,
            token: guarded.token("--room", "*", "--role", "editor", "--subject", "eve"))
        #expect(elsewhere.firstMirror != nil)
        let sequence = try ada.send(#"[{"op":"setConstraint","id":"sidebar-width","constant":99}]"#)
        #expect(ada.result(sequence) == .committed(Commit()))
    }

    @Test("a removed member's session is nobody's any more, also where nobody can be kept away")
    func revocation() throws {
        let server = try ServerProcess(["--in-memory"])
        var held: [RawWebSocket] = []
        func join(_ resume: String = "") throws -> String {
            let raw = try #require(
                RawWebSocket(port: server.port, path: "/demo", subprotocols: "scenesync.v1.json"))
            let hello = RawWebSocket.hello("editor")
            raw.send(resume.isEmpty ? hello : hello.dropLast() + #","resume":\#(resume)}"#)
            let welcome = try #require(raw.read())
            held.append(raw)
            return welcome
        }
        func value(_ name: String, _ welcome: String) throws -> String {
            let start = try #require(welcome.range(of: "\"\(name)\":\""))
            return String(welcome[start.upperBound...].prefix { $0 != "\"" })
        }
        let welcome = try join()
        let session = try value("session", welcome)
        let resume = try
            #"{"session":"\#(session)","token":"\#(value("resumeToken", welcome))","epoch":0,"lastTick":0}"#
        #expect(try value("session", try join(resume)) == session)
        let member = try number(of: "", server, "")
        #expect(
            http("DELETE", "/admin/rooms/demo/members/\(member)", port: server.port)?
                .contains(" 200 ") == true)
        #expect(try value("session", try join(resume)) != session)
    }

    @Test("rights that a token takes away are not granted; one that it gives is")
    func rights() throws {
        let guarded = try GuardedServer(["--room-makers", "administrators"])
        /// What is granted of seeking (16) and inspecting (256) to a client that can do both.
        func granted(_ arguments: String...) throws -> String? {
            let outcome = try Program.run(
                ["token", "--secret-file", guarded.secret, "--room", "*"] + arguments)
            let token = outcome.output.trimmingCharacters(in: .whitespacesAndNewlines)
            let raw = try #require(
                RawWebSocket(
                    port: guarded.server.port, path: "/demo", subprotocols: "scenesync.v1.json",
                    headers: "Authorization: Bearer \(token)\r\n"))
            raw.send(
                RawWebSocket.hello("viewer").replacing(
                    #""capabilities":0"#, with: #""capabilities":272"#))
            return raw.read()
        }
        #expect(try granted()?.contains(#""capabilities":272"#) == true)
        #expect(try granted("--no-seek")?.contains(#""capabilities":256"#) == true)
        #expect(try granted("--no-inspect")?.contains(#""capabilities":16,"#) == true)
        let maker = try Peer(
            guarded.server.url + "/made", role: .editor,
            token: guarded.token("--room", "*", "--role", "editor", "--make-rooms"))
        #expect(maker.firstMirror != nil)
        let open = try GuardedServer()
        let visitor = try Peer(
            open.server.url + "/made", role: .editor,
            token: open.token("--room", "*", "--role", "editor", "--no-make-rooms"))
        #expect(visitor.endCode == CloseCode.noSuchSession.rawValue)
    }

    @Test("issuer, audience and lifetime are held to where they are set")
    func tokenRules() throws {
        let guarded = try GuardedServer([
            "--auth-issuer", "us", "--auth-audience", "scenes", "--auth-max-lifetime", "7200",
        ])
        let good = ["--room", "*", "--issuer", "us", "--audience", "scenes"]
        func code(_ arguments: [String]) throws -> UInt16? {
            let outcome = try Program.run(
                ["token", "--secret-file", guarded.secret] + arguments)
            let token = outcome.output.trimmingCharacters(in: .whitespacesAndNewlines)
            let peer = try Peer(guarded.room, token: token)
            return peer.welcomeOrEnd
        }
        #expect(try code(good) == 0)
        for bad in [
            Array(good.dropLast(2)), Array(good.prefix(2) + good.suffix(2)),
            good + ["--expires", "3h"],
        ] {
            #expect(try code(bad) == CloseCode.unauthenticated.rawValue)
        }
    }

    @Test("a token may come in the Authorization header too")
    func bearer() throws {
        let guarded = try GuardedServer()
        let token = try guarded.token("--room", "demo")
        let raw = try #require(
            RawWebSocket(
                port: guarded.server.port, path: "/demo", subprotocols: "scenesync.v1.json",
                headers: "Authorization: Bearer \(token)\r\n"))
        raw.send(RawWebSocket.hello("viewer"))
        #expect(raw.read()?.contains(#""type":"welcome""#) == true)
        let long = RawWebSocket(
            port: guarded.server.port, path: "/demo",
            subprotocols: "scenesync.v1.json, token.\(token)")
        #expect(long == nil)
    }

    @Test("without keys a server that others could reach does not start")
    func insecureBind() throws {
        let outcome = try Program.run(["serve", "--in-memory", "--host", "0.0.0.0", "--port", "0"])
        #expect(outcome.status == 78)
        #expect(outcome.errors.contains("--insecure-bind"))
    }

    /// What a proxy on this machine sends, or a page whose name was made to point here.
    private static let foreign = [
        "X-Forwarded-For: 192.0.2.1\r\n", "X-Forwarded-For:\r\n", "X-Forwarded-For: \r\n",
        "Forwarded: for=192.0.2.1\r\n", "X-Real-IP: 192.0.2.1\r\n", "X-Real-IP:\r\n",
        "Via: 1.1 proxy\r\n", "Via:\r\n", "X-Forwarded-Proto: https\r\n",
        "Host: evil.example\r\n", "Host: 127.0.0.1.evil.example\r\n",
        "Host: evil.example\r\nOrigin: http://evil.example\r\n",
    ]

    @Test("without keys only this machine is let in, by sockets, administration and metrics alike")
    func thisMachine() throws {
        let server = try ServerProcess(["--in-memory"])
        for headers in Self.foreign {
            let raw = try #require(
                RawWebSocket(
                    port: server.port, path: "/fresh", subprotocols: "scenesync.v1.json",
                    headers: headers))
            raw.send(RawWebSocket.hello("editor"))
            #expect(raw.read()?.contains(#""code":4003"#) == true, "\(headers)")
            for path in ["/metrics", "/admin/rooms"] {
                let answer = http("GET", path, port: server.port, headers: headers)
                #expect(answer?.hasPrefix("HTTP/1.1 403") == true, "\(path) \(headers)")
            }
        }
        for headers in ["", "Host: 127.0.0.1:\(server.port)\r\n", "Host: [::1]\r\n"] {
            let raw = try #require(
                RawWebSocket(
                    port: server.port, path: "/fresh", subprotocols: "scenesync.v1.json",
                    headers: headers + "Origin: http://localhost:8000\r\n"))
            raw.send(RawWebSocket.hello("editor"))
            #expect(raw.read()?.contains(#""role":"editor""#) == true, "\(headers)")
            for path in ["/metrics", "/admin/rooms"] {
                let answer = http("GET", path, port: server.port, headers: headers)
                #expect(answer?.hasPrefix("HTTP/1.1 200") == true, "\(path) \(headers)")
            }
        }
        // A page of this machine may edit and read counts, but no page administers.
        let page = "Origin: http://localhost:8000\r\n"
        #expect(
            http("GET", "/metrics", port: server.port, headers: page)?.contains(" 200 ") == true)
        #expect(
            http("GET", "/admin/rooms", port: server.port, headers: page)?.contains(" 403 ") == true
        )
    }

    @Test("a page of an origin that was named to the server counts as this machine's")
    func namedOrigin() throws {
        let server = try ServerProcess(["--in-memory", "--allow-origin", "https://app.example"])
        let raw = try #require(
            RawWebSocket(
                port: server.port, path: "/fresh", subprotocols: "scenesync.v1.json",
                headers: "Origin: https://app.example\r\n"))
        raw.send(RawWebSocket.hello("editor"))
        #expect(raw.read()?.contains(#""role":"editor""#) == true)
    }

    @Test("with keys, what comes through a proxy needs a token for the metrics too")
    func metricsWithKeys() throws {
        let guarded = try GuardedServer()
        let port = guarded.server.port
        #expect(httpGet("/metrics", port: port)?.hasPrefix("HTTP/1.1 200") == true)
        for headers in Self.foreign {
            let answer = http("GET", "/metrics", port: port, headers: headers)
            #expect(answer?.hasPrefix("HTTP/1.1 401") == true, "\(headers)")
        }
    }

    @Test("whoever says --insecure-bind lets everybody in")
    func insecure() throws {
        let server = try ServerProcess(["--in-memory", "--insecure-bind"])
        let headers = "Host: scene.example\r\nX-Forwarded-For: 192.0.2.1\r\n"
        let raw = try #require(
            RawWebSocket(
                port: server.port, path: "/fresh", subprotocols: "scenesync.v1.json",
                headers: headers))
        raw.send(RawWebSocket.hello("editor"))
        #expect(raw.read()?.contains(#""role":"editor""#) == true)
        #expect(
            http("GET", "/metrics", port: server.port, headers: headers)?.contains(" 200 ") == true)
        #expect(
            http("GET", "/admin/rooms", port: server.port, headers: headers)?.contains(" 403 ")
                == true)
    }

    @Test(
        "no hello in time closes with 4001; a member that says nothing is let go if that is wanted")
    func deadlines() throws {
        let server = try ServerProcess(
            ["--in-memory", "--hello-timeout", "1", "--idle-timeout", "2"])
        let mute = try #require(
            RawWebSocket(port: server.port, path: "/room", subprotocols: "scenesync.v1.json"))
        #expect(mute.read()?.contains(#""code":4001"#) == true)
        // Our own clients ask a silent server whether it is there, so that they are never silent
        // themselves.
        let idle = try #require(
            RawWebSocket(port: server.port, path: "/room", subprotocols: "scenesync.v1.json"))
        idle.send(RawWebSocket.hello("editor"))
        #expect(idle.read()?.contains(#""role":"editor""#) == true)
        var last: (opcode: UInt8, payload: [UInt8])?
        while let frame = idle.readFrame() { last = frame }
        #expect(last?.opcode == 8)
        #expect(
            last?.payload.prefix(2).reduce(0) { $0 << 8 | UInt16($1) } == CloseCode.tooSlow.rawValue
        )
    }

    @Test("floods are ended with 4029 and a time to come back; nobody else notices")
    func floods() throws {
        let server = try ServerProcess(
            ["--in-memory", "--max-messages-per-second", "5", "--max-ops-per-second", "50"])
        let room = server.url + "/room"
        let calm = try Peer(room, role: .editor)
        #expect(calm.welcome?.limits.messagesPerSecond == 5)
        let eager = try Peer(room, role: .editor)
        #expect(eager.firstMirror != nil)
        for _ in 0..<300 { _ = try eager.send(#"[{"op":"setNeedsLayout"}]"#) }
        #expect(eager.endCode == CloseCode.rateLimited.rawValue)
        #expect(eager.failure?.isRetryable == true)
        #expect((1...2000).contains(eager.failure?.retryAfterMilliseconds ?? 0))
        let sequence = try calm.send(#"[{"op":"addView","id":"a"}]"#)
        #expect(calm.result(sequence) == .committed(Commit()))
    }

    @Test("nothing but a short hello comes first, not even a message of a later version")
    func firstMessage() throws {
        let server = try ServerProcess(["--in-memory"])
        func answer(_ messages: [String]) throws -> String? {
            let raw = try #require(
                RawWebSocket(port: server.port, path: "/room", subprotocols: "scenesync.v1.json"))
            for message in messages { raw.send(message) }
            return raw.read()
        }
        for first in [#"{"type":"x-later"}"#, #"{"type":"ping","t0":1}"#] {
            #expect(try answer([first])?.contains(#""code":4001"#) == true)
        }
        let long = #"{"type":"x-later","text":"\#(String(repeating: "a", count: 17_000))"}"#
        #expect(try answer([long])?.contains("the longest message is 16384 bytes") == true)
        #expect(try answer([RawWebSocket.hello("editor")])?.contains(#""welcome""#) == true)
        let editor = try Peer(server.url + "/room", role: .editor)
        #expect(editor.firstMirror != nil)
        let sequence = try editor.send(
            #"[{"op":"addView","id":"a","kind":"label","text":"\#(String(repeating: "x", count: 17_000))"}]"#
        )
        #expect(editor.result(sequence) == .committed(Commit()))
    }

    @Test("bytes are counted before they are read, those of unknown messages too: 4029")
    func bytes() throws {
        let server = try ServerProcess(
            [
                "--in-memory", "--max-bytes-per-second", "4000", "--max-message-bytes", "8000",
                "--max-other-messages-per-second", "5",
            ])
        func ending(_ message: String) throws -> String? {
            let raw = try #require(
                RawWebSocket(port: server.port, path: "/room", subprotocols: "scenesync.v1.json"))
            raw.send(RawWebSocket.hello("editor"))
            _ = raw.read()
            for _ in 0..<40 { raw.send(message) }
            while let text = raw.read() {
                if text.contains(#""type":"error""#) { return text }
            }
            return nil
        }
        let large = #"{"type":"x-later","text":"\#(String(repeating: "a", count: 3000))"}"#
        #expect(try ending(large)?.contains(#""code":4029"#) == true)
        #expect(try ending(#"{"type":"x-later"}"#)?.contains(#""code":4029"#) == true)
    }

    @Test("handshakes of one address are limited where that is set: 429")
    func handshakeRate() throws {
        let server = try ServerProcess(["--in-memory", "--max-handshakes-per-second", "1"])
        var count = 0
        while count < 50,
            RawWebSocket(port: server.port, path: "/room", subprotocols: "scenesync.v1.json") != nil
        { count += 1 }
        #expect((5..<50).contains(count))
    }

    @Test("a body without an administrator's token is refused, one with it is read")
    func bodiesOfStrangers() throws {
        let guarded = try GuardedServer()
        let body = String(repeating: "x", count: 100_000)
        for headers in ["", "Authorization: Bearer nonsense\r\n"] {
            let answer = http(
                "PUT", "/admin/rooms/demo/scene", port: guarded.server.port, headers: headers,
                body: body)
            #expect(answer?.hasPrefix("HTTP/1.1 401") == true)
        }
        let token = try guarded.token("--room", "*", "--role", "admin")
        let answer = http(
            "PUT", "/admin/rooms/demo/scene", port: guarded.server.port,
            headers: "Authorization: Bearer \(token)\r\n", body: body)
        #expect(answer?.hasPrefix("HTTP/1.1 422") == true)
    }

    @Test("limits of a message are announced, and what exceeds them is refused with the code limit")
    func messageLimits() throws {
        let server = try ServerProcess(
            [
                "--in-memory", "--max-ops-per-message", "3", "--max-text-bytes", "10",
                "--max-message-bytes", "5000", "--max-views", "4", "--max-constraints", "2",
                "--max-animation-seconds", "2",
            ])
        let editor = try Peer(server.url + "/room", role: .editor)
        let limits = try #require(editor.welcome?.limits)
        #expect(limits.ops == 3 && limits.textBytes == 10 && limits.messageBytes == 5000)
        #expect(limits.views == 4 && limits.constraints == 2)
        for ops in [
            #"[{"op":"setNeedsLayout"},{"op":"setNeedsLayout"},{"op":"setNeedsLayout"},{"op":"setNeedsLayout"}]"#,
            #"[{"op":"animate","duration":1,"ops":[{"op":"setNeedsLayout"},{"op":"setNeedsLayout"},{"op":"setNeedsLayout"}]}]"#,
            #"[{"op":"addView","id":"a","kind":"label","text":"longer than that"}]"#,
            #"[{"op":"animate","duration":3,"ops":[{"op":"setNeedsLayout"}]}]"#,
            #"[{"op":"animate","duration":1,"delay":3,"ops":[{"op":"setNeedsLayout"}]}]"#,
        ] {
            let sequence = try editor.send(ops)
            guard case .refused(let refusal)? = editor.result(sequence) else {
                Issue.record("\(ops) was taken")
                continue
            }
            #expect(refusal.code == .limit)
        }
        let fine = try editor.send(#"[{"op":"addView","id":"a","kind":"label","text":"short"}]"#)
        #expect(editor.result(fine) == .committed(Commit()))
        let many = try editor.send(
            #"[{"op":"addView","id":"b"},{"op":"addView","id":"c"},{"op":"addView","id":"d"}]"#)
        #expect(editor.result(many) == .committed(Commit()))
        for ops in [
            #"[{"op":"addView","id":"e"}]"#,
            #"{"op":"setScene","scene":1,"viewport":{"width":9,"height":9},"views":[{"id":"a"},{"id":"b"},{"id":"c"},{"id":"d"},{"id":"e"}]}"#,
        ] {
            let sequence = try editor.send(ops.hasPrefix("[") ? ops : "[\(ops)]")
            guard case .refused(let refusal)? = editor.result(sequence) else {
                Issue.record("\(ops) was taken")
                continue
            }
            #expect(refusal.code == .limit)
        }
        _ = try editor.send(
            #"[{"op":"addView","id":"f","text":"\#(String(repeating: "x", count: 6000))"}]"#)
        #expect(editor.endCode == 1009)
    }

    @Test("a profile is what limits start from, and each can be set besides")
    func profiles() throws {
        func limits(_ arguments: [String]) throws -> GrantedLimits? {
            let server = try ServerProcess(["--in-memory"] + arguments)
            return try Peer(server.url + "/room", role: .editor).welcome?.limits
        }
        let usual = try #require(try limits([]))
        #expect(usual.views == 10_000 && usual.messageBytes == 1 << 20)
        #expect(try limits(["--profile", "trusted"])?.views == 10_000)
        let strict = try #require(try limits(["--profile", "internet", "--max-text-bytes", "99"]))
        #expect(strict.views == 2_000 && strict.constraints == 8_000 && strict.textBytes == 99)
        #expect(strict.messageBytes == 512 << 10 && strict.messagesPerSecond == 120)
        let wrong = try Program.run(["serve", "--in-memory", "--profile", "none"])
        #expect(wrong.status == 78 && wrong.errors.contains("trusted or internet"))
    }

    @Test(
        "what costs more work than a message may is refused with too-expensive, where that is set")
    func work() throws {
        let server = try ServerProcess(["--in-memory", "--max-work-per-message", "100000"])
        let editor = try Peer(server.url + "/room", role: .editor)
        let views = (0..<400).map {
            #"{"op":"addView","id":"v\#($0)"},"#
                + #"{"op":"addConstraint","rule":"v\#($0).width == \#($0)"}"#
        }
        let sequence = try editor.send("[" + views.joined(separator: ",") + "]")
        guard case .refused(let refusal)? = editor.result(sequence) else {
            Issue.record("it was taken")
            return
        }
        #expect(refusal.code == .tooExpensive)
        let small = try editor.send(#"[{"op":"addView","id":"a"}]"#)
        #expect(editor.result(small) == .committed(Commit()))
    }

    @Test("members of a room are limited: 4009; so are rooms, until one is left: 4029")
    func roomLimits() throws {
        let server = try ServerProcess(
            ["--in-memory", "--max-rooms", "1", "--max-members-per-room", "2"])
        let first = try Peer(server.url + "/one", role: .editor)
        #expect(first.firstMirror != nil)
        let second = try Peer(server.url + "/one")
        #expect(second.firstMirror != nil)
        #expect(try Peer(server.url + "/one").endCode == CloseCode.limit.rawValue)
        #expect(
            try Peer(server.url + "/two", role: .editor).endCode == CloseCode.rateLimited.rawValue)
        let sequence = try first.send(#"[{"op":"addView","id":"a"}]"#)
        #expect(first.result(sequence) == .committed(Commit()))
    }

    @Test("rooms that were joined and left keep nobody out, and come back as they were")
    func emptyRooms() throws {
        let server = try ServerProcess(["--in-memory", "--max-rooms", "2"])
        /// Joins once the server knows that the member before has left.
        func join(_ name: String) throws -> Peer? {
            for _ in 0..<1000 {
                let peer = try Peer(server.url + "/" + name, role: .editor)
                if peer.welcomeOrEnd == 0 { return peer }
                #expect(peer.endCode == CloseCode.rateLimited.rawValue)
            }
            return nil
        }
        let names = (0..<12).map { "room\($0)" }
        for name in names {
            let peer = try #require(try join(name))
            // Half of them stay as they were made, and have nothing to come back to.
            if name.hasSuffix("1") || name.hasSuffix("3") || name.hasSuffix("5") {
                let sequence = try peer.send(#"[{"op":"addView","id":"kept"}]"#)
                #expect(peer.result(sequence) == .committed(Commit()))
            }
            peer.close()
        }
        for name in ["room1", "room3", "room5", "room11"] {
            let peer = try #require(try join(name))
            #expect(peer.mirror(where: { $0.view(id: "kept") != nil }) != nil, "\(name)")
            peer.close()
        }
    }

    @Test(
        "a person's share of the rooms is limited where that is set, and leaves the others theirs")
    func roomShare() throws {
        let server = try ServerProcess(["--in-memory", "--max-rooms-per-person", "1"])
        let first = try Peer(server.url + "/one", role: .editor)
        #expect(first.welcomeOrEnd == 0)
        let second = try Peer(server.url + "/two", role: .editor)
        #expect(second.endCode == CloseCode.rateLimited.rawValue)
        #expect(second.failure?.retryAfterMilliseconds ?? 0 > 0)
        // Another member of a room that is there opens none.
        #expect(try Peer(server.url + "/one", role: .editor).welcomeOrEnd == 0)
    }

    @Test("rooms that one address opens are limited where that is set: 4029")
    func roomRate() throws {
        let server = try ServerProcess(["--in-memory", "--max-rooms-per-minute", "12"])
        // Twelve in a minute are one in five seconds, and that one may come at once. It is there
        // before the others set out: connections overtake one another.
        let first = try Peer(server.url + "/one", role: .editor)
        #expect(first.welcomeOrEnd == 0)
        let peers = try ["two", "three", "one"].map {
            try Peer(server.url + "/" + $0, role: .editor)
        }
        let codes = peers.map(\.welcomeOrEnd)
        #expect(codes.last == 0)
        #expect(codes.contains(CloseCode.rateLimited.rawValue))
        let refused = peers.first { $0.welcomeOrEnd == CloseCode.rateLimited.rawValue }
        #expect((1...5000).contains(refused?.failure?.retryAfterMilliseconds ?? 0))
        // A room that is there is opened by nobody.
        #expect(try Peer(server.url + "/one").firstMirror != nil)
    }
}
