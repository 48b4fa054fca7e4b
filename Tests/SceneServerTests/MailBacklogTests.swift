import SceneSession
import SceneWire
import Testing

@testable import SceneServer

@Suite("The mail that waits on a thread")
struct MailBacklogTests {
    private func question(_ number: UInt32, _ member: UInt64) -> SceneMail {
        var inspect = Inspect()
        inspect.request = number
        return .room("a", .member(.message(MemberID(member), .inspect(inspect))))
    }

    private func edit(_ number: UInt64, _ member: UInt64) -> SceneMail {
        var ops = Ops()
        ops.clientSequence = number
        return .room("a", .member(.message(MemberID(member), .ops(ops))))
    }

    /// The kinds, numbers and senders of all mail.
    private func contents(_ backlog: MailBacklog) -> [String] {
        var (backlog, result) = (backlog, [String]())
        while let item = backlog.popFirst() {
            switch item {
            case .room(_, .member(.message(let member, .inspect(let inspect), _))):
                result.append("inspect \(inspect.request) of \(member.rawValue)")
            case .room(_, .member(.message(let member, .ops(let ops), _))):
                result.append("ops \(ops.clientSequence) of \(member.rawValue)")
            case .room(_, .member(.left(let member))): result.append("left \(member.rawValue)")
            default: result.append("other")
            }
        }
        return result
    }

    @Test("questions end with their member, also those taken long before; edits do not")
    func departure() {
        var backlog = MailBacklog()
        backlog.add([question(1, 1), edit(1, 1), question(1, 2), question(2, 1)])
        backlog.add([question(3, 1), edit(1, 2)])
        #expect(contents(backlog).count == 6)
        backlog.add([question(4, 1), .room("a", .member(.left(MemberID(1)))), question(2, 2)])
        #expect(
            contents(backlog) == [
                "ops 1 of 1", "inspect 1 of 2", "ops 1 of 2", "left 1", "inspect 2 of 2",
            ])
        #expect(!backlog.isEmpty)
    }
}
