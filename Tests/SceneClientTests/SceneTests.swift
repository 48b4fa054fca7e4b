import Logging
import Observation
import SceneServer
import Synchronization
import Testing
import WebSocketTransport

@testable import SceneClient

/// A server in memory.
private func startServer() async throws -> (server: SceneServer, url: String) {
    var options = ServerOptions()
    options.port = 0
    let server = try SceneServer(options: options, logger: silent)
    try server.start()
    return (server, "ws://127.0.0.1:\(server.port)/board")
}

private let silent = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

/// What is missing is a fault of the program: no test waits longer. Long, because tests that block
/// a thread run beside these on the same few threads.
private func within<Value: Sendable>(
    _ body: @escaping @Sendable () async throws -> Value
) async throws -> Value {
    try await withThrowingTaskGroup(of: Value.self) { group in
        group.addTask { try await body() }
        group.addTask {
            try await Task.sleep(for: .seconds(600))
            throw Overdue()
        }
        defer { group.cancelAll() }
        return try await group.next()!
    }
}

private struct Overdue: Error {}

private func tap(_ view: String) -> UserEvent {
    var event = UserEvent()
    event.view = view
    return event
}

@Suite("A program behind a scene", .serialized)
struct SceneTests {
    /// A scene with a list and a button, the program behind it, and somebody who uses it.
    private func board(
        _ body: @escaping @Sendable (Scene, Scene) async throws -> Void
    ) async throws {
        let (server, url) = try await startServer()
        defer { server.stop() }
        let scene = try await Scene.connect(url, logger: silent)
        var document = SceneDocument(viewport: Viewport(width: 320, height: 240))
        document.views = [
            ViewSpec(
                id: "list",
                properties: NewView.stack([]).with { $0.interaction.events = [.tap] }.properties),
            ViewSpec(
                id: "deaf",
                properties: NewView.view().with { $0.interaction.events = [.tap] }.properties),
            ViewSpec(id: "add", parent: "list", properties: NewView.button("Add").properties),
        ]
        try await scene.show(document)
        let person = try await Scene.connect(url, role: .participant, logger: silent)
        defer {
            person.close()
            scene.close()
        }
        try await within { try await body(scene, person) }
    }

    @Test("a tap reaches its handler, whose answer the other sees, and the sender is told")
    func tapAnswered() async throws {
        try await board { scene, person in
            scene.on(.tap, "add") { [weak scene] event in
                #expect(event.view == "add")
                try await scene?.animate(0.1) {
                    scene!["list"].append(.label("new card", id: "card"))
                }
            }
            try await scene.handlesAll()
            #expect(try await person.send(tap("add")) == .handled)
            for await mirror in person.changes where mirror.view(id: "card") != nil { break }
            #expect(person["card"].text == "new card")
            #expect(person["list"].subviews == ["add", "card"])
        }
    }

    @Test("an event whose handler throws or declines, or that has none, is unhandled")
    func unhandled() async throws {
        try await board { scene, person in
            scene.on(.tap, "add") { _ in throw Overdue() }
            scene.on(.tap, "list") { event in event.decline() }
            try await scene.handlesAll()
            #expect(try await person.send(tap("add")) == .unhandled)
            #expect(try await person.send(tap("list")) == .unhandled)
            #expect(try await person.send(tap("deaf")) == .unhandled)
        }
    }

    @Test(
        "events of a sequence are handled when the next is asked for; those of a loop that was left are not"
    )
    func sequence() async throws {
        try await board { scene, person in
            let taps = scene.events(.tap, of: "add")
            try await scene.handlesAll()
            async let first = person.send(tap("add"))
            async let second = person.send(tap("add"))
            async let third = person.send(tap("add"))
            var count = 0
            for await event in taps {
                count += 1
                if count == 2 { event.accept() }
                if count == 3 { break }
            }
            let outcomes = try await [first, second, third]
            #expect(outcomes.count { $0 == .handled } == 2)
            #expect(outcomes.count { $0 == .unhandled } == 1)
        }
    }

    @Test("after a loop over events the server sends no more of them")
    func handlesNoMore() async throws {
        try await board { scene, person in
            do {
                let taps = scene.events(.tap, of: "add")
                try await scene.handlesAll()
                async let first = person.send(tap("add"))
                for await event in taps {
                    event.accept()
                    break
                }
                #expect(try await first == .handled)
            }
            try await scene.handlesAll()
            #expect(try await person.send(tap("add")) == .unhandled)
        }
    }

    @Test("the nearest handler of a kind is called")
    func nearest() async throws {
        try await board { scene, person in
            let called = Mutex<[String]>([])
            scene.on(.tap) { _ in called.withLock { $0.append("root") } }
            scene.on(.tap, "list") { _ in called.withLock { $0.append("list") } }
            scene.on(.press, "add") { _ in called.withLock { $0.append("press") } }
            try await scene.handlesAll()
            _ = try await person.send(tap("add"))
            _ = try await person.send(tap("deaf"))
            #expect(called.withLock { $0 } == ["list", "root"])
        }
    }

    @Test(
        "a refusal names the constraints that contradict one another, and nothing of its batch is in the scene"
    )
    func refusal() async throws {
        try await board { scene, _ in
            let wide = try Op.addConstraint("add.width == 100", id: "wide")
            let narrow = try Op.addConstraint("add.width == 50", id: "narrow")
            #expect(throws: DocumentError.self) { try Op.addConstraint("add.width ==") }
            do {
                try await scene.apply {
                    scene["list"].append(.label("x", id: "x"))
                    wide
                    narrow
                }
                Issue.record("it was taken")
            } catch SceneError.refused(let refusal) {
                #expect(refusal.code == .unsatisfiable)
                #expect(Set(refusal.conflicting) == ["wide", "narrow"])
            }
            #expect(scene["x"].record == nil)
            let commit = try await scene.apply([wide, narrow], atomic: false)
            #expect(commit.refusals.map(\.opIndex) == [1])
        }
    }

    @Test("a bound value arrives with its last value, in far fewer ops than it had changes")
    func bound() async throws {
        try await board { scene, _ in
            let opCount = Atomic<Int>(0)
            let value = SceneValue(0)
            scene.bind(value) { number in
                opCount.add(1, ordering: .relaxed)
                return scene["add"].set { $0.text = "\(number)" }
            }
            for number in 1...1000 { value.value = number }
            for await _ in scene.changes where scene["add"].text.contains("1000") { break }
            #expect(opCount.load(ordering: .relaxed) < 1000)
        }
    }

    @Test("messages go to a member, to everyone and to a view's program")
    func messages() async throws {
        try await board { scene, person in
            let heard = Mutex<[JSONValue]>([])
            scene.on(.message, "list") { event in
                heard.withLock { $0.append(event.value) }
                if event.value == .string("no") { event.decline() }
            }
            try await scene.handlesAll()
            #expect(try await person.send(.string("yes"), about: "add") == .handled)
            #expect(try await person.send(.string("no"), about: "add") == .unhandled)
            #expect(heard.withLock { $0 } == [.string("yes"), .string("no")])
        }
    }

    @Test("what waits is told of the end: results, loops and run")
    func ended() async throws {
        try await board { scene, person in
            let taps = scene.events(.tap, of: "add")
            try await scene.handlesAll()
            async let outcome = person.send(tap("add"))
            for await _ in taps { scene.close() }
            await #expect(throws: SceneError.self) { try await scene.run() }
            await #expect(throws: SceneError.self) {
                try await scene.apply([.setNeedsLayout(id: "root")])
            }
            for await _ in scene.changes {}
            for await _ in scene.events(.tap) {}
            // Nobody knows what the program did before it went.
            #expect(try await outcome != .refused)
        }
    }

    @Test("a task that waits can be cancelled")
    func cancelled() async throws {
        try await board { scene, _ in
            let waiting = Task { try await scene.run() }
            waiting.cancel()
            await #expect(throws: SceneError.cancelled) { try await waiting.value }
            try await scene.apply([.setNeedsLayout(id: "root")])
        }
    }

    @Test("a server that is not there, and an address that is none")
    func unreachable() async throws {
        await #expect(throws: SceneError.self) { try await Scene.connect("ws://127.0.0.1:1/x") }
        await #expect(throws: SceneError.transport(.badURL("nonsense"))) {
            try await Scene.connect("nonsense")
        }
    }

    @Test("observers are told when the mirror changes")
    func observed() async throws {
        try await board { scene, _ in
            let count = Mutex(0)
            let changed = AsyncStream<Void> { continuation in
                withObservationTracking {
                    count.withLock { $0 = scene.mirror.count }
                } onChange: {
                    continuation.finish()
                }
            }
            try await scene.apply { scene["list"].append(.row([.label("a"), .switch(true)])) }
            for await _ in changed {}
            #expect(count.withLock { $0 } == 4)
            #expect(scene.mirror.count == 7)
        }
    }
}

@Suite("Parts of a program's connection")
struct SceneParts {
    @Test(
        "an answer that comes before anybody waits is kept; one that nobody waits for any longer is not"
    )
    func answers() {
        var answers = Answers<Int>()
        #expect(answers.take(7, for: 1) == nil)
        #expect(try! answers.wait(for: 1) { _ in }?.get() == 7)
        #expect(answers.wait(for: 2) { _ in } == nil)
        #expect(answers.forget(2) != nil)
        answers.take(8, for: 2)?(.success(8))
        #expect(answers.wait(for: 2) { _ in } == nil)
        #expect(answers.finish(.cancelled).count == 1)
        guard case .failure(.cancelled)? = answers.wait(for: 3, { _ in }) else {
            Issue.record("it waits for ever")
            return
        }
    }

    @Test("the server is told of at most as many views as it takes")
    func roots() {
        var routes = EventRoutes()
        for number in 0..<64 { _ = routes.add(.handler { _ in }, .tap, "view-\(number)") }
        #expect(routes.roots.count == 64)
        let (number, replaced) = routes.add(.handler { _ in }, .tap, "one more")
        #expect(replaced == nil)
        #expect(routes.roots == ["root"])
        _ = routes.remove(number)
        #expect(routes.roots.count == 64)
        #expect(routes.add(.handler { _ in }, .tap, "view-0").replaced != nil)
    }

    @Test("views are added superviews first, and siblings in order")
    func newViews() {
        let view = NewView.stack(
            id: "a", [.row(id: "b", [.label("c", id: "c")]), .progress(0.5, id: "d")])
        let added = view.ops(in: "root", at: 3).map { op -> String in
            guard case .addView(let spec) = op else { return "" }
            return "\(spec.id) in \(spec.parent) at \(spec.index.map { "\($0)" } ?? "the end")"
        }
        #expect(
            added == [
                "a in root at 3", "b in a at the end", "c in b at the end", "d in a at the end",
            ])
        #expect(NewView.label("x").id != NewView.label("x").id)
    }
}
