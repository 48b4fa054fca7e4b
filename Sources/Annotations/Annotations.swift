public import SceneDocument

/// Everything that people have said about a room's scene: comments, locks, versions and
/// suggestions.
///
/// It is journalled, exported and replicated with the scene, and part neither of its hash nor of
/// what can be undone.
public struct Annotations: Sendable, Equatable {
    /// By name.
    public private(set) var threads: [String: CommentThread] = [:]
    /// By view.
    public private(set) var locks: [String: ViewLock] = [:]
    /// In the order in which they were added.
    public private(set) var versions: [SceneVersion] = []
    /// By name.
    public internal(set) var suggestions: [String: Suggestion] = [:]
    /// Comments of all threads.
    public private(set) var commentCount = 0
    /// About how many bytes all of it takes.
    public internal(set) var byteCount = 0
    /// What changed since this was last asked for.
    var changes: [AnnotationKey] = []

    /// Makes annotations of a new room.
    public init() {}

    /// Whether nothing was said.
    public var isEmpty: Bool {
        threads.isEmpty && locks.isEmpty && versions.isEmpty && suggestions.isEmpty
    }

    /// A version by its name.
    public func version(_ name: String) -> SceneVersion? { versions.first { $0.name == name } }

    /// Removes and returns what has changed, each once.
    public mutating func takeChanges() -> [AnnotationKey] {
        defer { changes.removeAll() }
        var seen: Set<AnnotationKey> = []
        return changes.filter { seen.insert($0).inserted }
    }

    // MARK: Changes

    /// Who does something, and when.
    public struct Stamp: Sendable, Equatable {
        /// Who.
        public var person: Person
        /// In milliseconds since 1970.
        public var time: Int64
        /// The room's tick.
        public var tick: UInt64

        /// Makes a stamp.
        public init(person: Person, time: Int64, tick: UInt64) {
            self.person = person
            self.time = time
            self.tick = tick
        }
    }

    /// Applies an op that was checked before. An op about something that no longer exists does
    /// nothing, so that a journal with missing parts is replayed as far as it fits.
    ///
    /// - Parameter document: The scene as it is now, for a version of it.
    public mutating func apply(_ op: AnnotationOp, _ stamp: Stamp, document: () -> SceneDocument) {
        switch op {
        case .lock(let view, let note, let seconds):
            set(
                ViewLock(
                    view: view, holder: stamp.person, note: note, time: stamp.time,
                    seconds: seconds))
        case .unlock(let view): removeLock(view)
        case .addComment(let id, let anchor, let text, let mentions):
            guard threads[id] == nil else { return }
            threads[id] = CommentThread(id: id, anchor: anchor)
            changes.append(.thread(id))
            byteCount += 200
            add(text, mentions, to: id, stamp)
        case .replyComment(let id, let text, let mentions): add(text, mentions, to: id, stamp)
        case .editComment(let id, let number, let text, let mentions):
            change(id, number) { comment in
                comment.text = text
                comment.mentions = mentions
                comment.editTime = stamp.time
            }
        case .removeComment(let id, let number): removeComment(id, number)
        case .resolveComment(let id): setResolved(id, by: stamp.person)
        case .reopenComment(let id): setResolved(id, by: nil)
        case .reactComment(let id, let number, let reaction, let isRemoved):
            change(id, number) { $0.react(reaction, stamp.person, isRemoved: isRemoved) }
        case .addVersion(let name, let note):
            add(
                SceneVersion(
                    name: name, note: note, author: stamp.person, time: stamp.time,
                    tick: stamp.tick, scene: PackedDocument(document())))
        case .removeVersion(let name): removeVersion(name)
        case .suggest(let id, let name, let note):
            open(id, name, note, stamp, PackedDocument(document()))
        case .acceptSuggestion(let id, _): setState(id, .accepted(Suggestion.Decision(stamp)))
        case .refuseSuggestion(let id, let reason):
            setState(id, .refused(Suggestion.Decision(stamp), reason: reason))
        case .reopenSuggestion(let id): setState(id, .open)
        case .removeSuggestion(let id): removeSuggestion(id)
        // They change the scene, and nothing that was said about it.
        case .restoreVersion, .updateSuggestion: break
        }
    }

    /// Gives all locked views back, as in another room.
    public mutating func removeLocks() {
        for view in locks.keys.sorted() { removeLock(view) }
    }

    mutating func set(_ lock: ViewLock) {
        removeLock(lock.view)
        locks[lock.view] = lock
        changes.append(.lock(lock.view))
        byteCount += lock.byteCount
    }

    private mutating func removeLock(_ view: String) {
        guard let lock = locks.removeValue(forKey: view) else { return }
        changes.append(.lock(view))
        byteCount -= lock.byteCount
    }

    mutating func add(_ thread: CommentThread) {
        threads[thread.id] = thread
        commentCount += thread.comments.count
        byteCount += 200 + thread.comments.reduce(0) { $0 + $1.byteCount }
    }

    private mutating func add(
        _ text: String, _ mentions: [String], to id: String, _ stamp: Stamp
    ) {
        guard let number = threads[id]?.nextNumber else { return }
        let comment = Comment(
            number: number, author: stamp.person, time: stamp.time, text: text,
            mentions: mentions)
        threads[id]?.nextNumber += 1
        threads[id]?.comments.append(comment)
        commentCount += 1
        byteCount += comment.byteCount
        changes.append(.comment(id, number))
    }

    private mutating func change(
        _ id: String, _ number: Int, _ body: (inout Comment) -> Void
    ) {
        guard let index = threads[id]?.comments.firstIndex(where: { $0.number == number }),
            var comment = threads[id]?.comments[index]
        else { return }
        byteCount -= comment.byteCount
        body(&comment)
        byteCount += comment.byteCount
        threads[id]?.comments[index] = comment
        changes.append(.comment(id, number))
    }

    private mutating func removeComment(_ id: String, _ number: Int) {
        guard let index = threads[id]?.comments.firstIndex(where: { $0.number == number }),
            let comment = threads[id]?.comments.remove(at: index)
        else { return }
        commentCount -= 1
        byteCount -= comment.byteCount
        changes.append(.comment(id, number))
        guard threads[id]?.comments.isEmpty == true else { return }
        threads[id] = nil
        byteCount -= 200
        changes.append(.thread(id))
    }

    private mutating func setResolved(_ id: String, by person: Person?) {
        guard threads[id] != nil else { return }
        threads[id]?.resolvedBy = person
        changes.append(.thread(id))
    }

    mutating func add(_ version: SceneVersion) {
        removeVersion(version.name)
        versions.append(version)
        byteCount += version.byteCount
        changes.append(.version(version.name))
    }

    private mutating func removeVersion(_ name: String) {
        guard let index = versions.firstIndex(where: { $0.name == name }) else { return }
        byteCount -= versions.remove(at: index).byteCount
        changes.append(.version(name))
    }
}

extension Comment {
    fileprivate mutating func react(_ reaction: String, _ person: Person, isRemoved: Bool) {
        let index = reactions.firstIndex { $0.reaction == reaction }
        if isRemoved {
            guard let index else { return }
            reactions[index].people.removeAll { $0.isSame(as: person) }
            if reactions[index].people.isEmpty { reactions.remove(at: index) }
        } else if let index {
            guard !reactions[index].people.contains(where: { $0.isSame(as: person) }) else {
                return
            }
            reactions[index].people.append(person)
        } else {
            reactions.append((reaction, [person]))
        }
    }
}

extension ViewLock {
    fileprivate var byteCount: Int { 200 + note.utf8.count }
}

extension SceneVersion {
    fileprivate var byteCount: Int { 200 + note.utf8.count + scene.bytes.count }
}
