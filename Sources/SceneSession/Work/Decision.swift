import SceneProtocol

/// What became of a request, before anything of it is written or told: the tick's layout may still turn out too dear.
struct Decision {
    let entry: Inbox.Entry
    let member: Member
    /// What the journal is to say of it, in order.
    var batches: [BatchPayload] = []
    /// The ops that were taken, for the scene's other devices.
    var ops: [Op] = []
    /// What its sender is told.
    var outcome: OpsResult.Outcome
    /// Units of work that it took.
    var work: UInt64
    /// Whether it put a document in the place of the scene.
    var isScene = false

    var sequence: UInt64 { entry.request.clientSequence }

    /// Whether it changed the scene.
    var isChange: Bool { isScene || batches.contains { $0.purpose.changesScene } }

    /// Whether its own ops are among what the journal is to say.
    var isJournalled: Bool {
        guard case .committed = outcome else { return false }
        return isScene || batches.contains { !$0.author.isEmpty && $0.purpose.changesScene }
    }
}

extension BatchPayload.Purpose {
    /// Whether the scene is another one afterwards.
    fileprivate var changesScene: Bool {
        switch self {
        case .ops, .undo, .redo, .layOut: true
        case .dropUndo, .dropRedo: false
        }
    }
}

extension BatchPayload {
    /// That what was changed so far was laid out.
    static var layOut: BatchPayload {
        BatchPayload(
            author: "", clientSequence: 0, isAtomic: false, purpose: .layOut, ops: .array([]))
    }
}
