import AutoLayout
import SceneProtocol

/// What a scene costs, and where ops and cycles stop when they cost too much.
extension SceneModel {
    /// What single steps cost, in the units of `Window.work`.
    enum Price {
        /// An op, whatever it does.
        static let op: UInt64 = 200
        /// A view, constraint or set that an op looks at on its way.
        static let record: UInt64 = 2
        /// A byte of text that an op brings.
        static let byte: UInt64 = 6
    }

    /// Units of work since the model was made: cells of the solver's tableau touched, views visited, characters
    /// measured, records looked at. The same on every machine and in every replay.
    public var work: UInt64 { meter &+ window.work }

    /// Whether something was cut short at `workLimit`. The scene is then half changed: its owner throws it away and goes
    /// back to what it was made from.
    public var isExhausted: Bool { wasCutShort || window.isExhausted }

    /// Lets the hierarchy have what is left.
    func allotWindow() { window.workLimit = workLimit &- min(meter, workLimit) }

    /// Notes the work of a window that another one takes the place of.
    func retireWindow() {
        meter &+= window.work
        wasCutShort = wasCutShort || window.isExhausted
    }

    /// Notes work, and keeps the op out if it was too much.
    func spend(_ units: UInt64) throws(Refusal) {
        meter &+= units
        try requireAffordable()
    }

    /// Keeps an op out that was cut short.
    func requireAffordable() throws(Refusal) {
        guard isExhausted || work > workLimit else { return }
        wasCutShort = true
        throw .tooExpensive
    }
}

extension Refusal {
    /// The refusal of an op or a document that met `workLimit`. It names no figures, which depend on the limit.
    static var tooExpensive: Refusal {
        Refusal(code: .tooExpensive, message: "it costs more work than the scene may take")
    }
}

extension Op {
    /// What an op costs before anything is done: its text and its lists, and what it has to look through.
    func price(in model: SceneModel) -> UInt64 {
        let records: Int
        switch self {
        case .addView(let spec): records = spec.properties.weight
        case .setView(_, let properties): records = properties.weight
        case .removeView, .moveView, .resetView: records = model.nodes.count + model.constraintCount
        case .activateSet, .deactivateSet, .removeConstraint, .setConstraint:
            records = model.sets.count
        case .setViewport, .sizeToFit: records = model.nodes.count
        case .setScene, .addGuide, .addConstraint, .setContentOffset, .setNeedsUpdateConstraints,
            .updateConstraintsIfNeeded, .setNeedsLayout, .layoutIfNeeded, .setNeedsDisplay,
            .animate:
            records = 0
        }
        return SceneModel.Price.op + SceneModel.Price.record * UInt64(records)
    }
}

extension ViewProperties {
    /// Bytes of text and members of lists, as records.
    fileprivate var weight: Int {
        let text = (text?.utf8.count ?? 0) * Int(SceneModel.Price.byte / SceneModel.Price.record)
        return text + 8 * ((arranged?.count ?? 0) + (customSpacing?.count ?? 0))
    }
}
