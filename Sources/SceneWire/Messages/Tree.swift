import SceneDocument

/// A change of the view tree.
public enum TreeChange: Sendable, Equatable {
    /// A new view, at that place among its siblings.
    case add(ViewRecord, index: UInt32)
    /// A view and its subviews are gone; its number is not used again in this generation.
    case remove(ViewNumber)
    /// A view has another superview or place.
    case move(ViewNumber, parent: ViewNumber, index: UInt32)
}

extension TreeChange {
    fileprivate var added: ViewRecord? {
        if case .add(let record, _) = self { record } else { nil }
    }
}

/// Changes of the view tree, in order.
public struct Tree: Sendable, Equatable {
    /// The tick of the frame that concludes them.
    public var tick: UInt64 = 0
    /// The changes.
    public var changes: [TreeChange] = []

    /// Makes a message that changes nothing.
    public init() {}
}

extension Tree: WireValue {
    mutating func code<Coder: FieldCoder>(_ coder: inout Coder) throws(Coder.Failure) {
        try coder.u64("tick", &tick)
        var list = changes.map { TreeChangeFields(change: $0) }
        try coder.list("changes", &list, maximum: 4 * coder.limits.viewMaximum)
        changes = list.map { $0.change }
        var added = changes.compactMap { $0.added }
        var faces = TextFaces(of: added)
        try coder.extra(2, "faces", &faces)
        var looks = ViewLooks(of: added)
        try coder.extra(4, "looks", &looks)
        var symbols = looks?.symbols
        try coder.extra(6, "symbols", &symbols)
        looks?.take(symbols)
        var charts = looks?.charts
        try coder.extra(8, "charts", &charts)
        looks?.take(charts)
        guard faces != nil || looks != nil else { return }
        faces?.give(to: &added)
        looks?.give(to: &added)
        var records = added.makeIterator()
        for index in changes.indices {
            guard case .add(_, let place) = changes[index], let record = records.next() else {
                continue
            }
            changes[index] = .add(record, index: place)
        }
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
