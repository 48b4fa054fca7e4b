public import SceneDocument

/// A branch of a room: its scene as it was, changed apart from the room, and the outcome.
///
/// The room has one for each of its suggestions. The suggestion's branch, a room of its own, has
/// its own one, whose `base` moves on when the branch takes in what has changed in the room.
public struct Suggestion: Sendable, Equatable {
    /// The end of a suggestion.
    public struct Decision: Sendable, Equatable {
        /// Who decided.
        public let person: Person
        /// When, in milliseconds since 1970.
        public let time: Int64
        /// The room's tick.
        public let tick: UInt64

        init(_ stamp: Annotations.Stamp) {
            self.init(person: stamp.person, time: stamp.time, tick: stamp.tick)
        }

        init(person: Person, time: Int64, tick: UInt64) {
            self.person = person
            self.time = time
            self.tick = tick
        }
    }

    /// The outcome of a suggestion.
    public enum State: Sendable, Equatable {
        /// It is worked on.
        case open
        /// The room has it.
        case accepted(Decision)
        /// The room does not take it; why, or nothing.
        case refused(Decision, reason: String)
    }

    /// A scene, and the tick of the room at which it was so.
    public struct Base: Sendable, Equatable {
        /// The room's scene.
        public let scene: PackedDocument
        /// The room's tick.
        public let tick: UInt64

        /// Makes a base.
        public init(scene: PackedDocument, tick: UInt64) {
            self.scene = scene
            self.tick = tick
        }
    }

    /// What an update replaced, for the person who takes it back.
    struct Former: Sendable, Equatable {
        /// The branch's scene.
        var scene: PackedDocument
        /// Its base.
        var base: Base
    }

    /// Its name, which is a part of the branch's.
    public let id: String
    /// What to call it.
    public let name: String
    /// What it is for; may be empty.
    public let note: String
    /// Who opened it.
    public let author: Person
    /// When, in milliseconds since 1970.
    public let time: Int64
    /// The scene of the room that the branch's changes are counted from.
    public internal(set) var base: Base
    /// Its outcome.
    public internal(set) var state = State.open
    /// What the last update could not take in, in words.
    public internal(set) var conflicts: [String] = []
    /// Whether this is the branch's own one, rather than the room's.
    public internal(set) var isOwn = false
    var former: Former?

    /// Whether it is neither accepted nor refused.
    public var isOpen: Bool { state == .open }

    /// Whether both are about the same branch; a name may be used again.
    public func isSame(as other: Suggestion) -> Bool {
        id == other.id && time == other.time && author.isSame(as: other.author)
    }

    /// About how many bytes it takes.
    var byteCount: Int {
        300 + name.utf8.count + note.utf8.count + base.scene.byteCount
            + conflicts.reduce(0) { $0 + $1.utf8.count }
            + (former.map { $0.scene.byteCount + $0.base.scene.byteCount } ?? 0)
    }
}

/// Suggestions.
extension Annotations {
    /// The annotations of a suggestion's new branch.
    public init(branchOf suggestion: Suggestion) {
        self.init()
        var own = suggestion
        own.isOwn = true
        set(own)
        _ = takeChanges()
    }

    /// The suggestion of which the room is the branch; `nil` for another room.
    public var ownSuggestion: Suggestion? { suggestions.values.first(where: \.isOwn) }

    /// Forgets that the room was a branch, as under another name.
    public mutating func removeOwnSuggestion() {
        if let own = ownSuggestion { removeSuggestion(own.id) }
    }

    /// Takes a new base for the branch.
    ///
    /// - Parameters:
    ///   - scene: The branch's scene as it was, for `bringBaseBack`.
    ///   - conflicts: What does not fit, in words.
    public mutating func updateOwnSuggestion(
        to base: Suggestion.Base, from scene: PackedDocument, conflicts: [String]
    ) {
        guard var own = ownSuggestion else { return }
        own.former = Suggestion.Former(scene: scene, base: own.base)
        own.base = base
        own.conflicts = Self.shortened(conflicts)
        set(own)
    }

    /// Changes the base back where the branch's scene becomes what it was before an update, or what
    /// the update had made of it: each change counts from the base that it was made on.
    ///
    /// - Parameters:
    ///   - scene: What the scene becomes.
    ///   - present: What it was until now.
    public mutating func bringBaseBack(with scene: PackedDocument, from present: PackedDocument) {
        guard var own = ownSuggestion, let former = own.former, former.scene == scene else {
            return
        }
        own.former = Suggestion.Former(scene: present, base: own.base)
        own.base = former.base
        own.conflicts = []
        set(own)
    }

    /// The conflicts that fit into an annotation, and how many more there are.
    private static func shortened(_ conflicts: [String]) -> [String] {
        let told = conflicts.prefix(AnnotationLimits.conflicts).map {
            String($0.prefix(AnnotationLimits.conflictCharacters))
        }
        let rest = conflicts.count - told.count
        return rest > 0 ? told + ["and \(rest) more"] : told
    }

    mutating func set(_ suggestion: Suggestion) {
        removeSuggestion(suggestion.id)
        suggestions[suggestion.id] = suggestion
        byteCount += suggestion.byteCount
        changes.append(.suggestion(suggestion.id))
    }

    mutating func removeSuggestion(_ id: String) {
        guard let suggestion = suggestions.removeValue(forKey: id) else { return }
        byteCount -= suggestion.byteCount
        changes.append(.suggestion(id))
    }

    mutating func setState(_ id: String, _ state: Suggestion.State) {
        guard var suggestion = suggestions[id] else { return }
        suggestion.state = state
        set(suggestion)
    }

    /// Opens a suggestion; of too many that are decided, the oldest one goes.
    mutating func open(
        _ id: String, _ name: String, _ note: String, _ stamp: Stamp, _ scene: PackedDocument
    ) {
        guard suggestions[id] == nil else { return }
        if suggestions.count >= AnnotationLimits.suggestions,
            let oldest = suggestions.values.filter({ !$0.isOpen }).min(by: {
                ($0.time, $0.id) < ($1.time, $1.id)
            })
        {
            removeSuggestion(oldest.id)
        }
        set(
            Suggestion(
                id: id, name: name, note: note, author: stamp.person, time: stamp.time,
                base: Suggestion.Base(scene: scene, tick: stamp.tick)))
    }

    /// Whether a suggestion may be decided, changed or removed now.
    func checkSuggestion(
        _ op: AnnotationOp, by person: Person, isAdministrator: Bool
    ) throws(Refusal) {
        switch op {
        case .suggest(let id, _, _):
            guard suggestions[id] == nil else {
                throw Refusal(
                    code: .duplicateID,
                    message: "there is a suggestion \"\(id)\" already; choose another id")
            }
            let open = suggestions.values.filter(\.isOpen)
            guard open.count < AnnotationLimits.openSuggestions else {
                throw Self.excess("open suggestions", AnnotationLimits.openSuggestions)
            }
            let bytes = suggestions.values.reduce(0) { $0 + $1.base.scene.byteCount }
            guard bytes < AnnotationLimits.suggestionBytes else {
                throw Self.excess("bytes of suggestions", AnnotationLimits.suggestionBytes)
            }
        case .acceptSuggestion(let id, _), .refuseSuggestion(let id, _):
            let suggestion = try suggestion(id)
            if let refusal = suggestion.refusalOfChange { throw refusal }
        case .reopenSuggestion(let id):
            guard try !suggestion(id).isOpen else {
                throw Refusal(code: .conflict, message: "suggestion \"\(id)\" is open")
            }
            guard
                suggestions.values.count(where: \.isOpen) < AnnotationLimits.openSuggestions
            else { throw Self.excess("open suggestions", AnnotationLimits.openSuggestions) }
        case .removeSuggestion(let id):
            let author = try suggestion(id).author
            guard isAdministrator || author.isSame(as: person) else {
                throw Refusal(
                    code: .forbidden,
                    message: "only who opened a suggestion, or an administrator, removes it")
            }
        case .lock, .unlock, .addComment, .replyComment, .editComment, .removeComment,
            .resolveComment, .reopenComment, .reactComment, .addVersion, .removeVersion,
            .restoreVersion, .updateSuggestion:
            break
        }
    }

    /// A suggestion of the room.
    ///
    /// - Throws: The refusal for one that there is not.
    public func suggestion(_ id: String) throws(Refusal) -> Suggestion {
        guard let suggestion = suggestions[id], !suggestion.isOwn else {
            throw Refusal(
                code: .unknownSuggestion, message: "there is no suggestion \"\(id)\"")
        }
        return suggestion
    }
}

extension Suggestion {
    /// The refusal of a change of the suggestion or its branch; `nil` while it is open.
    public var refusalOfChange: Refusal? {
        let decision: Decision
        let verb: String
        var reason = ""
        switch state {
        case .open: return nil
        case .accepted(let by): (decision, verb) = (by, "accepted")
        case .refused(let by, let why): (decision, verb, reason) = (by, "refused", why)
        }
        return Refusal(
            code: .conflict,
            message: "suggestion \"\(id)\" was \(verb) by \(decision.person.title)"
                + (reason.isEmpty ? "" : ": \(reason)") + "; reopen it in its room to go on")
    }
}
