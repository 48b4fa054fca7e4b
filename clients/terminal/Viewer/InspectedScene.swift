import SceneProtocol

/// The scene's constraints as the server has reported them, and the questions for them.
struct InspectedScene {
    private var schedule = InspectionSchedule()
    /// The document's constraints, sets and guides; nil before the first answer.
    private(set) var document: ConstraintBook?
    /// The constraints that the engine gave up, and why.
    private(set) var broken: [SceneInspection.BrokenConstraint] = []
    private var viewFacts: SceneInspection.ViewState?

    /// Takes an answer over.
    mutating func take(_ inspection: SceneInspection, selection: String?) {
        if let document = inspection.document {
            self.document = ConstraintBook(document, states: inspection.sets)
        }
        broken = inspection.broken
        if let selection, let facts = inspection.views.first(where: { $0.id == selection }) {
            viewFacts = facts
        }
    }

    /// Forgets the facts of the view that was selected before, and asks for those of the one that is.
    mutating func selectionChanged() {
        viewFacts = nil
        askSoon()
    }

    /// Asks at the next opportunity.
    mutating func askSoon() { schedule.askSoon(isDocumentKnown: document != nil) }

    /// Notes that views and constraints may have changed.
    mutating func sceneChanged() { schedule.sceneChanged() }

    /// Notes that the server has answered an op.
    mutating func opAnswered(isDragging: Bool, now: Double) {
        schedule.opAnswered(isDragging: isDragging, now: now)
    }

    /// The question that is due; `nil` where none is.
    mutating func takeDueQuestion(of view: String?, now: Double) -> Inspect? {
        schedule.takeDueQuestion(now: now, constraintCount: document?.constraints.count ?? 0)
            .map { Self.message($0, view) }
    }

    /// A question for the document at once, whatever is due.
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

    /// When the next question is due; `nil` where none is wanted.
    func deadline(now: Double) -> Double? { schedule.deadline(now: now) }

    /// Why a view is where it is, if that was asked for.
    func facts(of view: String?) -> SceneInspection.ViewState? {
        viewFacts?.id == view ? viewFacts : nil
    }
}
