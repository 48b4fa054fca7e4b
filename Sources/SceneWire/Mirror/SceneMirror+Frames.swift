extension SceneMirror {
    /// Applies changed frames and moves on to the frame's tick.
    ///
    /// - Throws: `MirrorError` for a frame that builds on another tick, or names what is not there;
    ///   the mirror waits for a snapshot then.
    public mutating func apply(_ frame: FrameDiff) throws(MirrorError) {
        guard !needsSnapshot else { throw .noSnapshot }
        needsSnapshot = true
        guard let next = frame.tick(after: tick) else {
            throw .wrongBase(tick: UInt64(frame.tickLow), mirrorTick: tick)
        }
        try apply(frame.body) { _, _ in }
        end(tick: next)
    }

    /// Begins and ends animations; a started one changes the frames at once to where it ends.
    ///
    /// - Throws: `MirrorError` for a view that is not there, or too many animations; the mirror
    ///   waits for a snapshot then.
    public mutating func apply(_ anim: Anim) throws(MirrorError) {
        try begin(tick: anim.tick)
        for change in anim.changes {
            switch change {
            case .cancel(let id): animations.cancel(id)
            case .start(let start):
                guard animations.count < Anim.countMaximum else {
                    throw .tooManyAnimations(maximum: Anim.countMaximum)
                }
                var deltas: [ViewNumber: SIMD4<Int32>] = [:]
                try apply(start.body) { deltas[$0] = $1 }
                animations.start(start, tick: anim.tick, deltas: deltas)
            }
        }
        needsSnapshot = false
    }

    /// Gives the views new numbers: their places in the list.
    ///
    /// - Throws: `MirrorError` where not every view is named once; the mirror waits for a snapshot
    ///   then.
    public mutating func apply(_ keyframe: Keyframe) throws(MirrorError) {
        guard !needsSnapshot else { throw .noSnapshot }
        needsSnapshot = true
        guard keyframe.tick == tick else {
            throw .wrongBase(tick: keyframe.tick, mirrorTick: tick)
        }
        guard keyframe.numbers.count == entries.count else { throw .malformedNumbering }
        var places: [ViewNumber: ViewNumber] = [:]
        for (place, number) in keyframe.numbers.enumerated() {
            let number = ViewNumber(number)
            guard self.place(number) != nil else { throw .unknownView(number) }
            places[number] = ViewNumber(UInt32(truncatingIfNeeded: place))
        }
        // Fewer keys than numbers: one was named twice.
        guard places.count == entries.count else { throw .malformedNumbering }
        func renumbered(_ number: ViewNumber) -> ViewNumber {
            places[number] ?? number
        }
        self.places = Array(repeating: -1, count: entries.count)
        for index in entries.indices {
            let number = renumbered(entries[index].number)
            entries[index].number = number
            entries[index].parent = entries[index].parent.map(renumbered)
            entries[index].children = entries[index].children.map(renumbered)
            self.places[Int(number.rawValue)] = Int32(truncatingIfNeeded: index)
            numbersByID[entries[index].id] = number
        }
        root = root.map(renumbered)
        ring.clear()
        animations.renumber(places)
        needsSnapshot = false
    }

    /// Where a view is shown at a tick: its frame, or on the way to it while an animation moves it.
    public func shownFrame(_ number: ViewNumber, at tick: UInt64) -> QuantisedFrame? {
        frame(number).map { animations.shown($0, of: number, at: tick) }
    }

    /// - Parameter note: Told of every view that groups and rows move.
    private mutating func apply(
        _ body: FrameBody, note: (ViewNumber, SIMD4<Int32>) -> Void
    ) throws(MirrorError) {
        var budget = entries.count
        for citation in body.citations {
            let slot = Int(citation.slot)
            var deltas = citation.deltas
            guard let selection = ring[slot], selection.mask.count == deltas.count else {
                throw .unknownSlot(citation.slot)
            }
            if body.citesDifferences { deltas.add(ring.deltas(slot: slot)) }
            ring.setDeltas(deltas, slot: slot)
            try shift(selection, by: deltas, &budget, note: note)
        }
        for group in body.groups {
            guard group.selection.isWellFormed, group.selection.mask.count == group.deltas.count
            else { throw .malformedSelection }
            if group.stores { ring.store(group.selection, deltas: group.deltas) }
            try shift(group.selection, by: group.deltas, &budget, note: note)
        }
        guard body.rows.count + body.absoluteRows.count <= budget else { throw .tooManyChanges }
        for row in body.rows {
            try shift(ViewNumber(row.number), by: row.values)
            note(ViewNumber(row.number), row.values)
        }
        for row in body.absoluteRows {
            guard let place = place(ViewNumber(row.number)) else {
                throw .unknownView(ViewNumber(row.number))
            }
            let old = placements[place].frame.vector
            setFrame(place, QuantisedFrame(vector: old &- row.mask.chosen(old) &+ row.values))
        }
    }

    /// - Parameter budget: How many more views may move.
    private mutating func shift(
        _ selection: Selection, by deltas: FieldDeltas, _ budget: inout Int,
        note: (ViewNumber, SIMD4<Int32>) -> Void
    ) throws(MirrorError) {
        budget -= selection.numbers.count
        guard budget >= 0 else { throw .tooManyChanges }
        let delta = selection.mask.places(deltas)
        for number in selection.numbers {
            try shift(ViewNumber(number), by: delta)
            note(ViewNumber(number), delta)
        }
    }

    private mutating func shift(
        _ number: ViewNumber, by delta: SIMD4<Int32>
    ) throws(MirrorError) {
        guard let place = place(number) else { throw .unknownView(number) }
        setFrame(place, QuantisedFrame(vector: placements[place].frame.vector &+ delta))
    }

    mutating func setFrame(_ place: Int, _ frame: QuantisedFrame) {
        let hash = ViewHash.hash(prefix: placements[place].hashPrefix, frame: frame)
        stateHash = stateHash &- placements[place].hash &+ hash
        placements[place].frame = frame
        placements[place].hash = hash
    }
}
