import Annotations
import ConstraintLanguage
import SceneDocument
import SceneModel
import SceneWire

/// What members are told who see a part of the scene. Every message to them passes `cut`.
extension SceneSession {
    /// Messages that tell of the whole scene are for members who see all of it.
    static let wholeSightCapabilities =
        Capability.seek | Capability.trace | Capability.inspect | Capability.fitting
        | Capability.follow

    /// Whether patterns include a view of the scene as it is now; false for an unknown view.
    func isSeen(_ id: String, by sight: ViewPatterns) -> Bool {
        path(of: id).map(sight.includes) ?? false
    }

    /// The ids from a view to the root; `nil` for an unknown view, and while the scene is being
    /// rebuilt. Thaws the scene, which then answers for all views of a message.
    private func path(of id: String) -> [String]? {
        if case .spoiled = scene { return nil }
        return wake()?.model.path(from: id)
    }

    func cut(_ message: ServerMessage, to sight: ViewPatterns) -> ServerMessage? {
        switch message {
        case .welcome, .snapshot, .frame, .select, .tree, .content, .hash, .anim, .keyframe,
            .error, .pong, .device, .eventResults:
            return message
        case .trace, .inspection, .records: return nil
        case .result(var result):
            cut(&result, to: sight)
            return .result(result)
        case .presence(var presence):
            presence.selection.removeAll { !isSeen($0, by: sight) }
            if let place = presence.place, !isSeen(place.view, by: sight) { presence.place = nil }
            return .presence(presence)
        case .diagnostics(var diagnostics):
            diagnostics.ambiguous.removeAll { !isSeen($0, by: sight) }
            diagnostics.feedbackLoop.removeAll { !isSeen($0, by: sight) }
            diagnostics.broken.removeAll { !isSeen(constraint: $0, by: sight) }
            return .diagnostics(diagnostics)
        case .interactions(var interactions):
            interactions.changes.removeAll { !isSeen($0.id, by: sight) }
            return interactions.changes.isEmpty && !interactions.isWhole
                ? nil : .interactions(interactions)
        case .event(let delivery):
            return isSeen(eventOn: delivery.event.view, by: sight) ? message : nil
        case .insets(var insets):
            insets.changes.removeAll { !isSeen($0.id, by: sight) }
            return insets.changes.isEmpty && !insets.isWhole ? nil : .insets(insets)
        case .annotations(var annotations):
            annotations.changes.removeAll { !isSeen($0.kind, $0.id, by: sight) }
            return annotations.changes.isEmpty && !annotations.isWhole
                ? nil : .annotations(annotations)
        }
    }

    /// Whether all that a constraint names is seen; false for an unknown one, and while the scene
    /// is being rebuilt. Thaws the scene.
    func isSeen(constraint id: String, by sight: ViewPatterns) -> Bool {
        if case .spoiled = scene { return false }
        guard let model = wake()?.model, model.hasConstraint(id) else { return false }
        return model.isSeen(constraint: id, sight.includes)
    }

    /// Whether a member is told of an event: no view is named, or one that it sees.
    func isSeen(eventOn view: String, by sight: ViewPatterns) -> Bool {
        view.isEmpty || view == "root" || isSeen(view, by: sight)
    }

    // MARK: Annotations

    /// Whether an annotation is about something seen.
    private func isSeen(_ kind: AnnotationKind, _ id: String, by sight: ViewPatterns) -> Bool {
        switch kind {
        case .lock: isSeen(id, by: sight)
        case .version, .suggestion: true
        case .thread: isSeen(thread: id, by: sight)
        // Its name is that of its thread, a dot, and its number; a thread's has no dot.
        case .comment: isSeen(thread: String(id.prefix { $0 != "." }), by: sight)
        }
    }

    /// Whether what a thread is about is seen; false for an unknown one.
    func isSeen(thread id: String, by sight: ViewPatterns) -> Bool {
        switch annotations?.threads[id]?.anchor {
        case nil: false
        case .view(let view, _): isSeen(view, by: sight)
        case .constraint(let constraint): isSeen(constraint: constraint, by: sight)
        case .point: true
        }
    }

    // MARK: Results

    /// Removes from a result what names something unseen, and the units of work, which tell how
    /// large the scene is. Results are cut before they are kept, too: what they name may be gone
    /// when they are sent again.
    func cut(_ result: inout OpsResult, to sight: ViewPatterns) {
        result.work = nil
        switch result.outcome {
        case .refused(let refusal): result.outcome = .refused(cut(refusal, to: sight))
        case .committed(var commit):
            commit.frames.removeAll { !isSeen($0.id, by: sight) }
            // They are gone, and with them what they named.
            commit.removedConstraints.removeAll()
            commit.refusals = commit.refusals.map { cut($0, to: sight) }
            result.outcome = .committed(commit)
        }
    }

    private func cut(_ refusal: Refusal, to sight: ViewPatterns) -> Refusal {
        switch refusal.code {
        // They name what the op names, in the same words whether it is unseen or does not exist.
        case .unknownView, .unknownConstraint, .unknownSet, .unknownComment, .unknownVersion,
            .unknownSuggestion:
            return refusal
        default: break
        }
        var told = refusal
        // One that there is not is the op's own.
        told.conflicting.removeAll { name in
            wake()?.model.hasConstraint(name) != false && !isSeen(constraint: name, by: sight)
        }
        if refusal.code == .tooExpensive || namesUnseen(refusal.message, sight)
            || told.conflicting.count < refusal.conflicting.count
        {
            told.message =
                switch refusal.code {
                case .tooExpensive: "it takes more work than is allowed"
                case .duplicateID: "the name is taken"
                default: "it is refused for something that this member does not see"
                }
        }
        return told
    }

    /// Whether a text has the name of something unseen in it.
    private func namesUnseen(_ text: String, _ sight: ViewPatterns) -> Bool {
        guard let model = wake()?.model else { return true }
        return text.split { !($0.isASCII && ($0.isLetter || $0.isNumber || "_-#".contains($0))) }
            .contains { word in
                let name = String(word)
                return !model.isSeen(item: name, sight.includes)
                    || !model.isSeen(constraint: name, sight.includes)
            }
    }
}
