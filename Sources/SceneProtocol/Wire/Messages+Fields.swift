// The fields of each message in their order on the wire; see the tables in protocol/SPEC.md.

import ConstraintLanguage

private let nameBytesMaximum = 256
private let tokenBytesMaximum = 4096

extension Resume: WireValue {
    mutating func code<Coder: FieldCoder>(_ coder: inout Coder) throws(Coder.Failure) {
        try coder.text("session", &session, maximum: nameBytesMaximum)
        try coder.text("token", &token, maximum: tokenBytesMaximum)
        try coder.u64("epoch", &epoch)
        try coder.u64("lastTick", &lastTick)
    }
}

extension Hello: WireValue {
    /// Bytes of the name of a view, for files that do not read the grammar of names.
    static var idBytesMaximum: Int { Identifier.byteMaximum }

    mutating func code<Coder: FieldCoder>(_ coder: inout Coder) throws(Coder.Failure) {
        try coder.u64("capabilities", &capabilities)
        try coder.text("token", &token, maximum: tokenBytesMaximum)
        try coder.text("room", &room, maximum: nameBytesMaximum)
        try coder.choice("role", &role)
        try coder.optional("resume", &resume)
        try coder.f64("unitsPerPoint", &unitsPerPoint)
        try coder.texts("roots", &roots, maximum: 64, textMaximum: Identifier.byteMaximum)
        try coder.u32("frameRateMaximum", &frameRateMaximum)
    }
}

extension GrantedLimits: WireValue {
    mutating func code<Coder: FieldCoder>(_ coder: inout Coder) throws(Coder.Failure) {
        try coder.u32("messageBytes", &messageBytes)
        try coder.u32("views", &views)
        try coder.u32("constraints", &constraints)
        try coder.u32("ops", &ops)
        try coder.u32("messagesPerSecond", &messagesPerSecond)
        try coder.u32("depth", &depth)
        try coder.u32("textBytes", &textBytes)
        try coder.u32("inflatedBytes", &inflatedBytes)
        try coder.u32("unacknowledgedFrames", &unacknowledgedFrames)
    }
}

extension Size {
    mutating func code<Coder: FieldCoder>(
        _ name: String, _ coder: inout Coder
    ) throws(Coder.Failure) {
        var values = [width, height]
        try coder.doubles(name, &values)
        self = Size(width: values[0], height: values[1])
    }
}

extension Welcome: WireValue {
    mutating func code<Coder: FieldCoder>(_ coder: inout Coder) throws(Coder.Failure) {
        try coder.text("session", &session, maximum: nameBytesMaximum)
        try coder.text("resumeToken", &resumeToken, maximum: tokenBytesMaximum)
        try coder.u64("epoch", &epoch)
        try coder.u32("version", &version)
        try coder.u64("capabilities", &capabilities)
        try coder.u32("tickRate", &tickRate)
        try coder.u64("tick", &tick)
        try coder.u64("monotonicMilliseconds", &monotonicMilliseconds)
        try coder.f64("unitsPerPoint", &unitsPerPoint)
        try viewport.code("viewport", &coder)
        try coder.f64("scale", &scale)
        try cell.code("cell", &coder)
        try coder.value("limits", &limits)
        try coder.choice("role", &role)
    }
}

extension Snapshot: WireValue {
    mutating func code<Coder: FieldCoder>(_ coder: inout Coder) throws(Coder.Failure) {
        try coder.u64("epoch", &epoch)
        try coder.u64("tick", &tick)
        try coder.u32("chunkIndex", &chunkIndex)
        try coder.u32("chunkCount", &chunkCount)
        if chunkCount > UInt32(Limits.chunkMaximum) {
            try coder.invalid("chunkCount", "at most \(Limits.chunkMaximum)")
        }
        if chunkIndex >= chunkCount { try coder.invalid("chunkIndex", "less than chunkCount") }
        try coder.bool("deflated", &isDeflated)
        try coder.fixed64("stateHash", &stateHash)
        try coder.records("views", &views, deflated: isDeflated)
    }
}

extension Frame: WireValue {
    mutating func code<Coder: FieldCoder>(_ coder: inout Coder) throws(Coder.Failure) {
        var distances = FrameBodyCodec.Distances(base: baseDistance, durable: durableDistance)
        try coder.u8("tick", &tickLow)
        try coder.frameBody(&body, &distances)
        baseDistance = distances.base
        durableDistance = distances.durable
    }
}

extension Select: WireValue {
    mutating func code<Coder: FieldCoder>(_ coder: inout Coder) throws(Coder.Failure) {
        try coder.u8("slot", &slot)
        if slot >= SelectionRing.slotCount { try coder.invalid("slot", "0...63") }
        try coder.selection("selection", &selection)
        var values = (0..<selection.mask.count).map { deltas[$0] }
        try coder.integers("deltas", &values)
        deltas = FieldDeltas(values)
    }
}

private enum TreeChangeKind: String, CaseIterable {
    case add, remove, move
}

/// A change with room for every kind's fields.
private struct TreeChangeFields: WireValue {
    var change = TreeChange.remove(ViewNumber(0))

    mutating func code<Coder: FieldCoder>(_ coder: inout Coder) throws(Coder.Failure) {
        var kind: TreeChangeKind
        var record = ViewRecord()
        var number = ViewNumber(0)
        var parent = ViewNumber(0)
        var index: UInt32 = 0
        switch change {
        case .add(let added, let place): (kind, record, index) = (.add, added, place)
        case .remove(let removed): (kind, number) = (.remove, removed)
        case .move(let moved, let superview, let place):
            (kind, number, parent, index) = (.move, moved, superview, place)
        }
        try coder.choice("change", &kind)
        switch kind {
        case .add:
            try record.code(&coder)
            try coder.u32("index", &index)
            change = .add(record, index: index)
        case .remove:
            try coder.number("number", &number)
            change = .remove(number)
        case .move:
            try coder.number("number", &number)
            try coder.number("parent", &parent)
            try coder.u32("index", &index)
            change = .move(number, parent: parent, index: index)
        }
    }
}

extension Tree: WireValue {
    mutating func code<Coder: FieldCoder>(_ coder: inout Coder) throws(Coder.Failure) {
        try coder.u64("tick", &tick)
        var list = changes.map { TreeChangeFields(change: $0) }
        try coder.list("changes", &list, maximum: 4 * coder.limits.viewMaximum)
        changes = list.map(\.change)
    }
}

extension ContentChange: WireValue {
    mutating func code<Coder: FieldCoder>(_ coder: inout Coder) throws(Coder.Failure) {
        try coder.number("number", &number)
        try coder.value("content", &content)
    }
}

extension Invalidation: WireValue {
    mutating func code<Coder: FieldCoder>(_ coder: inout Coder) throws(Coder.Failure) {
        try coder.number("number", &number)
        try rect.code(&coder)
    }
}

extension Content: WireValue {
    mutating func code<Coder: FieldCoder>(_ coder: inout Coder) throws(Coder.Failure) {
        try coder.u64("tick", &tick)
        try coder.list("changes", &changes, maximum: coder.limits.viewMaximum + 1)
        try coder.list("invalidations", &invalidations, maximum: 4 * coder.limits.viewMaximum)
    }
}

extension StateHash: WireValue {
    mutating func code<Coder: FieldCoder>(_ coder: inout Coder) throws(Coder.Failure) {
        try coder.u64("tick", &tick)
        try coder.fixed64("hash", &hash)
    }
}

extension Ack: WireValue {
    mutating func code<Coder: FieldCoder>(_ coder: inout Coder) throws(Coder.Failure) {
        try coder.u64("tick", &tick)
        try coder.u32("lagMilliseconds", &lagMilliseconds)
    }
}

extension Ops: WireValue {
    mutating func code<Coder: FieldCoder>(_ coder: inout Coder) throws(Coder.Failure) {
        try coder.u64("clientSequence", &clientSequence)
        try coder.u64("baseTick", &baseTick)
        try coder.u32("undoGroup", &undoGroup)
        try coder.bool("atomic", &isAtomic)
        try coder.json("ops", &ops)
    }
}

extension Resync: WireValue {
    mutating func code<Coder: FieldCoder>(_ coder: inout Coder) throws(Coder.Failure) {
        try coder.u64("tick", &tick)
        try coder.fixed64("hash", &hash)
    }
}

extension Ping: WireValue {
    mutating func code<Coder: FieldCoder>(_ coder: inout Coder) throws(Coder.Failure) {
        try coder.u64("t0", &t0)
    }
}

extension Pong: WireValue {
    mutating func code<Coder: FieldCoder>(_ coder: inout Coder) throws(Coder.Failure) {
        try coder.u64("t0", &t0)
        try coder.u64("t1", &t1)
        try coder.u64("t2", &t2)
    }
}

extension Point: WireValue {
    init() { self.init(x: 0, y: 0) }

    mutating func code<Coder: FieldCoder>(_ coder: inout Coder) throws(Coder.Failure) {
        var values = [x, y]
        try coder.doubles("point", &values)
        self = Point(x: values[0], y: values[1])
    }
}

extension Presence: WireValue {
    mutating func code<Coder: FieldCoder>(_ coder: inout Coder) throws(Coder.Failure) {
        try coder.u32("client", &client)
        try coder.u32("clock", &clock)
        try coder.bool("gone", &isGone)
        try coder.text("name", &name, maximum: nameBytesMaximum)
        try coder.color("color", &color)
        try coder.optional("cursor", &cursor)
        try coder.texts("selection", &selection, maximum: 1024, textMaximum: Identifier.byteMaximum)
    }
}

extension NamedRect: WireValue {
    init() { self.init(id: "", rect: Rect(x: 0, y: 0, width: 0, height: 0)) }

    mutating func code<Coder: FieldCoder>(_ coder: inout Coder) throws(Coder.Failure) {
        try coder.text("id", &id, maximum: Identifier.byteMaximum)
        var values = [rect.minX, rect.minY, rect.width, rect.height]
        try coder.doubles("frame", &values)
        rect = Rect(x: values[0], y: values[1], width: values[2], height: values[3])
    }
}

extension Refusal: WireValue {
    init() { self.init(code: .badOp, message: "") }

    mutating func code<Coder: FieldCoder>(_ coder: inout Coder) throws(Coder.Failure) {
        // As text: a table of numbers would have to be kept, and refusals are rare.
        var name = code.rawValue
        try coder.text("code", &name, maximum: 64)
        code = RefusalCode(rawValue: name) ?? .other
        try coder.text("message", &message, maximum: coder.limits.textBytesMaximum)
        var index = UInt32(clamping: opIndex)
        try coder.u32("opIndex", &index)
        opIndex = Int(index)
        try coder.texts(
            "conflicting", &conflicting, maximum: coder.limits.constraintMaximum, textMaximum: 256)
    }
}

extension Commit: WireValue {
    mutating func code<Coder: FieldCoder>(_ coder: inout Coder) throws(Coder.Failure) {
        try coder.list("frames", &frames, maximum: coder.limits.viewMaximum + 1)
        try coder.texts(
            "removedConstraints", &removedConstraints, maximum: coder.limits.constraintMaximum,
            textMaximum: 256)
        try coder.list("refusals", &refusals, maximum: coder.limits.opMaximum)
    }
}

private enum OutcomeKind: String, CaseIterable {
    case committed, refused
}

extension OpsResult: WireValue {
    mutating func code<Coder: FieldCoder>(_ coder: inout Coder) throws(Coder.Failure) {
        try coder.u64("clientSequence", &clientSequence)
        try coder.u64("tick", &tick)
        var kind: OutcomeKind
        var commit = Commit()
        var refusal = Refusal()
        switch outcome {
        case .committed(let value): (kind, commit) = (.committed, value)
        case .refused(let value): (kind, refusal) = (.refused, value)
        }
        try coder.choice("outcome", &kind)
        switch kind {
        case .committed:
            try commit.code(&coder)
            outcome = .committed(commit)
        case .refused:
            try refusal.code(&coder)
            outcome = .refused(refusal)
        }
    }
}

extension ErrorMessage: WireValue {
    mutating func code<Coder: FieldCoder>(_ coder: inout Coder) throws(Coder.Failure) {
        try coder.u32("code", &code)
        try coder.bool("retryable", &isRetryable)
        try coder.u32("retryAfterMilliseconds", &retryAfterMilliseconds)
        try coder.text("text", &text, maximum: coder.limits.textBytesMaximum)
    }
}

extension Diagnostics: WireValue {
    mutating func code<Coder: FieldCoder>(_ coder: inout Coder) throws(Coder.Failure) {
        try coder.u64("tick", &tick)
        try coder.texts(
            "ambiguous", &ambiguous, maximum: coder.limits.viewMaximum,
            textMaximum: Identifier.byteMaximum)
        try coder.texts(
            "broken", &broken, maximum: coder.limits.constraintMaximum, textMaximum: 256)
        try coder.texts(
            "feedbackLoop", &feedbackLoop, maximum: coder.limits.viewMaximum,
            textMaximum: Identifier.byteMaximum)
    }
}
