import SceneProtocol

/// Questions about what stands behind the frames. They cost more than a message and are answered to one member alone,
/// so they wait for the end of a tick, and few are answered in one.
struct InspectionQueue {
    /// Questions of one member that wait at one time.
    private static let waitingMaximum = 8
    /// Views told of in one tick, over all questions. A document counts as that many: it costs about as much.
    private static let viewsPerTick = 256

    private var questions: [(member: Member, inspect: Inspect)] = []

    /// Whether a question waits that could be answered now: members that are behind are told nothing.
    var isAnswerable: Bool { questions.contains { $0.member.phase != .behind } }

    /// Takes a question in; false when too many of the member's wait.
    mutating func ask(_ inspect: Inspect, _ member: Member) -> Bool {
        guard questions.count(where: { $0.member === member }) < Self.waitingMaximum else {
            return false
        }
        questions.append((member, inspect))
        return true
    }

    /// Hands out the questions that have waited longest, of members that are not behind.
    mutating func takeForOneTick() -> [(member: Member, inspect: Inspect)] {
        var budget = Self.viewsPerTick
        var taken: [(member: Member, inspect: Inspect)] = []
        questions.removeAll { question in
            guard question.member.phase != .behind, budget > 0 else { return false }
            budget -=
                question.inspect.wantsDocument
                ? Self.viewsPerTick : max(question.inspect.views.count, 1)
            taken.append(question)
            return true
        }
        return taken
    }

    /// Takes a question back that there was no time for.
    mutating func putBack(_ inspect: Inspect, _ member: Member) {
        questions.append((member, inspect))
    }

    /// Forgets the questions of a member that left.
    mutating func forget(_ member: Member) { questions.removeAll { $0.member === member } }
}
