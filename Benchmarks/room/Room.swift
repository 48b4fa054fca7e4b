import JSON
import SceneDocument
import SceneModel
package import SceneSession
import SceneWire

/// A room driven by hand, whose scene people watch, on devices too: everything is durable at once,
/// and everybody acknowledges what it gets.
package final class Room {
    package let session: SceneSession
    private var viewers: [MemberID] = []
    private let editor = MemberID(1)
    private var memberCount = 0
    private var sequence: UInt64 = 0
    package private(set) var tick: UInt64 = 0
    /// Payloads of frames and other news that were sent, each counted once however many members got
    /// it.
    package private(set) var payloadCount = 0

    package init(_ document: String) throws {
        let parsed = try SceneDocument.parse(Array(document.utf8))
        let (session, effects) = SceneSession.create(
            room: "bench", tickRate: 60, model: try SceneModel(parsed))
        self.session = session
        carryOut(effects)
        join(editor, role: .editor, on: nil)
    }

    // MARK: Members

    /// A member that looks at the scene on a device of its own, `width` points wide.
    @discardableResult
    package func watch(width: Int, height: Int = 600) -> MemberID {
        memberCount += 1
        let id = MemberID(UInt64(1 + memberCount))
        viewers.append(id)
        join(id, role: .viewer, on: Self.device(width, height))
        return id
    }

    /// A member that looks at the main device and sees some views.
    package func watch(seeing patterns: [String]) {
        memberCount += 1
        let id = MemberID(UInt64(1 + memberCount))
        viewers.append(id)
        var rights = MemberRights()
        rights.see = ViewPatterns(patterns)
        join(id, role: .viewer, on: nil, rights)
    }

    /// Whoever came leaves again.
    package func leaveAll() {
        for id in viewers { carryOut(session.handle(.left(id))) }
        viewers = []
    }

    private func join(
        _ id: MemberID, role: Role, on device: DeviceRequest?,
        _ rights: MemberRights = MemberRights()
    ) {
        var hello = Hello()
        hello.capabilities = SceneSession.capabilities & ~Capability.animations
        hello.device = device
        let name = "member\(id.rawValue)"
        var admission = Admission(
            session: name, resumeToken: name, role: role, format: .binary,
            monotonicMilliseconds: 0, hello: hello)
        admission.rights = rights
        carryOut(session.handle(.joined(id, admission)))
    }

    static func device(_ width: Int, _ height: Int) -> DeviceRequest {
        var request = DeviceRequest()
        request.viewport = .object([
            JSONMember("width", .number(Double(width))),
            JSONMember("height", .number(Double(height))),
        ])
        return request
    }

    /// A member's window has another size from now on.
    package func resize(_ id: MemberID, width: Int, height: Int = 600) {
        carryOut(session.handle(.received(id, .device(Self.device(width, height)))))
    }

    // MARK: Changes

    package func setConstant(_ id: String, _ constant: Double) {
        send([
            JSONMember("op", .string("setConstraint")), JSONMember("id", .string(id)),
            JSONMember("constant", .number(constant)),
        ])
    }

    package func setText(_ id: String, _ text: String) {
        send([
            JSONMember("op", .string("setView")), JSONMember("id", .string(id)),
            JSONMember("text", .string(text)),
        ])
    }

    /// The editor sends an op.
    private func send(_ op: [JSONMember]) {
        sequence += 1
        var message = Ops()
        message.clientSequence = sequence
        message.ops = .array([.object(op)])
        carryOut(session.handle(.received(editor, .ops(message))))
    }

    package func runTick() {
        tick += 1
        carryOut(session.handle(.tick(tick)))
    }

    /// Members say what they have.
    package func acknowledge() {
        var ack = Ack()
        ack.tick = tick
        for id in [editor] + viewers { carryOut(session.handle(.received(id, .ack(ack)))) }
    }

    /// Runs ticks until nothing is left to do.
    package func runUntilIdle() {
        while session.needsTick { runTick() }
        acknowledge()
    }

    /// Lets so much time pass that questions may cost again what they may at most.
    package func pause() {
        for _ in 0..<600 { runTick() }
        acknowledge()
    }

    /// Lets the room rest as a server does once nothing has happened for a while.
    package func freeze() {
        while session.freezeTick.map({ $0 > session.tick }) ?? true {
            runTick()
            acknowledge()
        }
        carryOut(session.handle(.freeze))
        precondition(session.isFrozen, "nothing is under way")
    }

    private func carryOut(_ effects: [SessionEffect]) {
        var last: UInt64?
        for effect in effects {
            switch effect {
            case .append(let record): last = record.sequence
            case .send(let payloads, _, _), .offer(let payloads, _, _):
                payloadCount += payloads.count
            // Without a slice nothing overruns.
            case .overran, .record, .close, .readJournal, .prove, .abandon, .replacedScene,
                .readScene, .suggestionChanged:
                break
            }
        }
        if let last { carryOut(session.handle(.durable(through: last))) }
    }
}
