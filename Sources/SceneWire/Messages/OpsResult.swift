import ConstraintLanguage
public import SceneDocument

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
        opIndex = Int(clamping: index)
        try coder.texts(
            "conflicting", &conflicting, maximum: coder.limits.constraintMaximum, textMaximum: 256)
    }
}

/// What became of committed ops.
public struct Commit: Sendable, Equatable {
    /// The frames that changed where `layoutIfNeeded` stood, in points.
    public var frames: [NamedRect] = []
    /// Constraints that a `moveView` removed.
    public var removedConstraints: [String] = []
    /// The ops of a message that is not atomic which were refused alone.
    public var refusals: [Refusal] = []

    /// Makes a commit that changed nothing.
    public init() {}
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

/// The answer to `ops`.
public struct OpsResult: Sendable, Equatable {
    /// What became of the message.
    public enum Outcome: Sendable, Equatable {
        /// It is in the scene and on disk.
        case committed(Commit)
        /// Nothing of it is in the scene.
        case refused(Refusal)
    }

    /// As in `ops`.
    public var clientSequence: UInt64 = 0
    /// The tick that took it in.
    public var tick: UInt64 = 0
    /// What became of it.
    public var outcome = Outcome.committed(Commit())
    /// Units of work that it took, its part in the tick's layout included; `nil` from a server that
    /// does not count.
    public var work: UInt64?
    /// Devices on which it is committed but does not hold; nil for none.
    public var devices: DeviceList?

    /// Makes a result.
    public init() {}
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
        try coder.extra(2, "work", &work)
        try coder.extra(6, "devices", &devices)
    }
}

private enum OutcomeKind: String, CaseIterable {
    case committed, refused
}
