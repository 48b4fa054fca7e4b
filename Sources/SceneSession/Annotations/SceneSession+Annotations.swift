import Annotations
import JSON
import RoomNames
import SceneDocument
import SceneModel
import SceneWire

/// Annotations: decided and journalled with ops, and sent to members with the capability.
extension SceneSession {
    /// The session's state of annotations, apart from the annotations themselves.
    struct AnnotationState {
        /// The annotations of a room at rest.
        var resting = Annotations()
        /// The tick since which the holder of a lock has no connection, by the lock's view.
        var absences: [String: UInt64] = [:]
        /// Whether some members lack annotations: they joined during a rebuild of the scene, or the
        /// room went back to its journal. They receive all of them with the next tick.
        var someMissThem = false
        /// Encoded messages with all annotations, by what clients understand; emptied by each
        /// change.
        var whole: [Reading: [[UInt8]]] = [:]
        /// What became of the suggestion of which the room is the branch, until the next tick.
        var news: Suggestion?
    }

    /// How a member reads annotations.
    struct Reading: Hashable {
        var format: Subprotocol
        /// Bits of capabilities for annotations.
        var known: UInt64
    }

    /// The annotations; `nil` while the scene is being rebuilt, and once it is lost.
    var annotations: Annotations? {
        switch scene {
        case .live(let timeline): timeline.annotations
        case .frozen: annotationState.resting
        case .spoiled, .lost: nil
        }
    }

    /// The person who uses a member's connection, as annotations name it.
    func person(of member: Member) -> Person {
        Person(
            session: member.admission.session, subject: member.admission.subject,
            name: presences.name(of: member.client) ?? "")
    }

    // MARK: Deciding

    /// Applies a message's annotation ops, except for those that are refused.
    func decideAnnotations(_ message: Ops, _ decision: inout Decision, _ turn: inout Turn) {
        guard let timeline = wake(), let values = message.ops.array else { return }
        let member = decision.member
        let price = Self.annotationPrice(values, timeline)
        guard
            turn.pay(
                price, within: min(work.budget.op, work.budget.message), of: work.slice,
                for: "keeping this scene", &decision)
        else { return }
        if values.count > AnnotationLimits.ops {
            decision.outcome = .refused(
                Refusal(
                    code: .limit,
                    message: "\(values.count) ops, at most \(AnnotationLimits.ops) here"))
            return
        }
        let stamp = Annotations.Stamp(person: person(of: member), time: wallClock(), tick: tick)
        let sees = { (path: [String]) in member.sight?.includes(path) ?? true }
        let subject = Annotations.Subject(
            hasView: { timeline.model.path(from: $0).map(sees) ?? false },
            hasConstraint: {
                timeline.model.hasConstraint($0) && timeline.model.isSeen(constraint: $0, sees)
            })
        var draft = timeline.annotations
        var (accepted, refusals): ([JSONValue], [Refusal]) = ([], [])
        for (index, value) in values.enumerated() {
            do throws(Refusal) {
                let op = try AnnotationOp.parse(value, at: index)
                try checkRole(of: member, for: op)
                try checkSight(of: member, for: op)
                try checkPlace(of: op)
                if op.replacesScene, values.count > 1 {
                    throw Refusal(
                        code: .badOp, message: "an op that replaces the scene stands alone")
                }
                try draft.check(
                    op, by: stamp.person, isAdministrator: member.admission.rights.isAdministrator,
                    subject)
                if op.replacesScene {
                    throw Refusal(code: .badOp, message: "it merges nothing in this room")
                }
                draft.apply(op, stamp) { timeline.model.document() }
                accepted.append(value)
            } catch {
                var refusal = error
                refusal.opIndex = index
                refusals.append(refusal)
            }
        }
        if message.isAtomic || values.count == 1, let refusal = refusals.first {
            decision.outcome = .refused(refusal)
            return
        }
        let growth = draft.byteCount - timeline.annotations.byteCount
        if let refusal = memoryExcess(bytes: growth) {
            decision.outcome = .refused(refusal)
            return
        }
        timeline.annotations = draft
        var commit = Commit()
        commit.refusals = refusals
        decision.outcome = .committed(commit)
        guard !accepted.isEmpty else { return }
        var batch = BatchPayload(
            author: member.admission.session, clientSequence: message.clientSequence,
            isAtomic: message.isAtomic, purpose: .annotate, ops: .array(accepted))
        batch.stamp = stamp
        decision.batches.append(batch)
    }

    func checkRole(of member: Member, for op: AnnotationOp) throws(Refusal) {
        let role = member.admission.role
        guard role.edits || op.isComment && role.sendsEvents else {
            throw Refusal(code: .forbidden, message: "\(role.rawValue)s do not do this")
        }
    }

    /// Throws for a thread about something that is hidden from the member.
    private func checkSight(of member: Member, for op: AnnotationOp) throws(Refusal) {
        guard let sight = member.sight, let id = op.existingThread,
            annotations?.threads[id] != nil, !isSeen(thread: id, by: sight)
        else { return }
        throw Annotations.unknownThread(id)
    }

    /// Units of work: the annotations are copied before they are changed, and a version has the
    /// scene as a text, which is compressed.
    private static func annotationPrice(
        _ values: [JSONValue], _ timeline: SceneTimeline
    ) -> UInt64 {
        let model = timeline.model
        let versions = UInt64(values.count { AnnotationOp.keepsScene($0) })
        return 2_000 * UInt64(values.count) + 40 * UInt64(timeline.annotations.threads.count)
            + versions * packingPrice(of: model)
    }

    /// Units of work to pack a scene's document.
    static func packingPrice(of model: SceneModel) -> UInt64 {
        800 * UInt64(model.viewCount + model.constraintCount)
    }

    // MARK: Who may change what

    /// The check of a member's ops against locks and rights; `nil` if every op passes.
    func access(of member: Member) -> ((Op, SceneModel) -> Refusal?)? {
        guard let rules = accessRules(of: member) else {
            return { _, _ in Refusal(code: .storeFailed, message: "the scene is not in memory") }
        }
        let sight = member.sight
        let policy = options.policy
        guard !rules.isEmpty || policy != nil else { return nil }
        return { [room = RoomName.main(of: room)] op, model in
            if let sight, let refusal = model.refusalOfUnseen(in: op, sees: sight.includes) {
                return refusal
            }
            if let refusal = policy?.refusal(op, room) { return refusal }
            for view in model.affectedViews(by: op) {
                let refusal = rules.refusal(
                    ofChanging: view.path, andBelow: view.includesSubviews, model)
                if let refusal { return refusal }
            }
            return nil
        }
    }

    /// What a member may change; `nil` while there is no scene.
    func accessRules(of member: Member) -> AccessRules? {
        guard let annotations = wake()?.annotations else { return nil }
        let person = person(of: member)
        return AccessRules(
            person: person,
            rights: [member.sight, member.admission.rights.edit].compactMap(\.self),
            locks: annotations.locks.filter { !$0.value.holder.isSame(as: person) })
    }

    /// The parts of a scene that a person may change, by rights and by locks of others.
    struct AccessRules {
        let person: Person
        let rights: [ViewPatterns]
        /// Those of others, by their views.
        let locks: [String: ViewLock]

        /// Whether everything may be changed.
        var isEmpty: Bool { rights.isEmpty && locks.isEmpty }

        /// The refusal of a change of a view; `nil` if it may be changed.
        ///
        /// - Parameters:
        ///   - path: The ids from the view to the root.
        ///   - includesSubviews: Whether all views below it are changed as well.
        func refusal(
            ofChanging path: [String], andBelow includesSubviews: Bool, _ model: SceneModel
        ) -> Refusal? {
            for right in rights {
                let isIncluded =
                    includesSubviews
                    ? right.includesAll(of: path) { model.path(from: $0) } : right.includes(path)
                guard isIncluded else {
                    return Refusal(
                        code: .forbidden,
                        message: "\"\(path[0])\" is not among what this member may change")
                }
            }
            for id in path {
                if let lock = locks[id] { return Annotations.refusal(lock, of: path[0]) }
            }
            guard includesSubviews else { return nil }
            return locks.values.first { lock in
                model.path(from: lock.view)?.contains(path[0]) ?? false
            }.map { Annotations.refusal($0, of: $0.view) }
        }
    }

    // MARK: Locks

    /// Updates the list of locks whose holders have no connection.
    func noteLockHolders() {
        guard let locks = annotations?.locks, !locks.isEmpty || !annotationState.absences.isEmpty
        else { return }
        let present = Set(roster.inOrder.map { person(of: $0).key })
        annotationState.absences = locks.reduce(into: [:]) { absences, entry in
            guard !present.contains(entry.value.holder.key) else { return }
            absences[entry.key] = annotationState.absences[entry.key] ?? tick
        }
    }

    /// The tick at which the next lock expires; `nil` while every holder has a connection.
    var lockTick: UInt64? {
        guard !annotationState.absences.isEmpty, gate.writes,
            let locks = annotations?.locks
        else { return nil }
        return annotationState.absences.compactMap { view, since in
            locks[view].map { since + UInt64($0.seconds) * UInt64(max(tickRate, 1)) }
        }.min()
    }

    /// Removes expired locks.
    func expireLocks(_ timeline: SceneTimeline) {
        guard let due = lockTick, due <= tick else { return }
        for (view, since) in annotationState.absences.sorted(by: { $0.key < $1.key }) {
            guard let lock = timeline.annotations.locks[view],
                since + UInt64(lock.seconds) * UInt64(max(tickRate, 1)) <= tick
            else { continue }
            let stamp = Annotations.Stamp(person: lock.holder, time: wallClock(), tick: tick)
            timeline.annotations.apply(.unlock(view: view), stamp) { timeline.model.document() }
            var batch = BatchPayload(
                author: "", clientSequence: 0, isAtomic: false, purpose: .annotate,
                ops: .array([AnnotationOp.unlockJSON(view)]))
            batch.stamp = stamp
            append(batch)
        }
        noteLockHolders()
    }

    // MARK: Telling

    /// Sends members the annotations that changed in this tick.
    func tellAnnotations(_ timeline: SceneTimeline) {
        let keys = timeline.annotations.takeChanges()
        tellBranches(keys, timeline.annotations)
        if !keys.isEmpty { annotationState.whole = [:] }
        guard !keys.isEmpty || annotationState.someMissThem else { return }
        if keys.contains(where: { $0.kind == .lock }) { noteLockHolders() }
        annotationState.someMissThem = false
        let readers = roster.inOrder.filter { $0.has(Capability.annotations) }
        let missing = readers.filter { $0.missesAnnotations && $0.phase != .behind }
        if !missing.isEmpty { sendAnnotations(to: missing) }
        guard !keys.isEmpty else { return }
        // Members that lag receive all annotations after catching up.
        for member in readers where member.phase == .behind { member.missesAnnotations = true }
        var present = readers.filter { reader in
            reader.phase != .behind && !missing.contains { $0 === reader }
        }
        // Of a thread that is gone nobody knows what it was about.
        sendAnnotations(to: present.filter { $0.sight != nil })
        present.removeAll { $0.sight != nil }
        guard !present.isEmpty else { return }
        let changes = timeline.annotations.changes(of: keys)
        for (known, members) in Member.byAnnotations(present) {
            send(AnnotationChanges.messages(changes, whole: false, to: known), to: members)
        }
    }

    /// Sends members all annotations.
    func sendAnnotations(to members: [Member]) {
        guard let annotations else {
            // They receive them when the scene has been rebuilt.
            for member in members { member.missesAnnotations = true }
            annotationState.someMissThem = true
            return
        }
        for member in members { member.missesAnnotations = false }
        let partial = members.filter { $0.sight != nil }
        if !partial.isEmpty {
            let all = annotations.changes(of: annotations.keys)
            for (known, members) in Member.byAnnotations(partial) {
                send(AnnotationChanges.messages(all, whole: true, to: known), to: members)
            }
        }
        for (known, members) in Member.byAnnotations(members.filter { $0.sight == nil }) {
            for format in Subprotocol.allCases {
                let ids = members.filter { $0.admission.format == format }.map(\.id)
                guard !ids.isEmpty else { continue }
                let reading = Reading(format: format, known: known)
                let payloads = annotationState.whole[reading] ?? encode(annotations, for: reading)
                annotationState.whole[reading] = payloads
                effects.append(.send(payloads: payloads, format: format, to: ids))
            }
        }
    }

    private func encode(_ annotations: Annotations, for reading: Reading) -> [[UInt8]] {
        let changes = annotations.changes(of: annotations.keys)
        return AnnotationChanges.messages(changes, whole: true, to: reading.known)
            .map { $0.encoded(as: reading.format) }
    }

    /// Sends all annotations again with the next tick: the room went back to its durable state.
    func annotationsWentBack() {
        annotationState.whole = [:]
        for member in roster.inOrder where member.has(Capability.annotations) {
            member.missesAnnotations = true
        }
        annotationState.someMissThem = true
        noteLockHolders()
    }
}

extension Annotations {
    fileprivate func changes(of keys: [AnnotationKey]) -> [AnnotationChange] {
        keys.map { key in
            var change = AnnotationChange()
            (change.kind, change.id, change.value) = (key.kind, key.id, value(of: key))
            return change
        }
    }
}
