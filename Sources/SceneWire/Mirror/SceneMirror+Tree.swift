import SceneDocument

extension SceneMirror {
    /// Applies changes of the tree, in order.
    ///
    /// - Throws: `MirrorError` for a change that does not fit; the mirror waits for a snapshot
    ///   then.
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

    /// Applies changes of what is drawn; the rectangles to be drawn anew are for the renderer
    /// alone.
    ///
    /// - Throws: `MirrorError` for a view that is not there; the mirror waits for a snapshot then.
    public mutating func apply(_ content: Content) throws(MirrorError) {
        try begin(tick: content.tick)
        for change in content.changes {
            guard let place = place(change.number) else { throw .unknownView(change.number) }
            let known = entries[place].content
            entries[place].content = change.content
            if !change.changesFace { entries[place].content.face = known.face }
            if !change.changesLook { entries[place].content.look = known.look }
            rehash(place)
        }
        for invalidation in content.invalidations where place(invalidation.number) == nil {
            throw .unknownView(invalidation.number)
        }
        needsSnapshot = false
    }

    mutating func insert(
        _ record: ViewRecord, index: UInt32?
    ) throws(MirrorError) {
        let number = record.number
        guard place(number) == nil, number.rawValue < UInt32(Limits.viewNumberMaximum) else {
            throw .duplicateNumber(number)
        }
        // After an error the mirror is built anew, so that it may have been changed.
        guard numbersByID.updateValue(number, forKey: record.id) == nil else {
            throw .duplicateID(record.id)
        }
        var parentID = ""
        if let parent = record.parent {
            guard let place = place(parent) else { throw .unknownView(parent) }
            try insertChild(number, into: place, at: index)
            parentID = entries[place].id
        } else {
            guard root == nil else { throw .misplacedRoot }
            root = number
        }
        let prefix = ViewHash.prefix(id: record.id, parentID: parentID, content: record.content)
        let hash = ViewHash.hash(prefix: prefix, frame: record.frame)
        while places.count <= Int(number.rawValue) { places.append(-1) }
        places[Int(number.rawValue)] = Int32(truncatingIfNeeded: entries.count)
        entries.append(
            Entry(number: number, id: record.id, parent: record.parent, content: record.content))
        placements.append(Placement(frame: record.frame, hashPrefix: prefix, hash: hash))
        stateHash = stateHash &+ hash
    }

    private mutating func insertChild(
        _ number: ViewNumber, into place: Int, at index: UInt32?
    ) throws(MirrorError) {
        let count = entries[place].children.count
        let position = index.map { Int(clamping: $0) } ?? count
        guard position <= count else { throw .invalidIndex(UInt32(clamping: position)) }
        entries[place].children.insert(number, at: position)
    }

    private mutating func removeChild(_ number: ViewNumber, from parent: ViewNumber) {
        guard let place = place(parent) else { return }
        entries[place].children.removeAll { $0 == number }
    }

    private mutating func remove(_ number: ViewNumber) throws(MirrorError) {
        guard let first = place(number) else { throw .unknownView(number) }
        guard let parent = entries[first].parent else { throw .misplacedRoot }
        removeChild(number, from: parent)
        var stack = [number]
        while let number = stack.popLast() {
            guard let place = place(number) else { continue }
            let entry = entries[place]
            stack.append(contentsOf: entry.children)
            stateHash = stateHash &- placements[place].hash
            numbersByID[entry.id] = nil
            animations.forget(number)
            places[Int(number.rawValue)] = -1
            // The last entry takes the free place.
            let last = entries.removeLast()
            let lastPlacement = placements.removeLast()
            if place < entries.count {
                entries[place] = last
                placements[place] = lastPlacement
                places[Int(last.number.rawValue)] = Int32(truncatingIfNeeded: place)
            }
        }
    }

    private mutating func move(
        _ number: ViewNumber, to parent: ViewNumber, index: UInt32
    ) throws(MirrorError) {
        guard let moved = place(number) else { throw .unknownView(number) }
        guard let old = entries[moved].parent else { throw .misplacedRoot }
        guard let target = place(parent) else { throw .unknownView(parent) }
        var ancestor: ViewNumber? = parent
        while let current = ancestor {
            if current == number { throw .cycle(number) }
            ancestor = view(current)?.parent
        }
        removeChild(number, from: old)
        try insertChild(number, into: target, at: index)
        // The hash has the superview's name, and not the place.
        guard parent != old else { return }
        entries[moved].parent = parent
        rehash(moved)
    }

    private mutating func rehash(_ place: Int) {
        let entry = entries[place]
        let parentID = entry.parent.flatMap { view($0)?.id } ?? ""
        placements[place].hashPrefix = ViewHash.prefix(
            id: entry.id, parentID: parentID, content: entry.content)
        setFrame(place, placements[place].frame)
    }
}
