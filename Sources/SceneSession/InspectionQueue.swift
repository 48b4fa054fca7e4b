import SceneWire

/// Members' inspections. An inspection costs more than a message and its answer goes to one member
/// alone, so inspections wait for the end of a tick, and each tick answers a few.
struct InspectionQueue {
    /// The maximum number of waiting inspections of one member.
    private static let waitingMaximum = 8
    /// The maximum number of views described in one tick, over all inspections. A document counts
    /// as that many, since it costs about as much.
    private static let viewsPerTick = 256
    /// A fitting size counts as that many views, since it copies and solves the layout.
    private static let viewsPerFitting = 16

    private var questions: [(member: Member, inspect: Inspect)] = []

    /// Whether an inspection waits whose member does not lag. Members that lag receive no answers.
    var isAnswerable: Bool { questions.contains { $0.member.phase != .behind } }

    /// Adds an inspection; returns false if too many of the member's wait.
    mutating func ask(_ inspect: Inspect, _ member: Member) -> Bool {
        guard questions.count(where: { $0.member === member }) < Self.waitingMaximum else {
            return false
        }
        questions.append((member, inspect))
        return true
    }

    /// Removes and returns the oldest inspections of members that do not lag, up to a tick's share.
    mutating func takeForOneTick() -> [(member: Member, inspect: Inspect)] {
        var budget = Self.viewsPerTick
        var taken: [(member: Member, inspect: Inspect)] = []
        questions.removeAll { question in
            guard question.member.phase != .behind, budget > 0 else { return false }
            budget -=
                question.inspect.wantsDocument
                ? Self.viewsPerTick
                : max(
                    question.inspect.views.count
                        + Self.viewsPerFitting * (question.inspect.fittings?.views.count ?? 0), 1)
            taken.append(question)
            return true
        }
        return taken
    }

    /// Returns inspections that a tick had no time for to the front of the queue.
    mutating func putBack(_ rest: [(member: Member, inspect: Inspect)]) {
        questions.insert(contentsOf: rest, at: 0)
    }

    /// Removes the inspections of a member that left.
    mutating func forget(_ member: Member) { questions.removeAll { $0.member === member } }
}
