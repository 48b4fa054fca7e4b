import SceneDocument

/// The new content of a view.
public struct ContentChange: Sendable, Equatable {
    /// The view.
    public var number = ViewNumber(0)
    /// What is drawn of it now.
    public var content = ViewContent()
    /// Whether the font of its lines is another one; if not, it keeps the one that it has.
    public var changesFace = false
    /// Whether its look is another one; if not, it keeps the one that it has.
    public var changesLook = false

    /// Makes a change of view 0.
    public init() {}
}

extension ContentChange: WireValue {
    mutating func code<Coder: FieldCoder>(_ coder: inout Coder) throws(Coder.Failure) {
        try coder.number("number", &number)
        try coder.value("content", &content)
    }
}

/// A rectangle that must be drawn anew though nothing in it changed.
public struct Invalidation: Sendable, Equatable {
    /// The view.
    public var number = ViewNumber(0)
    /// In the view's own coordinates.
    public var rect = QuantisedFrame.zero

    /// Makes an empty rectangle of view 0.
    public init() {}
}

extension Invalidation: WireValue {
    mutating func code<Coder: FieldCoder>(_ coder: inout Coder) throws(Coder.Failure) {
        try coder.number("number", &number)
        try rect.code(&coder)
    }
}

/// Changes of what is drawn.
public struct Content: Sendable, Equatable {
    /// The tick of the frame that concludes them.
    public var tick: UInt64 = 0
    /// The changes.
    public var changes: [ContentChange] = []
    /// What must be drawn anew.
    public var invalidations: [Invalidation] = []

    /// Makes a message that changes nothing.
    public init() {}
}

extension Content: WireValue {
    mutating func code<Coder: FieldCoder>(_ coder: inout Coder) throws(Coder.Failure) {
        try coder.u64("tick", &tick)
        try coder.list("changes", &changes, maximum: coder.limits.viewMaximum + 1)
        try coder.list("invalidations", &invalidations, maximum: 4 * coder.limits.viewMaximum)
        let given = changes.filter { $0.changesFace }.map {
            (number: $0.number, face: $0.content.face)
        }
        var faces = given.isEmpty ? nil : TextFaces(given)
        try coder.extra(2, "faces", &faces)
        let seen = changes.filter { $0.changesLook }.map {
            (number: $0.number, look: $0.content.look)
        }
        var looks = seen.isEmpty ? nil : ViewLooks(seen)
        try coder.extra(4, "looks", &looks)
        var symbols = looks?.symbols
        try coder.extra(6, "symbols", &symbols)
        looks?.take(symbols)
        var charts = looks?.charts
        try coder.extra(8, "charts", &charts)
        looks?.take(charts)
        if given.isEmpty, let faces { take(faces) }
        if seen.isEmpty, let looks { take(looks) }
    }

    private mutating func take(_ faces: TextFaces) {
        let byNumber = faces.byNumber
        for index in changes.indices {
            guard let face = byNumber[changes[index].number] else { continue }
            changes[index].changesFace = true
            changes[index].content.face = face
        }
    }

    private mutating func take(_ looks: ViewLooks) {
        let byNumber = looks.byNumber
        for index in changes.indices {
            guard let look = byNumber[changes[index].number] else { continue }
            changes[index].changesLook = true
            changes[index].content.look = look
        }
    }
}
