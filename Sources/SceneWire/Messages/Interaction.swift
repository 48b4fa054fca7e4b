public import JSON
public import SceneDocument

/// What people can do with a view, and what is said of it to those who do not see it: all that a
/// renderer needs besides the view's frame and content to be an application's screen.
public struct Interaction: Sendable, Equatable {
    /// Which control it is.
    public var control = ControlKind.none
    /// The kinds of events that the program behind the scene handles, each once, in the order of
    /// `EventKind`.
    public var events: [EventKind] = []
    /// Whether people can use it; where it or a superview cannot be used, nothing is sent.
    public var isEnabled = true
    /// Whether the keyboard's focus stops here.
    public var isFocusable = false
    /// Whether it is selected, as a row or a tab.
    public var isSelected = false
    /// Whether `input` comes with each movement and keystroke, not only with the value that was
    /// decided on.
    public var isContinuous = false
    /// Whether each screen scrolls it by itself.
    public var scrollsEach = false
    /// What a screen reader calls it; empty where its text says it.
    public var label = ""
    /// What it is to a screen reader, by WAI-ARIA's name; empty where the control says it.
    public var role = ""
    /// What happens when it is used, for a screen reader.
    public var hint = ""
    /// A control's value: a flag, a number or a text; otherwise a text that a screen reader says;
    /// `null` for none.
    public var value = JSONValue.null
    /// The least value of a slider or progress.
    public var minimum = 0.0
    /// The greatest.
    public var maximum = 1.0
    /// How far apart a slider's values are; 0 for any.
    public var step = 0.0
    /// What an empty text field says.
    public var placeholder = ""
    /// The titles of a segmented control.
    public var segments: [String] = []

    /// Kinds of events that a view may ask for, those of later versions included.
    static let eventMaximum = 16
    /// Bytes of a role's name.
    static let roleByteMaximum = 32

    /// Makes a view that nothing can be done with.
    public init() {}

    /// Whether there is nothing to tell of it.
    public var isNone: Bool { self == Interaction() }
}

extension Interaction: WireValue {
    mutating func code<Coder: FieldCoder>(_ coder: inout Coder) throws(Coder.Failure) {
        let textMaximum = coder.limits.textBytesMaximum
        try coder.choice("control", &control)
        var names = events.map { $0.rawValue }
        try coder.texts("events", &names, maximum: Self.eventMaximum, textMaximum: 16)
        // Kinds of a later version are of no use to this one.
        events = names.compactMap(EventKind.init)
        try coder.bool("enabled", &isEnabled)
        try coder.bool("focusable", &isFocusable)
        try coder.bool("selected", &isSelected)
        try coder.bool("continuous", &isContinuous)
        try coder.bool("scrollsEach", &scrollsEach)
        try coder.text("label", &label, maximum: textMaximum)
        try coder.text("role", &role, maximum: Self.roleByteMaximum)
        try coder.text("hint", &hint, maximum: textMaximum)
        try coder.json("value", &value)
        try coder.f64("minimum", &minimum)
        try coder.f64("maximum", &maximum)
        try coder.f64("step", &step)
        try coder.text("placeholder", &placeholder, maximum: textMaximum)
        try coder.texts(
            "segments", &segments, maximum: InteractionProperties.segmentMaximum,
            textMaximum: textMaximum)
    }
}

/// How one view's interaction changed.
public struct InteractionChange: Sendable, Equatable {
    /// The view's name, which numbers given anew do not change.
    public var id = ""
    /// What can be done with it from now on; `nil` for nothing.
    public var interaction: Interaction?

    /// Makes a change of nothing.
    public init() {}
}

extension InteractionChange: WireValue {
    mutating func code<Coder: FieldCoder>(_ coder: inout Coder) throws(Coder.Failure) {
        try coder.text("id", &id, maximum: 64)
        try coder.optional("interaction", &interaction)
    }
}

/// What people can do with the scene's views: all of it after a snapshot, then what changes. No
/// part of the state that hashes cover.
public struct Interactions: Sendable, Equatable {
    /// Whether what was known before is forgotten.
    public var isWhole = false
    /// Views of which there is something new to tell.
    public var changes: [InteractionChange] = []

    /// Makes a message that changes nothing.
    public init() {}

    /// The messages that tell changes, none of them too long for a client.
    public static func messages(
        _ changes: [InteractionChange], whole: Bool
    ) -> [ServerMessage] {
        var messages: [Interactions] = [Interactions()]
        messages[0].isWhole = whole
        var bytes = 0
        for change in changes {
            let cost = change.byteEstimate
            if bytes > 0, bytes + cost > byteMaximum {
                messages.append(Interactions())
                bytes = 0
            }
            bytes += cost
            messages[messages.count - 1].changes.append(change)
        }
        return messages.map { .interactions($0) }
    }

    /// Bytes of a message, unless one view alone has more.
    private static let byteMaximum = 1 << 18
}

extension InteractionChange {
    /// About how many bytes it takes as a message.
    var byteEstimate: Int {
        guard let interaction else { return 80 }
        return 400 + interaction.label.utf8.count + interaction.hint.utf8.count
            + interaction.placeholder.utf8.count + interaction.value.text().utf8.count
            + interaction.segments.reduce(0) { $0 + $1.utf8.count + 4 }
    }
}

extension Interactions: WireValue {
    mutating func code<Coder: FieldCoder>(_ coder: inout Coder) throws(Coder.Failure) {
        try coder.bool("whole", &isWhole)
        try coder.list("changes", &changes, maximum: coder.limits.viewMaximum + 1)
    }
}
