/// A renderer's copy of a scene: its views, their order, frames and content, kept up by the server's messages.
///
/// The messages of a tick come as tree, content, frame; the frame concludes the tick. An error leaves the mirror
/// fit for nothing but the next snapshot (`needsSnapshot`). A server can keep one too, as its receivers' baseline.
public struct SceneMirror: Sendable {
    private struct Entry: Sendable {
        var record: ViewRecord
        var children: [ViewNumber] = []
        /// The hash of everything but the frame.
        var hashPrefix: UInt64
        var hash: UInt64
    }

    private var entries: [Entry] = []
    /// The places in `entries` by view number; −1 for a number that no view has.
    private var places: [Int32] = []
    private var numbersByID: [String: ViewNumber] = [:]
    private var incoming: Snapshot?
    private let limits: Limits

    /// What the server's frames may cite.
    public private(set) var ring = SelectionRing()
    /// The epoch of the last snapshot.
    public private(set) var epoch: UInt64 = 0
    /// The tick of the state.
    public private(set) var tick: UInt64 = 0
    /// The sum of the views' hashes; see `ViewHash`.
    public private(set) var stateHash: UInt64 = 0
    /// Whether only a snapshot can be applied: at first, between chunks, and after an error.
    public private(set) var needsSnapshot = true

    /// Makes an empty mirror.
    public init(limits: Limits = .standard) {
        self.limits = limits
    }

    /// How many views there are, the root included.
    public var count: Int { entries.count }
    /// The root's number, if there is a state.
    public private(set) var root: ViewNumber?

    // MARK: Lookups

    private func place(_ number: ViewNumber) -> Int? {
        let index = Int(number.rawValue)
        guard index < places.count, places[index] >= 0 else { return nil }
        return Int(places[index])
    }

    /// The view of that number. Complexity: O(1).
    public func view(_ number: ViewNumber) -> ViewRecord? {
        place(number).map { entries[$0].record }
    }

    /// The view of that name. Complexity: O(1).
    public func view(id: String) -> ViewRecord? {
        numbersByID[id].flatMap { view($0) }
    }

    /// The number of a name. Complexity: O(1).
    public func number(id: String) -> ViewNumber? { numbersByID[id] }

    /// The subviews in their order, the last in front.
    public func subviews(of number: ViewNumber) -> [ViewNumber] {
        place(number).map { entries[$0].children } ?? []
    }

    /// All numbers, superviews before subviews, siblings in their order.
    public func preorder() -> [ViewNumber] {
        var result: [ViewNumber] = []
        result.reserveCapacity(entries.count)
        var stack = root.map { [$0] } ?? []
        while let number = stack.popLast() {
            result.append(number)
            guard let place = place(number) else { continue }
            stack.append(contentsOf: entries[place].children.reversed())
        }
        return result
    }

    /// All views in preorder, as a snapshot carries them.
    public var records: [ViewRecord] { preorder().compactMap { view($0) } }

    /// Where a view stands in the root's coordinates; scrolled containers count.
    ///
    /// - Complexity: O(depth).
    public func absoluteFrame(_ number: ViewNumber) -> AbsoluteFrame? {
        guard let record = view(number) else { return nil }
        let frame = record.frame
        var result = AbsoluteFrame(
            x: Int(frame.x), y: Int(frame.y), width: Int(frame.width), height: Int(frame.height))
        var parent = record.parent
        while let number = parent, let superview = view(number) {
            result.x += Int(superview.frame.x) - Int(superview.content.contentOffsetX)
            result.y += Int(superview.frame.y) - Int(superview.content.contentOffsetY)
            parent = superview.parent
        }
        return result
    }

    /// The state as snapshot messages, each of at most about `byteMaximum` bytes, one view at least.
    public func snapshots(byteMaximum: Int = 1 << 19) -> [Snapshot] {
        var chunks: [[ViewRecord]] = [[]]
        var bytes = 0
        for record in records {
            // An upper estimate: every number at its longest, every text on its own.
            let cost =
                96 + record.id.utf8.count
                + record.content.lines.reduce(0) { $0 + 25 + $1.text.utf8.count }
            if bytes + cost > byteMaximum, bytes > 0 {
                chunks.append([])
                bytes = 0
            }
            chunks[chunks.count - 1].append(record)
            bytes += cost
        }
        return chunks.enumerated().map { index, views in
            var snapshot = Snapshot()
            snapshot.epoch = epoch
            snapshot.tick = tick
            snapshot.chunkIndex = UInt32(truncatingIfNeeded: index)
            snapshot.chunkCount = UInt32(truncatingIfNeeded: chunks.count)
            snapshot.stateHash = stateHash
            snapshot.views = views
            return snapshot
        }
    }

    /// The remembered selections as messages, for a receiver that just got `snapshots`.
    public var selects: [Select] { Select.all(of: ring) }

    // MARK: Messages

    /// Applies a message that is about state; leaves the others alone.
    ///
    /// - Returns: Whether the message was about state.
    @discardableResult
    public mutating func apply(_ message: ServerMessage) throws(MirrorError) -> Bool {
        switch message {
        case .snapshot(let message): try apply(message)
        case .frame(let message): try apply(message)
        case .select(let message): try apply(message)
        case .tree(let message): try apply(message)
        case .content(let message): try apply(message)
        case .hash(let message): try check(message)
        case .welcome, .result, .error, .pong, .presence, .diagnostics: return false
        }
        return true
    }

    /// Takes in a snapshot or a chunk of one; the last chunk replaces the state and forgets all selections.
    public mutating func apply(_ snapshot: Snapshot) throws(MirrorError) {
        needsSnapshot = true
        let expected = incoming.map { $0.chunkIndex + 1 } ?? 0
        let isNext: Bool
        if snapshot.chunkIndex == 0 {
            incoming = snapshot
            isNext = true
        } else if let before = incoming {
            isNext =
                snapshot.chunkIndex == expected && snapshot.chunkCount == before.chunkCount
                && snapshot.epoch == before.epoch && snapshot.tick == before.tick
                && snapshot.stateHash == before.stateHash
            incoming?.chunkIndex = snapshot.chunkIndex
            incoming?.views.append(contentsOf: snapshot.views)
        } else {
            isNext = false
        }
        guard isNext, snapshot.chunkIndex < snapshot.chunkCount else {
            incoming = nil
            throw .unexpectedChunk(index: snapshot.chunkIndex, expected: expected)
        }
        guard let whole = incoming, whole.views.count <= limits.viewMaximum + 1 else {
            incoming = nil
            throw .tooManyViews(maximum: limits.viewMaximum + 1)
        }
        guard snapshot.chunkIndex == snapshot.chunkCount - 1 else { return }
        incoming = nil
        try replace(with: whole)
    }

    private mutating func replace(with snapshot: Snapshot) throws(MirrorError) {
        entries.removeAll(keepingCapacity: true)
        places.removeAll(keepingCapacity: true)
        numbersByID.removeAll(keepingCapacity: true)
        ring.clear()
        root = nil
        stateHash = 0
        epoch = snapshot.epoch
        tick = snapshot.tick
        for record in snapshot.views {
            try insert(record, index: nil)
        }
        guard root != nil else { throw .misplacedRoot }
        guard stateHash == snapshot.stateHash else {
            throw .hashMismatch(tick: tick, expected: snapshot.stateHash, actual: stateHash)
        }
        needsSnapshot = false
    }

    /// Remembers a selection.
    public mutating func apply(_ select: Select) throws(MirrorError) {
        guard !needsSnapshot else { throw .noSnapshot }
        guard select.selection.isWellFormed, Int(select.slot) < SelectionRing.slotCount else {
            needsSnapshot = true
            throw .malformedSelection
        }
        ring.store(select.selection, at: Int(select.slot))
    }

    /// Applies changed frames and moves on to the frame's tick.
    public mutating func apply(_ frame: Frame) throws(MirrorError) {
        guard !needsSnapshot else { throw .noSnapshot }
        needsSnapshot = true
        guard frame.baseTick == tick, frame.tick >= frame.baseTick else {
            throw .wrongBase(baseTick: frame.baseTick, mirrorTick: tick)
        }
        var budget = entries.count
        for group in frame.body.groups {
            let selection: Selection
            switch group.source {
            case .cited(let slot):
                guard let remembered = ring[Int(slot)],
                    remembered.mask.count == group.deltas.count
                else { throw .unknownSlot(slot) }
                selection = remembered
            case .new(let new, let stores):
                guard new.isWellFormed, new.mask.count == group.deltas.count else {
                    throw .malformedSelection
                }
                if stores { ring.store(new) }
                selection = new
            }
            budget -= selection.numbers.count
            guard budget >= 0 else { throw .tooManyChanges }
            let delta = FrameDelta(mask: selection.mask, deltas: group.deltas)
            for number in selection.numbers { try shift(ViewNumber(number), by: delta) }
        }
        guard frame.body.rows.count <= budget else { throw .tooManyChanges }
        for row in frame.body.rows {
            guard row.mask.count == row.deltas.count else { throw .malformedSelection }
            try shift(
                ViewNumber(row.number), by: FrameDelta(mask: row.mask, deltas: row.deltas))
        }
        tick = frame.tick
        needsSnapshot = false
    }

    private mutating func shift(
        _ number: ViewNumber, by delta: FrameDelta
    ) throws(MirrorError) {
        guard let place = place(number) else { throw .unknownView(number) }
        let frame = delta.applied(to: entries[place].record.frame)
        let hash = ViewHash.hash(prefix: entries[place].hashPrefix, frame: frame)
        stateHash = stateHash &- entries[place].hash &+ hash
        entries[place].record.frame = frame
        entries[place].hash = hash
    }

    /// Applies changes of the tree, in order.
    public mutating func apply(_ tree: Tree) throws(MirrorError) {
        try begin(tick: tree.tick)
        for change in tree.changes {
            switch change {
            case .add(let record, let index):
                guard entries.count <= limits.viewMaximum else {
                    throw .tooManyViews(maximum: limits.viewMaximum + 1)
                }
                try insert(record, index: index)
            case .remove(let number): try remove(number)
            case .move(let number, let parent, let index):
                try move(number, to: parent, index: index)
            }
        }
        needsSnapshot = false
    }

    /// Applies changes of what is drawn; the rectangles to be drawn anew are for the renderer alone.
    public mutating func apply(_ content: Content) throws(MirrorError) {
        try begin(tick: content.tick)
        for change in content.changes {
            guard let place = place(change.number) else { throw .unknownView(change.number) }
            entries[place].record.content = change.content
            rehash(place)
        }
        for invalidation in content.invalidations where place(invalidation.number) == nil {
            throw .unknownView(invalidation.number)
        }
        needsSnapshot = false
    }

    /// Compares a state hash; one for another tick says nothing and is passed over.
    public mutating func check(_ message: StateHash) throws(MirrorError) {
        guard !needsSnapshot else { throw .noSnapshot }
        guard message.tick == tick, message.hash != stateHash else { return }
        needsSnapshot = true
        throw .hashMismatch(tick: tick, expected: message.hash, actual: stateHash)
    }

    // MARK: The tree

    private mutating func begin(tick newTick: UInt64) throws(MirrorError) {
        guard !needsSnapshot else { throw .noSnapshot }
        needsSnapshot = true
        guard newTick >= tick else { throw .staleTick(tick: newTick, mirrorTick: tick) }
    }

    private mutating func insert(
        _ record: ViewRecord, index: UInt32?
    ) throws(MirrorError) {
        let number = record.number
        guard place(number) == nil, number.rawValue < UInt32(Limits.viewNumberMaximum) else {
            throw .duplicateNumber(number)
        }
        guard numbersByID[record.id] == nil else { throw .duplicateID(record.id) }
        var parentID = ""
        if let parent = record.parent {
            guard let place = place(parent) else { throw .unknownView(parent) }
            try insertChild(number, into: place, at: index)
            parentID = entries[place].record.id
        } else {
            guard root == nil else { throw .misplacedRoot }
            root = number
        }
        let prefix = ViewHash.prefix(id: record.id, parentID: parentID, content: record.content)
        let hash = ViewHash.hash(prefix: prefix, frame: record.frame)
        while places.count <= Int(number.rawValue) { places.append(-1) }
        places[Int(number.rawValue)] = Int32(truncatingIfNeeded: entries.count)
        entries.append(Entry(record: record, hashPrefix: prefix, hash: hash))
        numbersByID[record.id] = number
        stateHash = stateHash &+ hash
    }

    private mutating func insertChild(
        _ number: ViewNumber, into place: Int, at index: UInt32?
    ) throws(MirrorError) {
        let count = entries[place].children.count
        let position = index.map { Int($0) } ?? count
        guard position <= count else { throw .invalidIndex(UInt32(clamping: position)) }
        entries[place].children.insert(number, at: position)
    }

    private mutating func removeChild(_ number: ViewNumber, from parent: ViewNumber) {
        guard let place = place(parent) else { return }
        entries[place].children.removeAll { $0 == number }
    }

    private mutating func remove(_ number: ViewNumber) throws(MirrorError) {
        guard let first = place(number) else { throw .unknownView(number) }
        guard let parent = entries[first].record.parent else { throw .misplacedRoot }
        removeChild(number, from: parent)
        var stack = [number]
        while let number = stack.popLast() {
            guard let place = place(number) else { continue }
            let entry = entries[place]
            stack.append(contentsOf: entry.children)
            stateHash = stateHash &- entry.hash
            numbersByID[entry.record.id] = nil
            places[Int(number.rawValue)] = -1
            // The last entry takes the free place.
            let last = entries.removeLast()
            if place < entries.count {
                entries[place] = last
                places[Int(last.record.number.rawValue)] = Int32(truncatingIfNeeded: place)
            }
        }
    }

    private mutating func move(
        _ number: ViewNumber, to parent: ViewNumber, index: UInt32
    ) throws(MirrorError) {
        guard let moved = place(number) else { throw .unknownView(number) }
        guard let old = entries[moved].record.parent else { throw .misplacedRoot }
        guard let target = place(parent) else { throw .unknownView(parent) }
        var ancestor: ViewNumber? = parent
        while let current = ancestor {
            if current == number { throw .cycle(number) }
            ancestor = view(current)?.parent
        }
        removeChild(number, from: old)
        try insertChild(number, into: target, at: index)
        entries[moved].record.parent = parent
        rehash(moved)
    }

    private mutating func rehash(_ place: Int) {
        let record = entries[place].record
        let parentID = record.parent.flatMap { view($0)?.id } ?? ""
        let prefix = ViewHash.prefix(id: record.id, parentID: parentID, content: record.content)
        let hash = ViewHash.hash(prefix: prefix, frame: record.frame)
        stateHash = stateHash &- entries[place].hash &+ hash
        entries[place].hashPrefix = prefix
        entries[place].hash = hash
    }
}

extension Select {
    /// The selections that a ring remembers, in the order in which they must be sent.
    public static func all(of ring: SelectionRing) -> [Select] {
        ring.entries.map { entry in
            var select = Select()
            select.slot = UInt8(truncatingIfNeeded: entry.slot)
            select.selection = entry.selection
            return select
        }
    }
}
