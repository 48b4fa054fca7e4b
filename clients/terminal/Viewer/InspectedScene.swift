import SceneDocument
import SceneWire

/// The scene's constraints as reported by the server, and the questions for them.
struct InspectedScene {
    private var schedule = InspectionSchedule()
    /// The document's constraints, sets and guides; nil before the first answer.
    private(set) var document: ConstraintBook?
    /// The broken constraints, with their conflicts.
    private(set) var broken: [SceneInspection.BrokenConstraint] = []
    private var viewFacts: SceneInspection.ViewState?

    /// Adopts an answer.
    mutating func take(_ inspection: SceneInspection, selection: String?) {
        if let document = inspection.document {
            self.document = ConstraintBook(document, states: inspection.sets)
        }
        broken = inspection.broken
        if let selection, let facts = inspection.views.first(where: { $0.id == selection }) {
            viewFacts = facts
        }
    }

    /// Discards the details of the former selection, and asks for those of the present one.
    mutating func selectionChanged() {
        viewFacts = nil
        askSoon()
    }

    /// Asks at the next opportunity.
    mutating func askSoon() { schedule.askSoon(isDocumentKnown: document != nil) }

    /// Registers that views and constraints may have changed.
    mutating func sceneChanged() { schedule.sceneChanged() }

    /// Registers the result of an op.
    mutating func opAnswered(isDragging: Bool, now: Double) {
        schedule.opAnswered(isDragging: isDragging, now: now)
    }

    /// The due question; `nil` if none is due.
    mutating func takeDueQuestion(of view: String?, now: Double) -> Inspect? {
        schedule.takeDueQuestion(now: now, constraintCount: document?.constraints.count ?? 0)
            .map { Self.message($0, view) }
    }

    /// A question for the document at once.
    mutating func documentQuestion(of view: String?) -> Inspect {
        Self.message(schedule.question(wantsDocument: true), view)
    }

    private static func message(
        _ question: InspectionSchedule.Question, _ view: String?
    ) -> Inspect {
        var inspect = Inspect()
        inspect.request = question.request
        inspect.wantsDocument = question.wantsDocument
        inspect.views = view.map { [$0] } ?? []
        return inspect
    }

    /// The time of the next question; `nil` if none is wanted.
    func deadline(now: Double) -> Double? { schedule.deadline(now: now) }

    /// The inspection of a view, if there is one.
    func facts(of view: String?) -> SceneInspection.ViewState? {
        viewFacts?.id == view ? viewFacts : nil
    }
}
