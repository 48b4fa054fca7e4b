import JSON
import SceneDocument
import SceneWire

/// The result of a request before it is journalled or sent: the tick's layout may still exceed its
/// budget.
struct Decision {
    let entry: Inbox.Entry
    let member: Member
    /// The batches for the journal, in order.
    var batches: [BatchPayload] = []
    /// The accepted ops, for the scene's other devices.
    var ops: [Op] = []
    /// The outcome for its sender.
    var outcome: OpsResult.Outcome
    /// Units of work spent.
    var work: UInt64
    /// The part of these that building the scene again has taken, after a refusal half-way: what
    /// others have done is a part of it, and nothing that its sender did.
    var restoringWork: UInt64 = 0
    /// The units that the result tells.
    var toldWork: UInt64 { work - min(restoringWork, work) }
    /// Whether it replaced the scene with a document.
    var isScene = false

    var sequence: UInt64 { entry.request.clientSequence }

    /// Whether it changed the scene.
    var isChange: Bool { isScene || batches.contains { $0.purpose.changesScene } }

    /// Whether its own ops are among the batches.
    var isJournalled: Bool {
        guard case .committed = outcome else { return false }
        return isScene
            || batches.contains {
                !$0.author.isEmpty && ($0.purpose.changesScene || $0.purpose == .annotate)
            }
    }
}

extension BatchPayload.Purpose {
    /// Whether it changes the scene.
    fileprivate var changesScene: Bool {
        switch self {
        case .ops, .undo, .redo, .layOut: true
        case .dropUndo, .dropRedo, .annotate: false
        }
    }
}

extension BatchPayload {
    /// Records that a person's last step was dropped.
    static func drop(_ direction: UndoLedger.Direction, author: String) -> BatchPayload {
        BatchPayload(
            author: author, clientSequence: 0, isAtomic: false,
            purpose: direction == .undo ? .dropUndo : .dropRedo, ops: .array([]))
    }

    /// Records that the pending changes were laid out.
    static var layOut: BatchPayload {
        BatchPayload(
            author: "", clientSequence: 0, isAtomic: false, purpose: .layOut, ops: .array([]))
    }
}
