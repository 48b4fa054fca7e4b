import Annotations
import JSON
import SceneDocument
import SceneModel
import SceneWire

/// What people say about the scene: decided and journalled with ops, and told to members that ask
/// for it.
extension SceneSession {
    /// The annotations of a room at rest, and whose absence is counted.
    struct AnnotationState {
        /// The annotations of a room at rest.
        var resting = Annotations()
        /// Since which tick the holders of locks are away, by view.
        var absences: [String: UInt64] = [:]
        /// Whether members joined while the scene was being rebuilt, or have to be told everything
        /// again; they are with the next tick.
        var someMissThem = false
        /// All annotations as they were told last, for the next that comes; none once they changed.
        var whole: [Subprotocol: [[UInt8]]] = [:]
    }

    /// The annotations; those of a scene that is being rebuilt are not known.
    var annotations: Annotations? {
        switch scene {
        case .live(let timeline): timeline.annotations
        case .frozen: annotationState.resting
        case .spoiled, .lost: nil
        }
    }

    /// A member as others are told who said something.
    func person(of member: Member) -> Person {
        Person(
            session: member.admission.session, subject: member.admission.subject,
            name: presences.name(of: member.client) ?? "")
    }

    // MARK: Deciding

    /// Does what the ops of a message say about annotations, except for those that are refused.
    func decideAnnotations(_ message: Ops, _ decision: inout Decision, _ turn: inout Turn) {
        guard let timeline = wake(), case .array(let values) = message.ops.kind else { return }
        let member = decision.member
        let price = Self.annotationPrice(values, timeline)
        guard price <= min(work.budget.op, work.budget.message) else {
            decision.outcome = .refused(
                Refusal(
                    code: .tooExpensive,
                    message: "keeping this scene takes \(price) units of work, more than allowed"))
            return
        }
        guard price <= work.slice - min(turn.spent, work.slice) else {
            turn.hasOverrun = true
            return
        }
        turn.charge(price, to: &decision)
        if values.count > AnnotationLimits.ops {
            decision.outcome = .refused(
                Refusal(
                    code: .limit,
                    message: "\(values.count) ops, at most \(AnnotationLimits.ops) here"))
            return
        }
        let stamp = Annotations.Stamp(person: person(of: member), time: wallClock(), tick: tick)
        let subject = Annotations.Subject(
            hasView: { timeline.model.hasView($0) },
            hasConstraint: { timeline.model.hasConstraint($0) })
        var draft = timeline.annotations
        var (accepted, refusals): ([JSONValue], [Refusal]) = ([], [])
        for (index, value) in values.enumerated() {
            do throws(Refusal) {
                let op = try AnnotationOp.parse(value, at: index)
                try checkRole(of: member, for: op)
                try draft.check(
                    op, by: stamp.person, isAdministrator: member.admission.rights.isAdministrator,
                    subject)
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

    private func checkRole(of member: Member, for op: AnnotationOp) throws(Refusal) {
        let role = member.admission.role
        guard role.edits || op.isComment && role.sendsEvents else {
            throw Refusal(code: .forbidden, message: "\(role.rawValue)s do not do this")
        }
    }

    /// Units of work: the annotations are copied before they are changed, and a version has the
    /// scene as a text, which is compressed.
    private static func annotationPrice(
        _ values: [JSONValue], _ timeline: SceneTimeline
    ) -> UInt64 {
        let model = timeline.model
        let versions = UInt64(values.count { AnnotationOp.isVersion($0) })
        return 2_000 * UInt64(values.count) + 40 * UInt64(timeline.annotations.threads.count)
            + versions * 800 * UInt64(model.viewCount + model.constraintCount)
    }

    // MARK: Who may change what

    /// Why an op of a member may not be performed, for the scene to ask; `nil` if all may.
    func access(of member: Member) -> ((Op, SceneModel) -> Refusal?)? {
        guard let annotations else { return nil }
        let person = person(of: member)
        let patterns = member.admission.rights.edit
        let others = annotations.locks.values.filter { !$0.holder.isSame(as: person) }
        guard patterns != nil || !others.isEmpty else { return nil }
        return { op, model in
            for view in model.affectedViews(by: op) {
                if let patterns, let refusal = Self.refusal(patterns, view, model) {
                    return refusal
                }
                if let lock = annotations.lock(against: person, along: view.path) {
                    return Annotations.refusal(lock, of: view.path[0])
                }
                guard view.includesSubviews else { continue }
                let below = others.first { lock in
                    model.path(from: lock.view)?.contains(view.path[0]) ?? false
                }
                if let below { return Annotations.refusal(below, of: below.view) }
            }
            return nil
        }
    }

    private static func refusal(
        _ patterns: ViewPatterns, _ view: SceneModel.AffectedView, _ model: SceneModel
    ) -> Refusal? {
        let isIncluded =
            view.includesSubviews
            ? patterns.includesAll(of: view.path) { model.path(from: $0) }
            : patterns.includes(view.path)
        guard !isIncluded else { return nil }
        return Refusal(
            code: .forbidden,
            message: "\"\(view.path[0])\" is not among what this member may change")
    }

    // MARK: Locks

    /// Notes which holders of locks have no connection.
    func noteLockHolders() {
        guard let locks = annotations?.locks, !locks.isEmpty || !annotationState.absences.isEmpty
        else { return }
        let present = Set(roster.inOrder.map { person(of: $0).key })
        annotationState.absences = locks.reduce(into: [:]) { absences, entry in
            guard !present.contains(entry.value.holder.key) else { return }
            absences[entry.key] = annotationState.absences[entry.key] ?? tick
        }
    }

    /// The tick at which the next lock ends whose holder is away.
    var lockTick: UInt64? {
        guard !annotationState.absences.isEmpty, !isReadOnly, !isHeld,
            let locks = annotations?.locks
        else { return nil }
        return annotationState.absences.compactMap { view, since in
            locks[view].map { since + UInt64($0.seconds) * UInt64(max(tickRate, 1)) }
        }.min()
    }

    /// Ends the locks whose holders have been away for too long.
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
        let present = readers.filter { reader in
            reader.phase != .behind && !missing.contains { $0 === reader }
        }
        guard !present.isEmpty else { return }
        send(
            AnnotationChanges.messages(timeline.annotations.changes(of: keys), whole: false),
            to: present)
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
        for format in Subprotocol.allCases {
            let ids = members.filter { $0.admission.format == format }.map(\.id)
            guard !ids.isEmpty else { continue }
            let payloads = annotationState.whole[format] ?? encode(annotations, as: format)
            annotationState.whole[format] = payloads
            effects.append(.send(payloads: payloads, format: format, to: ids))
        }
    }

    private func encode(_ annotations: Annotations, as format: Subprotocol) -> [[UInt8]] {
        AnnotationChanges.messages(annotations.changes(of: annotations.keys), whole: true)
            .map { $0.encoded(as: format) }
    }

    /// Has all members told everything with the next tick: the room went back to what is on disk.
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
