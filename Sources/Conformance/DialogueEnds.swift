import JSON
import SceneWire
import Synchronization
import WebSocketTransport

extension ScriptedServer: DialogueEnd {
    func say(_ message: JSONValue) throws {
        var text: [UInt8] = []
        message.append(to: &text)
        send(try ServerMessage.decode(json: text))
    }

    func say(raw bytes: [UInt8], _ kind: MessageKind) { send(raw: bytes, kind) }

    func sayInWrongKind() {
        let other: Subprotocol = format == .binary ? .json : .binary
        send(
            raw: ServerMessage.pong(Pong()).encoded(as: other),
            other == .binary ? .binary : .text)
    }

    func hear(within seconds: Double) throws -> DialogueHeard? {
        switch inbox.next(seconds) {
        case nil: return nil
        case .closed(let code)?: return .closed(code)
        case .message(let kind, let bytes)?:
            guard (kind == .binary) == (format == .binary) else {
                throw DialogueRunner.Failure(text: "a WebSocket message of the other kind")
            }
            do throws(DecodeError) {
                return .message(
                    format == .binary
                        ? try ClientMessage.decode(bytes).json
                        : try ClientMessage.decode(json: bytes).json)
            } catch {
                throw DialogueRunner.Failure(text: "a message that cannot be read: \(error)")
            }
        }
    }

    func end(_ code: UInt16) { close(code, "a step of the case") }

    func mute() { isMute.store(true, ordering: .relaxed) }

    var told: (tick: UInt64, frames: [String: [Int32]])? { nil }
}

extension ScriptedClient: DialogueEnd {
    func say(_ message: JSONValue) throws {
        var text: [UInt8] = []
        message.append(to: &text)
        send(try ClientMessage.decode(json: text))
    }

    func say(raw bytes: [UInt8], _ kind: MessageKind) { send(raw: bytes, kind) }

    func sayInWrongKind() {
        let other: Subprotocol = format == .binary ? .json : .binary
        send(raw: ClientMessage.ping(Ping()).encoded(as: other), other == .binary ? .binary : .text)
    }

    func hear(within seconds: Double) throws -> DialogueHeard? {
        switch next(seconds) {
        case nil: return nil
        case .opened?: throw DialogueRunner.Failure(text: "opened twice")
        case .closed(let code, _)?: return .closed(code)
        case .message(let kind, let bytes)?:
            do {
                let message = try read(kind, bytes)
                switch message {
                case .frame: acknowledge()
                case .snapshot where mirror.withLock({ !$0.needsSnapshot }): acknowledge()
                default: break
                }
                return .message(message.json)
            } catch let failure as Failure {
                throw DialogueRunner.Failure(text: failure.text)
            }
        }
    }

    func end(_ code: UInt16) { close() }

    /// Servers ask for nothing that this would leave unanswered.
    func mute() {}

    var address: String { DialogueAddress.first }

    var told: (tick: UInt64, frames: [String: [Int32]])? {
        mirror.withLock { mirror in
            guard !mirror.needsSnapshot else { return nil }
            var frames: [String: [Int32]] = [:]
            for record in mirror.records {
                let frame = record.frame
                frames[record.id] = [frame.x, frame.y, frame.width, frame.height]
            }
            return (mirror.tick, frames)
        }
    }
}
