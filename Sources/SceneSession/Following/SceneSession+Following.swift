import JSON
import SceneDocument
import SceneWire

/// Tells members the records of the journal, so that a replica of the scene that a client has is
/// equal to this one's to the bit.
extension SceneSession {
    /// Takes a member's request.
    func follow(_ request: FollowRequest, _ member: Member) {
        guard request.isEnabled else {
            feed.remove(member)
            return
        }
        guard member.stream.isWhole, member.stream.device == 0 else {
            report(
                .unsupported, "who watches subtrees or another device cannot follow the scene",
                to: member)
            return
        }
        feed.add(member)
    }

    /// Ends a member's following if it does not watch the whole scene on the main device any more.
    func endFollowing(_ member: Member) {
        guard !member.stream.isWhole || member.stream.device != 0, feed.remove(member)
        else { return }
        report(
            .unsupported, "who watches subtrees or another device cannot follow the scene",
            to: member)
    }

    /// Tells what was written since the last event, and members that begin the whole.
    func tellFollowers() {
        guard !feed.isEmpty else { return }
        if let news = feed.take() {
            var head = Records()
            head.tick = tick
            head.state = news.hasHash ? replicaHash : nil
            if !news.records.isEmpty || head.state != nil {
                send(Records.messages(head, news.records), to: news.readers)
            }
        }
        for member in feed.starters {
            guard work.questions.isSolvent else { return }
            start(member)
        }
    }

    /// The state hash of the scene after the present tick; `nil` while members have not been told
    /// all of it.
    private var replicaHash: ReplicaHash? {
        guard case .live = scene, !hasUntoldSnapshot else { return nil }
        var hash = ReplicaHash()
        hash.hash = streams.stateHash
        return hash
    }

    /// Tells a member the last snapshot, and the records since.
    private func start(_ member: Member) {
        let kept = journal.kept
        var records: [JSONValue] = []
        do throws(DocumentError) {
            for record in kept[(kept.lastIndex { $0.kind == .snapshot } ?? kept.endIndex)...] {
                records += try toldRecord(record)
            }
        } catch {
            // This process wrote or replayed them.
            assertionFailure("a kept record cannot be read: \(error)")
            records = []
        }
        guard !records.isEmpty else {
            feed.remove(member)
            report(.unsupported, "this scene cannot be followed", to: member)
            return
        }
        var head = Records()
        head.tick = tick
        head.isStart = true
        head.author = RecordFeed.name(of: member.admission.session)
        head.state = replicaHash
        send(Records.messages(head, records), to: [member])
        feed.didStart(member)
    }

    private func toldRecord(_ record: JournalRecord) throws(DocumentError) -> [JSONValue] {
        let value = try JournalPayload.value(record.payload)
        work.spendOnQuestion(JournalPayload.readingWork(of: value))
        switch record.kind {
        case .batch:
            let batch = try BatchPayload(value)
            guard batch.purpose.movesScene else { return [] }
            return [Self.record("batch", record.tick, batch.told)]
        case .snapshot:
            let members = ["tickRate", "snapshot", "layoutRules"].compactMap { name in
                value[name].map { JSONMember(name, $0) }
            }
            return [Self.record("snapshot", record.tick, .object(members))]
        }
    }

    private static func record(
        _ kind: String, _ tick: UInt64, _ payload: JSONValue? = nil
    ) -> JSONValue {
        var members = [
            JSONMember("kind", .string(kind)), JSONMember("tick", .number(Double(tick))),
        ]
        if let payload { members.append(JSONMember("payload", payload)) }
        return .object(members)
    }

    // MARK: What was written

    /// Notes a batch for members that follow.
    func noteForFollowers(_ batch: BatchPayload) {
        guard batch.purpose.movesScene else { return }
        feed.note(Self.record("batch", tick, batch.told))
    }

    /// Notes that the scene was rebuilt from a snapshot.
    ///
    /// - Parameter isAsBefore: Whether it is the scene of before, so that a replica rebuilds its
    ///   own.
    func noteRebuilding(isAsBefore: Bool) {
        if isAsBefore {
            feed.note(Self.record("rebuilt", tick))
        } else {
            feed.restart()
        }
    }
}

extension BatchPayload.Purpose {
    /// Whether a replica has to repeat it.
    fileprivate var movesScene: Bool {
        switch self {
        case .ops, .undo, .redo, .layOut: true
        case .dropUndo, .dropRedo, .annotate: false
        }
    }
}
