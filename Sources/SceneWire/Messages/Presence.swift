import ConstraintLanguage
public import SceneDocument

extension Point: WireValue {
    init() { self.init(x: 0, y: 0) }

    mutating func code<Coder: FieldCoder>(_ coder: inout Coder) throws(Coder.Failure) {
        var values = [x, y]
        try coder.doubles("point", &values)
        self = Point(x: values[0], y: values[1])
    }
}

/// Where a member is. Expires after 30 seconds.
public struct Presence: Sendable, Equatable {
    /// The member; 0 when a client speaks of itself.
    public var client: UInt32 = 0
    /// Counts up; an older one is ignored.
    public var clock: UInt32 = 0
    /// The member has left.
    public var isGone = false
    /// What people call them.
    public var name = ""
    /// Their colour.
    public var color: Color?
    /// Their pointer in root coordinates of the device that they watch on, in points.
    public var cursor: Point?
    /// Their pointer as a place in a view, which means the same on every device.
    public var place: PresencePlace?
    /// The views they selected.
    public var selection: [String] = []
    /// The member's device and attention; `nil` means the default.
    public var awareness: PresenceAwareness?

    /// Makes an empty presence.
    public init() {}
}

extension Presence: WireValue {
    mutating func code<Coder: FieldCoder>(_ coder: inout Coder) throws(Coder.Failure) {
        try coder.u32("client", &client)
        try coder.u32("clock", &clock)
        try coder.bool("gone", &isGone)
        try coder.text("name", &name, maximum: FieldLimits.nameBytes)
        try coder.color("color", &color)
        try coder.optional("cursor", &cursor)
        try coder.texts("selection", &selection, maximum: 1024, textMaximum: Identifier.byteMaximum)
        try coder.extra(2, "place", &place)
        try coder.extra(4, "awareness", &awareness)
    }
}

/// A place in a view: on every device the pointer stands on the same button.
public struct PresencePlace: Sendable, Hashable {
    /// The view's name.
    public var view = ""
    /// How far from its left and from its top edge, in shares of its width and height: 0…1. What is
    /// beyond counts as the nearer end.
    public var fraction = Point(x: 0, y: 0)

    /// Makes a place.
    public init(view: String, fraction: Point) {
        self.view = view
        self.fraction = fraction
    }
}

extension PresencePlace: WireValue {
    init() { self.init(view: "", fraction: Point(x: 0, y: 0)) }

    mutating func code<Coder: FieldCoder>(_ coder: inout Coder) throws(Coder.Failure) {
        try coder.text("view", &view, maximum: Identifier.byteMaximum)
        var values = [fraction.x, fraction.y]
        try coder.doubles("fraction", &values)
        fraction = Point(x: values[0], y: values[1])
    }
}
