import Foundation
import JSON
import SceneDocument
import SceneModel
import SceneSession
import SceneWire

/// A room whose scene people watch on devices, driven by hand: everything is durable at once, and
/// everybody acknowledges what it gets.
final class Room {
    let session: SceneSession
    private var viewers: [MemberID] = []
    private let editor = MemberID(1)
    private var memberCount = 0
    private var sequence: UInt64 = 0
    private(set) var tick: UInt64 = 0
    /// Payloads of frames and other news that were sent, each counted once however many members got
    /// it.
    private(set) var payloadCount = 0

    init(_ document: String) throws {
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
    func watch(width: Int, height: Int = 600) -> MemberID {
        memberCount += 1
        let id = MemberID(UInt64(1 + memberCount))
        viewers.append(id)
        join(id, role: .viewer, on: Self.device(width, height))
        return id
    }

    /// A member that looks at the main device and sees some views.
    func watch(seeing patterns: [String]) {
        memberCount += 1
        let id = MemberID(UInt64(1 + memberCount))
        viewers.append(id)
        var rights = MemberRights()
        rights.see = ViewPatterns(patterns)
        join(id, role: .viewer, on: nil, rights)
    }

    /// Whoever came leaves again.
    func leaveAll() {
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
    func resize(_ id: MemberID, width: Int, height: Int = 600) {
        carryOut(session.handle(.received(id, .device(Self.device(width, height)))))
    }

    // MARK: Changes

    func setConstant(_ id: String, _ constant: Double) {
        sequence += 1
        var message = Ops()
        message.clientSequence = sequence
        message.ops = .array([
            .object([
                JSONMember("op", .string("setConstraint")), JSONMember("id", .string(id)),
                JSONMember("constant", .number(constant)),
            ])
        ])
        carryOut(session.handle(.received(editor, .ops(message))))
    }

    func runTick() {
        tick += 1
        carryOut(session.handle(.tick(tick)))
    }

    /// Members say what they have.
    func acknowledge() {
        var ack = Ack()
        ack.tick = tick
        for id in [editor] + viewers { carryOut(session.handle(.received(id, .ack(ack)))) }
    }

    /// Runs ticks until nothing is left to do.
    func runUntilIdle() {
        while session.needsTick { runTick() }
        acknowledge()
    }

    /// Lets so much time pass that questions may cost again what they may at most.
    func pause() {
        for _ in 0..<600 { runTick() }
        acknowledge()
    }

    /// Lets the room rest as a server does once nothing has happened for a while.
    func freeze() {
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

/// The scene that is measured: 1,000 views, whose sizes hang on the screen's.
enum MeasuredScene {
    /// Two columns with a divider between them, each a list of rows with a label in each. Row 0's
    /// width is a constant of its own; the divider moves the right column's 249 rows.
    ///
    /// - Parameter devices: How many devices the document names.
    static func document(devices: Int = 0) -> String {
        var views = [#"{"id": "left"}"#, #"{"id": "right"}"#]
        var rules = [
            "left.leading == root.leading", "right.leading == left.trailing",
            "right.trailing == root.trailing", "V:|[left]|", "V:|[right]|",
        ].map { #""\#($0)""# }
        rules.append(#"{"id": "divider", "rule": "left.width == 200 @750"}"#)
        for number in 0..<499 {
            let side = number % 2 == 0 ? "left" : "right"
            views.append(#"{"id": "r\#(number)", "parent": "\#(side)"}"#)
            views.append(
                #"{"id": "t\#(number)", "parent": "r\#(number)", "kind": "label", "text": "Row \#(number)"}"#
            )
            rules += [
                #"{"id": "w\#(number)", "rule": "r\#(number).trailing == \#(side).trailing - 8"}"#,
                #""r\#(number).leading == \#(side).leading + 8""#,
                #""r\#(number).top == \#(side).top + \#(number / 2 * 18)""#,
                #""r\#(number).height == 16""#,
                #""t\#(number).leading == r\#(number).leading + 4""#,
                #""t\#(number).centerY == r\#(number).centerY""#,
            ]
        }
        let named = (0..<devices).map {
            #""d\#($0)": {"width": \#(400 + $0 * 40), "height": 600}"#
        }
        return """
            {"scene": 1, "viewport": {"width": 800, "height": 600},
             "devices": {\(named.joined(separator: ", "))},
             "views": [\(views.joined(separator: ", "))],
             "constraints": [\(rules.joined(separator: ", "))]}
            """
    }
}
