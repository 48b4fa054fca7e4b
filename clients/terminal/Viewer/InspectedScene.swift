import SceneProtocol

/// The scene's constraints as the server has reported them.
struct InspectedScene {
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

    /// Forgets the facts of the view that was selected before.
    mutating func selectionChanged() { viewFacts = nil }

    /// Why a view is where it is, if that was asked for.
    func facts(of view: String?) -> SceneInspection.ViewState? {
        viewFacts?.id == view ? viewFacts : nil
    }
}
