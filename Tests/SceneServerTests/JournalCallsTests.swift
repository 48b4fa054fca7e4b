import ClusterJournal
import SceneCluster
import SceneSession
import SceneWire
import Testing

@testable import SceneServer

@Suite("Requests to a journal that wait for an answer")
struct JournalCallsTests {
    /// Makes one call.
    ///
    /// - Returns: The number that it has.
    private func begin(_ call: JournalCalls.Call, _ calls: inout JournalCalls) throws -> UInt64 {
        switch calls.begin(call) {
        case .prove(_, let number, _), .history(_, let number, _), .delete(_, let number):
            return number
        case .append, .load, .shadowed, .held, .drain:
            Issue.record("another request")
            return 0
        }
    }

    private func isProved(_ mail: RoomMail?) -> Bool? {
        guard case .member(.join(_, let applicant))? = mail else { return nil }
        return applicant.isProved
    }

    @Test("a member joins as proved, or asks again where the room was lost meanwhile")
    func joins() throws {
        var applicant = Applicant(role: .editor, makesRooms: true, format: .json, hello: Hello())
        applicant.isProved = true
        let mail = RoomMail.member(.join(MemberID(1), applicant))
        var calls = JournalCalls()
        let first = try begin(.proof(room: "r", mail), &calls)
        let second = try begin(.proof(room: "r", mail), &calls)
        #expect(first != second)
        #expect(isProved(calls.end(second, .givenUp)?.0) == false)
        #expect(isProved(calls.end(first, .done)?.0) == true)
        // Each is answered once.
        #expect(calls.end(first, .done) == nil)
    }

    @Test("a session's own proof ends with the session")
    func sessions() throws {
        var calls = JournalCalls()
        let mail = RoomMail.store(.proved(room: "r", through: 7))
        let first = try begin(.proof(room: "r", mail), &calls)
        #expect(calls.end(first, .givenUp) == nil)
        let second = try begin(.proof(room: "r", mail), &calls)
        guard case .store(let outcome)? = calls.end(second, .done)?.0 else {
            Issue.record("no mail")
            return
        }
        #expect(outcome == .proved(room: "r", through: 7))
    }

    /// What an administrator was told.
    private final class Told {
        var replies: [NodeReply] = []
    }

    @Test("an import is confirmed, or its outcome is said to be unknown")
    func imports() throws {
        nonisolated(unsafe) let told = Told()
        let mail = RoomMail.administer(.confirm) { told.replies.append(NodeReply($0)) }
        var calls = JournalCalls()
        guard case .prove("r", let number, true) = calls.begin(.proof(room: "r", mail)) else {
            Issue.record("a room that was lost could confirm it")
            return
        }
        guard case .administer(.confirm, let reply)? = calls.end(number, .done)?.0 else {
            Issue.record("no mail")
            return
        }
        reply(.done)
        #expect(told.replies == [.answer(status: 200, isJSON: true, Array("{}\n".utf8))])
        let lost = try begin(.proof(room: "r", mail), &calls)
        #expect(calls.end(lost, .givenUp) == nil)
        guard case .answer(504, false, let words)? = told.replies.last else {
            Issue.record("told \(told.replies)")
            return
        }
        #expect(String(decoding: words, as: UTF8.self).contains("may have the change or not"))
    }

    @Test("a deletion ends with nothing, or with what to do instead")
    func deletions() throws {
        nonisolated(unsafe) var ends: [String?] = []
        var calls = JournalCalls()
        let first = try begin(.deletion(room: "r") { ends.append($0) }, &calls)
        let second = try begin(.deletion(room: "r") { ends.append($0) }, &calls)
        #expect(calls.end(first, .done) == nil && calls.end(second, .givenUp) == nil)
        #expect(
            ends == [nil, "this node does not serve the room; ask the node that does"])
    }

    @Test("a member that seeks gets the records, or word that there are none")
    func histories() throws {
        var calls = JournalCalls()
        let number = try begin(.history(room: "r", MemberID(3), tick: 5), &calls)
        guard case .history(MemberID(3), 5, let records)? = calls.end(number, .history(nil))?.0
        else {
            Issue.record("no mail")
            return
        }
        #expect(records == nil)
    }
}
