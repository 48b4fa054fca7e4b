import Logging
import SceneClient
import SceneServer
import SeededRandom
import Testing

@testable import Demo

private let silent = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

@Suite("The demo's rooms", .serialized, .timeLimit(.minutes(10)))
struct DemoTests {
    /// A server with all programs, and somebody in a room.
    private func inRoom(
        _ room: String, role: Role = .participant,
        _ body: @Sendable (Scene, SceneServer) async throws -> Void
    ) async throws {
        var options = ServerOptions()
        options.port = 0
        options.scene = try DemoPrograms.firstScene
        let server = try SceneServer(options: options, logger: silent)
        try server.start()
        defer { server.stop() }
        let programs = DemoPrograms()
        let address = "ws://127.0.0.1:\(server.port)"
        await programs.start(
            at: address, beside: server, showsMonitor: true, crowd: 0, logger: silent)
        defer { programs.stop() }
        // A participant makes no room: each has to be there.
        var client = SceneClient.Options(url: "\(address)/\(room)")
        client.role = role
        let scene = try await Scene.connect(client, logger: silent)
        defer { scene.close() }
        try await body(scene, server)
    }

    private func event(_ kind: EventKind, _ view: String, _ value: JSONValue = .null) -> UserEvent {
        var event = UserEvent()
        (event.kind, event.view, event.value) = (kind, view, value)
        return event
    }

    /// Sends an event until its program is there to deal with it.
    private func use(
        _ scene: Scene, _ kind: EventKind, _ view: String, _ value: JSONValue = .null
    ) async throws {
        for await _ in scene.changes where scene[view].record != nil { break }
        while try await scene.send(event(kind, view, value)) != .handled {
            try await Task.sleep(for: .milliseconds(10))
        }
    }

    private func wait(_ scene: Scene, _ condition: () -> Bool) async {
        for await _ in scene.changes where condition() { return }
        Issue.record("the scene ended")
    }

    @Test("a wave is counted and told to all")
    func waves() async throws {
        try await inRoom("demo") { scene, _ in
            try await use(scene, .tap, "wave")
            await wait(scene) { scene["waves"].text == "1 wave" }
            // Not always the first line: whoever came may be noticed after the wave.
            #expect((1...4).contains { scene["event-\($0)"].text.hasSuffix("waved") })
            try await use(scene, .tap, "wave")
            await wait(scene) { scene["waves"].text == "2 waves" }
            await wait(scene) { scene["status"].text == "1 person here" }
            await wait(scene) { scene["cpu-value"].text.hasSuffix(" %") }
        }
    }

    @Test("the menu brings a page into view by a set of constraints, and hides the others")
    func pages() async throws {
        try await inRoom("demo") { scene, server in
            try await use(scene, .tap, "menu-server")
            await wait(scene) {
                let mirror = scene.mirror
                guard let page = mirror.number(id: "server"), let pages = mirror.number(id: "pages")
                else { return false }
                return mirror.absoluteFrame(page)?.x == mirror.absoluteFrame(pages)?.x
                    && scene["overview"].record?.content.hidden == true
            }
            #expect(scene["crumb"].text == "Server")
            #expect(scene["server"].record?.content.hidden == false)
            await wait(scene) { scene["connections-value"].text == "\(server.figures.connections)" }
            try await use(scene, .tap, "menu-overview")
            await wait(scene) { scene["overview"].record?.content.hidden == false }
        }
    }

    @Test("a card is dragged to another column, before the card that it was let go on")
    func drag() async throws {
        try await inRoom("board") { scene, _ in
            await wait(scene) { scene["todo-cards"].subviews.count == 3 }
            let card = scene["todo-cards"].subviews[0]
            let second = scene["doing-cards"].subviews[1]
            try await use(scene, .press, card, .string("began"))
            try await use(scene, .press, second, .string("dropped"))
            try await use(scene, .press, card, .string("ended"))
            await wait(scene) { scene["doing-cards"].subviews.count == 3 }
            #expect(scene["doing-cards"].subviews[1] == card)
            // One that is let go where it was taken up stays.
            try await use(scene, .press, second, .string("began"))
            try await use(scene, .press, second, .string("ended"))
            #expect(try await scene.send(event(.press, "done", .string("dropped"))) == .unhandled)
        }
    }

    @Test("cards are moved, ordered and removed by keyboard alone")
    func keyboard() async throws {
        try await inRoom("board") { scene, _ in
            await wait(scene) { scene["todo-cards"].subviews.count == 3 }
            let card = scene["todo-cards"].subviews[0]
            try await use(scene, .key, card, .string("ArrowDown"))
            await wait(scene) { scene["todo-cards"].subviews[1] == card }
            try await use(scene, .tap, card)
            await wait(scene) { scene[card].record?.content.foreground == Color("#e0af68") }
            try await use(scene, .tap, "done-title")
            await wait(scene) { scene["done-cards"].subviews.last == card }
            #expect(try await scene.send(event(.key, card, .string("ArrowRight"))) == .unhandled)
            try await use(scene, .key, card, .string("Delete"))
            await wait(scene) { scene[card].record == nil }
            await wait(scene) { scene["count"].text == "5 cards" }
        }
    }

    @Test("new cards are cut to a length, and their number has an end")
    func newCards() async throws {
        try await inRoom("board") { scene, _ in
            await wait(scene) { scene["todo-cards"].subviews.count == 3 }
            let long = String(repeating: "x", count: 2000)
            for _ in 6..<BoardTable.cardMaximum {
                try await use(scene, .input, "new-card", .string(long))
            }
            #expect(try await scene.send(event(.input, "new-card", .string("more"))) == .unhandled)
            #expect(try await scene.send(event(.input, "new-card", .string(""))) == .unhandled)
            await wait(scene) { scene["count"].text == "30 cards" }
            let last = try #require(scene["todo-cards"].subviews.last)
            let text = try #require(scene[last].subviews.first)
            #expect(scene[text].text.filter { $0 == "x" }.count == BoardTable.textMaximum)
        }
    }

    @Test("rubbish from participants harms no program, and they change nothing by themselves")
    func rubbish() async throws {
        try await inRoom("board") { scene, server in
            await wait(scene) { scene["todo-cards"].subviews.count == 3 }
            let card = scene["todo-cards"].subviews[0]
            for value: JSONValue in [
                .null, .number(1e300), .array([]), .string("\u{0}"), .bool(true),
            ] {
                for kind in [EventKind.tap, .press, .key] {
                    _ = try await scene.send(event(kind, card, value))
                }
                _ = try await scene.send(event(.input, "new-card", value))
            }
            await #expect(throws: SceneError.self) {
                try await scene.apply { scene[card].remove() }
            }
            try await use(scene, .key, card, .string("ArrowRight"))
            await wait(scene) { scene["doing-cards"].subviews.contains(card) }
        }
    }

    @Test("the clock's hands move while somebody watches")
    func clock() async throws {
        try await inRoom("clock", role: .viewer) { scene, _ in
            let first = scene["time"].text
            await wait(scene) { scene["time"].text != first && scene["time"].text.count == 8 }
            let second = scene["time"].text
            await wait(scene) { scene["time"].text != second }
            // At more places than there were seconds: it moves between them. A machine that is full
            // shows few of them.
            var places: Set<QuantisedFrame> = []
            var times: Set<String> = []
            await wait(scene) {
                if let frame = scene["second"].record?.frame { places.insert(frame) }
                times.insert(scene["time"].text)
                return places.count > times.count + 3
            }
        }
    }

    @Test(
        "a program that comes back to something else puts its own scene there, and leaves its own as it is"
    )
    func restored() async throws {
        try await inRoom("board", role: .editor) { scene, server in
            await wait(scene) { scene["todo-cards"].subviews.count == 3 }
            let site = Site(
                server: server, address: "ws://127.0.0.1:\(server.port)", logger: silent)
            try await scene.apply { scene[scene["todo-cards"].subviews[0]].remove() }
            let again = Task { await Board().stay(at: site) {} }
            await wait(scene) { scene["count"].text == "5 cards" }
            again.cancel()
            try await scene.show(SceneDocument(viewport: Viewport(width: 10, height: 10)))
            let anew = Task { await Board().stay(at: site) {} }
            await wait(scene) { scene["todo-cards"].subviews.count == 3 }
            anew.cancel()
        }
    }

    @Test("robots use what is there")
    func robots() async throws {
        try await inRoom("board", role: .editor) { scene, _ in
            await wait(scene) { scene["todo-cards"].subviews.count == 3 }
            var random = SplitMix64(seed: 1)
            for _ in 0..<50 {
                let taps = Crowd.taps(in: "board", scene, &random)
                #expect(taps.count == 2)
                #expect(taps.allSatisfy { scene[$0].record != nil })
            }
            try await scene.apply {
                for column in Board.Column.allCases { scene[column.cards].clear() }
            }
            await wait(scene) { scene["todo-cards"].subviews.isEmpty }
            #expect(Crowd.taps(in: "board", scene, &random).isEmpty)
        }
    }
}
