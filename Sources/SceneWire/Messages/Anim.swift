public import LayoutValues

/// Animations that a member shows by itself: begun with one message instead of a frame each tick,
/// or cut short.
///
/// A start changes the mirror's frames at once to where they end, as a frame would. What is shown
/// differs until the animation is over: see `RunningAnimations`.
public struct Anim: Sendable, Equatable {
    /// One animation's beginning or end.
    public enum Change: Sendable, Equatable {
        /// A new animation; its number is free again when it has ended.
        case start(AnimationStart)
        /// The animation is cut short: what it moved is shown where it ends.
        case cancel(id: UInt32)
    }

    /// Changes of one message, and animations of a mirror at one time.
    public static let countMaximum = 4096

    /// The tick of the frame that concludes them.
    public var tick: UInt64 = 0
    /// The changes, in order.
    public var changes: [Change] = []

    /// Makes a message that changes nothing.
    public init() {}
}

extension Anim: WireValue {
    mutating func code<Coder: FieldCoder>(_ coder: inout Coder) throws(Coder.Failure) {
        try coder.u64("tick", &tick)
        var list = changes.map { AnimChangeFields(change: $0) }
        try coder.list("changes", &list, maximum: Self.countMaximum)
        changes = list.map { $0.change }
    }
}

/// Views that are on their way from where they are to where the body's deltas take them.
public struct AnimationStart: Sendable, Equatable {
    /// Names it for `cancel`.
    public var id: UInt32 = 0
    /// Ticks from the message's tick to the animation's first; before it the beginning is shown.
    public var delayTicks: UInt32 = 0
    /// Ticks that it takes; at least 1.
    public var durationTicks: UInt32 = 1
    /// How it runs.
    public var curve = AnimationCurve.linear
    /// How frames change in all; without absolute rows.
    public var body = FrameBody()

    /// Makes an animation of nothing.
    public init() {}
}

extension AnimationStart {
    fileprivate mutating func codeRest<Coder: FieldCoder>(
        _ coder: inout Coder
    ) throws(Coder.Failure) {
        try coder.u32("delayTicks", &delayTicks)
        try coder.u32("durationTicks", &durationTicks)
        if durationTicks == 0 { try coder.invalid("durationTicks", "at least 1") }
        try coder.choice("curve", &curve)
        try coder.body("body", &body)
        if !body.absoluteRows.isEmpty { try coder.invalid("body", "no absolute rows") }
    }
}

private enum AnimChangeKind: String, CaseIterable {
    case start, cancel
}

private struct AnimChangeFields: WireValue {
    var change = Anim.Change.cancel(id: 0)

    mutating func code<Coder: FieldCoder>(_ coder: inout Coder) throws(Coder.Failure) {
        var kind: AnimChangeKind
        var start = AnimationStart()
        switch change {
        case .start(let value): (kind, start) = (.start, value)
        case .cancel(let id):
            kind = .cancel
            start.id = id
        }
        try coder.choice("change", &kind)
        try coder.u32("id", &start.id)
        switch kind {
        case .start:
            try start.codeRest(&coder)
            change = .start(start)
        case .cancel: change = .cancel(id: start.id)
        }
    }
}
