import SceneModel
import SceneProtocol

/// Questions about what stands behind the frames. They cost more than a message and are answered to one member alone,
/// so they wait for the end of a tick, and few are answered in one.
extension SceneSession {
    /// Questions of one member that wait at one time.
    private static let waitingMaximum = 8
    /// Views told of in one tick, however many ask.
    private static let viewsPerTick = 256

    /// A question that waits.
    struct Question {
        var member: Member
        var inspect: Inspect
    }

    func ask(_ inspect: Inspect, _ member: Member) {
        guard questions.filter({ $0.member === member }).count < Self.waitingMaximum else {
            report(.rateLimited, "too many questions wait for an answer", to: member)
            return
        }
        questions.append(Question(member: member, inspect: inspect))
    }

    /// Whether somebody waits who could be answered.
    var hasQuestions: Bool { questions.contains { $0.member.phase != .behind } }

    /// Answers those who have waited longest and are not behind.
    func answerQuestions() {
        guard !questions.isEmpty else { return }
        var budget = Self.viewsPerTick
        questions.removeAll { question in
            guard question.member.phase != .behind, budget > 0 else { return false }
            // A document costs about as much as all views do.
            budget -=
                question.inspect.wantsDocument
                ? Self.viewsPerTick : max(question.inspect.views.count, 1)
            var answer = model.inspection(
                of: question.inspect.views, includesDocument: question.inspect.wantsDocument,
                tick: tick)
            answer.stateHash = laneIndex(question.member.lane).map { lanes[$0].stateHash }
            send(
                Inspection.messages(answer, request: question.inspect.request),
                to: [question.member])
            return true
        }
    }
}
