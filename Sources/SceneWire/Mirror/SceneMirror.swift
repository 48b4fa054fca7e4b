import LayoutValues
public import SceneDocument

/// A renderer's copy of a scene: its views, their order, frames and content, kept up by the
/// server's messages.
///
/// The messages of a tick come as tree, content, frame; the frame concludes the tick. An error
/// leaves the mirror fit for nothing but the next snapshot (`needsSnapshot`). A server keeps one
/// too, as its receivers' baseline.
public struct SceneMirror: Sendable {
    /// What a frame message leaves as it is.
    struct Entry: Sendable {
        var number: ViewNumber
        var id: String
        var parent: ViewNumber?
        var content: ViewContent
        var children: [ViewNumber] = []
    }

    /// What a frame message changes, apart from the rest: handing a mirror on at every tick copies
    /// these few bytes a view, without counting a reference.
    struct Placement: Sendable {
        var frame: QuantisedFrame
        /// The hash of everything but the frame.
        var hashPrefix: UInt64
        var hash: UInt64
    }

    /// The views in no order; a change of it needs a new `contentStamp`.
    var entries: [Entry] = [] {
        didSet { contentStamp = ContentStamp.next() }
    }
    /// Where they are, in the same order.
    var placements: [Placement] = []
    /// The places in `entries` by view number; −1 for a number that no view has.
    var places: [Int32] = []
    var numbersByID: [String: ViewNumber] = [:]
    private var incoming: Snapshot?
    let limits: Limits

    /// What the server's frames may cite.
    public internal(set) var ring = SelectionRing()
    /// What moves by itself; see `shownFrame`.
    public internal(set) var animations = RunningAnimations()
    /// How far scroll views can be scrolled beyond their content. SPEC.md, AREA-17.
    public private(set) var insets = InsetTable()
    /// The epoch of the state: the last snapshot's, or that of a later connection whose frames went
    /// on from the state.
    public private(set) var epoch: UInt64 = 0
    /// The epoch of a connection of which no frame has come yet; until one does, the state is still
    /// an earlier epoch's.
    private var announcedEpoch: UInt64?
    /// The tick of the state.
    public internal(set) var tick: UInt64 = 0
    /// The sum of the views' hashes; see `ViewHash`.
    public internal(set) var stateHash: UInt64 = 0
    /// Whether only a snapshot can be applied: at first, between chunks, and after an error.
    public internal(set) var needsSnapshot = true
    /// Whether messages of a tick have come whose frame has not: no tick names this state, so it
    /// cannot be gone on with after a cut. SPEC.md, MSG-1 and CONN-32.
    public private(set) var isWithinTick = false

    /// Names the views' tree and content, and nothing else: mirrors of one process with the same
    /// stamp differ in nothing but frames, animations and ticks.
    public private(set) var contentStamp: UInt64 = 0

    /// Makes an empty mirror.
    public init(limits: Limits = .standard) {
        self.limits = limits
    }

    /// How many views there are, the root included.
    public var count: Int { entries.count }
    /// The root's number, if there is a state.
    public internal(set) var root: ViewNumber?

    // MARK: Lookups

    func place(_ number: ViewNumber) -> Int? {
        let index = Int(number.rawValue)
        guard index < places.count, places[index] >= 0 else { return nil }
        return Int(places[index])
    }

    /// The view of that number. Complexity: O(1).
    public func view(_ number: ViewNumber) -> ViewRecord? {
        place(number).map { record(at: $0) }
    }

    func record(at place: Int) -> ViewRecord {
        let entry = entries[place]
        return ViewRecord(
            number: entry.number, id: entry.id, parent: entry.parent,
            frame: placements[place].frame, content: entry.content)
    }

    /// Where the view of that number ends up in its superview. Complexity: O(1).
    public func frame(_ number: ViewNumber) -> QuantisedFrame? {
        place(number).map { placements[$0].frame }
    }

    /// What is drawn of the view of that number. Complexity: O(1).
    public func content(_ number: ViewNumber) -> ViewContent? {
        place(number).map { entries[$0].content }
    }

    /// Whether there is a view of that number. Complexity: O(1).
    public func contains(_ number: ViewNumber) -> Bool { place(number) != nil }

    /// The state hash that a mirror of these views would have; superviews come before their
    /// subviews.
    ///
    /// - Complexity: O(views and their contents).
    public static func stateHash(of records: [ViewRecord]) -> UInt64 {
        var ids: [ViewNumber: String] = [:]
        var sum: UInt64 = 0
        for record in records {
            ids[record.number] = record.id
            let prefix = ViewHash.prefix(
                id: record.id, parentID: record.parent.flatMap { ids[$0] } ?? "",
                content: record.content)
            sum &+= ViewHash.hash(prefix: prefix, frame: record.frame)
        }
        return sum
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
            let (frame, content) = (superview.frame, superview.content)
            result.x = result.x.saturatingAdd(Int(frame.x))
                .saturatingSubtract(Int(content.contentOffsetX))
            result.y = result.y.saturatingAdd(Int(frame.y))
                .saturatingSubtract(Int(content.contentOffsetY))
            parent = superview.parent
        }
        return result
    }

    /// Prepares the mirror for the messages of a new connection: empties the ring, forgets insets,
    /// and takes the first frame that fits to lead into the connection's epoch. A snapshot names
    /// its epoch itself. SPEC.md, CONN-22 and CONN-30.
    ///
    /// - Parameter epoch: The epoch that `welcome` named. A connection that ends before any state
    ///   comes leaves the mirror in the epoch it had; to name the new one when coming back would
    ///   claim a state that the mirror never was given.
    public mutating func continueInConnection(ofEpoch epoch: UInt64) {
        ring.clear()
        insets = InsetTable()
        announcedEpoch = epoch
    }

    /// Sets the epoch of the state. Only for a mirror whose state has not been sent to any client
    /// yet.
    public mutating func enter(epoch: UInt64) { self.epoch = epoch }

    // MARK: Ticks

    /// Begins a message of a tick other than its frame; it ends by setting `needsSnapshot` to
    /// false.
    ///
    /// - Throws: `MirrorError.noSnapshot`, or `staleTick` for a tick before that of the state.
    mutating func begin(tick newTick: UInt64) throws(MirrorError) {
        guard !needsSnapshot else { throw .noSnapshot }
        needsSnapshot = true
        guard newTick >= tick else { throw .staleTick(tick: newTick, mirrorTick: tick) }
        isWithinTick = true
    }

    /// The frame of a tick has been applied, and with it the tick's last message.
    mutating func end(tick newTick: UInt64) {
        tick = newTick
        if let announced = announcedEpoch {
            epoch = announced
            announcedEpoch = nil
        }
        animations.advance(to: tick)
        isWithinTick = false
        needsSnapshot = false
    }

    // MARK: Messages

    /// Applies a message that is about state; leaves the others alone.
    ///
    /// - Returns: Whether the message was about state.
    /// - Throws: `MirrorError` for a message that does not fit; the mirror waits for a snapshot
    ///   then.
    @discardableResult
    public mutating func apply(_ message: ServerMessage) throws(MirrorError) -> Bool {
        switch message {
        case .snapshot(let message): try apply(message)
        case .frame(let message): try apply(message)
        case .select(let message): try apply(message)
        case .tree(let message): try apply(message)
        case .content(let message): try apply(message)
        case .hash(let message): try check(message)
        case .anim(let message): try apply(message)
        case .keyframe(let message): try apply(message)
        case .insets(let message): insets.apply(message)
        case .welcome, .result, .error, .pong, .presence, .diagnostics, .trace, .inspection,
            .device, .interactions, .annotations, .records, .event, .eventResults:
            return false
        }
        return true
    }

    /// Whether some chunks of a snapshot have come, and not all.
    public var isLoading: Bool { incoming != nil }

    /// Takes in a snapshot or a chunk of one; the last chunk replaces the state and forgets all
    /// selections.
    ///
    /// - Throws: `MirrorError` for a chunk that does not follow, or views that are no tree; the
    ///   mirror waits for a snapshot then.
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
        placements.removeAll(keepingCapacity: true)
        places.removeAll(keepingCapacity: true)
        numbersByID.removeAll(keepingCapacity: true)
        ring.clear()
        animations.removeAll()
        insets = InsetTable()
        root = nil
        stateHash = 0
        epoch = snapshot.epoch
        announcedEpoch = nil
        tick = snapshot.tick
        isWithinTick = false
        entries.reserveCapacity(snapshot.views.count)
        placements.reserveCapacity(snapshot.views.count)
        places.reserveCapacity(snapshot.views.count)
        numbersByID.reserveCapacity(snapshot.views.count)
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
    ///
    /// - Throws: `MirrorError` for a selection that breaks its rules; the mirror waits for a
    ///   snapshot then.
    public mutating func apply(_ select: Select) throws(MirrorError) {
        guard !needsSnapshot else { throw .noSnapshot }
        guard select.selection.isWellFormed, Int(select.slot) < SelectionRing.slotCount,
            select.deltas.count == select.selection.mask.count
        else {
            needsSnapshot = true
            throw .malformedSelection
        }
        ring.store(select.selection, deltas: select.deltas, at: Int(select.slot))
    }

    /// Compares a state hash; one for another tick says nothing and is passed over.
    ///
    /// - Throws: `MirrorError.hashMismatch` where the states differ; the mirror waits for a
    ///   snapshot then.
    public mutating func check(_ message: StateHash) throws(MirrorError) {
        guard !needsSnapshot else { throw .noSnapshot }
        guard message.tick == tick, message.hash != stateHash else { return }
        needsSnapshot = true
        throw .hashMismatch(tick: tick, expected: message.hash, actual: stateHash)
    }
}
