import SceneWire
import Synchronization
import WebSocketTransport

/// Tries a server's every promise of SPEC.md, from the outside. The room it is given is
/// overwritten.
public struct ServerSuite: Sendable {
    /// The room's address.
    public let url: String
    /// What the server under test is known to have.
    let setting: ServerSetting
    private let choice: CaseChoice
    private let departures = RoomDepartures()

    /// Makes a suite for a room that may be overwritten.
    public init(
        url: String, setting: ServerSetting = ServerSetting(), choice: CaseChoice = CaseChoice()
    ) {
        self.url = url
        self.setting = setting
        self.choice = choice
    }

    /// Every case: number and title.
    public static var catalogue: [CatalogueEntry] {
        cases.map { CatalogueEntry(id: $0.id, isEssential: false, title: $0.title) }
    }

    /// A case: its number, its title and its script.
    struct Case: Sendable {
        var id: String
        var title: String
        var run: @Sendable (ServerSuite) throws -> Finding

        init(
            _ id: String, _ title: String,
            _ run: @escaping @Sendable (ServerSuite) throws -> Finding
        ) {
            self.id = id
            self.title = title
            self.run = run
        }
    }

    /// The finding of a case.
    enum Finding {
        case fine
        case weak(String)
        case bad(String)
        case note(String)

        static func require(_ holds: Bool, _ otherwise: @autoclosure () -> String) -> Finding {
            holds ? .fine : .bad(otherwise())
        }
    }

    static let cases: [Case] =
        connectionCases + tokenCases + messageCases + stateCases + opsCases + memberCases
        + watchingCases + pastCases + numberingCases + promiseCases + limitCases + deviceCases
        + visibilityCases + dialogueCases

    /// Runs all cases, one after another.
    ///
    /// - Parameter progress: Called with each result.
    public func run(progress: (CaseResult) -> Void = { _ in }) -> ConformanceReport {
        var results: [CaseResult] = []
        // Rooms come about with their first scene. Whether that works, the cases say.
        _ = try? editor()
        for test in Self.cases where choice.takes(test.id) {
            let (verdict, detail) = judge(test)
            let result = CaseResult(
                id: test.id, title: test.title, verdict: verdict, detail: detail)
            progress(result)
            results.append(result)
        }
        return ConformanceReport(subject: url, results: results)
    }

    /// How often a case is tried whose room goes to another node meanwhile.
    private static let attemptsMaximum = 3

    /// Tries a case; anew where it did not go well and the server told meanwhile that the room goes
    /// away.
    private func judge(_ test: Case) -> (Verdict, String) {
        for _ in 1..<Self.attemptsMaximum {
            let before = departures.count
            let found = attempt(test)
            if found.0 != .failed && found.0 != .nonStrict { return found }
            if departures.count == before { return found }
        }
        return attempt(test)
    }

    private func attempt(_ test: Case) -> (Verdict, String) {
        do {
            switch try test.run(self) {
            case .fine: return (.ok, "")
            case .weak(let text): return (.nonStrict, text)
            case .bad(let text): return (.failed, text)
            case .note(let text): return (.informational, text)
            }
        } catch let failure as ScriptedClient.Failure {
            return (.failed, failure.text)
        } catch {
            return (.failed, "\(error)")
        }
    }

    /// The dialogues of the vectors with servers.
    private static var dialogueCases: [Case] {
        EmbeddedDialogues.parsed(EmbeddedDialogues.servers).map { dialogue in
            Case(dialogue.id, dialogue.title) { try $0.play(dialogue) }
        }
    }

    private func play(_ dialogue: Dialogue) throws -> Finding {
        _ = try editor()
        if dialogue.needs != 0 {
            let granted = try client().greet(capabilities: dialogue.needs).capabilities
            guard granted & dialogue.needs == dialogue.needs else {
                return .note("the server does not have this part")
            }
        }
        var runner = DialogueRunner(
            dialogue,
            open: { format, path in
                let base = url.prefix(upTo: url.lastIndex(of: "/") ?? url.endIndex)
                // A path without a slash is the end of a branch's name.
                let place = path.map { $0.hasPrefix("/") ? base + $0 : url + $0 }
                return try ScriptedClient(
                    place ?? url, format, token: setting.tokens?.own, departures: departures)
            })
        do {
            try runner.run()
            return .fine
        } catch let failure as DialogueRunner.Failure {
            return dialogue.isWeak ? .weak(failure.text) : .bad(failure.text)
        }
    }

    /// A connection to the room.
    ///
    /// - Parameter token: One that is not the suite's own.
    func client(
        _ format: SceneWire.Subprotocol = .binary, token: String? = nil
    ) throws -> ScriptedClient {
        try ScriptedClient(
            url, format, token: token ?? setting.tokens?.own, departures: departures)
    }

    /// A connection to the room, whose handshake's outcome is its first event.
    func client(offering subprotocols: [String]) throws -> ScriptedClient {
        try ScriptedClient(
            url, offering: subprotocols, token: setting.tokens?.own, departures: departures)
    }

    /// A scene that the cases know.
    static let scene = """
        [{"op": "setScene", "scene": 1, "viewport": {"width": 400, "height": 300},
          "views": [{"id": "a"}, {"id": "b", "parent": "a", "kind": "label", "text": "Files"}],
          "constraints": ["a.leading == root.leading", "a.top == root.top", "a.height == 100",
            {"id": "w", "rule": "a.width == 100 @750"},
            {"id": "limit", "rule": "a.width <= 350"}]}]
        """

    /// An editor in a room with the known scene.
    func editor(
        _ format: SceneWire.Subprotocol = .binary, capabilities: UInt64 = 0
    ) throws -> ScriptedClient {
        let client = try client(format)
        try client.greet(.editor, capabilities: capabilities)
        guard case .committed = try client.apply(Self.scene, sequence: 1) else {
            throw ScriptedClient.Failure(text: "the room's scene cannot be replaced")
        }
        try wait(client) { $0.view(id: "a")?.frame.width == 100 }
        return client
    }

    /// Reads on until the mirror is as wanted, acknowledging each frame.
    func wait(
        _ client: ScriptedClient, _ seconds: Double = ScriptedClient.patienceSeconds,
        until isWanted: (SceneMirror) -> Bool
    ) throws {
        func holds() -> Bool { client.mirror.withLock { !$0.needsSnapshot && isWanted($0) } }
        if holds() { return }
        try client.wait("change of state", seconds) { message in
            switch message {
            case .frame, .snapshot:
                if client.mirror.withLock({ !$0.needsSnapshot }) { client.acknowledge() }
                return holds() ? () : nil
            default: return nil
            }
        }
    }

    /// Sends bytes after hello and expects that code.
    func expectClose(
        _ bytes: [UInt8], _ kind: MessageKind = .binary,
        _ format: SceneWire.Subprotocol = .binary,
        code: UInt16 = 4000
    ) throws -> Finding {
        let client = try client(format)
        try client.greet()
        client.send(raw: bytes, kind)
        let found = try client.end()
        return .require(
            found == code, "closed with \(found.map(String.init) ?? "no code"), not \(code)")
    }
}
