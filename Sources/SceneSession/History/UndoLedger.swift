import Annotations
import SceneDocument
import SceneModel

/// The last author of each property, and what each person can undo.
///
/// A step is undone object by object and property by property, each only if the person is still its
/// last writer; later changes of others stay. Undoing restores the former writers as well as the
/// values.
struct UndoLedger: Equatable {
    /// The direction of a step.
    enum Direction: String {
        case undo, redo
    }

    /// The authors of what an edit overwrote.
    enum Before: Equatable {
        case property(EditObject, String, author: String?)
        case object(EditObject, authors: [String: String])
    }

    /// One edit and the state that its undoing requires.
    struct Part: Equatable {
        let kind: Edit.Kind
        let inverse: [Op]
        let before: [Before]
        /// The required last writer of the object or property.
        let expected: String?
        /// The approximate memory in bytes.
        let bytes: Int

        init(kind: Edit.Kind, inverse: [Op], before: [Before], expected: String?) {
            self.kind = kind
            self.inverse = inverse
            self.before = before
            self.expected = expected
            bytes = Self.bytes(of: inverse)
        }
    }

    /// The edits that are undone together.
    struct Step: Equatable {
        /// The number that groups its messages; 0 for a single one.
        let group: UInt32
        private(set) var parts: [Part]
        /// The scene to return to, of a step that replaced the scene; it has no parts.
        let scene: PackedDocument?
        /// The approximate memory in bytes.
        private(set) var bytes: Int

        init(group: UInt32, parts: [Part]) {
            self.group = group
            self.parts = parts
            scene = nil
            bytes = Self.bytes(of: parts)
        }

        init(scene: PackedDocument) {
            group = 0
            parts = []
            self.scene = scene
            bytes = scene.byteCount
        }

        mutating func append(_ more: [Part]) {
            parts += more
            bytes += Self.bytes(of: more)
        }

        private static func bytes(of parts: [Part]) -> Int {
            var bytes = 0
            for index in parts.indices { bytes += parts[index].bytes }
            return bytes
        }
    }

    struct Person: Equatable {
        var undo: [Step] = []
        var redo: [Step] = []
    }

    /// The ops that undo a step.
    struct Plan {
        var ops: [Op]
        fileprivate var authors: [EditObject: [String: String]]
    }

    /// The reason why a step cannot be undone.
    enum Failure: Error, Equatable {
        case nothing
        /// Others changed the same objects or properties.
        case conflict(String)
    }

    /// The key of the author of an object's existence.
    private static let existence = ""
    /// The maximum number of parts in all steps of one person.
    private static let partMaximum = 20_000

    var stepMaximum: Int
    /// Approximate bytes that the steps of all people may take; one person's may take a quarter of
    /// that. Beyond it the oldest steps of that person, or of the person with the most, are
    /// dropped.
    var byteMaximum = Int.max
    /// The last author of each property that was written.
    private(set) var authors: [EditObject: [String: String]] = [:]
    private(set) var people: [String: Person] = [:]

    init(stepMaximum: Int) { self.stepMaximum = stepMaximum }

    init(
        stepMaximum: Int, authors: [EditObject: [String: String]], people: [String: Person]
    ) {
        self.stepMaximum = stepMaximum
        self.authors = authors
        self.people = people
    }

    /// Drops all steps, since the scene was replaced.
    mutating func reset() {
        authors.removeAll()
        people.removeAll()
    }

    /// Drops the steps that a person can undo.
    mutating func forget(_ author: String) { people[author] = nil }

    // MARK: Recording edits

    /// Records a person's edits as a step to undo; steps to redo are dropped.
    mutating func record(_ edits: [Edit], author: String, group: UInt32) {
        guard !author.isEmpty, !edits.isEmpty else { return }
        let parts = note(edits, author)
        var person = takeOut(author)
        person.redo.removeAll()
        if group != 0, person.undo.last?.group == group {
            let last = person.undo.count - 1
            let known = Set(person.undo[last].parts.compactMap { Self.property(of: $0.kind) })
            // Undoing a drag returns to the value before the drag.
            person.undo[last].append(
                parts.filter { Self.property(of: $0.kind).map { !known.contains($0) } ?? true })
        } else {
            person.undo.append(Step(group: group, parts: parts))
        }
        trim(&person)
        people[author] = person
        keepWithinBytes(author)
    }

    /// Takes a person's steps out, to be put back: a second reference to them would have every
    /// change copy them all.
    private mutating func takeOut(_ author: String) -> Person {
        people.removeValue(forKey: author) ?? Person()
    }

    private struct Property: Hashable {
        var object: EditObject
        var name: String
    }

    private static func property(of kind: Edit.Kind) -> Property? {
        if case .wrote(let object, let name) = kind {
            Property(object: object, name: name)
        } else {
            nil
        }
    }

    private func trim(_ person: inout Person) {
        while person.undo.count > stepMaximum { person.undo.removeFirst() }
        var count = person.undo.reduce(0) { $0 + $1.parts.count }
        while count > Self.partMaximum, person.undo.count > 1 {
            count -= person.undo.removeFirst().parts.count
        }
    }

    /// Makes a person the author of edits.
    private mutating func note(_ edits: [Edit], _ author: String) -> [Part] {
        edits.map { edit in
            var before: [Before] = []
            switch edit.kind {
            case .wrote(let object, let name):
                before = [.property(object, name, author: authors[object]?[name])]
                authors[object, default: [:]][name] = author
            case .added(let objects):
                for object in objects {
                    before.append(.object(object, authors: authors[object] ?? [:]))
                    authors[object] = [Self.existence: author]
                }
            case .removed(let objects):
                for object in objects {
                    before.append(.object(object, authors: authors[object] ?? [:]))
                    authors[object] = nil
                }
            }
            return Part(kind: edit.kind, inverse: edit.inverse, before: before, expected: author)
        }
    }

    // MARK: Undoing steps

    /// Computes the ops that undo or redo a person's last step.
    ///
    /// - Throws: `Failure`.
    func plan(
        _ direction: Direction, author: String, model: SceneModel
    ) throws(Failure) -> Plan {
        let stack = direction == .undo ? people[author]?.undo : people[author]?.redo
        guard let step = stack?.last else { throw .nothing }
        var plan = Plan(ops: [], authors: authors)
        var presence: [EditObject: Bool] = [:]
        func isThere(_ object: EditObject) -> Bool { presence[object] ?? model.contains(object) }
        for part in step.parts.reversed() {
            switch part.kind {
            case .wrote(let object, let name):
                guard isThere(object), plan.authors[object]?[name] == part.expected else {
                    continue
                }
                plan.ops += part.inverse
            case .added(let objects):
                let left = objects.filter { isThere($0) }
                guard !left.isEmpty else { continue }
                for object in left {
                    guard plan.authors[object]?[Self.existence] == part.expected else {
                        throw .conflict(
                            "\(object.key.dropFirst(2)) was changed by someone else since")
                    }
                    try checkSubtree(object, author, plan.authors, model)
                }
                plan.ops += part.inverse.filter { op in
                    guard case .removeConstraint(let id) = op else { return true }
                    return left.contains(.constraint(id))
                }
                for object in left { presence[object] = false }
            case .removed(let objects):
                if let taken = objects.first(where: { isThere($0) }) {
                    throw .conflict("\(taken.key.dropFirst(2)) exists again; someone else added it")
                }
                plan.ops += part.inverse
                for object in objects { presence[object] = true }
            }
            if direction == .undo { Self.restore(part.before, &plan.authors) }
        }
        guard !plan.ops.isEmpty else {
            throw .conflict("others have changed the same objects since")
        }
        return plan
    }

    /// Removing a view removes its subtree, so no other author may have a part in it.
    private func checkSubtree(
        _ object: EditObject, _ author: String, _ authors: [EditObject: [String: String]],
        _ model: SceneModel
    ) throws(Failure) {
        guard case .view(let id) = object else { return }
        for part in model.objectsGoing(with: id) {
            guard let writers = authors[part] else { continue }
            guard writers.values.allSatisfy({ $0 == author }) else {
                throw .conflict(
                    "\(part.key.dropFirst(2)), which would be removed as well, was changed by someone else"
                )
            }
        }
    }

    private static func restore(
        _ before: [Before], _ authors: inout [EditObject: [String: String]]
    ) {
        for entry in before {
            switch entry {
            case .property(let object, let name, let author):
                authors[object, default: [:]][name] = author
                if authors[object]?.isEmpty == true { authors[object] = nil }
            case .object(let object, let writers):
                authors[object] = writers.isEmpty ? nil : writers
            }
        }
    }

    /// Registers that a plan was executed.
    ///
    /// - Parameter edits: The edits of its execution.
    mutating func finish(
        _ direction: Direction, _ plan: Plan, edits: [Edit], author: String
    ) {
        var person = takeOut(author)
        switch direction {
        case .undo:
            _ = person.undo.popLast()
            authors = plan.authors
            let parts = edits.map { edit in
                Part(
                    kind: edit.kind, inverse: edit.inverse, before: [],
                    expected: writer(of: edit.kind))
            }
            person.redo.append(Step(group: 0, parts: parts))
        case .redo:
            _ = person.redo.popLast()
            person.undo.append(Step(group: 0, parts: note(edits, author)))
            trim(&person)
        }
        people[author] = person
        keepWithinBytes(author)
    }

    private func writer(of kind: Edit.Kind) -> String? {
        switch kind {
        case .wrote(let object, let name): authors[object]?[name]
        case .added(let objects), .removed(let objects):
            objects.first.flatMap { authors[$0]?[Self.existence] }
        }
    }

    // MARK: Steps that replaced the scene

    /// The scene to which a person's last step returns, if that step replaced the scene.
    func keptScene(_ direction: Direction, author: String) -> PackedDocument? {
        let person = people[author]
        return (direction == .undo ? person?.undo : person?.redo)?.last?.scene
    }

    /// Adds the step of a person who has just replaced the scene.
    ///
    /// - Parameter scene: The scene before.
    mutating func record(_ scene: PackedDocument, _ direction: Direction, author: String) {
        guard !author.isEmpty, stepMaximum > 0 else { return }
        var person = takeOut(author)
        switch direction {
        case .undo: person.undo.append(Step(scene: scene))
        case .redo: person.redo.append(Step(scene: scene))
        }
        people[author] = person
        keepWithinBytes(author)
    }

    /// Whether a person has written everything that was written since the scene was last replaced.
    ///
    /// - Complexity: O(properties written).
    func hasOnlyAuthor(_ author: String) -> Bool {
        authors.values.allSatisfy { $0.values.allSatisfy { $0 == author } }
    }

    /// Drops a person's oldest step.
    ///
    /// - Returns: Whether there was a step to forget.
    mutating func forgetOldest(of author: String) -> Bool {
        if people[author]?.undo.isEmpty == false {
            people[author]?.undo.removeFirst()
            return true
        }
        guard people[author]?.redo.isEmpty == false else { return false }
        people[author]?.redo.removeFirst()
        return true
    }

    /// Drops a step that changes of others block, so that the step before it can be undone.
    mutating func drop(_ direction: Direction, author: String) {
        switch direction {
        case .undo: _ = people[author]?.undo.popLast()
        case .redo: _ = people[author]?.redo.popLast()
        }
    }
}
