import JSON
import SceneClientSession
import SceneDocument
import SceneWire
import Testing
import WebSocketTransport

@testable import Conformance

/// Plays the dialogues of `protocol/vectors/v1/dialogues/clients.json` with a session, on a virtual
/// clock.
@Suite("A client's session in the dialogues of the vectors")
struct DialogueTests {
    /// The capabilities of the session, and so of what is tried.
    private static let capabilities =
        Capability.animations | Capability.undo | Capability.keyframes
        | Capability.mergedResume | Capability.devices | Capability.events

    /// The addresses of the world here; at the last one nobody listens.
    static let addresses = [
        DialogueAddress.first: "ws://127.0.0.1:1001/case",
        DialogueAddress.second: "ws://127.0.0.1:1002/case",
        DialogueAddress.refused: "ws://127.0.0.1:1003/case",
    ]

    /// A client under test without a socket: it obeys the view `do`, as `conformance --serve` wants
    /// it.
    private final class Subject: DialogueEnd {
        private let format: Subprotocol
        private var session: ClientSession
        private var heard: [DialogueHeard] = []
        private var lastCommand = ""
        /// What the session said of events, and of what became of its own, since it was asked.
        private var said: [String] = []
        /// Events without an answer.
        private var waiting: [ClientSession.ReceivedEvent] = []
        private(set) var now: UInt64 = 0
        private var isMute = false
        /// Connections so far, and how many of them the dialogue has come to.
        private var openings = 0
        private var noticed = 1
        private(set) var address = DialogueAddress.first
        private(set) var faults: [String] = []

        init(_ format: Subprotocol) {
            self.format = format
            var options = ClientSession.Options(urls: [DialogueTests.addresses["first"] ?? ""])
            options.format = format
            options.role = .editor
            options.capabilities = DialogueTests.capabilities
            session = ClientSession(options)
            carryOut(session.connect(at: now))
        }

        /// Lets time pass until the session has connected again; `nil` where it has not within so
        /// long.
        func reconnect(within seconds: Double) -> Subject? {
            let end = now + UInt64(seconds * 1e9)
            while openings == noticed {
                guard let time = session.wakeTime, time <= end else {
                    now = end
                    return nil
                }
                now = max(now, time)
                carryOut(session.advance(to: now))
            }
            noticed += 1
            return self
        }

        /// Connects as the session says; at the address `refused` nobody listens.
        private func open(_ url: String) {
            guard let name = DialogueTests.addresses.first(where: { $0.value == url })?.key else {
                return faults.append("it connects to \(url)")
            }
            guard name != DialogueAddress.refused else {
                _ = session.disconnected(code: nil, at: now)
                return
            }
            openings += 1
            address = name
            isMute = false
            heard = []
            carryOut(session.connected(at: now))
        }

        func mute() { isMute = true }

        private func carryOut(_ outputs: [ClientSession.Output]) {
            for output in outputs {
                switch output {
                case .send(let message):
                    heard.append(.message(message.json))
                    if case .ping(let ping) = message, !isMute {
                        var pong = Pong()
                        pong.t0 = ping.t0
                        take(ServerMessage.pong(pong).encoded(as: format), format)
                    }
                case .connect(let url): open(url)
                case .abandon: break
                case .close(let code): heard.append(.closed(code.rawValue))
                case .event(.updated(let mirror)): obey(mirror)
                case .event(.event(let received)):
                    let event = received.delivered
                    said.append("event \(event.sequence) \(event.event.kind) \(event.event.view)")
                    waiting.append(received)
                case .event(.eventResult(let result)):
                    said.append("result \(result.eventSequence) \(result.outcome)")
                case .event: break
                }
            }
        }

        private func obey(_ mirror: SceneMirror) {
            let lines = mirror.view(id: "do")?.content.lines ?? []
            let text = lines.map(\.text).joined()
            guard !text.isEmpty, text != lastCommand,
                let command = try? JSONReader.read(Array(text.utf8))
            else { return }
            lastCommand = text
            let can = capabilitiesGranted
            if command.string == "undo", can & Capability.undo != 0 {
                carryOut(session.undo().outputs)
            } else if command.string == "redo", can & Capability.undo != 0 {
                carryOut(session.redo().outputs)
            } else if command.string == "told" {
                var presence = Presence()
                swap(&presence.selection, &said)
                carryOut(session.send(.presence(presence)))
            } else if let wanted = command["event"] {
                carryOut(session.send(Self.event(wanted)).outputs)
            } else if let roots = command["handle"]?.array {
                carryOut(session.handle(roots.compactMap(\.string)))
            } else if let isHandled = command["answer"]?.bool {
                guard !waiting.isEmpty else { return }
                carryOut(session.answer(waiting.removeFirst(), isHandled: isHandled))
            } else if let id = command["shown"]?.string, let tick = command["tick"]?.number,
                let number = mirror.number(id: id),
                let frame = mirror.shownFrame(number, at: UInt64(tick))
            {
                var presence = Presence()
                presence.name = "\(frame.x) \(frame.y) \(frame.width) \(frame.height)"
                carryOut(session.send(.presence(presence)))
            } else if let id = command["children"]?.string, let number = mirror.number(id: id) {
                var presence = Presence()
                presence.selection = mirror.subviews(of: number).compactMap {
                    mirror.view($0)?.id
                }
                carryOut(session.send(.presence(presence)))
            } else if let wanted = command["device"] {
                var device = DeviceRequest()
                device.name = wanted["name"]?.string ?? ""
                device.columns = UInt32(wanted["columns"]?.number ?? 0)
                device.rows = UInt32(wanted["rows"]?.number ?? 0)
                device.viewport = wanted["viewport"] ?? .object([])
                carryOut(session.change(device: device))
            } else if case .array = command.kind {
                carryOut(session.apply(command).outputs)
            }
        }

        private static func event(_ wanted: JSONValue) -> UserEvent {
            var event = UserEvent()
            event.kind = wanted["kind"]?.string.flatMap(EventKind.init(rawValue:)) ?? .tap
            event.view = wanted["view"]?.string ?? ""
            event.value = wanted["value"] ?? .null
            return event
        }

        private var capabilitiesGranted: UInt64 = 0

        private func take(_ bytes: [UInt8], _ format: Subprotocol) {
            carryOut(session.receive(bytes, as: format, at: now))
        }

        func say(_ message: JSONValue) throws {
            var text: [UInt8] = []
            message.append(to: &text)
            let decoded = try ServerMessage.decode(json: text)
            if case .welcome(let welcome) = decoded { capabilitiesGranted = welcome.capabilities }
            take(decoded.encoded(as: format), format)
        }

        func say(raw bytes: [UInt8], _ kind: MessageKind) {
            take(bytes, kind == .binary ? .binary : .json)
        }

        func sayInWrongKind() {
            let other: Subprotocol = format == .binary ? .json : .binary
            take(ServerMessage.pong(Pong()).encoded(as: other), other)
        }

        func hear(within seconds: Double) throws -> DialogueHeard? {
            if heard.isEmpty {
                let end = now + UInt64(seconds * 1e9)
                now = min(end, session.wakeTime ?? end)
                carryOut(session.advance(to: now))
            }
            return heard.isEmpty ? nil : heard.removeFirst()
        }

        func end(_ code: UInt16) { _ = session.disconnected(code: code, at: now) }

        var told: (tick: UInt64, frames: [String: [Int32]])? { nil }
    }

    @Test("each goes as it should", arguments: Subprotocol.allCases)
    func play(format: Subprotocol) throws {
        let dialogues = try Dialogue.parse(EmbeddedDialogues.clients)
        #expect(dialogues.count >= 30)
        for dialogue in dialogues {
            let subject = Subject(format)
            var runner = DialogueRunner(
                dialogue, with: subject, addresses: Self.addresses,
                nextConnection: { subject.reconnect(within: $0) },
                clock: { Double(subject.now) / 1e9 })
            do {
                try runner.run()
            } catch let failure as DialogueRunner.Failure {
                Issue.record("\(dialogue.id), \(dialogue.title): \(failure.text)")
            }
            #expect(subject.faults == [], "\(dialogue.id), \(dialogue.title)")
        }
    }
}
