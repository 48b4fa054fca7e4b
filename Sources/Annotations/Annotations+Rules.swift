private import FoundationEssentials
public import SceneDocument

/// What people may say.
extension Annotations {
    /// The parts of a scene that annotations are about.
    public struct Subject {
        /// Whether there is a view of that name.
        public var hasView: (String) -> Bool
        /// Whether there is a constraint of that name.
        public var hasConstraint: (String) -> Bool

        /// Makes a subject.
        public init(
            hasView: @escaping (String) -> Bool, hasConstraint: @escaping (String) -> Bool
        ) {
            self.hasView = hasView
            self.hasConstraint = hasConstraint
        }
    }

    /// Whether a person may do something now.
    ///
    /// - Parameter isAdministrator: Whether the person may break others' locks, remove others'
    ///   comments and forget others' versions.
    /// - Throws: The refusal.
    public func check(
        _ op: AnnotationOp, by person: Person, isAdministrator: Bool, _ subject: Subject
    ) throws(Refusal) {
        switch op {
        case .lock(let view, _, _): try checkLock(view, person, subject)
        case .unlock(let view):
            guard let lock = locks[view] else {
                throw Refusal(code: .conflict, message: "\"\(view)\" is not locked")
            }
            guard isAdministrator || lock.holder.isSame(as: person) else {
                throw Self.refusal(lock, of: view)
            }
        case .addComment(let id, let anchor, let text, _):
            try checkNew(id, anchor, subject)
            try checkRoom(for: text)
        case .replyComment(let id, let text, _):
            let thread = try thread(id)
            guard thread.nextNumber <= AnnotationLimits.commentsOfThread else {
                throw Self.excess("comments of a thread", AnnotationLimits.commentsOfThread)
            }
            try checkRoom(for: text)
        case .editComment(let id, let number, let text, _):
            guard try comment(id, number).author.isSame(as: person) else {
                throw Refusal(code: .forbidden, message: "only its author changes a comment")
            }
            try checkRoom(for: text)
        case .removeComment(let id, let number):
            let author = try comment(id, number).author
            guard isAdministrator || author.isSame(as: person) else {
                throw Refusal(code: .forbidden, message: "only its author removes a comment")
            }
        case .resolveComment(let id), .reopenComment(let id): _ = try thread(id)
        case .reactComment(let id, let number, let reaction, _):
            let reactions = try comment(id, number).reactions
            let people = reactions.first { $0.reaction == reaction }?.people
            guard people != nil || reactions.count < AnnotationLimits.reactions,
                people?.count ?? 0 < AnnotationLimits.peopleOfReaction
            else { throw Self.excess("reactions to a comment", AnnotationLimits.reactions) }
        case .addVersion(let name, _):
            guard version(name) == nil else {
                throw Refusal(
                    code: .duplicateID, message: "there is a version \"\(name)\" already")
            }
            guard versions.count < AnnotationLimits.versions else {
                throw Self.excess("versions", AnnotationLimits.versions)
            }
            guard versions.reduce(0, { $0 + $1.scene.bytes.count }) < AnnotationLimits.versionBytes
            else { throw Self.excess("bytes of versions", AnnotationLimits.versionBytes) }
        case .removeVersion(let name):
            guard let version = version(name) else { throw Self.unknownVersion(name) }
            guard isAdministrator || version.author.isSame(as: person) else {
                throw Refusal(
                    code: .forbidden,
                    message: "only who named a version, or an administrator, removes it")
            }
        case .restoreVersion(let name):
            guard version(name) != nil else { throw Self.unknownVersion(name) }
        case .suggest, .acceptSuggestion, .refuseSuggestion, .reopenSuggestion, .removeSuggestion:
            try checkSuggestion(op, by: person, isAdministrator: isAdministrator)
        case .updateSuggestion:
            guard let own = ownSuggestion else {
                throw Refusal(
                    code: .badOp,
                    message: "this room is no branch; send it in that of the suggestion")
            }
            if let refusal = own.refusalOfChange { throw refusal }
        }
    }

    /// The refusal for a version that is not there.
    public static func unknownVersion(_ name: String) -> Refusal {
        Refusal(code: .unknownVersion, message: "there is no version \"\(name)\"")
    }

    /// The refusal for a thread that is not there.
    public static func unknownThread(_ id: String) -> Refusal {
        Refusal(code: .unknownComment, message: "there is no thread \"\(id)\"")
    }

    private func thread(_ id: String) throws(Refusal) -> CommentThread {
        guard let thread = threads[id] else { throw Self.unknownThread(id) }
        return thread
    }

    private func comment(_ id: String, _ number: Int) throws(Refusal) -> Comment {
        guard let comment = try thread(id).comments.first(where: { $0.number == number }) else {
            throw Refusal(
                code: .unknownComment, message: "thread \"\(id)\" has no comment \(number)")
        }
        return comment
    }

    private func checkNew(_ id: String, _ anchor: Anchor, _ subject: Subject) throws(Refusal) {
        guard threads[id] == nil else {
            throw Refusal(code: .duplicateID, message: "there is a thread \"\(id)\" already")
        }
        guard threads.count < AnnotationLimits.threads else {
            throw Self.excess("threads", AnnotationLimits.threads)
        }
        switch anchor {
        case .view(let view, _) where !subject.hasView(view):
            throw Refusal(code: .unknownView, message: "there is no view \"\(view)\"")
        case .constraint(let constraint) where !subject.hasConstraint(constraint):
            throw Refusal(
                code: .unknownConstraint, message: "there is no constraint \"\(constraint)\"")
        case .view, .constraint, .point: break
        }
    }

    private func checkRoom(for text: String) throws(Refusal) {
        guard commentCount < AnnotationLimits.comments else {
            throw Self.excess("comments", AnnotationLimits.comments)
        }
        let sceneBytes =
            versions.reduce(0) { $0 + $1.scene.bytes.count }
            + suggestions.values.reduce(0) { $0 + $1.byteCount }
        guard byteCount - sceneBytes + text.utf8.count < AnnotationLimits.bytes else {
            throw Self.excess("bytes of comments", AnnotationLimits.bytes)
        }
    }

    static func excess(_ what: String, _ maximum: Int) -> Refusal {
        Refusal(code: .limit, message: "a room has at most \(maximum) \(what); remove some first")
    }

    // MARK: Locks

    private func checkLock(
        _ view: String, _ person: Person, _ subject: Subject
    ) throws(Refusal) {
        guard subject.hasView(view) else {
            throw Refusal(code: .unknownView, message: "there is no view \"\(view)\"")
        }
        if let lock = locks[view], !lock.holder.isSame(as: person) {
            throw Self.refusal(lock, of: view)
        }
        guard locks[view] != nil || locks.count < AnnotationLimits.locks else {
            throw Self.excess("locks", AnnotationLimits.locks)
        }
    }

    /// The refusal for a change of what another person has locked.
    public static func refusal(_ lock: ViewLock, of view: String) -> Refusal {
        let note = lock.note.isEmpty ? "" : ": \(lock.note)"
        let what = lock.view == view ? "\"\(view)\"" : "\"\(view)\", in \"\(lock.view)\","
        let time = Date(timeIntervalSince1970: Double(lock.time) / 1000).formatted(.iso8601)
        return Refusal(
            code: .locked,
            message: "\(what) is locked by \(lock.holder.title) since \(time)\(note)")
    }

    /// The lock of another person that holds a view, by the way from the view to the root.
    public func lock(against person: Person, along path: [String]) -> ViewLock? {
        for view in path {
            if let lock = locks[view], !lock.holder.isSame(as: person) { return lock }
        }
        return nil
    }
}
