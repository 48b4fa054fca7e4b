import SceneDocument

/// The free space around a scroll view's content, in units: how far it can be scrolled beyond its
/// edges.
public struct ContentInset: Hashable, Sendable {
    /// Above the content.
    public var top: Int32
    /// To its left, whatever the direction.
    public var left: Int32
    /// Below it.
    public var bottom: Int32
    /// To its right.
    public var right: Int32

    /// No space.
    public static let zero = ContentInset(top: 0, left: 0, bottom: 0, right: 0)

    /// Makes an inset.
    public init(top: Int32, left: Int32, bottom: Int32, right: Int32) {
        (self.top, self.left, self.bottom, self.right) = (top, left, bottom, right)
    }
}

/// The inset of one scroll view from now on.
public struct InsetChange: Sendable, Equatable {
    /// The view's name, which a new numbering does not change.
    public var id = ""
    /// Its inset; zero also if the view was removed.
    public var inset = ContentInset.zero

    /// Makes a change of nothing.
    public init() {}

    /// Makes a change.
    public init(id: String, inset: ContentInset) {
        self.id = id
        self.inset = inset
    }
}

extension InsetChange: WireValue {
    mutating func code<Coder: FieldCoder>(_ coder: inout Coder) throws(Coder.Failure) {
        try coder.text("id", &id, maximum: 64)
        var edges: InlineArray = [inset.top, inset.left, inset.bottom, inset.right]
        try coder.integers("inset", &edges)
        inset = ContentInset(top: edges[0], left: edges[1], bottom: edges[2], right: edges[3])
    }
}

/// The adjusted content insets of scroll views: all of them after a state, then changes. Not part
/// of the state that hashes cover.
public struct Insets: Sendable, Equatable {
    /// Whether what was known before is forgotten.
    public var isWhole = false
    /// The scroll views whose insets are told.
    public var changes: [InsetChange] = []

    /// Makes a message that changes nothing.
    public init() {}

    /// The messages that tell changes, none of them longer than 400 kB; none for no change unless
    /// what is known is to be forgotten.
    public static func messages(_ changes: [InsetChange], whole: Bool) -> [ServerMessage] {
        guard whole || !changes.isEmpty else { return [] }
        return stride(from: 0, to: max(changes.count, 1), by: changeMaximum).map { start in
            var message = Insets()
            message.isWhole = whole && start == 0
            message.changes = Array(changes.dropFirst(start).prefix(changeMaximum))
            return .insets(message)
        }
    }

    private static let changeMaximum = 4096
}

extension Insets: WireValue {
    mutating func code<Coder: FieldCoder>(_ coder: inout Coder) throws(Coder.Failure) {
        try coder.bool("whole", &isWhole)
        try coder.list("changes", &changes, maximum: coder.limits.viewMaximum + 1)
    }
}
